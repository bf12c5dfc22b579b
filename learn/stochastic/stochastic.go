// Package stochastic learns probabilistic automata from words alone, without labels and
// without a network to ask. The methods fold the prefix tree of the words, whose nodes know
// how many words pass and how many end:
//
//   - ALERGIA (Carrasco and Oncina, Learning stochastic regular grammars by means of a state
//     merging method, 1994) merges two states unless what follows them differs by more than
//     chance explains, by a bound of Hoeffding's.
//   - MDI (Thollard, Dupont and de la Higuera, Probabilistic DFA inference using
//     Kullback-Leibler divergence and minimality, 2000) merges them if that takes the
//     distribution little away from the words, for the states that are saved.
//
// N-grams, smoothed, are what both are compared with.
//
// ALERGIA gives what AALpy's gives for the same words in the same order: with two states
// in doubt, the one counts whose words came first. Otherwise results are deterministic.
package stochastic

import (
	"context"
	"fmt"
	"math"

	"quotient/automaton"
	"quotient/probabilistic"
	"quotient/word"
)

// A Method is a way to choose which states are merged.
type Method string

const (
	ALERGIA Method = "alergia"
	MDI     Method = "mdi"
)

// Methods are all there are.
var Methods = []Method{ALERGIA, MDI}

// DefaultEpsilon is the significance of ALERGIA's test unless it is told another: AALpy's.
const DefaultEpsilon = 0.05

// Options say how to learn. The zero value is ALERGIA.
type Options struct {
	Method Method

	// Epsilon is how unlikely a difference must be to keep two states apart, in ALERGIA: over
	// 0 and up to 2, where any difference does. A smaller one merges more. 0:
	// DefaultEpsilon.
	Epsilon float64

	// Chain keeps states apart that different symbols lead to, in ALERGIA, as in a Markov
	// chain whose states show a symbol each.
	Chain bool

	// Alpha is how many nats a word a saved state may cost, in MDI. A greater one merges
	// more. 0: DefaultAlpha of the number of words.
	Alpha float64
}

// DefaultAlpha is what a saved state may cost in MDI unless that is told: all words together
// lose two nats. A node that one word passes loses about as much as a symbol has entropy, by
// chance alone, and must be worth more than that; [ChooseAlpha] finds how much.
func DefaultAlpha(words int) float64 { return 2 / float64(max(1, words)) }

// Stats say what learning took.
type Stats struct {
	Words   int `json:"words"`
	Symbols int `json:"symbols"` // the ends of words included
	Nodes   int `json:"nodes"`   // of the prefix tree
	Tried   int `json:"tried"`   // merges that were tried
	Merged  int `json:"merged"`  // merges that were made
}

// A Result is what was learned.
type Result struct {
	Automaton *probabilistic.Automaton // states in the order of their first words, shorter ones first
	Stats     Stats
}

// Learn learns an automaton from words over an alphabet, a word counting as often as it is
// there. If the result is too large, the error is an [*automaton.LimitError].
func Learn(ctx context.Context, a *word.Alphabet, words []word.Word, o Options) (*Result, error) {
	if o.Epsilon == 0 {
		o.Epsilon = DefaultEpsilon
	}
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha(len(words))
	}
	switch {
	case len(words) == 0:
		return nil, fmt.Errorf("there are no words to learn from")
	case !(o.Epsilon > 0 && o.Epsilon <= 2):
		return nil, fmt.Errorf("epsilon %g: it must be over 0 and at most 2", o.Epsilon)
	case !(o.Alpha > 0):
		return nil, fmt.Errorf("alpha %g: it must be over 0", o.Alpha)
	}
	t, err := newTree(words)
	if err != nil {
		return nil, err
	}
	f := newFolding(t)
	switch o.Method {
	case ALERGIA, "":
		err = f.run(ctx, (&alergia{t, math.Sqrt(0.5 * math.Log(2/o.Epsilon)), o.Chain}).merge)
	case MDI:
		err = f.run(ctx, (&mdi{o.Alpha * float64(len(words))}).merge)
	default:
		err = fmt.Errorf("no method is called %q; there are alergia and mdi", o.Method)
	}
	if err != nil {
		return nil, err
	}
	p, err := f.automaton(a)
	if err != nil {
		return nil, err
	}
	f.stats.Words, f.stats.Nodes = len(words), len(t.nodes)
	for _, w := range words {
		f.stats.Symbols += len(w) + 1
	}
	return &Result{Automaton: p, Stats: f.stats}, nil
}

// automaton returns the red nodes as states, with the shares of what was counted as
// probabilities.
func (f *folding) automaton(a *word.Alphabet) (*probabilistic.Automaton, error) {
	if (len(f.red)+1)*max(1, a.Len()) > probabilistic.MaxTable {
		return nil, &automaton.LimitError{Op: "learning from words", What: "states times symbols", Limit: probabilistic.MaxTable}
	}
	number := make(map[int32]automaton.State, len(f.red))
	for i, n := range f.red {
		number[n] = automaton.State(i + 1)
	}
	p := probabilistic.New(a, len(f.red))
	for i, n := range f.red {
		q := automaton.State(i + 1)
		total := float64(f.total[n])
		p.End[q] = float64(f.end[n]) / total
		for c := f.head[n]; c != none; c = f.sibling[c] {
			p.SetNext(q, word.Symbol(f.nodes[c].on), number[f.find(c)], float64(f.passed[c])/total)
		}
	}
	return p, nil
}
