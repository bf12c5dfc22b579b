package explore

import (
	"math/rand/v2"
	"testing"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// Where no automaton is right, the answer is the smallest of those that err least; where one is, or more is asked
// for, it stays. What is taken gives up the states that its own words can do without.
func TestPrefersItsOwnTradeoff(t *testing.T) {
	small, large := forbidden(2, word.Word{0, 1}), forbidden(2, word.Word{0, 1, 0, 0})
	court := newCourt(oracle.Ask(t.Context(), oracletest.Noisy{DFA: small, Dims: 12}), Options{}.orDefaults(12))
	for name, c := range map[string]struct {
		o     Options
		error float64
		want  int
	}{
		"no automaton":     {Options{}, 0.02, small.Len()},
		"right":            {Options{}, 0.001, large.Len()},
		"pursuit":          {Options{Pursue: true}, 0.02, large.Len()},
		"the user's words": {Options{Data: []word.Word{{0}}}, 0.02, large.Len()},
	} {
		s := &search{o: c.o, best: large, court: court}
		taken := blown(small, 2) // with states that nothing tells apart
		s.pick([]Point{{large.Len() - 1, c.error, taken}})
		if s.best.Len() != c.want {
			t.Errorf("%s: %d states, want %d", name, s.best.Len(), c.want)
		}
	}
}

// States are spared where the best errs and fresh words can do without them; but not where what is smaller is surely worse, nor where
// nothing errs, or too much, or more is asked for.
func TestSparesStates(t *testing.T) {
	truth := forbidden(2, word.Word{0, 1})
	whim := automaton.NewDFA(truth.Alphabet, 9) // one long word
	for i := range automaton.State(8) {
		whim.SetNext(i+1, 1, i+2)
	}
	whim.Accept[9] = true
	large, err := automaton.Difference(truth, whim, 100)
	if err != nil {
		t.Fatal(err)
	}
	large = automaton.Minimize(large)
	rng := rand.New(rand.NewPCG(1, 2))
	data := Options{Data: sample.UniformWords(20, 2, 0, 30, rng)}
	q := oracle.Ask(t.Context(), oracletest.Noisy{DFA: truth, Dims: 12})
	for name, c := range map[string]struct {
		o      Options
		other  *automaton.DFA // that is in the trade-off
		errors int
		want   int
	}{
		"an error":    {data, truth, 1, truth.Len()},
		"none":        {data, truth, 0, large.Len()},
		"too many":    {data, truth, 50, large.Len()},
		"no words":    {Options{}, truth, 1, large.Len()},
		"a size":      {Options{Data: data.Data, States: 100}, truth, 1, large.Len()},
		"pursuit":     {Options{Data: data.Data, Pursue: true}, truth, 1, large.Len()},
		"a worse one": {data, forbidden(2, word.Word{1, 1}), 1, large.Len()},
	} {
		judges := q.Label(sample.UniformWords(1000, 2, 0, 30, rng))
		for i := range c.errors {
			judges.Accept[i] = !judges.Accept[i]
		}
		s := &search{q: q, o: c.o, best: large, court: &court{}, rng: rng}
		s.spare([]Point{{c.other.Len(), 0, c.other}}, judges)
		if s.best.Len() != c.want {
			t.Errorf("%s: %d states, want %d", name, s.best.Len(), c.want)
		}
	}
}
