package explore

import (
	"testing"

	"quotient/internal/oracletest"
	"quotient/oracle"
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
