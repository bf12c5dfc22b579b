package backprop

import (
	"quotient/f32"
	"quotient/rnn"
	"quotient/rnn/gates"
)

// A gradient is what training adds up over the rows of a shard, all in one slice so
// that shards add up in one go.
type gradient struct {
	all      []float32
	head     f32.Matrix // 1 × w, or of a language model outputs × w
	headBias []float32  // whole blocks, of which the first number counts, or as many as there are outputs
	layer    []gates.Gradient
	table    f32.Matrix // tokens in use × parts*w: what reaches the gates of layer 0
}

func newGradient(layers []layer, outputs, tokens int) *gradient {
	g := new(gradient)
	carve := func(all []float32) (n int) {
		take := func(rows, cols int) (m f32.Matrix) {
			if all != nil {
				m = f32.Of(rows, cols, all[n:n+rows*cols])
			}
			n += rows * cols
			return m
		}
		outputs = max(1, outputs)
		g.head, g.headBias, g.layer = take(outputs, f32.Padded(layers[0].Hidden)), take(1, f32.Padded(outputs)).Data, nil
		for _, y := range layers {
			g.layer = append(g.layer, y.Gradient(take))
		}
		g.table = take(tokens, layers[0].Bias.Cols)
		return n
	}
	g.all = f32.Slice(carve(nil)) // the first time it counts
	carve(g.all)
	return g
}

// live returns what counts when as many tokens are in use: the table comes last.
func (g *gradient) live(tokens int) []float32 {
	return g.all[:len(g.all)-(g.table.Rows-tokens)*g.table.Cols]
}

// store writes the gradient in the order of the parameters, dst being views of a
// slice like theirs. The embedding's is left to the caller.
func (g *gradient) store(dst *rnn.Stack, layers []layer) {
	for l, y := range dst.Layers {
		layers[l].Store(g.layer[l], y.In, y.Rec, y.BiasIn, y.BiasRec)
	}
	for i := range dst.Outputs() {
		copy(dst.Head[0].Weight.Row(i), g.head.Row(i))
	}
	copy(dst.Head[0].Bias, g.headBias)
}
