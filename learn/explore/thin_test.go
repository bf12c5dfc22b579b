package explore

import (
	"testing"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/word"
)

// except returns an automaton that differs from d on the words that end in n b's.
func except(d *automaton.DFA, n int) *automaton.DFA {
	x := automaton.NewDFA(d.Alphabet, d.Len()*(n+1))
	at := func(q automaton.State, run int) automaton.State {
		return (q-1)*automaton.State(n+1) + automaton.State(run) + 1
	}
	for q := automaton.State(1); int(q) <= d.Len(); q++ {
		for run := range n + 1 {
			x.Accept[at(q, run)] = d.Accept[q] != (run == n)
			x.SetNext(at(q, run), 0, at(d.Next(q, 0), 0))
			x.SetNext(at(q, run), 1, at(d.Next(q, 1), min(n, run+1)))
		}
	}
	return x
}

// modulo returns the automaton of the words whose number of a's is a multiple of n.
func modulo(n int) *automaton.DFA {
	d := automaton.NewDFA(word.Letters("ab"), n)
	for q := range automaton.State(n) {
		d.SetNext(q+1, 0, (q+1)%automaton.State(n)+1)
		d.SetNext(q+1, 1, q+1)
	}
	d.Accept[1] = true
	return d
}

// A network has learned to count, but errs after long runs. An automaton that describes some of the runs is far larger, and hardly better:
// what counts is taken. Where all of the larger one is right, it stays.
func TestThin(t *testing.T) {
	truth := modulo(7)
	large := automaton.Minimize(except(truth, 8))
	for name, c := range map[string]struct {
		network *automaton.DFA
		want    *automaton.DFA
	}{
		"other errors": {except(large, 6), truth},
		"no errors":    {large, large},
	} {
		o := Options{Low: 8}.orDefaults(12)
		q := oracle.Ask(t.Context(), oracletest.Noisy{DFA: c.network, Dims: 12})
		s := newSearch(q, o, newCourt(q, o), nil)
		s.best = large
		if thin := s.thin(); thin != (c.want != large) {
			t.Errorf("%s: a smaller automaton is taken: %v, of %d states", name, thin, s.best.Len())
		}
		if _, differ := automaton.Distinguish(s.best, c.want); differ || s.best.Len() != c.want.Len() {
			t.Errorf("%s: %d states, want %d", name, s.best.Len(), c.want.Len())
		}
	}
}
