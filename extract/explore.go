package extract

import (
	"context"
	"fmt"
	"time"

	"quotient/explore"
	"quotient/prefix"
)

// few is up to how many symbols a sample of some hundred words says enough for
// merging to be tried: all words up to length 13 can then judge the result.
const few = 2

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
	if o.Kappa != Auto {
		res.Chosen = "kappa is given, and so the states of a sample are merged"
		return res, nil
	}
	words := explore.Short(r.Alphabet())
	fresh, err := prefix.FromAutomaton(res.Automaton).Draw(4000, 0, 30, p.e.rng(streamObject))
	if err != nil {
		return nil, err
	}
	words = append(words, fresh.Words...)
	wrong := 0
	for i, accept := range prefix.Accepts(r, words) {
		if res.Automaton.Accepts(words[i]) != accept {
			wrong++
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if wrong > 0 {
		o.Explore.Known = append(o.Explore.Known, res.Automaton)
		return exploring(ctx, r, o, fmt.Sprintf(
			"a sample of %d words is too small: the automaton that folding it gives disagrees with the network on %d of %d short or fresh words",
			o.Strings, wrong, len(words)))
	}
	res.Chosen = fmt.Sprintf("the automaton agrees with the network on all of %d short or fresh words", len(words))
	return res, nil
}

// exploring wraps the result of package explore.
func exploring(ctx context.Context, r prefix.Recognizer, o Options, why string) (*Result, error) {
	clock := time.Now()
	o.Method = Explore
	o.Explore.Seed, o.Explore.Kappa, o.Explore.Tell = o.Seed, o.Kappa, o.Tell
	found, err := explore.Run(ctx, r, o.Explore)
	if err != nil {
		return nil, err
	}
	o.Explore = found.Options
	res := &Result{
		Options: o, Automaton: found.Automaton, Merged: found.Automaton, MergedStates: found.Representatives,
		Chosen: why, Explored: found, Sampler: prefix.FromAutomaton(found.Automaton),
	}
	for _, f := range found.Findings {
		res.Exceptions = append(res.Exceptions, f.Word)
	}
	res.Times.Explore = lap(&clock)
	return res, nil
}
