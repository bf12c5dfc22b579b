package oracle

import (
	"math"

	"quotient/word"
)

// A Bounded oracle cannot be asked about every word.
type Bounded interface {
	// Longest is the length of the longest words that it can be asked about. It may turn out
	// to be less than it was.
	Longest() int

	// ReadsEmpty reports whether it can be asked about the empty word.
	ReadsEmpty() bool
}

// Within returns an inquiry that asks about no word which another oracle cannot be asked about.
func (q *Inquiry) Within(b Bounded) *Inquiry {
	p := *q
	p.bounds = b
	return &p
}

// Longest returns the length of the longest words that the oracle can be asked about.
func (q *Inquiry) Longest() int {
	if q.bounds != nil {
		return q.bounds.Longest()
	}
	return math.MaxInt
}

// ReadsEmpty reports whether the oracle can be asked about the empty word.
func (q *Inquiry) ReadsEmpty() bool {
	return q.bounds == nil || q.bounds.ReadsEmpty()
}

// Reads reports whether the oracle can be asked about a word. Where it cannot, its answer is
// another word's, or nobody's, and no evidence.
func (q *Inquiry) Reads(w word.Word) bool {
	return len(w) <= q.Longest() && (len(w) > 0 || q.ReadsEmpty())
}

// Readable returns those of the words that the oracle can be asked about; longer ones are cut.
func (q *Inquiry) Readable(words []word.Word) []word.Word {
	longest, empty := q.Longest(), q.ReadsEmpty()
	if longest == math.MaxInt && empty {
		return words
	}
	var list []word.Word
	for _, w := range words {
		if w = w[:min(len(w), longest)]; len(w) > 0 || empty {
			list = append(list, w)
		}
	}
	return list
}
