package spectral

import (
	"context"
	"fmt"
	"math"
	"slices"

	"quotient/prefix"
	"quotient/weighted"
	"quotient/word"
)

// A learner holds what all rounds share.
type learner struct {
	o      Options
	net    *memory
	sample []word.Word // of o.Words, as many accepted as rejected ones
	words  []word.Word // o.Words, sorted: neighbors share prefixes
	accept []bool      // the network's answers for them
	held   []word.Word // o.Held, sorted
	values []float64   // the network's probabilities for them
	rounds int
}

// A memory is a network that is asked for every word once.
type memory struct {
	prefix.Oracle
	known map[string]float32
}

// Probabilities asks the network for those of the words that are not known.
func (m *memory) Probabilities(words []word.Word) []float32 {
	keys := make([]string, len(words))
	var fresh []word.Word
	var at []string // the keys of the fresh words
	for i, w := range words {
		keys[i] = keyOf(w)
		if _, ok := m.known[keys[i]]; !ok {
			m.known[keys[i]] = 0
			fresh, at = append(fresh, w), append(at, keys[i])
		}
	}
	for i, p := range m.Oracle.Probabilities(fresh) {
		m.known[at[i]] = p
	}
	values := make([]float32, len(words))
	for i, key := range keys {
		values[i] = m.known[key]
	}
	return values
}

const (
	mostRounds  = 6  // in which the basis is completed
	mostLacking = 20 // words that complete it in a round
	// A disagreement that only words longer than this show is left alone: a network that
	// loses track on long words would otherwise fill the basis with them.
	mostSymbols = 12
)

func newLearner(ctx context.Context, net *memory, o Options) (*learner, error) {
	l := &learner{o: o, net: net}
	l.sample = balance(net, o.Words, basisWords)
	l.words, l.held = slices.Clone(o.Words), slices.Clone(o.Held)
	slices.SortFunc(l.words, slices.Compare[word.Word])
	slices.SortFunc(l.held, slices.Compare[word.Word])
	l.accept = prefix.Accepts(net, l.words)
	var err error
	l.values, err = ask(ctx, probabilities(net), l.held)
	return l, err
}

// round learns from a basis that has the prefixes and suffixes of the given words.
func (l *learner) round(ctx context.Context, lacking []word.Word) (*Result, error) {
	a := l.net.Alphabet()
	size := max(1, min(l.o.Size, int(math.Sqrt(float64(l.o.Queries/(1+a.Len()))))))
	h, err := fill(ctx, a, probabilities(l.net), newBasis(a, lacking, l.sample, size))
	if err != nil {
		return nil, err
	}
	f, err := h.factorize(max(l.o.Rank, l.o.MaxRank))
	if err != nil {
		return nil, err
	}
	res := &Result{Basis: h.basis, Singular: f.singular, Rank: l.o.Rank, Why: "was asked for"}
	if l.o.Rank > f.most {
		return nil, fmt.Errorf("rank %d was asked for, but the %d × %d values have rank %d only",
			l.o.Rank, len(h.basis.Prefixes), len(h.basis.Suffixes), f.most)
	}
	if l.o.Rank == 0 {
		if err := res.choose(ctx, f, l.held, l.values); err != nil {
			return nil, err
		}
	}
	learned := f.automaton(res.Rank)
	learned.Threshold = 0.5
	res.Automaton, res.States = learned.Minimize()
	return res, nil
}

// disagreements returns the words on which the automaton and the network disagree, the
// shortest first.
func (l *learner) disagreements(a *weighted.Automaton) []word.Word {
	var wrong []word.Word
	for i, x := range a.Values(l.words) {
		if (x > a.Threshold) != l.accept[i] {
			wrong = append(wrong, l.words[i])
		}
	}
	slices.SortStableFunc(wrong, func(u, v word.Word) int { return len(u) - len(v) })
	return wrong
}

// shorten deletes symbols from the words as long as the two disagree on what is left,
// and adds the results to the words that the basis lacked before.
func (l *learner) shorten(ctx context.Context, a *weighted.Automaton, wrong, before []word.Word) ([]word.Word, error) {
	var short []word.Word
	for _, w := range wrong[:min(len(wrong), mostLacking)] {
		for shorter := w; shorter != nil; shorter = l.shorter(a, w) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			w = shorter
		}
		if len(w) <= mostSymbols {
			short = append(short, w)
		}
	}
	return join(before, short, len(before)+len(short)), nil
}

// shorter returns w without one symbol, such that the two still disagree, or nil.
func (l *learner) shorter(a *weighted.Automaton, w word.Word) word.Word {
	var words []word.Word
	for i := range w {
		words = append(words, slices.Concat(w[:i], w[i+1:]))
	}
	accept := prefix.Accepts(l.net, words)
	for i, x := range a.Values(words) {
		if (x > a.Threshold) != accept[i] {
			return words[i]
		}
	}
	return nil
}
