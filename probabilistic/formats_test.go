package probabilistic

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/weighted"
	"quotient/word"
)

func written(t interface{ Fatal(...any) }, f Format, a *Automaton) string {
	var b bytes.Buffer
	if err := f.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func format(name string) Format {
	f, err := FormatOf(name, "")
	if err != nil {
		panic(err)
	}
	return f
}

const coinText = `{
  "format": "quotient-probabilistic",
  "version": 1,
  "alphabet": ["a", "b"],
  "states": [
    {"id":1,"end":0.25},
    {"id":2,"end":0}
  ],
  "start": 1,
  "transitions": [
    {"from":1,"on":"a","to":2,"probability":0.5},
    {"from":1,"on":"b","to":1,"probability":0.25},
    {"from":2,"on":"a","to":1,"probability":0.75},
    {"from":2,"on":"b","to":2,"probability":0.25}
  ]
}
`

func TestWriteJSON(t *testing.T) {
	if diff := cmp.Diff(coinText, written(t, format("json"), coin())); diff != "" {
		t.Error(diff)
	}
	a := coin()
	a.End[1] = 0.5
	if err := Write(&bytes.Buffer{}, a); err == nil {
		t.Error("what does not sum to one was written")
	}
}

// The document describes the format by an example that is read.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "probabilistic-json.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "```json\n")
	example, _, found := strings.Cut(example, "```")
	if a, note, err := Read(strings.NewReader(example), "f"); !found || err != nil || note != "" || !a.Equal(coin()) {
		t.Errorf("%v, %q", err, note)
	}
}

// named returns a random automaton with odd names of symbols, all of which occur.
func named(t *rapid.T) *Automaton {
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z<>"\\\[\]=;,:/&# ε\n\t-]{1,4}`), 1, 3, rapid.ID[string]).Draw(t, "names")
	alphabet, err := word.NewAlphabet(names...)
	if err != nil {
		t.Skip(err)
	}
	a := draw(t, 5, len(names))
	a.Alphabet = alphabet
	return a
}

// JSON and DOT keep everything, to the last bit.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := named(t)
		for _, name := range []string{"json", "dot"} {
			text := written(t, format(name), a)
			b, note, err := format(name).Read(strings.NewReader(text), "f")
			if err != nil || note != "" {
				t.Fatalf("%s: %v, %q\n%s", name, err, note, text)
			}
			if !a.Equal(b) || !Recognize([]byte(text)) {
				t.Fatalf("%s: %+v was read back as %+v\n%s", name, a, b, text)
			}
		}
	})
}

// AT&T's format keeps the states, and AALpy's the probabilities of words.
func TestOtherRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := named(t)
		for _, name := range []string{"att", "aalpy", "aalpy-smm"} {
			var text bytes.Buffer
			if err := format(name).Write(&text, a); err != nil {
				continue // AALpy does not know every name
			}
			b, _, err := format(name).Read(bytes.NewReader(text.Bytes()), "f")
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text.String())
			}
			if name == "att" && b.Len() > a.Len() {
				t.Fatalf("%d states, then %d\n%s", a.Len(), b.Len(), text.String())
			}
			wide, err := b.WithAlphabet(a.Alphabet)
			if err != nil {
				t.Fatal(err)
			}
			if v, err := TotalVariation(a, wide, 0, 1000); err != nil || v.High > 1e-12 {
				t.Fatalf("%s: %+v, %v\n%s", name, v, err, text.String())
			}
		}
	})
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"end":0.25`, `"end":0.5`, "f: the probabilities of state 1, its end included, sum to 1.25; they must sum to 1"},
		{`"end":0.25`, `"end":-0.25`, "f: the end of state 1 has the probability -0.25"},
		{`"end":0.25`, `"end":"x"`, "f: line 6: json: cannot unmarshal string"},
		{`0.75`, `7.5`, `f: in field "transitions", entry 3: the probability 7.5 is not between 0 and 1`},
		{`"from":2,"on":"a"`, `"from":3,"on":"a"`, `f: in field "transitions", entry 3: no state has the id 3`},
		{`"from":2,"on":"a"`, `"from":2,"on":"c"`, `f: in field "transitions", entry 3: symbol "c" is not in the declared alphabet`},
		{`"from":2,"on":"a"`, `"from":2,"on":"b"`, `f: state "2" has two transitions on "b"`},
		{`"id":2`, `"id":1`, `f: two states have the id 1`},
		{`"start": 1`, `"start": 7`, `f: in field "start": no state has the id 7`},
		{`["a", "b"]`, `["a", "a"]`, `f: two symbols are called "a"`},
		{`"alphabet": ["a", "b"],`, ``, `f: field "alphabet" is missing`},
		{`"version": 1`, `"version": 2`, `f: the format is "quotient-probabilistic", version 2`},
		{`"version": 1`, `"versio": 1`, `f: json: unknown field "versio"`},
		{"  ]\n}\n", "", "f: line 15: the document ends too early"},
		{"}\n", "}\n1", "f: something follows the automaton"},
		{"a", "\xff", "f: this is not UTF-8"},
	} {
		text := strings.Replace(coinText, c.old, c.new, 1)
		if strings.HasPrefix(c.old, "}") || strings.HasPrefix(c.old, "  ]") {
			text = strings.TrimSuffix(coinText, c.old) + c.new
		}
		_, _, err := Read(strings.NewReader(text), "f")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %s", c.new, c.old, err, c.want)
		}
	}
}

// Rounded probabilities are scaled, and that is said.
func TestRounded(t *testing.T) {
	text := strings.Replace(coinText, "0.75", "0.752", 1)
	a, note, err := Read(strings.NewReader(text), "f")
	if err != nil || a.Check() != nil || !strings.HasPrefix(note, "the probabilities of 1 of 2 states did not sum to 1 and were scaled; the furthest off was state 2, by 0.002") {
		t.Errorf("%q, %v", note, err)
	}
}

// A small file that would need a large table is refused.
func TestTableLimit(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"format":"quotient-probabilistic","version":1,"alphabet":["0"`)
	for i := 1; i < 5000; i++ {
		b.WriteString(`,"` + number(float64(i)) + `"`)
	}
	b.WriteString(`],"start":1,"transitions":[],"states":[{"id":0,"end":1}`)
	for i := 1; i < 5000; i++ {
		b.WriteString(`,{"id":` + number(float64(i)) + `,"end":1}`)
	}
	b.WriteString(`]}`)
	_, _, err := Read(strings.NewReader(b.String()), "f")
	var limit *automaton.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("%v", err)
	}
}

