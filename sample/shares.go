package sample

import (
	"math/rand/v2"

	"quotient/automaton"
	"quotient/internal/parallel"
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
	begin, edges := edgesOf(d)
	for n := 1; n <= longest; n++ {
		level, top := make([]float64, d.Len()+1), 0.0
		for q := range level {
			for _, e := range edges[begin[q]:begin[q+1]] {
				level[q] += e.symbols * s.share[n-1][e.to]
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

// edgesOf returns what leads from every state to others, and where the edges of each begin.
func edgesOf(d *automaton.DFA) (begin []int32, edges []edge) {
	last := make([]int32, d.Len()+1) // states: how many edges there were with the last that leads there
	for q := range automaton.State(d.Len() + 1) {
		begin = append(begin, int32(len(edges)))
		for _, to := range d.Row(q) {
			if last[to] > begin[q] { // from this state
				edges[last[to]-1].symbols++
				continue
			}
			edges = append(edges, edge{int32(to), 1})
			last[to] = int32(len(edges))
		}
	}
	return append(begin, int32(len(edges))), edges
}

// BothShares prepares to draw words that an automaton accepts, and words that it rejects.
func BothShares(d *automaton.DFA, longest int) [2]*Shares {
	var both [2]*Shares
	parallel.Do(0, 2, func(k int) {
		of := d
		if k == 1 {
			of = automaton.Complement(d)
		}
		both[k] = NewShares(of, longest)
	})
	return both
}

// Draw fills w with a word of its length, and reports whether there is one.
func (s *Shares) Draw(w word.Word, rng *rand.Rand) bool {
	if !s.has(len(w)) {
		return false
	}
	s.lead(w, numbers(len(w), rng))
	return true
}

// has reports whether there is a word of a length.
func (s *Shares) has(length int) bool { return s.share[length][s.d.Start] > 0 }

// numbers returns as many random ones.
func numbers(n int, rng *rand.Rand) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = rng.Float64()
	}
	return list
}

// lead fills w with the word that random numbers lead to, of whose length there is one.
func (s *Shares) lead(w word.Word, random []float64) {
	q := s.d.Start
	for i := range w {
		left, row := s.share[len(w)-i-1], s.d.Row(q)
		sum := 0.0
		for _, to := range row {
			sum += left[to]
		}
		x := random[i] * sum
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
}

// Words returns n words of uniform lengths from low to high, and leaves those out of whose
// length there is none.
func (s *Shares) Words(n, low, high int, rng *rand.Rand) []word.Word {
	var words []word.Word
	var random [][]float64 // of each: they come one after the other, and all cores go where they lead
	for range n {
		if length := low + rng.IntN(high-low+1); s.has(length) {
			words, random = append(words, make(word.Word, length)), append(random, numbers(length, rng))
		}
	}
	const some = 32 // words that are worth another thread
	parallel.Stretches(len(words), some, func(from, to int) {
		for i := from; i < to; i++ {
			s.lead(words[i], random[i])
		}
	})
	return words
}
