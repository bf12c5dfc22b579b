package sample

import (
	"fmt"
	"math/rand/v2"

	"quotient/automaton"
	"quotient/word"
)

// EndShare is how likely a [Walk] ends where it may.
const EndShare = 0.1

// A Walk draws words of a language by walking through its automaton: every symbol that can be
// completed is as likely as any other, and where a word may end it does so with a probability of
// [EndShare]. So the words come from a probabilistic automaton with the same states, but for
// those that come near the greatest length.
type Walk struct {
	d       *automaton.DFA
	longest int
	left    []int // how many symbols lead from each state to acceptance at least; -1: none do
}

// NewWalk prepares to draw words up to a length.
func NewWalk(d *automaton.DFA, longest int) (*Walk, error) {
	s := &Walk{d: d, longest: longest, left: make([]int, len(d.Accept))}
	for q, accept := range d.Accept {
		if s.left[q] = -1; accept {
			s.left[q] = 0
		}
	}
	for n, found := 0, true; found; n++ {
		found = false
		for q := range s.left {
			for _, to := range d.Row(automaton.State(q)) {
				if s.left[q] < 0 && s.left[to] == n {
					s.left[q], found = n+1, true
				}
			}
		}
	}
	if n := s.left[d.Start]; n < 0 || n > longest {
		return nil, fmt.Errorf("the language has no word of up to %d symbols to draw", longest)
	}
	return s, nil
}

// Draw returns a word.
func (s *Walk) Draw(r *rand.Rand) word.Word {
	w, q := word.Word{}, s.d.Start
	var live []word.Symbol
	for {
		live = live[:0]
		for x, to := range s.d.Row(q) {
			if n := s.left[to]; n >= 0 && n < s.longest-len(w) {
				live = append(live, word.Symbol(x))
			}
		}
		if s.d.Accept[q] && (len(live) == 0 || r.Float64() < EndShare) {
			return w
		}
		x := live[r.IntN(len(live))]
		w, q = append(w, x), s.d.Next(q, x)
	}
}
