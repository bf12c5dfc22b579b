package explore

import (
	"context"
	"slices"
	"testing"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/word"
)

// A share of words is that share, whatever it is, and all of them are all.
func TestSome(t *testing.T) {
	all := oracle.Paths{}
	for i := range 100 {
		all.Add(oracle.Paths{Words: []word.Word{{word.Symbol(i)}}, Labels: [][]bool{{i%2 == 0, false}}})
	}
	for _, of := range []int{1, 7, 50, 99, 100} {
		p := some(all, of, 100)
		if len(p.Words) != of || !slices.IsSortedFunc(p.Words, word.Compare) {
			t.Errorf("%d of 100 words are %d", of, len(p.Words))
		}
		for i, w := range p.Words {
			if p.Labels[i][0] != (w[0]%2 == 0) {
				t.Errorf("the answers for %v are those for another word", w)
			}
		}
	}
}

// Of approximations the largest is led, one of half its size, and so on, and the largest that may be chosen; together
// they err less than before.
func TestLed(t *testing.T) {
	q := oracle.Ask(context.Background(), oracletest.Random(3, 60, 0.3))
	o := Options{Seed: 1, MaxStates: 48, States: 36}.orDefaults(q.Dim())
	s := newSearch(q, o, newCourt(q, o), nil)
	s.best = automaton.Minimize(newLearner(q, nil).dfa())
	grown := s.groups(new(int), func(*automaton.DFA) {})
	var sizes []int
	before, after := 0.0, 0.0
	judges := q.LabelPaths(s.words(4000))
	s.led(grown, func(d *automaton.DFA) {
		sizes = append(sizes, d.Len())
		i := slices.IndexFunc(grown, func(g *automaton.DFA) bool { return g.Len() >= d.Len() })
		before, after = before+judges.Error(grown[i]), after+judges.Error(d)
	})
	largest := grown[len(grown)-1].Len()
	if !slices.IsSortedFunc(sizes, func(a, b int) int { return b - a }) || len(sizes) < 4 || sizes[0] > largest {
		t.Errorf("led were automata of %v states; the largest has %d", sizes, largest)
	}
	if !slices.ContainsFunc(sizes, func(n int) bool { return n <= 36 && n > 24 }) {
		t.Errorf("none of %v states is the largest of at most 36", sizes)
	}
	if after >= before {
		t.Errorf("they err on %v of the words, before on %v", after, before)
	}
}