func TestReadATT(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"0\t1\ta\ta\t0.6931471805599453\n0\t0.6931471805599453\n1\n", ""},
		{"0 1 a 0.69314718\n0 0.69314718\n1 0\n", ""},
		{"0 1 a b 0.5\n", `f: line 1: in "a" and out "b" differ: transducers are not supported`},
		{"0 1 <eps> <eps> 0\n1\n", "f: line 1: a transition reads nothing (<eps>); remove such ones first"},
		{"0 1 a a x\n", `f: line 1: weight "x" is not a number`},
		{"0 1 a a -2\n", "f: line 1: weight -2 is no negative logarithm of a probability"},
		{"0 1 a a 0 0\n", "f: line 1: 6 columns"},
		{"0 1 a a 0.1\n1\n", "f: the probabilities of state 1, its end included, sum to 0.904837"},
	} {
		a, _, err := format("att").Read(strings.NewReader(c.text), "f")
		if c.want == "" {
			if err != nil || a.Len() != 2 || math.Abs(a.End[1]-0.5) > 1e-8 || a.End[2] != 1 {
				t.Errorf("%q: %+v, %v", c.text, a, err)
			}
		} else if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// The files in testdata were saved by AALpy 2.0.0, of what it learned from 200 words of coin:
// a Markov chain, and a stochastic Mealy machine, in which $ leads back to the start.
func TestReadAALpy(t *testing.T) {
	for _, c := range []struct {
		file   string
		states int
	}{{"chain.dot", 5}, {"mealy.dot", 2}} {
		file, err := os.Open(filepath.Join("testdata", c.file))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		a, note, err := format("aalpy").Read(file, c.file)
		if err != nil || note != "" {
			t.Fatal(err, note)
		}
		d, err := Diverge(coin(), a)
		if err != nil || a.Len() != c.states || d.PerSymbol > 0.01 {
			t.Errorf("%s: %d states, %+v, %v", c.file, a.Len(), d, err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"graph {}", "f: expected a DOT file that begins with digraph"},
		{"digraph g {\ns0 -> s0 [label=\"x/a:0.5\"];\ns0 -> s0 [label=\"y/b:0.5\"];\n}", `f: line 3: two inputs, "x" and "y"`},
		{"digraph g {\ns0 [label=\"a\"];\ns0 -> s0 [label=1];\n}", "f: no start state; an edge from __start0 leads to it"},
		{"digraph g {\ns0 [label=\"a\"];\ns0 -> s0 [label=one];\n}", `f: line 3: "one" is no probability`},
	} {
		if _, _, err := format("aalpy").Read(strings.NewReader(c.text), "f"); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	a := coin()
	a.Alphabet = word.Letters("a$")
	if err := format("aalpy").Write(&bytes.Buffer{}, a); err == nil {
		t.Error("a symbol that means the end was written for AALpy")
	}
}

// The weights of an automaton are read by package weighted.
func TestWeights(t *testing.T) {
	w, err := coin().Weighted()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := weighted.Write(&b, w); err != nil {
		t.Fatal(err)
	}
	if v, err := weighted.Read(&b, "f"); err != nil || v.Value(word.Word{1}) != 0.0625 {
		t.Errorf("%v", err)
	}
}

func FuzzJSON(f *testing.F)  { fuzz(f, "json") }
func FuzzDOT(f *testing.F)   { fuzz(f, "dot") }
func FuzzATT(f *testing.F)   { fuzz(f, "att") }
func FuzzAALpy(f *testing.F) { fuzz(f, "aalpy") }

// fuzz reads anything: what is read is an automaton, and JSON keeps it.
func fuzz(f *testing.F, name string) {
	f.Add([]byte(written(f, format(name), coin())))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, _, err := format(name).Read(bytes.NewReader(data), "f")
		if err != nil {
			return
		}
		if err := a.Check(); err != nil {
			t.Fatal(err)
		}
		b, _, err := Read(strings.NewReader(written(t, format("json"), a)), "f")
		if err != nil || !a.Equal(b) {
			t.Fatalf("%+v was read back as %+v; %v", a, b, err)
		}
	})
}
