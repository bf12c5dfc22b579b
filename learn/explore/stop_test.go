package explore

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quotient/automaton"
	"quotient/oracle"
	"quotient/word"
)

// Merging states of a large automaton takes seconds, and ends when nobody waits for it.
func TestMergingStops(t *testing.T) {
	a, err := word.NewAlphabet("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	const states = 40
	d := automaton.NewDFA(a, states)
	for q := range automaton.State(states) {
		d.Accept[q+1] = q%3 == 0
		d.SetNext(q+1, 0, (q+1)%states+1)
		d.SetNext(q+1, 1, (q*7+3)%states+1)
	}
	words := word.UpTo(2, 500)
	e := evidence{Set: oracle.Set{Words: words, Accept: make([]bool, len(words))}}
	m := newMerging(d, []evidence{e})
	calls := 0
	m.stop = func() bool { calls++; return calls > 5 }
	if m.run(); calls > 8 {
		t.Errorf("asked %d times whether it is to stop, and went on", calls)
	}
}

// The words that pass through each state are kept as states are given up, and are those that visits finds.
func TestVisitsAreKept(t *testing.T) {
	a, err := word.NewAlphabet("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		const states = 12
		d := automaton.NewDFA(a, states)
		for q := range automaton.State(states) {
			d.Accept[q+1] = rng.IntN(2) == 0
			d.SetNext(q+1, 0, automaton.State(rng.IntN(states+1)))
			d.SetNext(q+1, 1, automaton.State(rng.IntN(states+1)))
		}
		words := word.UpTo(2, 200)
		m := newMerging(d, []evidence{{Set: oracle.Set{Words: words, Accept: make([]bool, len(words))}}})
		through := m.visits()
		for q := range automaton.State(states) {
			list := slices.Clone(through[q+1])
			m.leave(through, list)
			m.redirect(q+1, automaton.State(rng.IntN(int(q)+1)))
			m.enter(through, list)
			for x, want := range m.visits() {
				if !slices.Equal(through[x], want) {
					t.Fatalf("after state %d was given up, %v pass through %d, not %v", q+1, through[x], x, want)
				}
			}
		}
	}
}
