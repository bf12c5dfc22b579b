package sample

import (
	"math/rand/v2"

	"quotient/automaton"
	"quotient/word"
)

// A crossing is where one word can go on as another one does: an automaton is in the same state, and the last symbols are the same.
type crossing struct {
	state automaton.State
	last  [2]word.Symbol // the last one first; where there is none, no symbol
}

func (c crossing) next(d *automaton.DFA, s word.Symbol) crossing {
	return crossing{d.Next(c.state, s), [2]word.Symbol{s, c.last[0]}}
}

// Alike returns n words like some that are given: each begins as one of them and, once in the mean, goes on as another one does from
// the same crossing. So lengths, and what follows what, are as they are in those, as far as the automaton and three symbols tell.
// Words that cross more often are less alike: what networks answer to them says little about the words that are given.
// Without any there are none.
func Alike(d *automaton.DFA, words []word.Word, n int, rng *rand.Rand) []word.Word {
	if len(words) == 0 {
		return nil
	}
	const none = word.MaxSymbols
	start := crossing{d.Start, [2]word.Symbol{none, none}}
	at := map[crossing][]word.Word{} // what follows each visit
	longest, symbols := 0, 0
	for _, w := range words {
		c := start
		for i, s := range w {
			at[c] = append(at[c], w[i:])
			c = c.next(d, s)
		}
		at[c] = append(at[c], nil)
		longest, symbols = max(longest, len(w)), symbols+len(w)
	}
	leave := max(1, symbols/len(words)) // symbols after which one goes on elsewhere, in the mean
	list := make([]word.Word, n)
	for k := range list {
		var w word.Word
		c, rest := start, words[rng.IntN(len(words))]
		for len(rest) > 0 && len(w) < longest {
			w = append(w, rest[0])
			c, rest = c.next(d, rest[0]), rest[1:]
			if rng.IntN(leave) == 0 {
				rest = at[c][rng.IntN(len(at[c]))]
			}
		}
		list[k] = w
	}
	return list
}
