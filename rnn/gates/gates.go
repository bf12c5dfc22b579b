// Package gates holds the weights of a recurrent layer as products want them, and
// the products between a layer's inputs or states and its gates. It knows no cell:
// a [Layout] says where the gates of one lie.
//
// A hidden state takes w columns, Hidden rounded up to whole blocks; the columns
// beyond Hidden are zero in weights, states and gradients alike, and stay so. A
// row of gates is a few such parts side by side. The recurrent product fills the
// first parts and the input's the last.
//
// Shapes in comments: R rows, one to a word; e columns of inputs, rounded up to
// whole blocks.
package gates

import (
	"slices"

	"quotient/f32"
)

// A Layout says where in a row of gates each gate of a cell lies. Gates are in
// PyTorch's order.
type Layout struct {
	Recurrent []int // the part that the recurrent product of each gate adds to
	Input     []int // the part that each gate's input share adds to
}

// Gates returns how many stretches of rows the cell's weights have.
func (l Layout) Gates() int { return len(l.Input) }

// Parts returns how many parts a row of gates has.
func (l Layout) Parts() int { return 1 + slices.Max(l.Input) }

// Weights are those of one layer.
type Weights struct {
	Layout
	Hidden  int
	Bias    f32.Matrix // 1 × parts*w
	In, Rec Matrix     // of the inputs, of the state
}

// A Matrix takes a layer's inputs, or its states, to the gates. It is kept in both
// orders, so that products read rows from start to end.
type Matrix struct {
	inputs, hidden int
	first          int        // the part that its first columns add to
	m              f32.Matrix // e × gates*w
	t              f32.Matrix // gates*w × e
	part           []part     // views of both, in the order of m's columns
}

// A part is one gate of a matrix, as products from inputs to gates read it, and
// as those back to the inputs do: what they make in blocks, and the rest, which
// may be nothing.
type part struct {
	wide, narrow   f32.Matrix // inputs × columns, columns × e
	wideT, narrowT f32.Matrix // hidden × inputs, inputs × w
}

// cut returns how many of n columns come in blocks, and how many by themselves. A
// product makes columns in whole blocks. Where a state has up to four columns more
// than whole blocks, as 100 has, scalar products make these at less than half the
// cost of another block.
func cut(n int) (wide, narrow int) {
	if rest := n % f32.Block; n > f32.Block && rest >= 1 && rest <= 4 {
		return n - rest, 4
	}
	return f32.Padded(n), 0
}

// New returns weights of zero for a layer that reads as many inputs.
func New(l Layout, inputs, hidden int) *Weights {
	return &Weights{
		Layout: l, Hidden: hidden, Bias: f32.New(1, l.Parts()*f32.Padded(hidden)),
		In:  newMatrix(l.Gates(), slices.Min(l.Input), inputs, hidden),
		Rec: newMatrix(l.Gates(), 0, hidden, hidden),
	}
}

func newMatrix(gates, first, inputs, hidden int) Matrix {
	w, e := f32.Padded(hidden), f32.Padded(inputs)
	m := Matrix{inputs: inputs, hidden: hidden, first: first, m: f32.New(e, gates*w), t: f32.New(gates*w, e)}
	wide, narrow := cut(hidden)
	wideT, narrowT := cut(inputs)
	for at := 0; at < gates*w; at += w {
		m.part = append(m.part, part{
			wide:    m.m.View(0, inputs).Columns(at, at+wide),
			narrow:  m.t.View(at+wide, at+wide+narrow),
			wideT:   m.t.View(at, at+hidden).Columns(0, wideT),
			narrowT: m.m.View(wideT, wideT+narrowT).Columns(at, at+w),
		})
	}
	return m
}

// Load copies weights that are in PyTorch's order of gates. Biases that are nil are
// zeros.
func (p *Weights) Load(in, rec f32.Matrix, biasIn, biasRec []float32) {
	w := f32.Padded(p.Hidden)
	clear(p.Bias.Data)
	for gate := range p.Gates() {
		at, end := gate*p.Hidden, (gate+1)*p.Hidden
		p.Rec.load(rec.View(at, end), p.Recurrent[gate])
		p.In.load(in.View(at, end), p.Input[gate])
		if biasRec != nil {
			add(p.Bias.Data[p.Recurrent[gate]*w:], biasRec[at:end])
		}
		if biasIn != nil {
			add(p.Bias.Data[p.Input[gate]*w:], biasIn[at:end])
		}
	}
}

