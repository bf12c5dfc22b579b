package spectral

import (
	"fmt"
	"math"
	"slices"

	"quotient/oracle"
	"quotient/weighted"
	"quotient/word"
)

// A learner holds what all rounds share.
type learner struct {
	o      Options
	q      *oracle.Inquiry // which asks for every word once
	sample []word.Word     // of o.Words, as many accepted as rejected ones
	words  []word.Word     // o.Words, sorted: neighbors share prefixes
	accept []bool          // the network's answers for them
	held   []word.Word     // o.Held, sorted
	values []float64       // the network's probabilities for them
	rounds int
}

const (
	mostRounds  = 6  // in which the basis is completed
	mostLacking = 20 // words that complete it in a round
	// A disagreement that only words longer than this show is left alone: a network that
	// loses track on long words would otherwise fill the basis with them.
	mostSymbols = 12
)

func newLearner(q *oracle.Inquiry, o Options) (*learner, error) {
	l := &learner{o: o, q: q}
	l.sample = balance(q, o.Words, basisWords)
	l.words, l.held = slices.Clone(o.Words), slices.Clone(o.Held)
	slices.SortFunc(l.words, slices.Compare[word.Word])
	slices.SortFunc(l.held, slices.Compare[word.Word])
	l.accept = q.Accepts(l.words)
	var err error
	l.values, err = ask(q.Context(), probabilities(q), l.held)
	return l, err
}

// round learns from a basis that has the prefixes and suffixes of the given words.
func (l *learner) round(lacking []word.Word) (*Result, error) {
	a := l.q.Alphabet()
	size := max(1, min(l.o.Size, int(math.Sqrt(float64(l.o.Queries/(1+a.Len()))))))
	h, err := fill(l.q.Context(), a, probabilities(l.q), newBasis(a, lacking, l.sample, size))
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
		if err := res.choose(l.q.Context(), f, l.held, l.values); err != nil {
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
func (l *learner) shorten(a *weighted.Automaton, wrong, before []word.Word) ([]word.Word, error) {
	var short []word.Word
	for _, w := range wrong[:min(len(wrong), mostLacking)] {
		for shorter := w; shorter != nil; shorter = l.shorter(a, w) {
			if err := l.q.Err(); err != nil {
				return nil, err
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
	accept := l.q.Accepts(words)
	for i, x := range a.Values(words) {
		if (x > a.Threshold) != accept[i] {
			return words[i]
		}
	}
	return nil
}
