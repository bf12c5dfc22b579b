package automaton

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/word"
)

var ab = word.Letters("ab")

// drawDFA is a small random automaton, with transitions to Dead.
func drawDFA(t *rapid.T, a *word.Alphabet, label string) *DFA {
	n := rapid.IntRange(0, 7).Draw(t, label+" states")
	d := NewDFA(a, n)
	state := rapid.Custom(func(t *rapid.T) State { return State(rapid.IntRange(0, n).Draw(t, "state")) })
	d.Start = state.Draw(t, label+" start")
	for q := 1; q <= n; q++ {
		d.Accept[q] = rapid.Bool().Draw(t, label+" accept")
		for s := range a.Len() {
			d.SetNext(State(q), word.Symbol(s), state.Draw(t, label+" next"))
		}
	}
	return d
}

func drawNFA(t *rapid.T, a *word.Alphabet) *NFA {
	n := NewNFA(a, rapid.IntRange(1, 6).Draw(t, "states"))
	state := rapid.Custom(func(t *rapid.T) State { return State(rapid.IntRange(1, n.Len()).Draw(t, "state")) })
	n.Start = rapid.SliceOfN(state, 0, 3).Draw(t, "start")
	for q := 1; q <= n.Len(); q++ {
		n.Accept[q] = rapid.Bool().Draw(t, "accept")
	}
	for range rapid.IntRange(0, 15).Draw(t, "edges") {
		on := word.Symbol(rapid.IntRange(0, a.Len()).Draw(t, "on"))
		if int(on) == a.Len() {
			on = Epsilon
		}
		n.AddEdge(state.Draw(t, "from"), on, state.Draw(t, "to"))
	}
	return n
}

// allWords calls f with every word over k symbols of length up to n.
func allWords(k, n int, f func(word.Word)) {
	level := []word.Word{{}}
	for range n + 1 {
		var next []word.Word
		for _, w := range level {
			f(w)
			for s := range k {
				next = append(next, append(slices.Clone(w), word.Symbol(s)))
			}
		}
		level = next
	}
}

func TestRun(t *testing.T) {
	d := evenAs()
	for text, want := range map[string]bool{"": true, "a": false, "aa": true, "aba": true, "ab": false} {
		w, err := ab.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Accepts(w); got != want {
			t.Errorf("Accepts(%q) = %v, want %v", text, got, want)
		}
	}
	labels := make([]bool, 4)
	d.Labels(labels, word.Word{0, 1, 0})
	if want := []bool{true, false, false, true}; !slices.Equal(labels, want) {
		t.Errorf("Labels(aba) = %v, want %v", labels, want)
	}
}

// evenAs accepts the words over {a, b} with an even number of a's.
func evenAs() *DFA {
	d := NewDFA(ab, 2)
	d.Accept[1] = true
	d.SetNext(1, 0, 2)
	d.SetNext(1, 1, 1)
	d.SetNext(2, 0, 1)
	d.SetNext(2, 1, 2)
	return d
}

// An NFA, its determinization and the minimal automaton agree on every word up
// to length 10, the NFA being run by a search of its own.
func TestDeterminizeAndMinimizeAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawNFA(t, ab)
		d, err := Determinize(n, 1000)
		if err != nil {
			t.Fatal(err)
		}
		m := Minimize(d)
		allWords(2, 10, func(w word.Word) {
			if want := n.Accepts(w); d.Accepts(w) != want || m.Accepts(w) != want {
				t.Fatalf("%v: nfa %v, dfa %v, minimal %v", w, want, d.Accepts(w), m.Accepts(w))
			}
		})
	})
}

func TestDeterministicNFAKeepsItsNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDFA(t, ab, "d")
		e, err := Determinize(d.NFA(), 1000)
		if err != nil {
			t.Fatal(err)
		}
		if !d.Equal(e) {
			t.Fatalf("%+v became %+v", d, e)
		}
	})
}

