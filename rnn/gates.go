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
func (p *weights) mulInto(g, x f32.Matrix, m *gates, part int) {
	wide, narrow := cut(p.Hidden)
	inputs, all := x.Columns(0, m.inputs), m.m.View(0, m.inputs)
	for row := 0; row < m.t.Rows; row += p.w {
		at := part*p.w + row
		f32.MulAdd(g.Columns(at, at+wide), inputs, all.Columns(row, row+wide))
		if narrow > 0 {
			f32.MulAddNT(g.Columns(at+wide, at+wide+narrow), x, m.t.View(row+wide, row+wide+narrow))
		}
	}
}

// lookup sets the gates to rows of the table plus x·m. It leaves the columns
// between gates as they are, which the backward pass left as zeros.
func (p *weights) lookup(g, table f32.Matrix, token []int32, x f32.Matrix, m *gates) {
	wide, narrow := cut(p.Hidden)
	inputs, all := x.Columns(0, m.inputs), m.m.View(0, m.inputs)
	for row := 0; row < g.Cols; row += p.w {
		from := f32.Lookup{Table: table.Columns(row, row+wide), Index: token}
		if row >= m.t.Rows { // the input share of a GRU's candidate
			f32.Gather(g.Columns(row, row+p.w), table.Columns(row, row+p.w), token)
			break
		}
		f32.MulAddTo(g.Columns(row, row+wide), from, inputs, all.Columns(row, row+wide))
		if narrow > 0 {
			from.Table = table.Columns(row+wide, row+wide+narrow)
			f32.MulAddNTTo(g.Columns(row+wide, row+wide+narrow), from, x, m.t.View(row+wide, row+wide+narrow))
		}
	}
}

// mulOutOf adds g·mᵀ to the inputs' gradient dx.
func (p *weights) mulOutOf(dx, g f32.Matrix, m *gates, part int) {
	wide, narrow := cut(m.inputs)
	for row := 0; row < m.t.Rows; row += p.w {
		at := part*p.w + row
		f32.MulAdd(dx.Columns(0, wide), g.Columns(at, at+p.Hidden), m.t.View(row, row+p.Hidden).Columns(0, wide))
		if narrow > 0 {
			f32.MulAddNT(dx.Columns(wide, wide+narrow), g.Columns(at, at+p.w), m.m.View(wide, wide+narrow).Columns(row, row+p.w))
		}
	}
}

// gradient adds gᵀ·x to the matrix's gradient d.
func (p *weights) gradient(d *gatesGradient, g, x f32.Matrix, m *gates, part int) {
	wide, narrow := cut(m.inputs)
	for row := 0; row < m.t.Rows; row += p.w {
		at := part*p.w + row
		f32.MulAddT(d.wide.View(row, row+p.Hidden).Columns(0, wide), g.Columns(at, at+p.Hidden), x.Columns(0, wide))
		if narrow > 0 {
			four := row / p.w * narrow
			f32.MulAddT(d.narrow.View(four, four+narrow), x.Columns(wide, wide+narrow), g.Columns(at, at+p.w))
		}
	}
}
