package rnn

import "quotient/f32"

// How numbers lie in memory while a network computes.
//
// A hidden state takes w columns, Hidden rounded up to whole blocks; the columns
// beyond Hidden are zero in weights, states and gradients alike, and stay so. A
// row of gates is one to four such parts side by side. The recurrent product
// fills the first parts and the input's the last. In an Elman network and an LSTM
// these are all of them, in PyTorch's order. In a GRU the reset gate scales only
// the recurrent share of the candidate, so that its two shares are kept apart:
//
//	recurrent share of n | r | z | input share of n

// parts returns how many parts a row of gates has.
func (c Cell) parts() int { return [...]int{1, 4, 4}[c] }

// recurrentPart returns the part that the recurrent product of a gate adds to.
func (c Cell) recurrentPart(gate int) int {
	if c == GRU {
		return (gate + 1) % 3
	}
	return gate
}

// inputPart returns the part that a gate's input share adds to.
func (c Cell) inputPart(gate int) int {
	if c == GRU {
		return gate + 1
	}
	return gate
}

// firstInput is the first part that the input's share fills.
func (c Cell) firstInput() int { return c.parts() - c.Gates() }

// weights are a network's parameters as products want them, made once per step.
type weights struct {
	Shape
	w        int // columns of a hidden state
	layer    []layerWeights
	head     f32.Matrix // 1 × w
	headBias float32
}

// layerWeights are the matrices of one layer, each in two orders, so that
// forward and backward products both read rows from start to end. Inputs take
// e columns, rounded up to whole blocks.
type layerWeights struct {
	bias   f32.Matrix // 1 × parts*w
	in     f32.Matrix // input × gates*w, for forward
	inT    f32.Matrix // gates*w × e, for backward
	rec    f32.Matrix // Hidden × gates*w
	recT   f32.Matrix // gates*w × w
	inputs int
}

func newWeights(s Shape) *weights {
	w := f32.Padded(s.Hidden)
	p := &weights{Shape: s, w: w, head: f32.New(1, w)}
	gates := s.Cell.Gates() * w
	for l := range s.Layers {
		p.layer = append(p.layer, layerWeights{
			bias:   f32.New(1, s.Cell.parts()*w),
			in:     f32.New(s.input(l), gates),
			inT:    f32.New(gates, f32.Padded(s.input(l))),
			rec:    f32.New(s.Hidden, gates),
			recT:   f32.New(gates, w),
			inputs: s.input(l),
		})
	}
	return p
}

// load copies the parameters of n, which has the shape p was made for.
func (p *weights) load(n *Network) {
	for l := range p.layer {
		p.layer[l].load(p, n.layer(l))
	}
	w, b := n.head()
	copy(p.head.Data, w.Data)
	p.headBias = b.Data[0]
}

func (y *layerWeights) load(p *weights, t []Tensor) {
	clear(y.bias.Data)
	hidden := p.Hidden
	for gate := range p.Cell.Gates() {
		rec, in := p.Cell.recurrentPart(gate), p.Cell.inputPart(gate)
		add(y.bias.Data[rec*p.w:], t[3].gate(gate, hidden))
		add(y.bias.Data[in*p.w:], t[2].gate(gate, hidden))
		in -= p.Cell.firstInput()
		rows := t[0].matrix().View(gate*hidden, (gate+1)*hidden)
		f32.Transpose(y.in.Columns(in*p.w, in*p.w+hidden), rows)
		copyRows(y.inT.View(in*p.w, in*p.w+hidden), rows)
		rows = t[1].matrix().View(gate*hidden, (gate+1)*hidden)
		f32.Transpose(y.rec.Columns(rec*p.w, rec*p.w+hidden), rows)
		copyRows(y.recT.View(rec*p.w, rec*p.w+hidden), rows)
	}
}

// A gradient mirrors weights: what training adds up over the rows of a shard,
// all in one slice so that shards add up in one go.
type gradient struct {
	all      []float32
	table    f32.Matrix // tokens in use × parts*w: what reaches the gates of layer 0
	layer    []layerGradient
	head     f32.Matrix // 1 × w
	headBias []float32  // one block, of which the first counts
}

type layerGradient struct {
	bias f32.Matrix // 1 × parts*w
	in   f32.Matrix // gates*w × e; by way of the table for layer 0
	rec  f32.Matrix // gates*w × w
}

func newGradient(s Shape, tokens int) *gradient {
	w, gates, parts := f32.Padded(s.Hidden), s.Cell.Gates(), s.Cell.parts()
	n := tokens*parts*w + w + f32.Block
	for l := range s.Layers {
		n += parts*w + gates*w*(f32.Padded(s.input(l))+w)
	}
	g := &gradient{all: f32.Slice(n)}
	rest := g.all
	take := func(rows, cols int) f32.Matrix {
		m := f32.Of(rows, cols, rest[:rows*cols])
		rest = rest[rows*cols:]
		return m
	}
	g.head = take(1, w)
	g.headBias = take(1, f32.Block).Data
	for l := range s.Layers {
		g.layer = append(g.layer, layerGradient{
			bias: take(1, parts*w),
			in:   take(gates*w, f32.Padded(s.input(l))),
			rec:  take(gates*w, w),
		})
	}
	g.table = take(tokens, parts*w)
	return g
}

// live returns what counts when as many tokens are in use: the table comes last.
func (g *gradient) live(tokens int) []float32 {
	return g.all[:len(g.all)-(g.table.Rows-tokens)*g.table.Cols]
}

// store writes the gradient in the order of the parameters, dst being views of a
// slice like Params. The embedding's is left to the caller.
func (g *gradient) store(dst *Network) {
	p, w, hidden := dst.Shape, g.head.Cols, dst.Hidden
	for l, y := range g.layer {
		t := dst.layer(l)
		for gate := range p.Cell.Gates() {
			rec, in := p.Cell.recurrentPart(gate), p.Cell.inputPart(gate)
			copy(t[3].gate(gate, hidden), y.bias.Data[rec*w:])
			copy(t[2].gate(gate, hidden), y.bias.Data[in*w:])
			in -= p.Cell.firstInput()
			copyRows(t[0].matrix().View(gate*hidden, (gate+1)*hidden), y.in.View(in*w, in*w+hidden))
			copyRows(t[1].matrix().View(gate*hidden, (gate+1)*hidden), y.rec.View(rec*w, rec*w+hidden))
		}
	}
	head, bias := dst.head()
	copy(head.Data, g.head.Data)
	bias.Data[0] = g.headBias[0]
}

// copyRows copies the columns that both have.
func copyRows(dst, src f32.Matrix) {
	for i := range src.Rows {
		copy(dst.Row(i), src.Row(i))
	}
}

func add(dst, x []float32) { f32.Axpy(dst[:len(x)], 1, x) }