func TestDeterminizeLimit(t *testing.T) {
	// The words whose n-th symbol from the end is a: 2ⁿ states.
	n := NewNFA(ab, 21)
	n.Start = []State{1}
	n.AddEdge(1, 0, 1)
	n.AddEdge(1, 1, 1)
	n.AddEdge(1, 0, 2)
	for q := State(2); q < 21; q++ {
		n.AddEdge(q, 0, q+1)
		n.AddEdge(q, 1, q+1)
	}
	n.Accept[21] = true
	_, err := Determinize(n, 1000)
	limit, ok := err.(*LimitError)
	if !ok || limit.Limit != 1000 || limit.What != "states" {
		t.Fatalf("got %v, want a *LimitError of 1000 states", err)
	}
	if d, err := Determinize(n, 1<<20); err != nil || d.Len() != 1<<20 {
		t.Fatalf("without a limit in the way: %v", err)
	}
}

// A sparse automaton over a large alphabet must not become a table of gigabytes.
func TestDeterminizeBoundsTheTable(t *testing.T) {
	names := make([]string, 60_000)
	for i := range names {
		names[i] = fmt.Sprint("s", i)
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	n := NewNFA(a, 60_000)
	n.Start = []State{1}
	if _, err := Determinize(n, DefaultLimit); err == nil {
		t.Fatal("a table of 3.6 billion entries was allowed")
	}
}

// plainMoore refines the states of an automaton until nothing changes: the
// plain algorithm, quadratic, as the oracle of Minimize. It returns the number
// of classes that are reachable and from which acceptance is reachable.
func plainMoore(d *DFA) (classes []int, states int) {
	n := len(d.Accept)
	class := make([]int, n)
	for q, accept := range d.Accept {
		if accept {
			class[q] = 1
		}
	}
	for count := -1; ; {
		number := map[string]int{}
		next := make([]int, n)
		for q := range n {
			key := fmt.Sprint(class[q])
			for _, to := range d.Row(State(q)) {
				key += fmt.Sprint(",", class[to])
			}
			if _, ok := number[key]; !ok {
				number[key] = len(number)
			}
			next[q] = number[key]
		}
		class = next
		if len(number) == count {
			break
		}
		count = len(number)
	}
	reached := map[int]bool{}
	for _, q := range d.reachable() {
		if class[q] != class[Dead] {
			reached[class[q]] = true
		}
	}
	return class, len(reached)
}

func TestMinimizeAgainstMoore(t *testing.T) {
	alphabets := []*word.Alphabet{word.Letters("abc"), word.Letters("abcdefghijkl")} // narrow and wide
	rapid.Check(t, func(t *rapid.T) {
		d := drawDFA(t, rapid.SampledFrom(alphabets).Draw(t, "alphabet"), "d")
		m := Minimize(d)
		if _, want := plainMoore(d); m.Len() != want {
			t.Fatalf("Minimize has %d states, Moore %d", m.Len(), want)
		}
		if w, differ := Distinguish(d, m); differ {
			t.Fatalf("minimization changed the answer on %v", w)
		}
		if again := Minimize(m); !again.Equal(m) {
			t.Fatalf("minimizing twice gives another automaton: %+v, %+v", m, again)
		}
	})
}

// Automata of up to two states over two symbols, all of them, and larger ones by
// chance: equal languages must give equal values.
func TestMinimizeIsCanonical(t *testing.T) {
	var all []*DFA
	for n := 0; n <= 2; n++ {
		for code := range pow(n+1, 2*n+1) << n {
			d := NewDFA(ab, n)
			c := code
			for q := 1; q <= n; q++ {
				d.Accept[q] = c&1 == 1
				c >>= 1
			}
			for i := 2; i < len(d.Table); i++ {
				d.Table[i] = State(c % (n + 1))
				c /= n + 1
			}
			d.Start = State(c % (n + 1))
			all = append(all, d)
		}
	}
	languages := map[string]*DFA{} // by the answers on all words up to length 4
	for _, d := range all {
		answers := ""
		allWords(2, 4, func(w word.Word) { answers += fmt.Sprint(d.Accepts(w))[:1] })
		m := Minimize(d)
		if other, ok := languages[answers]; !ok {
			languages[answers] = m
		} else if !other.Equal(m) {
			t.Fatalf("one language, two minimal automata: %+v, %+v", other, m)
		}
	}
	if len(languages) < 50 {
		t.Fatalf("only %d languages met", len(languages))
	}
}

func pow(b, e int) int {
	p := 1
	for range e {
		p *= b
	}
	return p
}

// Hopcroft's algorithm alone, from the coarsest classes, must find what the
// rounds that normally come first find.
func TestHopcroftAgainstMoore(t *testing.T) {
	abc := word.Letters("abc")
	rapid.Check(t, func(t *rapid.T) {
		d := drawDFA(t, abc, "d")
		r := acceptance(d)
		got, gotCount := listed(hopcroft(&r, nil))
		for fresh, before := make([]int32, len(r.class)), 0; r.count != before; {
			before = r.count
			r.round(fresh)
			r.class, fresh = fresh, r.class
		}
		if gotCount != r.count || !slices.Equal(got, r.class) {
			t.Fatalf("Hopcroft %v, Moore %v", got, r.class)
		}
	})
}

// acceptance divides the reachable states by acceptance alone.
func acceptance(d *DFA) refinement {
	order, next := breadthFirst(d)
	r := refinement{k: d.Alphabet.Len(), next: next}
	accept := make([]uint8, len(order))
	for i, q := range order {
		if d.Accept[q] {
			accept[i] = 1
		}
	}
	r.byAcceptance(accept)
	return r
}

// Signatures that collide often, or always, must not change the result; nor must
// leaving what they leave open to Hopcroft's algorithm.
func TestMinimizeSurvivesCollisions(t *testing.T) {
	alphabets := []*word.Alphabet{word.Letters("abc"), word.Letters("abcdefghijkl")} // narrow and wide
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		symbols := rapid.SampledFrom(alphabets).Draw(t, "alphabet")
		d := randomDFA(r, symbols, rapid.IntRange(1, 70).Draw(t, "states"), rapid.SampledFrom([]float64{0.2, 0.9}).Draw(t, "missing"))
		few := rapid.IntRange(2, 40).Draw(t, "few") // acceptance by groups makes for equivalent states
		for q := 1; q < len(d.Accept); q++ {
			d.Accept[q] = q%few == 0
			for s := range symbols.Len() {
				if to := d.Next(State(q), word.Symbol(s)); to != Dead {
					d.SetNext(State(q), word.Symbol(s), (to-1)%State(few)+1)
				}
			}
		}
		mask := rapid.SampledFrom([]uint32{0, 1, 2, 6, 1<<32 - 1}).Draw(t, "mask")
		m := minimize(d, mask)
		if _, want := plainMoore(d); m.Len() != want {
			t.Fatalf("%d states, want %d", m.Len(), want)
		}
		if w, differ := Distinguish(d, m); differ {
			t.Fatalf("minimization changed the answer on %v", w)
		}
		order, _ := breadthFirst(d)
		start := acceptance(d)
		start.class, start.count = hopcroft(&start, nil)
		if q := start.quotient(d, order); !q.Equal(m) {
			t.Fatalf("Hopcroft's algorithm alone gives %+v, want %+v", q, m)
		}
	})
}

