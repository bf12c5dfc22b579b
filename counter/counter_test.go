package counter

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/word"
)

// anbn counts a's up in state 1 and b's down in state 2.
func anbn() *Automaton {
	m := New(word.Letters("ab"), 2)
	m.Accept[1][Zero], m.Accept[2][Zero] = true, true
	for _, t := range Tests {
		m.SetMove(1, 0, t, Move{1, 1})
	}
	m.SetMove(1, 1, Nonzero, Move{2, -1})
	m.SetMove(2, 1, Nonzero, Move{2, -1})
	return m
}

// dyck counts parentheses that are open.
func dyck() *Automaton {
	m := New(word.Letters("()"), 1)
	m.Accept[1][Zero] = true
	for _, t := range Tests {
		m.SetMove(1, 0, t, Move{1, 1})
	}
	m.SetMove(1, 1, Nonzero, Move{1, -1})
	return m
}

// balance accepts as many a's as b's: its counter goes below zero.
func balance() *Automaton {
	m := New(word.Letters("ab"), 1)
	m.Accept[1][Zero] = true
	for _, t := range Tests {
		m.SetMove(1, 0, t, Move{1, 1})
		m.SetMove(1, 1, t, Move{1, -1})
	}
	return m
}

// words calls f for all words of k symbols up to a length, shorter ones first.
func words(k, length int, f func(word.Word)) {
	level := []word.Word{nil}
	for n := 0; n <= length; n++ {
		var longer []word.Word
		for _, w := range level {
			f(w)
			for s := range k {
				longer = append(longer, append(w[:len(w):len(w)], word.Symbol(s)))
			}
		}
		level = longer
	}
}

func TestAccepts(t *testing.T) {
	isDyck := func(text string) bool {
		for before := ""; before != text; {
			before, text = text, strings.ReplaceAll(text, "()", "")
		}
		return text == ""
	}
	for _, test := range []struct {
		name string
		a    *Automaton
		want func(text string) bool
	}{
		{"anbn", anbn(), func(text string) bool {
			n := len(text) / 2
			return text == strings.Repeat("a", n)+strings.Repeat("b", n)
		}},
		{"dyck", dyck(), isDyck},
		{"balance", balance(), func(text string) bool { return strings.Count(text, "a") == strings.Count(text, "b") }},
	} {
		words(2, 12, func(w word.Word) {
			text := ""
			for _, s := range w {
				text += test.a.Alphabet.Name(s)
			}
			if got, want := test.a.Accepts(w), test.want(text); got != want {
				t.Errorf("%s, %q: %v, want %v", test.name, text, got, want)
			}
		})
		if !test.a.Counts() {
			t.Errorf("%s does not count", test.name)
		}
	}
}

// random draws automata of up to four states over two symbols.
func random(t *rapid.T, label string) *Automaton {
	n := rapid.IntRange(0, 4).Draw(t, label+" states")
	a := New(word.Letters("ab"), n)
	for q := 1; q <= n; q++ {
		for _, test := range Tests {
			a.Accept[q][test] = rapid.Bool().Draw(t, label+" accept")
			for s := range word.Symbol(2) {
				m := Move{automaton.State(rapid.IntRange(0, n).Draw(t, label+" to")), rapid.IntRange(-2, 2).Draw(t, label+" add")}
				if m.To == automaton.Dead {
					m.Add = 0
				}
				a.SetMove(automaton.State(q), s, test, m)
			}
		}
	}
	return a
}

// The unrolled automaton agrees on all words up to its length.
func TestDFA(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, length := random(t, "a"), rapid.IntRange(0, 7).Draw(t, "length")
		d, err := a.DFA(length, 1000)
		if err != nil {
			t.Fatal(err)
		}
		words(2, length, func(w word.Word) {
			if a.Accepts(w) != d.Accepts(w) {
				t.Fatalf("%v: %v", w, a.Accepts(w))
			}
		})
	})
	d, err := anbn().DFA(10, 1000)
	if err != nil || d.Len() != 11 { // after none to five a's, and with none to four b's to come
		t.Errorf("aⁿbⁿ up to length 10: %v, %v", d, err)
	}
	limit := (*automaton.LimitError)(nil)
	if _, err := balance().DFA(1000, 100); !errors.As(err, &limit) {
		t.Errorf("past the limit: %v", err)
	}
}

