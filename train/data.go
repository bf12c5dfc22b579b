package train

import (
	"fmt"
	"math/rand/v2"

	"quotient/automaton"
	"quotient/sample"
	"quotient/word"
)

// Streams of random numbers: one generator for each purpose, seeded with the
// run's seed and one of these, so that none depends on how much another was used.
const (
	streamInit = iota
	streamStrings
	streamDev
	streamLong
	streamOrder // the first of as many as there are epochs
)

func generator(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// A set is strings with a label for every prefix.
type set struct {
	words  []word.Word
	labels [][]bool
}

// A drawer draws the i-th string.
type drawer interface {
	Draw(i int, r *rand.Rand) word.Word
}

func (w Words) drawer(d *automaton.DFA, length int) (drawer, error) {
	if w == Near {
		return sample.NewNear(d, length)
	}
	return sample.NewMixed(d, sample.Half, length, length)
}

// draw returns n strings with their labels.
func draw(d *automaton.DFA, words Words, n, length int, r *rand.Rand) (set, error) {
	from, err := words.drawer(d, length)
	if err != nil {
		return set{}, err
	}
	s := set{make([]word.Word, n), make([][]bool, n)}
	all := make([]bool, n*(length+1))
	for i := range n {
		s.words[i] = from.Draw(i, r)
		s.labels[i], all = all[:length+1], all[length+1:]
		d.Labels(s.labels[i], s.words[i])
	}
	return s, nil
}

// tokens returns how many tokens reading the words takes, <bos> included.
func (s set) tokens() int {
	n := 0
	for _, w := range s.words {
		n += len(w) + 1
	}
	return n
}

// drawWords returns n words of a language of up to a length, for a language model.
func drawWords(d *automaton.DFA, n, longest int, r *rand.Rand) (set, error) {
	from, err := sample.NewWalk(d, longest)
	if err != nil {
		return set{}, err
	}
	var s set
	for range n {
		s.words = append(s.words, from.Draw(r))
	}
	return s, nil
}

// Missing returns those of the three lengths of which the language has no word,
// so that all strings of that length are uniform ones. Words near the language are
// never missing.
func (s Settings) Missing(d *automaton.DFA) ([]int, error) {
	if s.predicts() {
		_, err := sample.NewWalk(d, min(s.Length, s.DevLength))
		return nil, err
	}
	if s.Words == Near {
		_, err := sample.NewNear(d, s.Longest())
		return nil, err
	}
	var missing []int
	for _, length := range []int{s.Length, s.DevLength, s.LongLength} {
		sampler, err := sample.NewMixed(d, sample.Half, length, length)
		if err != nil {
			return nil, fmt.Errorf("strings of length %d: %w", length, err)
		}
		missing = append(missing, sampler.Missing()...)
	}
	return missing, nil
}

// order returns the order in which an epoch, counted from 1, takes the strings.
func (s Settings) order(epoch int) []int {
	return generator(s.Seed, streamOrder+uint64(epoch)).Perm(s.Strings)
}
