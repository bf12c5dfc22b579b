package sample

import (
	"math/rand/v2"

	"quotient/automaton"
	"quotient/word"
)

// A crossing is where one word can go on as another one does: an automaton, if there is one, is in the same state, and the last symbols are the same.
type crossing struct {
	state automaton.State
	last  [2]word.Symbol // the last one first; where there is none, no symbol
}

func (c crossing) next(d *automaton.DFA, s word.Symbol) crossing {
	if d != nil {
		c.state = d.Next(c.state, s)
	}
	return crossing{c.state, [2]word.Symbol{s, c.last[0]}}
}

// Alike returns n words like some that are given: each begins as one of them and, once in the mean, goes on as another one does from
// the same crossing. So lengths, and what follows what, are as they are in those, as far as the automaton and three symbols tell.
// Without any there are none.
func Alike(d *automaton.DFA, words []word.Word, n int, rng *rand.Rand) []word.Word {
	symbols := 0
	for _, w := range words {
		symbols += len(w)
	}
	return crossed(d, words, n, symbols/max(1, len(words)), rng)
}

// Chained returns n words that are less like those that are given: they cross after every symbol, wherever the last ones are the same. What networks
// answer to them says less about the words that are given, and more about others that one might have been given.
func Chained(words []word.Word, n int, rng *rand.Rand) []word.Word {
	return crossed(nil, words, n, 1, rng)
}

// crossed returns n words each of which begins as one of those that are given and, after so many symbols in the mean, goes on as another one does from
// the same crossing.
func crossed(d *automaton.DFA, words []word.Word, n, leave int, rng *rand.Rand) []word.Word {
	if len(words) == 0 {
		return nil
	}
	const none = word.MaxSymbols
	start := crossing{last: [2]word.Symbol{none, none}}
	if d != nil {
		start.state = d.Start
	}
	at := map[crossing][]word.Word{} // what follows each visit
	longest := 0
	for _, w := range words {
		c := start
		for i, s := range w {
			at[c] = append(at[c], w[i:])
			c = c.next(d, s)
		}
		at[c] = append(at[c], nil)
		longest = max(longest, len(w))
	}
	list := make([]word.Word, n)
	for k := range list {
		var w word.Word
		c, rest := start, words[rng.IntN(len(words))]
		for len(rest) > 0 && len(w) < longest {
			w = append(w, rest[0])
			c, rest = c.next(d, rest[0]), rest[1:]
			if rng.IntN(max(1, leave)) == 0 {
				rest = at[c][rng.IntN(len(at[c]))]
			}
		}
		list[k] = w
	}
	return list
}