// Distinguish finds a word as short as trying all of them does.
func TestDistinguish(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, length := random(t, "a"), random(t, "b"), rapid.IntRange(0, 7).Draw(t, "length")
		shortest := -1
		words(2, length, func(w word.Word) {
			if shortest < 0 && a.Accepts(w) != b.Accepts(w) {
				shortest = len(w)
			}
		})
		w, differ, err := Distinguish(a, b, length)
		switch {
		case err != nil:
			t.Fatal(err)
		case differ != (shortest >= 0):
			t.Fatalf("differ is %v, but the shortest word has length %d", differ, shortest)
		case differ && (len(w) != shortest || a.Accepts(w) == b.Accepts(w)):
			t.Fatalf("%v, but the shortest word has length %d", w, shortest)
		}
	})
	// Longer than words could ever be tried.
	if w, differ, err := Distinguish(anbn(), anbn(), 5000); differ || err != nil {
		t.Errorf("aⁿbⁿ and itself: %v, %v", w, err)
	}
	d, err := anbn().DFA(100, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if w, differ, err := Distinguish(anbn(), FromDFA(d), 5000); !differ || err != nil || len(w) != 102 {
		t.Errorf("unrolled to 100, the first difference has length %d, %v", len(w), err)
	}
}

func TestMinimize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := random(t, "a")
		m := Minimize(a)
		if w, differ, err := Distinguish(a, m, 12); differ || err != nil {
			t.Fatalf("another language: %v, %v", w, err)
		}
		if m.Len() > a.Len() {
			t.Fatalf("%d states of %d", m.Len(), a.Len())
		}
		if again := Minimize(m); again.Len() > m.Len() {
			t.Fatalf("minimized again, %d states of %d", again.Len(), m.Len())
		}
	})
	// Two copies of state 1, a state that leads nowhere and one that is not reached.
	a := New(word.Letters("ab"), 5)
	a.Accept[1][Zero], a.Accept[2][Zero], a.Accept[5][Zero] = true, true, true
	for _, t := range Tests {
		a.SetMove(1, 0, t, Move{2, 1})
		a.SetMove(2, 0, t, Move{1, 1})
		a.SetMove(3, 0, t, Move{3, 1})
	}
	a.SetMove(1, 1, Zero, Move{3, 0})
	a.SetMove(1, 1, Nonzero, Move{2, -1})
	a.SetMove(2, 1, Nonzero, Move{1, -1})
	want := dyck()
	want.Alphabet = a.Alphabet
	if m := Minimize(a); !m.Equal(want) {
		t.Errorf("minimized to %+v", m)
	}
}

// No finite automaton of a size is right further than Reach says: all are tried.
func TestReach(t *testing.T) {
	for _, test := range []struct {
		name   string
		a      *Automaton
		states int
	}{{"anbn", anbn(), 1}, {"anbn", anbn(), 2}, {"dyck", dyck(), 1}, {"dyck", dyck(), 2}, {"balance", balance(), 2}} {
		reach, err := test.a.Reach(test.states, 100)
		if err != nil {
			t.Fatal(err)
		}
		best := 0
		every(test.a.Alphabet, test.states, func(d *automaton.DFA) {
			w, differ, err := Distinguish(test.a, FromDFA(d), 100)
			if err != nil || !differ {
				t.Fatalf("%s: a finite automaton is right: %v", test.name, err)
			}
			best = max(best, len(w)-1)
		})
		if best > reach {
			t.Errorf("%s, %d states: one is right up to length %d, and %d should be the most", test.name, test.states, best, reach)
		}
		if reach > 4 {
			t.Errorf("%s, %d states: up to length %d is no bound worth telling", test.name, test.states, reach)
		}
	}
}

// every calls f for all automata of n states that start in state 1.
func every(a *word.Alphabet, n int, f func(*automaton.DFA)) {
	d := automaton.NewDFA(a, n)
	free := len(d.Table) - a.Len()
	var choose func(i int)
	choose = func(i int) {
		switch {
		case i < free:
			for q := range n + 1 {
				d.Table[a.Len()+i] = automaton.State(q)
				choose(i + 1)
			}
		case i < free+n:
			for _, accept := range []bool{false, true} {
				d.Accept[1+i-free] = accept
				choose(i + 1)
			}
		default:
			f(d)
		}
	}
	choose(0)
}

func TestFromDFA(t *testing.T) {
	d, err := anbn().DFA(6, 100)
	if err != nil {
		t.Fatal(err)
	}
	a := FromDFA(d)
	if a.Counts() {
		t.Error("it counts")
	}
	words(2, 8, func(w word.Word) {
		if a.Accepts(w) != d.Accepts(w) {
			t.Errorf("%v: %v", w, a.Accepts(w))
		}
	})
}

func TestJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := random(t, "a")
		var b bytes.Buffer
		if err := Write(&b, a); err != nil {
			t.Fatal(err)
		}
		back, err := Read(bytes.NewReader(b.Bytes()), "file")
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		if !back.Equal(a) {
			t.Fatalf("another automaton came back from\n%s", b.String())
		}
	})
	var in, out struct{ A *Automaton }
	in.A = anbn()
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &out); err != nil || !out.A.Equal(in.A) {
		t.Errorf("%v from %s", err, data)
	}
}

