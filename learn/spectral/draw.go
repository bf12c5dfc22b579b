package spectral

import (
	"math/rand/v2"

	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// How many words are drawn where none are given, with lengths from 0.
const (
	poolWords   = 3000 // to choose from
	basisWords  = 300  // for parts of the basis
	heldWords   = 500  // for the choice of the rank
	longestWord = 50
)

// draw fills in words that are not given. Of those drawn, half are words that the
// network accepts, if it shows its states, so that such words can be found; otherwise
// all are uniform. What is asked only to find words is not remembered. Words of the user's
// take turns with them.
func (o *Options) draw(q, remembering *oracle.Inquiry) error {
	o.Data = q.Readable(o.Data)
	half := len(o.Data) / 2
	poolWords, longestWord := q.AtMost(poolWords, 0.05), min(longestWord, q.Longest())
	data := func(words []word.Word) []word.Word { return words[:min(len(words), MostData)] }
	pool := func(rng *rand.Rand) ([]word.Word, error) {
		return sample.UniformWords(poolWords, q.Alphabet().Len(), 0, longestWord, rng), nil
	}
	if q.ShowsStates() && (o.Words == nil || o.Held == nil) {
		s, err := sample.FromNetwork(q, longestWord/2, sample.Rand(o.Seed, sample.RankGuide))
		if err != nil {
			return err
		}
		pool = func(rng *rand.Rand) ([]word.Word, error) {
			drawn, err := s.Draw(q, poolWords, 0, longestWord, rng)
			return drawn.Words, err
		}
	}
	if o.Words == nil {
		words, err := pool(sample.Rand(o.Seed, sample.RankWords))
		if err != nil {
			return err
		}
		if o.Words = words; half > 0 {
			o.Words = join(data(o.Data[:half]), words, len(words)+half)
		}
	}
	if o.Held == nil {
		words, err := pool(sample.Rand(o.Seed, sample.RankJudges))
		if err != nil {
			return err
		}
		if len(o.Data) > 0 {
			words = join(data(o.Data[half:]), words, len(words)+len(o.Data))
		}
		o.Held = balance(remembering, words, heldWords)
	}
	return nil
}

// balance returns n of the words, all different: rejected and accepted ones in turn, as
// far as there are enough of both. What a network answers almost always says little.
func balance(q *oracle.Inquiry, words []word.Word, n int) []word.Word {
	var rejected, accepted []word.Word
	for i, yes := range q.Accepts(words) {
		if yes {
			accepted = append(accepted, words[i])
		} else {
			rejected = append(rejected, words[i])
		}
	}
	return join(rejected, accepted, n)
}
