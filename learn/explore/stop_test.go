package explore

import (
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