// load copies a gate's rows to a part.
func (m *Matrix) load(rows f32.Matrix, part int) {
	at := (part - m.first) * f32.Padded(m.hidden)
	f32.Transpose(m.m.View(0, m.inputs).Columns(at, at+m.hidden), rows)
	copyRows(m.t.View(at, at+m.hidden), rows)
}

// Feed sets the gates g (R × parts*w) to the bias and the share of the inputs
// x (R × e).
func (p *Weights) Feed(g, x f32.Matrix) {
	for i := range g.Rows {
		copy(g.Row(i), p.Bias.Data)
	}
	p.In.Forward(g, x)
}

// FeedOne sets a row of gates as Feed does for inputs that are 0 but for one 1.
func (p *Weights) FeedOne(row []float32, input int) {
	copy(row, p.Bias.Data)
	add(row[p.In.first*f32.Padded(p.Hidden):], p.In.m.Row(input))
}

// Slice returns the parts of the matrix from i up to but not including j.
func (m Matrix) Slice(i, j int) Matrix {
	m.first, m.part = m.first+i, m.part[i:j]
	return m
}

// The products go gate by gate, so that the padding between gates costs nothing. Those from inputs to gates take
// all gates at once where products make the padding anyway: a large one then copies the inputs once.

// stretches returns the parts for products from inputs to gates, and how many columns they are apart. A part that
// has nothing narrow takes all of these.
func (m *Matrix) stretches() (parts []part, apart int) {
	w := f32.Padded(m.hidden)
	if len(m.part) == 0 || m.part[0].narrow.Rows > 0 {
		return m.part, w
	}
	return m.part[:1], len(m.part) * w
}

// Forward adds x·M to the gates g (R × parts*w), x being R × e.
func (m *Matrix) Forward(g, x f32.Matrix) {
	inputs, first := x.Columns(0, m.inputs), m.first*f32.Padded(m.hidden)
	parts, apart := m.stretches()
	for k, v := range parts {
		at := first + k*apart
		if v.narrow.Rows == 0 {
			v.wide.Cols = apart
		}
		end := at + v.wide.Cols
		f32.MulAdd(g.Columns(at, end), inputs, v.wide)
		if n := v.narrow.Rows; n > 0 {
			f32.MulAddNT(g.Columns(end, end+n), x, v.narrow)
		}
	}
}

// ForwardFrom sets the gates g (R × parts*w) to rows of a table of gates plus x·M. It
// leaves the columns between gates as they are, which the backward pass left as zeros.
func (m *Matrix) ForwardFrom(from f32.Lookup, g, x f32.Matrix) {
	inputs, first, table := x.Columns(0, m.inputs), m.first*f32.Padded(m.hidden), from.Table
	parts, apart := m.stretches()
	for k, v := range parts {
		at := first + k*apart
		if v.narrow.Rows == 0 {
			v.wide.Cols = apart
		}
		end := at + v.wide.Cols
		from.Table = table.Columns(at, end)
		f32.MulAddTo(g.Columns(at, end), from, inputs, v.wide)
		if n := v.narrow.Rows; n > 0 {
			from.Table = table.Columns(end, end+n)
			f32.MulAddNTTo(g.Columns(end, end+n), from, x, v.narrow)
		}
	}
	if at := first + len(parts)*apart; at < g.Cols { // parts that M adds nothing to
		f32.Gather(g.Columns(at, g.Cols), table.Columns(at, g.Cols), from.Index)
	}
}

// copyRows copies the columns that both have.
func copyRows(dst, src f32.Matrix) {
	for i := range src.Rows {
		copy(dst.Row(i), src.Row(i))
	}
}

func add(dst, x []float32) { f32.Axpy(dst[:len(x)], 1, x) }
