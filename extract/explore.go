package extract

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"quotient/automaton"
	"quotient/explore"
	"quotient/prefix"
)

// few is up to how many symbols a sample of some hundred words says enough for
// merging to be tried: 300 words of length 10 hold 3,000 symbols, and so every
// sequence of three of at most so many symbols several times over.
const few = 4

// pick chooses the method. Over few symbols it folds a sample, and lets fresh words
// judge the result; otherwise, or if they object, it explores.
func pick(ctx context.Context, r prefix.Recognizer, o Options) (*Result, error) {
	if k := r.Alphabet().Len(); k > few {
		return exploring(ctx, r, o, fmt.Sprintf("a sample of %d words says too little about %d symbols", o.Strings, k))
	}
	o.Method = Fold
	p, err := Prepare(ctx, r, o)
	if err != nil {
		return exploring(ctx, r, o, fmt.Sprintf("there is no sample to fold: %v", err))
	}
	res, err := p.At(ctx, o.Kappa)
	if err != nil {
		return nil, err
	}
	wrong, words, err := objections(r, res.Automaton, o.Seed)
	if err != nil {
		return nil, err
	}
	if wrong > 0 {
		o.Explore.Known = append(o.Explore.Known, res.Automaton)
		return exploring(ctx, r, o, fmt.Sprintf(
			"a sample of %d words is too small: the automaton that folding it gives disagrees with the network on %d of %d fresh words",
			o.Strings, wrong, words))
	}
	res.Chosen = fmt.Sprintf("the automaton agrees with the network on all of %d fresh words", words)
	return res, nil
}

// objections counts on how many fresh words automaton and network disagree.
func objections(r prefix.Recognizer, d *automaton.DFA, seed uint64) (wrong, words int, err error) {
	const n, longest = 4000, 30
	s, err := prefix.FromAutomaton(d).Draw(n, 0, longest, rand.New(rand.NewPCG(seed, streamObject)))
	if err != nil {
		return 0, 0, err
	}
	for i, labels := range prefix.Labels(r, s.Words) {
		if w := s.Words[i]; d.Accepts(w) != labels[len(w)] {
			wrong++
		}
	}
	return wrong, n, nil
}

// exploring wraps the result of package explore.
func exploring(ctx context.Context, r prefix.Recognizer, o Options, why string) (*Result, error) {
	clock := time.Now()
	o.Method = Explore
	o.Explore.Seed, o.Explore.Kappa = o.Seed, o.Kappa
	found, err := explore.Run(ctx, r, o.Explore)
	if err != nil {
		return nil, err
	}
	o.Explore = found.Options
	res := &Result{
		Options: o, Automaton: found.Automaton, Merged: found.Automaton, MergedStates: found.Representatives,
		Chosen: why, Explored: found, Sampler: prefix.FromAutomaton(found.Automaton),
	}
	if found.Stopped != "" {
		res.Warnings = append(res.Warnings, found.Stopped)
	}
	res.Times.Explore = lap(&clock)
	return res, nil
}
