package sample

import (
	"context"
	"math/rand/v2"
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// fill makes a word uniform.
func fill(w word.Word, symbols int, rng *rand.Rand) word.Word {
	for j := range w {
		w[j] = word.Symbol(rng.IntN(symbols))
	}
	return w
}

// UniformWord returns a word over so many symbols whose length is uniform from low to high
// and whose symbols are uniform.
func UniformWord(symbols, low, high int, rng *rand.Rand) word.Word {
	w := make(word.Word, low+rng.IntN(high-low+1))
	if symbols == 0 {
		return nil
	}
	return fill(w, symbols, rng)
}

// UniformWords returns n of them.
func UniformWords(n, symbols, low, high int, rng *rand.Rand) []word.Word {
	words := make([]word.Word, n)
	for i := range words {
		words[i] = UniformWord(symbols, low, high, rng)
	}
	return words
}

// FewSymbols returns a word of uniform length up to the longest, whose symbols are uniform
// in a random part of the alphabet, of random size from two symbols on: many languages turn
// on what words of few symbols do.
func FewSymbols(symbols, longest int, rng *rand.Rand) word.Word {
	w := make(word.Word, rng.IntN(longest+1))
	letters := min(symbols, 2+rng.IntN(max(symbols-1, 1)))
	order := rng.Perm(symbols)
	for j := range w {
		w[j] = word.Symbol(order[rng.IntN(letters)])
	}
	return w
}

// Accepted draws n words of uniform lengths from low to high, each uniform among those of
// its length that the sampler knows, and leaves those out of whose length there is none.
func Accepted(s *automaton.Sampler, n, low, high int, rng *rand.Rand) []word.Word {
	var words []word.Word
	for range n {
		w := make(word.Word, low+rng.IntN(high-low+1))
		if s.Draw(w, rng) {
			words = append(words, w)
		}
	}
	return words
}

// Changed draws words as [Accepted] does, with lengths from 0, and changes every second one
// in one place. It finds errors of hypotheses that accept next to nothing or nearly
// everything, which uniform words hardly ever meet.
func Changed(ctx context.Context, d *automaton.DFA, n, longest int, rng *rand.Rand) ([]word.Word, error) {
	s, err := automaton.NewSamplerUnder(ctx, d, longest)
	if err != nil {
		return nil, err
	}
	var words []word.Word
	for i := range n {
		w := make(word.Word, rng.IntN(longest+1))
		if !s.Draw(w, rng) {
			continue
		}
		if i%2 == 1 && len(w) > 0 {
			w = change(w, d.Alphabet.Len(), longest, rng)
		}
		words = append(words, w)
	}
	return words, nil
}

// change removes, replaces or, if the word is not too long then, inserts a symbol.
func change(w word.Word, symbols, longest int, rng *rand.Rand) word.Word {
	at := rng.IntN(len(w))
	switch rng.IntN(3) {
	case 0:
		return slices.Delete(w, at, at+1)
	case 1:
		w[at] = word.Symbol(rng.IntN(symbols))
	default:
		if len(w) < longest {
			w = slices.Insert(w, at, word.Symbol(rng.IntN(symbols)))
		}
	}
	return w
}

// Periodic prolongs one of some words by a period, again and again until it is so long: one
// to three symbols, each up to five times in a row. On such words networks often lose track.
func Periodic(from []word.Word, symbols, long int, rng *rand.Rand) word.Word {
	var period word.Word
	for range 1 + rng.IntN(3) {
		symbol := word.Symbol(rng.IntN(symbols))
		for range 1 + rng.IntN(5) {
			period = append(period, symbol)
		}
	}
	w := slices.Clone(from[rng.IntN(len(from))])
	for len(w) < long {
		w = append(w, period...)
	}
	return w
}
