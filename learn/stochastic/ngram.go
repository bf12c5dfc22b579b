package stochastic

import (
	"fmt"

	"quotient/automaton"
	"quotient/probabilistic"
	"quotient/word"
)

// NGrams returns the model of n-grams of some words: what follows depends on the n-1
// symbols before, of which the beginning of the word counts as one.
//
// It is smoothed after Witten and Bell (The zero-frequency problem, 1991): where N words
// came by and T different things followed, each of them gets its count of N+T, and the rest
// is shared as the context that is shorter by a symbol has it, down to the uniform
// distribution. So nothing has probability zero. The states are the contexts that occur,
// and each symbol leads to the longest of them that fits. If there are too many, the error
// is an [*automaton.LimitError].
func NGrams(a *word.Alphabet, words []word.Word, n int) (*probabilistic.Automaton, error) {
	if n < 1 {
		return nil, fmt.Errorf("%d-grams: n must be at least 1", n)
	}
	g := &grams{k: a.Len(), n: n, index: map[string]int32{}}
	g.context(nil)
	limit := probabilistic.MaxTable / (a.Len() + 1)
	for _, w := range words {
		g.count(w)
		if len(g.contexts) > limit {
			return nil, &automaton.LimitError{Op: fmt.Sprintf("counting %d-grams", n), What: "contexts", Limit: limit}
		}
	}
	return g.automaton(a), nil
}

// grams counts what follows which contexts. Contexts are kept with all their suffixes, and
// shorter ones have lower numbers where that matters: a suffix is entered first.
type grams struct {
	k, n     int
	index    map[string]int32
	contexts []word.Word // the symbol k is the beginning of the word
	counts   [][]int32   // of each context, by symbol, the end last
}

// context returns the number of a context.
func (g *grams) context(c word.Word) int32 {
	i, ok := g.index[c.Key()]
	if !ok {
		if len(c) > 0 {
			g.context(c[1:])
		}
		i = int32(len(g.contexts))
		g.index[c.Key()] = i
		g.contexts = append(g.contexts, append(word.Word(nil), c...))
		g.counts = append(g.counts, make([]int32, g.k+1))
	}
	return i
}

// count takes a word.
func (g *grams) count(w word.Word) {
	padded := append(word.Word{word.Symbol(g.k)}, w...)
	for i := range padded {
		next := g.k
		if i < len(w) {
			next = int(w[i])
		}
		from := max(0, i+2-g.n) // the longest context; n = 1 has none
		for c := padded[from : i+1]; ; c = c[1:] {
			g.counts[g.context(c)][next]++
			if len(c) == 0 {
				break
			}
		}
	}
}

// after returns the longest context that occurs at the end of one and a symbol.
func (g *grams) after(c word.Word, s word.Symbol) int32 {
	c = c.With(s)
	for c = c[max(0, len(c)-g.n+1):]; ; c = c[1:] {
		if i, ok := g.index[c.Key()]; ok {
			return i
		}
	}
}

func (g *grams) automaton(a *word.Alphabet) *probabilistic.Automaton {
	p := probabilistic.New(a, len(g.contexts))
	p.Start = 1
	if g.n > 1 {
		p.Start = automaton.State(g.index[word.Word{word.Symbol(g.k)}.Key()] + 1)
	}
	for i, c := range g.contexts { // a suffix is smoothed before what is longer
		q := automaton.State(i + 1)
		shorter := make([]float64, g.k+1)
		if len(c) == 0 {
			for s := range shorter {
				shorter[s] = 1 / float64(g.k+1)
			}
		} else {
			p.Distribution(shorter, automaton.State(g.index[c[1:].Key()]+1))
		}
		total, different := 0.0, 0.0
		for _, n := range g.counts[i] {
			total += float64(n)
			different += min(1, float64(n))
		}
		share := func(s int) float64 {
			return (float64(g.counts[i][s]) + different*shorter[s]) / (total + different)
		}
		p.End[q] = share(g.k)
		for s := range g.k {
			p.SetNext(q, word.Symbol(s), automaton.State(g.after(c, word.Symbol(s))+1), share(s))
		}
	}
	return p
}
