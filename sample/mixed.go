package sample

import (
	"context"
	"fmt"
	"math/rand/v2"

	"quotient/automaton"
	"quotient/word"
)

// A Mix says which words a sampler draws.
type Mix string

const (
	Uniform Mix = "uniform" // all words of a length are equally likely
	Valid   Mix = "valid"   // all words of a length that are in the language are
	Half    Mix = "half"    // the two in turn, as the paper trains and extracts
)

// Mixes are all there are.
var Mixes = []Mix{Half, Valid, Uniform}

// MaxLength is the length of the longest words that are drawn.
const MaxLength = 1 << 24

// A Mixed sampler draws words whose lengths are uniform in a range.
type Mixed struct {
	mix      Mix
	min, max int
	symbols  int
	valid    *automaton.Sampler // nil if the mix is uniform
}

// NewMixed prepares to draw words of length min to max. They are valid or not
// with regard to the language of d.
func NewMixed(d *automaton.DFA, mix Mix, min, max int) (*Mixed, error) {
	return newMixed(context.Background(), d, mix, min, max)
}

func newMixed(ctx context.Context, d *automaton.DFA, mix Mix, min, max int) (*Mixed, error) {
	if min < 0 || max < min {
		return nil, fmt.Errorf("no word has a length from %d to %d", min, max)
	}
	if max > MaxLength {
		return nil, fmt.Errorf("words of length %d: at most %d is possible", max, MaxLength)
	}
	s := &Mixed{mix: mix, min: min, max: max, symbols: d.Alphabet.Len()}
	if s.symbols == 0 && max > 0 {
		return nil, fmt.Errorf("an alphabet without symbols has no words of length %d", max)
	}
	switch mix {
	case Uniform:
		return s, nil
	case Valid, Half:
		var err error
		s.valid, err = automaton.NewSamplerUnder(ctx, d, max)
		return s, err
	}
	return nil, fmt.Errorf("no mix of words is called %q; there are half, valid and uniform", mix)
}

// Draw returns the i-th word. With Half, words with an even index are valid ones.
// Where the language has no word of the length drawn, the word is a uniform one;
// see [Mixed.Missing].
func (s *Mixed) Draw(i int, r *rand.Rand) word.Word {
	w := make(word.Word, s.min+r.IntN(s.max-s.min+1))
	if s.mix == Valid || s.mix == Half && i%2 == 0 {
		if s.valid.Draw(w, r) {
			return w
		}
	}
	return fill(w, s.symbols, r)
}

// Missing returns the lengths in the range of which the language has no word, so
// that uniform words stand in for valid ones.
func (s *Mixed) Missing() []int {
	var missing []int
	for n := s.min; s.valid != nil && n <= s.max; n++ {
		if s.valid.Count(n).Sign() == 0 {
			missing = append(missing, n)
		}
	}
	return missing
}
