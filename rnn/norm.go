package rnn

import (
	"fmt"
	"math"

	"quotient/f32"
)

// A Norm scales numbers, and shifts them. What by depends on its kind: on the numbers
// themselves, or on statistics that training has left.
type Norm struct {
	Kind         NormKind
	Scale, Shift []float32 // as many as there are numbers; nil: ones and zeros
	Eps          float32   // that is added to the variance
}

// A NormKind is one of a few kinds of normalization.
type NormKind string

const (
	LayerNorm NormKind = "layer norm" // (x - mean) / √(variance + eps), over the numbers of one row
	RMSNorm   NormKind = "rms norm"   // x / √(mean of x² + eps), likewise
	BatchNorm NormKind = "batch norm" // nothing: statistics are in Scale and Shift
)

// Normalized returns a batch normalization with the statistics of training, which is the
// same for all numbers: a product and a sum.
func Normalized(mean, variance, scale, shift []float32, eps float32) *Norm {
	n := &Norm{Kind: BatchNorm, Scale: make([]float32, len(mean)), Shift: make([]float32, len(mean))}
	for i := range mean {
		by := 1 / math.Sqrt(float64(variance[i])+float64(eps))
		if scale != nil {
			by *= float64(scale[i])
		}
		n.Scale[i], n.Shift[i] = float32(by), float32(-float64(mean[i])*by)
		if shift != nil {
			n.Shift[i] += shift[i]
		}
	}
	return n
}

// check reports whether the norm fits to so many numbers.
func (n *Norm) check(size int) error {
	switch {
	case n == nil:
		return nil
	case n.Scale != nil && len(n.Scale) != size || n.Shift != nil && len(n.Shift) != size:
		return fmt.Errorf("a %s of %d numbers, but there are %d", n.Kind, max(len(n.Scale), len(n.Shift)), size)
	case n.Kind != LayerNorm && n.Kind != RMSNorm && n.Kind != BatchNorm:
		return fmt.Errorf("an unknown norm %q", n.Kind)
	case !(n.Eps >= 0) || math.IsInf(float64(n.Eps), 0):
		return fmt.Errorf("a %s with eps %v", n.Kind, n.Eps)
	}
	return nil
}

// weights calls yield for what training has left in the norm.
func (n *Norm) weights(what string, yield func(what string, row []float32)) {
	if n != nil {
		yield(what, n.Scale)
		yield(what, n.Shift)
	}
}

// Apply replaces every row of m.
func (n *Norm) Apply(m f32.Matrix) { n.apply(m) }

// apply does so, if there is a norm.
func (n *Norm) apply(m f32.Matrix) {
	if n == nil {
		return
	}
	for i := range m.Rows {
		n.row(m.Row(i))
	}
}

// row replaces the numbers of a row. Sums are of 64 bits, as long rows want it.
func (n *Norm) row(x []float32) {
	mean, by := 0.0, 1.0
	if n.Kind != BatchNorm {
		var sum, squares float64
		for _, v := range x {
			sum += float64(v)
		}
		if n.Kind == LayerNorm {
			mean = sum / float64(len(x))
		}
		for _, v := range x {
			d := float64(v) - mean
			squares += d * d
		}
		by = 0 // numbers that are all the same, without an eps
		if v := squares/float64(len(x)) + float64(n.Eps); v > 0 {
			by = 1 / math.Sqrt(v)
		}
	}
	for i, v := range x {
		y := (float64(v) - mean) * by
		if n.Scale != nil {
			y *= float64(n.Scale[i])
		}
		if n.Shift != nil {
			y += float64(n.Shift[i])
		}
		x[i] = float32(y)
	}
}

// CellNorms are the norms inside a recurrent layer; nil where there is none.
type CellNorms struct {
	In, Rec *Norm // of what inputs, and states, add to the gates, with the biases of either
	Gates   *Norm // of the sum of both
	Memory  *Norm // of an LSTM's c, as it is kept
	Output  *Norm // of an LSTM's c, as h is made of it; it is kept as it was
	State   *Norm // of h, as it is kept
}

// list returns the norms, nil or not, with the number of gates that each is about.
func (c *CellNorms) list(gates int) (norms []*Norm, over []int) {
	return []*Norm{c.In, c.Rec, c.Gates, c.Memory, c.Output, c.State}, []int{gates, gates, gates, 1, 1, 1}
}

// check reports what does not fit to a layer.
func (c *CellNorms) check(y *Layer) error {
	if c == nil {
		return nil
	}
	norms, over := c.list(y.Cell.Gates())
	for i, n := range norms {
		if err := n.check(over[i] * y.Hidden()); err != nil {
			return fmt.Errorf("inside the cell %w", err)
		}
	}
	switch {
	case (c.Memory != nil || c.Output != nil) && !y.Cell.Memory:
		return fmt.Errorf("a norm of the memory of a cell that has none, %s", y.Cell)
	case c.Gates != nil && y.Cell == GRU:
		return fmt.Errorf("a norm of the sum of inputs and states, which a %s does not make", y.Cell)
	case y.ResetBefore && (c.In != nil || c.Rec != nil):
		return fmt.Errorf("norms of the gates of a %s that resets its state before the product", y.Cell)
	}
	return nil
}

// overParts applies a norm to the gates, which lie in parts of w columns.
func (n *Norm) overParts(m f32.Matrix, parts []int, hidden int, spare []float32) {
	if n == nil {
		return
	}
	w := f32.Padded(hidden)
	for i := range m.Rows {
		row := m.Row(i)
		for k, p := range parts {
			copy(spare[k*hidden:(k+1)*hidden], row[p*w:])
		}
		n.row(spare)
		for k, p := range parts {
			copy(row[p*w:p*w+hidden], spare[k*hidden:])
		}
	}
}

// normedGates adds the state's share to the gates, which hold that of the inputs.
func (y *runLayer) normedGates(s layerScratch) {
	n, w := y.norms, f32.Padded(y.Hidden)
	spare := make([]float32, y.Gates()*y.Hidden)
	n.In.overParts(s.gates, y.Input, y.Hidden, spare)
	rec := f32.New(s.gates.Rows, s.gates.Cols)
	for i := range rec.Rows {
		for gate, p := range y.Recurrent {
			if y.biasRec != nil {
				copy(rec.Row(i)[p*w:], y.biasRec[gate*y.Hidden:(gate+1)*y.Hidden])
			}
		}
	}
	y.Rec.Forward(rec, s.before)
	n.Rec.overParts(rec, y.Recurrent, y.Hidden, spare)
	f32.Axpy(s.gates.Data[:len(rec.Data)], 1, rec.Data)
	n.Gates.overParts(s.gates, y.Input, y.Hidden, spare)
}

// normedState does what follows a step. An LSTM's gates hold their values by then, the
// output gate as the last.
func (y *runLayer) normedState(s layerScratch) {
	n := y.norms
	if y.Cell.Memory && (n.Memory != nil || n.Output != nil) {
		w := f32.Padded(y.Hidden)
		n.Memory.apply(s.c.Columns(0, y.Hidden))
		copyRows(s.tc, s.c)
		n.Output.apply(s.tc.Columns(0, y.Hidden))
		f32.Tanh(s.tc.Data, s.tc.Data)
		for i := range s.h.Rows {
			gate, tc := s.gates.Row(i)[3*w:], s.tc.Row(i)
			for k := range y.Hidden {
				s.h.Row(i)[k] = gate[k] * tc[k]
			}
		}
	}
	n.State.apply(s.h.Columns(0, y.Hidden))
}
