package spectral

import (
	"math/rand/v2"

	"quotient/prefix"
	"quotient/word"
)

// Streams of random numbers, so that what one part draws changes nothing for the
// others.
const (
	streamGuide = iota
	streamWords
	streamHeld
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
// all are uniform.
func (o *Options) draw(net *memory) error {
	rng := func(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(o.Seed, stream)) }
	pool := func(rng *rand.Rand) ([]word.Word, error) {
		return uniform(net.Alphabet(), poolWords, longestWord, rng), nil
	}
	if r, ok := net.Oracle.(prefix.Recognizer); ok && (o.Words == nil || o.Held == nil) {
		s, err := prefix.FromNetwork(r, longestWord/2, rng(streamGuide))
		if err != nil {
			return err
		}
		pool = func(rng *rand.Rand) ([]word.Word, error) {
			drawn, err := s.Draw(poolWords, 0, longestWord, rng)
			return drawn.Words, err
		}
	}
	if o.Words == nil {
		words, err := pool(rng(streamWords))
		if err != nil {
			return err
		}
		o.Words = words
	}
	if o.Held == nil {
		words, err := pool(rng(streamHeld))
		if err != nil {
			return err
		}
		o.Held = balance(net, words, heldWords)
	}
	return nil
}

// uniform draws n words whose lengths and symbols are uniform.
func uniform(a *word.Alphabet, n, longest int, rng *rand.Rand) []word.Word {
	words := make([]word.Word, n)
	if a.Len() == 0 {
		return words
	}
	for i := range words {
		words[i] = make(word.Word, rng.IntN(longest+1))
		for j := range words[i] {
			words[i][j] = word.Symbol(rng.IntN(a.Len()))
		}
	}
	return words
}

// balance returns n of the words, all different: rejected and accepted ones in turn, as
// far as there are enough of both. What a network answers almost always says little.
func balance(net prefix.Oracle, words []word.Word, n int) []word.Word {
	var rejected, accepted []word.Word
	for i, yes := range prefix.Accepts(net, words) {
		if yes {
			accepted = append(accepted, words[i])
		} else {
			rejected = append(rejected, words[i])
		}
	}
	return join(rejected, accepted, n)
}
