package rnn

import "quotient/f32"

// The three products between inputs x, one row to a word, and gates g. They go
// gate by gate, from the given part on, so that the padding between gates costs
// nothing.

// feed sets the gates to the bias and the share of a layer's inputs.
func (p *weights) feed(y *layerWeights, g, x f32.Matrix) {
	for i := range g.Rows {
		copy(g.Row(i), y.bias.Data)
	}
	p.mulInto(g, x, &y.in, p.Cell.firstInput())
}

// mulInto adds x·m to the gates.
func (p *weights) mulInto(g, x f32.Matrix, m *gates, first int) {
	inputs := x.Columns(0, m.inputs)
	for k := range m.part {
		v, at := &m.part[k], (first+k)*p.w
		end := at + v.wide.Cols
		f32.MulAdd(g.Columns(at, end), inputs, v.wide)
		if n := v.narrow.Rows; n > 0 {
			f32.MulAddNT(g.Columns(end, end+n), x, v.narrow)
		}
	}
}

// lookup sets the gates to rows of the table plus x·m. It leaves the columns
// between gates as they are, which the backward pass left as zeros.
func (p *weights) lookup(g, table f32.Matrix, token []int32, x f32.Matrix, m *gates) {
	inputs := x.Columns(0, m.inputs)
	from := f32.Lookup{Index: token}
	for k := range m.part {
		v, at := &m.part[k], k*p.w
		end := at + v.wide.Cols
		from.Table = table.Columns(at, end)
		f32.MulAddTo(g.Columns(at, end), from, inputs, v.wide)
		if n := v.narrow.Rows; n > 0 {
			from.Table = table.Columns(end, end+n)
			f32.MulAddNTTo(g.Columns(end, end+n), from, x, v.narrow)
		}
	}
	if at := len(m.part) * p.w; at < g.Cols { // the input share of a GRU's candidate
		f32.Gather(g.Columns(at, g.Cols), table.Columns(at, g.Cols), token)
	}
}

// mulOutOf adds g·mᵀ to the inputs' gradient dx.
func (p *weights) mulOutOf(dx, g f32.Matrix, m *gates, first int) {
	for k := range m.part {
		v, at := &m.part[k], (first+k)*p.w
		end := v.wideT.Cols
		f32.MulAdd(dx.Columns(0, end), g.Columns(at, at+p.Hidden), v.wideT)
		if n := v.narrowT.Rows; n > 0 {
			f32.MulAddNT(dx.Columns(end, end+n), g.Columns(at, at+p.w), v.narrowT)
		}
	}
}

// gradient adds gᵀ·x to the matrix's gradient d.
func (p *weights) gradient(d *gatesGradient, g, x f32.Matrix, m *gates, first int) {
	wide, narrow := cut(m.inputs)
	for k := range m.part {
		row, at := k*p.w, (first+k)*p.w
		f32.MulAddT(d.wide.View(row, row+p.Hidden).Columns(0, wide), g.Columns(at, at+p.Hidden), x.Columns(0, wide))
		if narrow > 0 {
			f32.MulAddT(d.narrow.View(k*narrow, (k+1)*narrow), x.Columns(wide, wide+narrow), g.Columns(at, at+p.w))
		}
	}
}
