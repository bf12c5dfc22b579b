package weighted

import (
	"math"
	"slices"

	"quotient/word"
)

// Minimize returns an automaton with the same values and as few states as that
// takes, and the word that each of its states stands for.
//
// It is Schützenberger's construction (1961). Vectors from which no word tells a
// difference are identified, and what is left is rewritten on words: state i is the
// vector that words[i] leads to, and every other vector is a combination of these.
// The empty word comes first, so the initial vector is (1, 0, …, 0). The automaton of
// a regular language whose values are 0 and 1 thus becomes, where its residuals are
// independent, the deterministic one.
//
// Numbers are compared within a relative tolerance, about 1e-12: what rounding makes
// of zero is zero.
func (a *Automaton) Minimize() (m *Automaton, words []word.Word) {
	back := a.Reverse()
	seen := back.span() // spans all that words can tell about a vector
	small := back.onto(seen).Reverse()
	reached := small.span()
	return small.onto(reached), reached.words
}

// A span is a set of words whose vectors are independent, and the whole space that
// words lead to is spanned by them.
type span struct {
	words   []word.Word
	vectors [][]float64 // what the words lead to
	largest float64     // the length of the longest vector
	unit    [][]float64 // the same space, orthonormal: row i is in the span of vectors 0 to i
}

// least is the part of a vector that, outside of the span of others, is taken for
// the work of rounding.
const least = 1e-12

// span finds such words. The set is closed under prefixes, and words are taken in
// shortlex order if they lead away from the span of those before, far enough that the
// vectors make a sound basis: the distance that is asked for, as a part of the longest
// vector, is halved until the whole space is spanned.
func (a *Automaton) span() *span {
	whole := a.spanBeyond(0)
	for far := 0.5; far > least; far /= 2 {
		if s := a.spanBeyond(far); len(s.words) == len(whole.words) {
			return s
		}
	}
	return whole
}

// spanBeyond takes words whose vectors lead away from the span of those before by more
// than the given part of the longest vector, and by more than rounding can.
func (a *Automaton) spanBeyond(far float64) *span {
	s := &span{}
	s.add(nil, append([]float64(nil), a.Initial...), 0)
	size := make([]float64, a.Alphabet.Len()) // of each matrix
	for c := range size {
		n := a.Len() * a.Len()
		size[c] = norm(a.Weights[c*n : (c+1)*n])
	}
	for i := 0; i < len(s.words) && len(s.words) < a.Len(); i++ {
		for c := range a.Alphabet.Len() {
			next := make([]float64, a.Len())
			a.Step(next, s.vectors[i], word.Symbol(c))
			w := append(s.words[i][:len(s.words[i]):len(s.words[i])], word.Symbol(c))
			s.add(w, next, max(far*s.largest, least*norm(s.vectors[i])*size[c]))
		}
	}
	return s
}

// add takes the word, if its vector leads away by more than far.
func (s *span) add(w word.Word, v []float64, far float64) {
	rest, whole := append([]float64(nil), v...), norm(v)
	for range 2 { // twice is enough (Kahan, after Parlett 1980)
		for _, u := range s.unit {
			addScaled(rest, -dot(rest, u), u)
		}
	}
	length := norm(rest)
	if length <= max(far, least*whole) || !finite(whole) {
		return
	}
	for i := range rest {
		rest[i] /= length
	}
	s.words, s.vectors, s.unit = append(s.words, w), append(s.vectors, v), append(s.unit, rest)
	s.largest = max(s.largest, whole)
}

// coordinates returns x such that v, which lies in the span, is Σ x[i]·vectors[i].
func (s *span) coordinates(v []float64) []float64 {
	x := make([]float64, len(s.words))
	rest, zero := append([]float64(nil), v...), least*norm(v)
	for i := len(x) - 1; i >= 0; i-- { // vector i is the first with a part along unit[i]
		if along := dot(rest, s.unit[i]); math.Abs(along) > zero {
			x[i] = along / dot(s.vectors[i], s.unit[i])
			addScaled(rest, -x[i], s.vectors[i])
		}
	}
	return x
}

// onto returns the automaton in coordinates of the span.
func (a *Automaton) onto(s *span) *Automaton {
	b := New(a.Alphabet, len(s.words))
	b.Threshold = a.Threshold
	if len(s.words) > 0 {
		b.Initial[0] = 1 // the empty word
	}
	next := make([]float64, a.Len())
	for i, v := range s.vectors {
		b.Final[i] = dot(v, a.Final)
		for c := range a.Alphabet.Len() {
			row := b.Row(word.Symbol(c), i)
			w := append(s.words[i][:len(s.words[i]):len(s.words[i])], word.Symbol(c))
			if to := s.index(w); to >= 0 {
				row[to] = 1
				continue
			}
			a.Step(next, v, word.Symbol(c))
			copy(row, s.coordinates(next))
		}
	}
	return b
}

// index returns which of the words w is, or -1.
func (s *span) index(w word.Word) int {
	return slices.IndexFunc(s.words, func(x word.Word) bool { return slices.Equal(x, w) })
}

func norm(x []float64) float64 { return math.Sqrt(dot(x, x)) }