const anbnJSON = `{
  "format": "quotient-counter",
  "version": 1,
  "alphabet": ["a", "b"],
  "states": [
    {"id":1,"accept":["zero"]},
    {"id":2,"accept":["zero"]}
  ],
  "start": 1,
  "moves": [
    {"from":1,"on":"a","to":1,"add":1},
    {"from":1,"on":"b","if":"nonzero","to":2,"add":-1},
    {"from":2,"on":"b","if":"nonzero","to":2,"add":-1}
  ]
}
`

func TestJSONText(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, anbn()); err != nil || b.String() != anbnJSON {
		t.Errorf("%v, written as\n%s", err, b.String())
	}
}

func TestJSONErrors(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"quotient-counter", "quotient-automaton", "format"},
		{`"version": 1`, `"version": 2`, "version 2"},
		{`"version": 1`, `"vresion": 1`, `unknown field "vresion"`},
		{`"b"]`, `"a"]`, `two symbols are called "a"`},
		{`"id":2`, `"id":1`, "two states have the id 1"},
		{`"start": 1`, `"start": 7`, "id 7 of the start"},
		{`"from":2`, `"from":3`, `"moves", entry 3: no state has the id 3`},
		{`"to":2,"add":-1},`, `"to":0,"add":-1},`, "entry 2: no state has the id 0"},
		{`"on":"a"`, `"on":"c"`, `entry 1: symbol "c"`},
		{`"add":1}`, `"add":1025}`, "it adds 1025"},
		{`"if":"nonzero","to":2,"add":-1},`, `"if":"never","to":2,"add":-1},`, "zero or nonzero"},
		{`{"from":2,"on":"b","if":"nonzero"`, `{"from":1,"on":"b"`, "another move leads from 1"},
		{"  ]\n}\n", "", "line 14: the document ends too early"},
		{"}\n", "} {}", "something follows"},
		{"}\n", "}}", "something follows"},
		{`["a", "b"]`, `["a", 7]`, "line 4"},
		{`"a"`, "\"\xff\"", "UTF-8"},
	} {
		text := anbnJSON[:strings.LastIndex(anbnJSON, test.old)] + test.new + anbnJSON[strings.LastIndex(anbnJSON, test.old)+len(test.old):]
		if strings.Count(anbnJSON, test.old) > 1 && strings.Contains(test.want, "entry 2") {
			text = strings.Replace(anbnJSON, test.old, test.new, 1)
		}
		_, err := Read(strings.NewReader(text), "x.json")
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "x.json: ") {
			t.Errorf("%q for %q: error %v, want one with %q", test.new, test.old, err, test.want)
		}
	}
	many := `{"format":"quotient-counter","version":1,"alphabet":["` + strings.Join(numerals(2000), `","`) +
		`"],"states":[` + strings.TrimSuffix(strings.Repeat(`{"id":1},`, 1000), ",") + `],"moves":[]}`
	limit := (*automaton.LimitError)(nil)
	if _, err := Read(strings.NewReader(many), "x.json"); !errors.As(err, &limit) {
		t.Errorf("a table of millions: %v", err)
	}
}

func numerals(n int) []string {
	var list []string
	for i := range n {
		list = append(list, strconv.Itoa(i))
	}
	return list
}

// Whatever is read can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add(anbnJSON)
	f.Add(`{"format":"quotient-counter","version":1,"alphabet":[],"states":[],"start":null,"moves":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Read(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, a); err != nil {
			t.Fatal(err)
		}
		back, err := Read(&b, "fuzz")
		if err != nil || !back.Equal(a) {
			t.Fatalf("read back: %v", err)
		}
		if m := Minimize(a); a.Len() < 20 && a.Alphabet.Len() < 4 {
			if w, differ, err := Distinguish(a, m, 8); err == nil && differ {
				t.Fatalf("minimized, it differs on %v", w)
			}
		}
	})
}

func TestAfter(t *testing.T) {
	for _, c := range []int{-3, -1, 0, 1, 3} {
		for add := -3; add <= 3; add++ {
			if !slices.Contains(after(Of(c), add), Of(c+add)) {
				t.Errorf("%d, then %+d: %v leaves out %v", c, add, after(Of(c), add), Of(c+add))
			}
		}
	}
}

func TestFinite(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for range 200 {
		n := 1 + rng.IntN(8)
		d := automaton.NewDFA(word.Letters("ab"), n)
		for q := 1; q <= n; q++ {
			d.Accept[q] = rng.IntN(3) == 0
			for s := range 2 {
				d.SetNext(automaton.State(q), word.Symbol(s), automaton.State(rng.IntN(n+1)))
			}
		}
		if got, want := FromDFA(d).Finite(), automaton.Minimize(d); !got.Equal(want) {
			t.Fatalf("%d states of %d: another language", got.Len(), want.Len())
		}
	}
}
