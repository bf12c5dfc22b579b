// Package labeled holds words with labels, in or not in a language, and reads and
// writes them in files of other programs: see [Format].
//
// Readers spend memory in proportion to the size of the file, never to a number
// that stands in it, but for the names of an alphabet of at most 65,535 symbols. What
// they cannot read is a [*SyntaxError] with file, line and reason; no input makes them
// panic.
package labeled

import (
	"fmt"
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// A Label says whether a word is in a language.
type Label int8

const (
	Unknown Label = iota
	Reject
	Accept
)

// Of returns the label of a word that is in the language, or is not.
func Of(accept bool) Label {
	if accept {
		return Accept
	}
	return Reject
}

// A Set is a list of labeled words. Words may stand in it more than once.
type Set struct {
	Alphabet *word.Alphabet
	Words    []word.Word
	Labels   []Label // of each word

	File  string // where the words come from, for messages; empty: from no file
	Lines []int  // of each word in the file, from 1; nil: from no file

	Reading Reading // how the file was read
}

// Add appends a word.
func (s *Set) Add(w word.Word, l Label) {
	s.Words, s.Labels = append(s.Words, w), append(s.Labels, l)
}

// Place says where word i stands: "words.csv:17", or "word 17".
func (s *Set) Place(i int) string {
	if s.Lines == nil {
		return fmt.Sprintf("word %d", i+1)
	}
	return fmt.Sprintf("%s:%d", s.File, s.Lines[i])
}

// Labeled reports whether any word has a label.
func (s *Set) Labeled() bool {
	return slices.ContainsFunc(s.Labels, func(l Label) bool { return l != Unknown })
}

// Split returns the words before index n and those from it on.
func (s *Set) Split(n int) (first, rest *Set) {
	a, b := *s, *s
	a.Words, b.Words = s.Words[:n:n], s.Words[n:]
	a.Labels, b.Labels = s.Labels[:n:n], s.Labels[n:]
	if s.Lines != nil {
		a.Lines, b.Lines = s.Lines[:n:n], s.Lines[n:]
	}
	return &a, &b
}

// Subset returns the words with the given indices, in their order.
func (s *Set) Subset(indices []int) *Set {
	sub := &Set{Alphabet: s.Alphabet, File: s.File, Reading: s.Reading}
	for _, i := range indices {
		sub.Add(s.Words[i], s.Labels[i])
		if s.Lines != nil {
			sub.Lines = append(sub.Lines, s.Lines[i])
		}
	}
	return sub
}

// Agree returns on how many of the words that have a label d gives the same, and
// how many there are. The alphabets must be the same.
func (s *Set) Agree(d *automaton.DFA) (agree, words int) {
	for i, w := range s.Words {
		if s.Labels[i] == Unknown {
			continue
		}
		words++
		if Of(d.Accepts(w)) == s.Labels[i] {
			agree++
		}
	}
	return agree, words
}
