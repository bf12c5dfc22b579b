package extract

import (
	"context"
	"fmt"

	"quotient/automaton"
	"quotient/merge"
	"quotient/prefix"
)

// A Prepared extraction has its sample and its prefix tree already, so that it can
// be tried with one kappa after another: only merging is left to do. Results are
// those of [Run] and [Sweep]. It may be used by several goroutines at once.
type Prepared struct{ e *extraction }

// Prepare draws the sample and runs the network over it, for a method that
// [Method.Samples]. The kappa of the options is not used.
func Prepare(ctx context.Context, r prefix.Recognizer, o Options) (*Prepared, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	e, err := prepare(r, o)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx) // whatever the zeros of a network that failed led to
	}
	if err != nil {
		return nil, err
	}
	return &Prepared{e}, nil
}

// Tree returns the prefix tree.
func (p *Prepared) Tree() *prefix.Tree { return p.e.tree }

// At extracts with one kappa, or with the one that evidence chooses if it is [Auto].
func (p *Prepared) At(ctx context.Context, kappa float64) (*Result, error) {
	if kappa != Auto {
		if err := merge.CheckKappa(kappa); err != nil {
			return nil, err
		}
	}
	return p.e.extract(ctx, kappa)
}

// Sweep extracts with every given kappa, or with a fine grid if there are none.
func (p *Prepared) Sweep(ctx context.Context, kappas []float64) ([]Trial, error) {
	if p.e.o.Method == KMeans {
		return nil, fmt.Errorf("k-means has no kappa to sweep")
	}
	return p.e.sweep(ctx, kappas)
}

// Agreement returns on how many prefixes of fresh words, those that choose kappa, an
// automaton answers as the network does, and how many there are.
func (p *Prepared) Agreement(d *automaton.DFA) (agree, prefixes int, err error) {
	j, err := p.e.judges()
	if err != nil {
		return 0, 0, err
	}
	agree, prefixes = Agreement(d, j.words, j.labels)
	return agree, prefixes, nil
}
