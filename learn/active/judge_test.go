package active

import (
	"testing"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// A candidate that is wrong on words which begin with bbb gives up the states that it has for them, and what is left is right. One
// that is right gives up nothing, nor does one whose rare words the user has.
func TestPruned(t *testing.T) {
	a, err := word.NewAlphabet("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	even := automaton.NewDFA(a, 2) // an even number of a
	even.Accept[1] = true
	for q, to := range [][2]automaton.State{{2, 1}, {1, 2}} {
		even.SetNext(automaton.State(q+1), 0, to[0])
		even.SetNext(automaton.State(q+1), 1, to[1])
	}
	large := automaton.NewDFA(a, 5)
	large.Accept[1], large.Accept[3], large.Accept[4], large.Accept[5] = true, true, true, true
	for q, to := range [][2]automaton.State{{2, 3}, {1, 2}, {2, 4}, {2, 5}, {5, 5}} {
		large.SetNext(automaton.State(q+1), 0, to[0])
		large.SetNext(automaton.State(q+1), 1, to[1])
	}
	given := []word.Word{{1, 1, 1, 0}} // which the two answer otherwise
	for _, x := range []struct {
		network, candidate *automaton.DFA
		data               []word.Word
		want               int
	}{{even, large, nil, 2}, {even, even, nil, 2}, {large, large, given, 5}} {
		q := oracle.Ask(t.Context(), oracletest.Noisy{DFA: x.network})
		o := Options{Seed: 1, Data: x.data}.orDefaults(q)
		test := newTester(q, o, new(Stats))
		test.data = q.Label(x.data)
		words := sample.UniformWords(500, 2, 0, 30, test.rng)
		d, share, err := test.pruned(x.candidate, 0, []oracle.Set{q.Label(words)})
		if err != nil || d.Len() != x.want || share > o.Tolerance {
			t.Errorf("%d states are left of %d, want %d; wrong on %v of the words, %v", d.Len(), x.candidate.Len(), x.want, share, err)
		}
	}
}
