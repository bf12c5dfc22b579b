package sample

import (
	"math/rand/v2"

	"quotient/automaton"
	"quotient/word"
)

// Shares draw words that an automaton accepts, uniformly among those of a length, as
// [automaton.Sampler] does, but from rounded shares in place of exact counts: for many automata
// of which a few words are wanted.
type Shares struct {
	d     *automaton.DFA
	share [][]float64 // by length and state: of the words that lead to acceptance, up to a factor for each length
}

// NewShares prepares to draw words up to a length.
func NewShares(d *automaton.DFA, longest int) *Shares {
	s := &Shares{d: d, share: make([][]float64, longest+1)}
	s.share[0] = make([]float64, d.Len()+1)
	for q, accept := range d.Accept {
		if accept {
			s.share[0][q] = 1
		}
	}
	for n := 1; n <= longest; n++ {
		level, top := make([]float64, d.Len()+1), 0.0
		for q := range level {
			for _, to := range d.Row(automaton.State(q)) {
				level[q] += s.share[n-1][to]
			}
			top = max(top, level[q])
		}
		for q := range level { // numbers far below the greatest are never drawn
			if top > 0 {
				level[q] /= top
			}
		}
		s.share[n] = level
	}
	return s
}

// Draw fills w with a word of its length, and reports whether there is one.
func (s *Shares) Draw(w word.Word, rng *rand.Rand) bool {
	q := s.d.Start
	if s.share[len(w)][q] == 0 {
		return false
	}
	for i := range w {
		left, row := s.share[len(w)-i-1], s.d.Row(q)
		sum := 0.0
		for _, to := range row {
			sum += left[to]
		}
		x := rng.Float64() * sum
		for a, to := range row {
			if left[to] > 0 {
				w[i] = word.Symbol(a)
				if x < left[to] {
					break
				}
				x -= left[to]
			}
		}
		q = s.d.Next(q, w[i])
	}
	return true
}

// Words returns n words of uniform lengths from low to high, and leaves those out of whose
// length there is none.
func (s *Shares) Words(n, low, high int, rng *rand.Rand) []word.Word {
	var words []word.Word
	for range n {
		w := make(word.Word, low+rng.IntN(high-low+1))
		if s.Draw(w, rng) {
			words = append(words, w)
		}
	}
	return words
}
