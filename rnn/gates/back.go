package gates

import "quotient/f32"

// A Gradient mirrors Weights.
type Gradient struct {
	Bias    f32.Matrix // 1 × parts*w
	In, Rec MatrixGradient
}

// A MatrixGradient is that of a Matrix, the columns past the whole blocks apart and
// transposed: four rows for each gate.
type MatrixGradient struct {
	wide   f32.Matrix // gates*w × e
	narrow f32.Matrix // gates*4 × w, or nothing
}

// Gradient returns a gradient in memory that take gives out.
func (p *Weights) Gradient(take func(rows, cols int) f32.Matrix) Gradient {
	of := func(m *Matrix) MatrixGradient {
		_, narrow := cut(m.inputs)
		return MatrixGradient{take(m.t.Rows, m.t.Cols), take(len(m.part)*narrow, f32.Padded(m.hidden))}
	}
	return Gradient{take(1, p.Bias.Cols), of(&p.In), of(&p.Rec)}
}

// Backward adds g·Mᵀ to the gradient dx (R × e) of the inputs, g (R × parts*w) being
// that of the gates.
func (m *Matrix) Backward(dx, g f32.Matrix) {
	w := f32.Padded(m.hidden)
	for k := range m.part {
		v, at := &m.part[k], (m.first+k)*w
		end := v.wideT.Cols
		f32.MulAdd(dx.Columns(0, end), g.Columns(at, at+m.hidden), v.wideT)
		if n := v.narrowT.Rows; n > 0 {
			f32.MulAddNT(dx.Columns(end, end+n), g.Columns(at, at+w), v.narrowT)
		}
	}
}

// AddGradient adds gᵀ·x to the gradient d of the matrix, g (R × parts*w) being that of
// the gates and x (R × e) the inputs.
func (m *Matrix) AddGradient(d *MatrixGradient, g, x f32.Matrix) {
	w := f32.Padded(m.hidden)
	wide, narrow := cut(m.inputs)
	for k := range m.part {
		row, at := k*w, (m.first+k)*w
		f32.MulAddT(d.wide.View(row, row+m.hidden).Columns(0, wide), g.Columns(at, at+m.hidden), x.Columns(0, wide))
		if narrow > 0 {
			f32.MulAddT(d.narrow.View(k*narrow, (k+1)*narrow), x.Columns(wide, wide+narrow), g.Columns(at, at+w))
		}
	}
}

// Store writes a gradient in the order of [Weights.Load].
func (p *Weights) Store(d Gradient, in, rec f32.Matrix, biasIn, biasRec []float32) {
	w := f32.Padded(p.Hidden)
	for gate := range p.Gates() {
		at, end := gate*p.Hidden, (gate+1)*p.Hidden
		copy(biasRec[at:end], d.Bias.Data[p.Recurrent[gate]*w:])
		copy(biasIn[at:end], d.Bias.Data[p.Input[gate]*w:])
		p.In.store(in.View(at, end), d.In, p.Input[gate])
		p.Rec.store(rec.View(at, end), d.Rec, p.Recurrent[gate])
	}
}

// store copies a part to a gate's rows.
func (m *Matrix) store(rows f32.Matrix, d MatrixGradient, part int) {
	part -= m.first
	at := part * f32.Padded(m.hidden)
	copyRows(rows, d.wide.View(at, at+m.hidden))
	if wide, narrow := cut(m.inputs); narrow > 0 {
		f32.Transpose(rows.Columns(wide, m.inputs), d.narrow.View(4*part, 4*part+m.inputs-wide).Columns(0, m.hidden))
	}
}
