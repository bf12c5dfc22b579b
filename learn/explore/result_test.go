package explore

import (
	"testing"

	"quotient/word"
)

// Where no automaton is right, the answer is the smallest of those that err least; where one is, or more is asked
// for, it stays.
func TestPrefersItsOwnTradeoff(t *testing.T) {
	small, large := forbidden(2, word.Word{0, 1}), forbidden(2, word.Word{0, 1, 0, 0})
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
		s := &search{o: c.o, best: large}
		s.pick([]Point{{small.Len(), c.error, small}})
		if s.best.Len() != c.want {
			t.Errorf("%s: %d states, want %d", name, s.best.Len(), c.want)
		}
	}
}
