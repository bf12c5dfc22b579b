package sample

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// A Near sampler draws words of one length near a language: valid words of all
// lengths up to that, one after the other until the length is reached. Every fourth
// word is left so, and in the others each part is changed in one place or, less and
// less likely, in more. A language such as aⁿbⁿ, which has at most one word of a
// length and none that random words come near, is learned from these.
//
// Valid words are walks through the automaton that always can be completed. How
// long they keep to a symbol differs from word to word, so that counters go high;
// uniformly drawn parentheses of length n only go as deep as √n.
type Near struct {
	d      *automaton.DFA
	length int
	ends   [][]bool // [n][q] reports whether some word of length n leads from q to acceptance
}

// NewNear prepares to draw words of the given length.
func NewNear(d *automaton.DFA, length int) (*Near, error) {
	const most = 1 << 28 // of memory for the table, in bytes
	if length < 0 || length > most/len(d.Accept) {
		return nil, fmt.Errorf("words of length %d near a language of %d states: that takes more memory than the %d bytes allowed",
			length, d.Len(), most)
	}
	if d.Alphabet.Len() == 0 && length > 0 {
		return nil, fmt.Errorf("an alphabet without symbols has no words of length %d", length)
	}
	s := &Near{d: d, length: length, ends: [][]bool{d.Accept}}
	for n := 1; n <= length; n++ {
		row := make([]bool, len(d.Accept))
		for q := range row {
			for _, to := range d.Row(automaton.State(q)) {
				row[q] = row[q] || s.ends[n-1][to]
			}
		}
		s.ends = append(s.ends, row)
	}
	return s, nil
}

// Draw returns the i-th word. Those with an index that 4 divides are not changed.
func (s *Near) Draw(i int, r *rand.Rand) word.Word {
	var w word.Word
	for len(w) < s.length {
		part := s.Part(i%4 != 0, r)
		if len(part) == 0 {
			return fill(make(word.Word, s.length), s.d.Alphabet.Len(), r)
		}
		w = append(w, part...)
	}
	return w[:s.length]
}

// Part returns one of the parts that words are made of: a valid word, changed or
// not, whose length before is drawn up to that of the sampler. It is empty if no word
// is valid but perhaps the empty one.
func (s *Near) Part(change bool, r *rand.Rand) word.Word {
	if s.length == 0 {
		return nil
	}
	n := s.longest(1 + r.IntN(s.length))
	if n < 1 {
		return nil
	}
	w := s.valid(n, r)
	for ; change; change = r.IntN(2) == 0 {
		w = s.edit(w, r)
	}
	return w
}

// longest returns the greatest length up to n of which there is a valid word, or
// else the least above, or -1.
func (s *Near) longest(n int) int {
	for m := n; m > 0; m-- {
		if s.ends[m][s.d.Start] {
			return m
		}
	}
	for m := n + 1; m <= s.length; m++ {
		if s.ends[m][s.d.Start] {
			return m
		}
	}
	return -1
}

// valid returns a valid word of length n, which there is.
func (s *Near) valid(n int, r *rand.Rand) word.Word {
	run := 1 << r.IntN(bits.Len(uint(n))) // mean length of runs of a symbol, where there is a choice
	w := make(word.Word, 0, n)
	q := s.d.Start
	for rest := n - 1; rest >= 0; rest-- {
		var next word.Symbol
		choices := 0
		keep := r.IntN(run) > 0
		for x, to := range s.d.Row(q) {
			if !s.ends[rest][to] {
				continue
			}
			if x := word.Symbol(x); keep && len(w) > 0 && x == w[len(w)-1] {
				next = x
				break
			}
			if choices++; r.IntN(choices) == 0 {
				next = word.Symbol(x)
			}
		}
		w = append(w, next)
		q = s.d.Next(q, next)
	}
	return w
}

// edit replaces, removes or inserts a symbol.
func (s *Near) edit(w word.Word, r *rand.Rand) word.Word {
	i, x := r.IntN(len(w)), word.Symbol(r.IntN(s.d.Alphabet.Len()))
	switch r.IntN(3) {
	case 0:
		w[i] = x
	case 1:
		if len(w) > 1 {
			w = slices.Delete(w, i, i+1)
		}
	default:
		w = slices.Insert(w, i, x)
	}
	return w
}
