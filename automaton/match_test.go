package automaton

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quotient/word"
)

// An automaton matches itself, however its states are numbered; a change of what one state
// accepts is seen there and in the states that lead to it.
func TestMatch(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	for range 50 {
		d := Minimize(randomDFA(r, word.Letters("ab"), 1+r.IntN(9), 0.2))
		for _, p := range Match(d, d) {
			if p.A != p.B || !p.Same {
				t.Fatalf("%v in the automaton itself", p)
			}
		}
		if n := len(Match(d, d)); n != d.Len() {
			t.Fatalf("%d pairs of %d states", n, d.Len())
		}
	}
	line := func() *DFA {
		d := NewDFA(word.Letters("a"), 3)
		d.SetNext(1, 0, 2)
		d.SetNext(2, 0, 3)
		d.Accept[3] = true
		return d
	}
	a, b := line(), line()
	b.SetNext(3, 0, 3)
	want := []Pair{{1, 1, false}, {2, 2, false}, {3, 3, false}}
	if got := Match(a, b); !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	c := NewDFA(word.Letters("a"), 2) // begins in the middle of a
	c.SetNext(1, 0, 2)
	c.Accept[2] = true
	want = []Pair{{2, 1, true}, {3, 2, true}}
	if got := Match(a, c); !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}
