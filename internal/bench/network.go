package bench

import (
	"context"
	"fmt"

	"quotient/f32"
	"quotient/internal/processor"
	"quotient/merge"
	"quotient/rnn"
	"quotient/word"
)

// NetworkOptions say what to measure.
type NetworkOptions struct {
	Units, Layers, Symbols, States, Threads int
	Rounds                                  int
}

// Network measures one step of many states of an LSTM with random weights.
func Network(ctx context.Context, o NetworkOptions) ([]Figure, error) {
	net, err := rnn.New(rnn.Shape{Cell: rnn.LSTM, Layers: o.Layers, Embedding: o.Symbols, Hidden: o.Units}, symbols(o.Symbols))
	if err != nil {
		return nil, err
	}
	r := generator(o.Units)
	for i := range net.Params {
		net.Params[i] = 0.1 * (r.Float32() - 0.5)
	}
	runner := rnn.NewRunner(net, o.Threads)
	states := f32.New(o.States, runner.Dim())
	on := make([]word.Symbol, o.States)
	for i := range on {
		on[i] = word.Symbol(r.IntN(o.Symbols))
	}
	f := Figure{Work: "step", Input: fmt.Sprintf("LSTM, %d layers of %d units, %d symbols", o.Layers, o.Units, o.Symbols), Size: o.States}
	f.Seconds = Best(o.Rounds, func() {
		if ctx.Err() == nil {
			err = runner.Step(states, states, on)
		}
	})
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return []Figure{f}, err
}

// TreeOptions say what to measure.
type TreeOptions struct {
	Nodes  []int
	Rounds int
}

// Trees measures merging of a large prefix tree, and its memory: all that the program ever had, so only
// the first figure can be less than the greatest.
func Trees(ctx context.Context, o TreeOptions) ([]Figure, error) {
	var figures []Figure
	for _, n := range o.Nodes {
		t, err := Tree(ctx, "zoo:tomita4@21", n)
		if err != nil {
			return figures, err
		}
		order, err := merge.Enumerate(t, merge.Breadth, nil)
		if err != nil {
			return figures, err
		}
		for _, rule := range []merge.Rule{merge.Fold, merge.Union} {
			f := Figure{Work: string(rule), Input: "prefix tree", Size: t.Len()}
			f.Seconds = Best(o.Rounds, func() {
				log := merge.Log(ctx, t, merge.How{Rule: rule, Kappa: 0.05, Order: merge.Breadth}, order)
				f.States = merge.Replay(t, rule, log).Reachable()
			})
			f.Memory, f.Of = processor.Peak(), 4*len(t.State.Data)
			if ctx.Err() != nil {
				return figures, context.Cause(ctx)
			}
			figures = append(figures, f)
		}
	}
	return figures, nil
}
