package sample

import (
	"math/rand/v2"

	"quotient/automaton"
	"quotient/word"
)

// Alike returns n words like some that are given: each begins as one of them, and now and then goes on as another one does from the same
// state of an automaton. So lengths, and what follows what, are as they are in those, as far as the automaton tells. Without any there are none.
func Alike(d *automaton.DFA, words []word.Word, n int, rng *rand.Rand) []word.Word {
	if len(words) == 0 {
		return nil
	}
	const leave = 6                      // symbols after which one goes on elsewhere, in the mean
	at := make([][]word.Word, d.Len()+1) // what follows each visit of a state
	longest := 0
	for _, w := range words {
		q := d.Start
		for i, s := range w {
			at[q] = append(at[q], w[i:])
			q = d.Next(q, s)
		}
		at[q] = append(at[q], nil)
		longest = max(longest, len(w))
	}
	list := make([]word.Word, n)
	for k := range list {
		var w word.Word
		q, rest := d.Start, words[rng.IntN(len(words))]
		for len(rest) > 0 && len(w) < longest {
			w = append(w, rest[0])
			q, rest = d.Next(q, rest[0]), rest[1:]
			if rng.IntN(leave) == 0 {
				rest = at[q][rng.IntN(len(at[q]))]
			}
		}
		list[k] = w
	}
	return list
}
