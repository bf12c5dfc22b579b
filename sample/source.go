package sample

import (
	"context"
	"fmt"
	"math/rand/v2"

	"quotient/automaton"
	"quotient/oracle"
	"quotient/word"
)

// A Source draws words, half of them uniformly among all words and half of them valid.
// Valid words belong to a given language, as in the paper, or, where only the network is
// known, are words that the network accepts.
type Source struct {
	About  string         // where valid words come from, in words: "words that …"
	guide  *automaton.DFA // that draws them
	verify bool           // the guide is only rough: the network is asked about each word
	both   bool           // every other valid word gives way to one that is not valid
}

// FromLanguage returns a source whose valid words are those of a language, over an
// alphabet that has its symbols.
func FromLanguage(name string, d *automaton.DFA, over *word.Alphabet) (*Source, error) {
	guide, err := d.WithAlphabet(over)
	if err != nil {
		return nil, fmt.Errorf("%s does not fit the network: %w", name, err)
	}
	return &Source{guide: guide, About: "words of " + name}, nil
}

// FromAutomaton returns a source that draws half of its words uniformly, a quarter among
// those that the automaton accepts, and a quarter among those that it rejects, so that
// outcomes are met however rare they are.
func FromAutomaton(d *automaton.DFA) *Source {
	return &Source{guide: d, both: true, About: "words that the automaton accepts and words that it rejects in turn"}
}

// FromNetwork returns a source whose valid words are accepted by the network, which shows
// its states. It explores the network at several thresholds and keeps the rough automaton
// whose words of some length the network accepts most often.
func FromNetwork(q *oracle.Inquiry, length int, rng *rand.Rand) (*Source, error) {
	const tries = 64
	keep := q.AtMost(512, 0.05/float64(max(1, q.Alphabet().Len())))
	best := &Source{verify: true, About: "words that the network accepts"}
	most := -1
	for _, kappa := range RoughKappas {
		guide := Rough(q, kappa, keep)
		if err := q.Err(); err != nil {
			return nil, err
		}
		s, err := newMixed(q.Context(), guide, Valid, length, length)
		if err != nil {
			return nil, err
		}
		words := make([]word.Word, tries)
		for i := range words {
			words[i] = s.Draw(i, rng)
		}
		accepted := q.Label(words).Accepted()
		if accepted > most {
			most, best.guide = accepted, guide
		}
		if accepted > tries*9/10 {
			break
		}
	}
	return best, q.Err()
}

// A Sample is what a source drew.
type Sample struct {
	Words   []word.Word
	Valid   int   // how many of them were drawn as valid words
	Missing []int // lengths of which no valid word is known; uniform ones stand in
}

// MaxSymbols bounds the size of a sample.
const MaxSymbols = 1 << 28

// Asks reports whether drawing words asks the network.
func (s *Source) Asks() bool { return s.verify }

// Draw returns n words with lengths uniform from low to high: those with even index valid
// ones, the others uniform; a source from an automaton takes turns with those of even
// index. Where no word of a kind and length is found, a uniform one of that length stands
// in. The inquiry is asked by a source from a network alone.
func (s *Source) Draw(q *oracle.Inquiry, n, low, high int, rng *rand.Rand) (Sample, error) {
	if n > MaxSymbols/max(high, 1) {
		return Sample{}, fmt.Errorf("%d words of length %d are more than fit into memory; ask for fewer or for shorter ones", n, high)
	}
	mixed, err := newMixed(under(q), s.guide, Half, low, high)
	if err != nil {
		return Sample{}, err
	}
	out := Sample{Words: make([]word.Word, n), Missing: mixed.Missing()}
	var rejected *automaton.Sampler
	if s.both {
		if rejected, err = automaton.NewSamplerUnder(under(q), automaton.Complement(s.guide), high); err != nil {
			return Sample{}, err
		}
	}
	var even []int // indices of the words that should be valid
	for i := range out.Words {
		if s.both && i%4 == 2 {
			out.Words[i] = mixed.Draw(1, rng) // uniform, if there is no other
			rejected.Draw(out.Words[i], rng)
			continue
		}
		out.Words[i] = mixed.Draw(i, rng)
		if i%2 == 0 {
			even = append(even, i)
		}
	}
	invalid := s.invalid(q, out.Words, even)
	if s.verify {
		if invalid, err = s.redraw(q, out.Words, invalid, rng); err == nil {
			err = q.Err()
		}
	}
	out.Valid = len(even) - len(invalid)
	return out, err
}

// under returns the context of an inquiry, if there is one.
func under(q *oracle.Inquiry) context.Context {
	if q == nil {
		return context.Background()
	}
	return q.Context()
}

// invalid returns those of the indices whose words are not valid after all.
func (s *Source) invalid(q *oracle.Inquiry, words []word.Word, indices []int) []int {
	chosen := make([]word.Word, len(indices))
	for j, i := range indices {
		chosen[j] = words[i]
	}
	var accept []bool
	if s.verify {
		accept = q.Accepts(chosen)
	} else {
		for _, w := range chosen {
			accept = append(accept, s.guide.Accepts(w))
		}
	}
	var wrong []int
	for j, i := range indices {
		if !accept[j] {
			wrong = append(wrong, i)
		}
	}
	return wrong
}

// redraw replaces words that the network rejects by others of the same length, so
// that lengths stay as they were drawn, until it accepts them or patience is at an
// end. It returns the indices of those for which uniform words stand in.
func (s *Source) redraw(q *oracle.Inquiry, words []word.Word, invalid []int, rng *rand.Rand) ([]int, error) {
	longest := 0
	for _, i := range invalid {
		longest = max(longest, len(words[i]))
	}
	valid, err := automaton.NewSamplerUnder(under(q), s.guide, longest)
	if err != nil {
		return nil, err
	}
	for range 8 {
		if q.Left() < 2*len(invalid) {
			break // a budget is better spent otherwise
		}
		for _, i := range invalid {
			valid.Draw(words[i], rng)
		}
		invalid = s.invalid(q, words, invalid)
	}
	for _, i := range invalid {
		fill(words[i], s.guide.Alphabet.Len(), rng)
	}
	return invalid, nil
}
