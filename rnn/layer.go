package rnn

import "quotient/f32"

// A trace is what a layer keeps of a forward pass for the backward pass. Steps
// follow one another, each with one row per word; states have one step more, the
// zeros before the first. R is the number of words, T of steps.
type trace struct {
	gates f32.Matrix // T*R × parts*w: gates; after the backward pass their gradients
	h     f32.Matrix // (T+1)*R × w
	c, tc f32.Matrix // (T+1)*R × w, T*R × w: an LSTM's cell and its tanh
}

// newTrace returns room for as many rows, T*R, and R more.
func newTrace(s Shape, rows, words int) trace {
	w := f32.Padded(s.Hidden)
	t := trace{gates: f32.New(rows, s.Cell.parts()*w), h: f32.New(rows+words, w)}
	if s.Cell == LSTM {
		t.c, t.tc = f32.New(rows+words, w), f32.New(rows, w)
	}
	return t
}

// forward runs layer y over time. The gates hold the input's share on entry.
func (p *weights) forward(y *layerWeights, t trace, steps, words int) {
	clear(t.h.View(0, words).Data)
	if p.Cell == LSTM {
		clear(t.c.View(0, words).Data)
	}
	for i := 0; i < steps*words; i += words {
		g := t.gates.View(i, i+words)
		before, after := t.h.View(i, i+words), t.h.View(i+words, i+2*words)
		if i > 0 {
			p.recur(y, g, before)
		}
		switch p.Cell {
		case Elman:
			f32.Tanh(after.Data, g.Data)
		case GRU:
			f32.GRUForward(g, after, before)
		case LSTM:
			f32.LSTMForward(g, after, t.c.View(i+words, i+2*words), t.tc.View(i, i+words), t.c.View(i, i+words))
		}
	}
}

// recur adds the recurrent share of the state h to the gates g.
func (p *weights) recur(y *layerWeights, g, h f32.Matrix) {
	f32.MulAdd(g.Columns(0, y.rec.Cols), h.Columns(0, p.Hidden), y.rec)
}

// feed sets the gates g to the input's share of x, one row of inputs to a row.
func (p *weights) feed(y *layerWeights, g, x f32.Matrix) {
	for i := range g.Rows {
		copy(g.Row(i), y.bias.Data)
	}
	f32.MulAdd(g.Columns(g.Cols-y.in.Cols, g.Cols), x.Columns(0, y.inputs), y.in)
}

// backward runs layer y back through time. Later layers' gradient of the states
// comes from above, which adds step i's to dh. It leaves the gates' gradients in
// t.gates and adds the recurrent matrix's to d. The carries dh and dc have one
// row to a word.
func (p *weights) backward(d *layerGradient, y *layerWeights, t trace, dh, dc f32.Matrix, above func(dh f32.Matrix, i int)) {
	words := dh.Rows
	clear(dh.Data)
	clear(dc.Data)
	for i := t.gates.Rows - words; i >= 0; i -= words {
		above(dh, i)
		g := t.gates.View(i, i+words)
		switch p.Cell {
		case Elman:
			f32.ElmanBackward(g.Data, dh.Data, t.h.View(i+words, i+2*words).Data)
		case GRU:
			f32.GRUBackward(g, dh, t.h.View(i, i+words))
		case LSTM:
			f32.LSTMBackward(g, dh, dc, t.tc.View(i, i+words), t.c.View(i, i+words))
		}
		if i > 0 {
			p.mulGates(dh, g, y.recT, 0)
		}
	}
	p.gradGates(d.rec, t.gates, t.h, 0)
}

// mulGates adds to dx the gates' gradient times a matrix in backward order, from
// the given part on, gate by gate so that padding costs nothing.
func (p *weights) mulGates(dx, g, m f32.Matrix, part int) {
	for row := 0; row < m.Rows; row += p.w {
		col := part*p.w + row
		f32.MulAdd(dx, g.Columns(col, col+p.Hidden), m.View(row, row+p.Hidden))
	}
}

// gradGates adds to dm the gates' gradient, transposed, times their inputs x.
// Rows are taken in chunks that stay in the first cache.
func (p *weights) gradGates(dm, g, x f32.Matrix, part int) {
	const chunk = 64
	for i := 0; i < g.Rows; i += chunk {
		j := min(i+chunk, g.Rows)
		for row := 0; row < dm.Rows; row += p.w {
			col := part*p.w + row
			f32.MulAddT(dm.View(row, row+p.Hidden), g.View(i, j).Columns(col, col+p.Hidden), x.View(i, j))
		}
	}
}