// listed returns the classes that hopcroft makes no list of.
func listed(class []int32, count int) ([]int32, int) {
	if class == nil {
		for q := range count {
			class = append(class, int32(q))
		}
	}
	return class, count
}

// From any classes between the rounds Hopcroft's algorithm must go on to the same end.
func TestHopcroftGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDFA(t, ab, "d")
		r := acceptance(d)
		coarse := make([]int32, len(r.class))
		want, count := listed(hopcroft(&r, nil))
		for range rapid.IntRange(0, 5).Draw(t, "rounds") {
			r.round(coarse)
			r.class, coarse = coarse, r.class
		}
		got, gotCount := listed(hopcroft(&r, coarse))
		if gotCount != count || !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// Every automaton over one symbol: any path, any circle, any answers.
func TestMinimizeUnary(t *testing.T) {
	for n := range 9 {
		for back := range n + 1 { // where the last state leads
			for answers := range 1 << n {
				d := NewDFA(word.Letters("a"), n)
				for q := 1; q <= n; q++ {
					d.Accept[q] = answers>>(q-1)&1 == 1
					d.Table[q] = State(q + 1)
				}
				d.Table[n] = State(back)
				m := Minimize(d)
				if _, want := plainMoore(d); m.Len() != want {
					t.Fatalf("%v: %d states, want %d", d, m.Len(), want)
				}
				if w, differ := Distinguish(d, m); differ {
					t.Fatalf("%v: minimization changed the answer on %v", d, w)
				}
			}
		}
	}
}

