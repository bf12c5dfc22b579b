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

// A product makes columns in whole blocks. Where a state has up to four columns
// more than whole blocks, as 100 has, scalar products make these at less than half
// the cost of another block.

// cut returns how many of n columns come in blocks, and how many by themselves.
func cut(n int) (wide, narrow int) {
	if rest := n % f32.Block; n > f32.Block && rest >= 1 && rest <= 4 {
		return n - rest, 4
	}
	return f32.Padded(n), 0
}

// weights are a network's parameters as products want them, made once per step.
type weights struct {
	Shape
	w        int // columns of a hidden state
	layer    []layerWeights
	head     f32.Matrix // 1 × w
	headBias float32
}

type layerWeights struct {
	bias    f32.Matrix // 1 × parts*w
	in, rec gates
}

// gates is the matrix that takes a layer's inputs, or its states, to the gates,
// in both orders, so that products read rows from start to end. Inputs take e
// columns, rounded up to whole blocks.
type gates struct {
	inputs int
	m      f32.Matrix // e × gates*w
	t      f32.Matrix // gates*w × e
	part   []part     // views of both, in the order of m's columns
}

// A part is one gate of a matrix, as products from inputs to gates read it, and
// as those back to the inputs do: what they make in blocks, and the rest, which
// may be nothing.
type part struct {
	wide, narrow   f32.Matrix // inputs × columns, columns × e
	wideT, narrowT f32.Matrix // Hidden × inputs, inputs × w
}

func newGates(s Shape, inputs int) gates {
	w, e := f32.Padded(s.Hidden), f32.Padded(inputs)
	n := s.Cell.Gates() * w
	g := gates{inputs: inputs, m: f32.New(e, n), t: f32.New(n, e)}
	wide, narrow := cut(s.Hidden)
	wideT, narrowT := cut(inputs)
	for at := 0; at < n; at += w {
		g.part = append(g.part, part{
			wide:    g.m.View(0, inputs).Columns(at, at+wide),
			narrow:  g.t.View(at+wide, at+wide+narrow),
			wideT:   g.t.View(at, at+s.Hidden).Columns(0, wideT),
			narrowT: g.m.View(wideT, wideT+narrowT).Columns(at, at+w),
		})
	}
	return g
}

func newWeights(s Shape) *weights {
	w := f32.Padded(s.Hidden)
	p := &weights{Shape: s, w: w, head: f32.New(1, w)}
	for l := range s.Layers {
		p.layer = append(p.layer, layerWeights{
			bias: f32.New(1, s.Cell.parts()*w),
			in:   newGates(s, s.input(l)),
			rec:  newGates(s, s.Hidden),
		})
	}
	return p
}

// load copies the parameters of n, which has the shape p was made for.
func (p *weights) load(n *Network) {
	for l := range p.layer {
		t := n.layer(l)
		p.loadLayer(l, t[0].matrix(), t[1].matrix(), t[2].Data, t[3].Data)
	}
	w, b := n.head()
	copy(p.head.Data, w.Data)
	p.headBias = b.Data[0]
}

// loadLayer copies the weights of one layer, in PyTorch's order of gates.
func (p *weights) loadLayer(l int, in, rec f32.Matrix, biasIn, biasRec []float32) {
	y := &p.layer[l]
	clear(y.bias.Data)
	for gate := range p.Cell.Gates() {
		at, end := gate*p.Hidden, (gate+1)*p.Hidden
		toRec, toIn := p.Cell.recurrentPart(gate)*p.w, p.Cell.inputPart(gate)*p.w
		add(y.bias.Data[toRec:], biasRec[at:end])
		add(y.bias.Data[toIn:], biasIn[at:end])
		y.in.load(in.View(at, end), toIn-p.Cell.firstInput()*p.w)
		y.rec.load(rec.View(at, end), toRec)
	}
}

// load copies a gate's rows to where its part begins.
func (g *gates) load(rows f32.Matrix, at int) {
	f32.Transpose(g.m.View(0, g.inputs).Columns(at, at+rows.Rows), rows)
	copyRows(g.t.View(at, at+rows.Rows), rows)
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
	bias    f32.Matrix // 1 × parts*w
	in, rec gatesGradient
}

// gatesGradient is that of gates.t, the columns past the whole blocks apart and
// transposed: four rows for each gate.
type gatesGradient struct {
	wide   f32.Matrix // gates*w × e
	narrow f32.Matrix // gates*4 × w, or nothing
}

func newGradient(s Shape, tokens int) *gradient {
	w, parts := f32.Padded(s.Hidden), s.Cell.parts()
	n := 0
	take := func(rows, cols int) (m f32.Matrix) {
		n += rows * cols
		return m
	}
	g := new(gradient)
	carve := func() {
		gates := func(inputs int) gatesGradient {
			_, narrow := cut(inputs)
			return gatesGradient{take(s.Cell.Gates()*w, f32.Padded(inputs)), take(s.Cell.Gates()*narrow, w)}
		}
		g.head, g.headBias, g.layer = take(1, w), take(1, f32.Block).Data, nil
		for l := range s.Layers {
			g.layer = append(g.layer, layerGradient{take(1, parts*w), gates(s.input(l)), gates(s.Hidden)})
		}
		g.table = take(tokens, parts*w)
	}
	carve() // counts
	g.all = f32.Slice(n)
	rest := g.all
	take = func(rows, cols int) f32.Matrix {
		m := f32.Of(rows, cols, rest[:rows*cols])
		rest = rest[rows*cols:]
		return m
	}
	carve()
	return g
}

// live returns what counts when as many tokens are in use: the table comes last.
func (g *gradient) live(tokens int) []float32 {
	return g.all[:len(g.all)-(g.table.Rows-tokens)*g.table.Cols]
}

// store writes the gradient in the order of the parameters, dst being views of a
// slice like Params. The embedding's is left to the caller.
func (g *gradient) store(dst *Network) {
	c, w, hidden := dst.Cell, g.head.Cols, dst.Hidden
	for l, y := range g.layer {
		t := dst.layer(l)
		for gate := range c.Gates() {
			rec, in := c.recurrentPart(gate), c.inputPart(gate)
			copy(t[3].gate(gate, hidden), y.bias.Data[rec*w:])
			copy(t[2].gate(gate, hidden), y.bias.Data[in*w:])
			y.in.store(t[0], gate, in-c.firstInput(), hidden)
			y.rec.store(t[1], gate, rec, hidden)
		}
	}
	head, bias := dst.head()
	copy(head.Data, g.head.Data)
	bias.Data[0] = g.headBias[0]
}

// store copies a part to a gate's rows.
func (g gatesGradient) store(t Tensor, gate, part, hidden int) {
	w := f32.Padded(hidden)
	rows := t.matrix().View(gate*hidden, (gate+1)*hidden)
	copyRows(rows, g.wide.View(part*w, part*w+hidden))
	wide, narrow := cut(rows.Cols)
	if narrow > 0 {
		rest := rows.Cols - wide
		f32.Transpose(rows.Columns(wide, rows.Cols), g.narrow.View(4*part, 4*part+rest).Columns(0, hidden))
	}
}

// copyRows copies the columns that both have.
func copyRows(dst, src f32.Matrix) {
	for i := range src.Rows {
		copy(dst.Row(i), src.Row(i))
	}
}

func add(dst, x []float32) { f32.Axpy(dst[:len(x)], 1, x) }