// The words of a's whose length is a multiple of n, b's left out: Moore's algorithm would
// take n rounds, so this is settled by Hopcroft's.
func TestMinimizeCounter(t *testing.T) {
	d := NewDFA(ab, 30_000)
	for q := State(1); q <= 30_000; q++ {
		d.Accept[q] = q%10_000 == 1
		d.SetNext(q, 0, q%30_000+1)
		d.SetNext(q, 1, q)
	}
	if m := Minimize(d); m.Len() != 10_000 {
		t.Errorf("%d states, want 10000", m.Len())
	}
}

// Words of a's whose length is a multiple of n.
func TestMinimizeCycle(t *testing.T) {
	d := unaryCycle(30_000)
	for q := 10_001; q <= 30_000; q += 10_000 {
		d.Accept[q] = true
	}
	if m := Minimize(d); m.Len() != 10_000 {
		t.Errorf("%d states, want 10000", m.Len())
	}
}

// unaryCycle has n states in a circle, of which the first accepts.
func unaryCycle(n int) *DFA {
	d := NewDFA(word.Letters("a"), n)
	d.Accept[1] = true
	for q := 1; q <= n; q++ {
		d.SetNext(State(q), 0, State(q%n+1))
	}
	return d
}

func TestMinimizeLargeAgainstMoore(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand states by Moore's algorithm take a second")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		d := randomDFA(r, ab, 1000, 0.1)
		for q := range d.Accept { // few accepting states make for many rounds
			d.Accept[q] = q%100 == 7
		}
		m := Minimize(d)
		if _, want := plainMoore(d); m.Len() != want {
			t.Errorf("Minimize has %d states, Moore %d", m.Len(), want)
		}
		if w, differ := Distinguish(d, m); differ {
			t.Errorf("minimization changed the answer on %v", w)
		}
	}
}

// randomDFA has n states, of which half accept; a share of the transitions is
// missing.
func randomDFA(r *rand.Rand, a *word.Alphabet, n int, missing float64) *DFA {
	d := NewDFA(a, n)
	for i := a.Len(); i < len(d.Table); i++ {
		if r.Float64() >= missing {
			d.Table[i] = State(1 + r.IntN(n))
		}
	}
	for q := 1; q <= n; q++ {
		d.Accept[q] = r.IntN(2) == 0
	}
	return d
}

// A context that is over ends the construction, which would take all of the limit.
func TestDeterminizeUnder(t *testing.T) {
	n := &NFA{Alphabet: word.Letters("ab"), Accept: make([]bool, 32), Start: []State{1}}
	n.Accept[31] = true // a's thirty symbols before the end: 2³⁰ sets
	n.Edges = []Edge{{1, 1, 0}, {1, 1, 1}, {1, 2, 0}}
	for q := State(2); q < 31; q++ {
		n.Edges = append(n.Edges, Edge{q, q + 1, 0}, Edge{q, q + 1, 1})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := DeterminizeUnder(ctx, n, DefaultLimit); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
