package backprop

import (
	"quotient/f32"
	"quotient/rnn"
	"quotient/rnn/gates"
)

// A layer is one of the network, with its cell's way forward and back.
type layer struct {
	*gates.Weights
	cell *rnn.Cell
	rule
}

// A rule is how a cell's steps are taken back.
type rule struct {
	// backward turns the gradients dh and dc of the states after a step into those
	// of the states before, as far as they do not pass through the gates, and the
	// gates into their gradients.
	backward   func(back)
	fromStates bool // backward needs the states alone, and gates need not be kept
}

// rules has one for every cell.
var rules = map[*rnn.Cell]rule{rnn.Elman: elman, rnn.GRU: gru, rnn.LSTM: lstm}

// A back is a step on its way back. The gradient of its state h is dh plus dy·head,
// the share of the linear unit.
type back struct {
	rnn.Step            // as the forward pass left it
	dh, dc   f32.Matrix // R × w
	dy, head []float32  // R, w
}

// A trace is what a layer keeps of a forward pass for the backward pass. Steps
// follow one another, each with one row per word; states have one step more, the
// zeros before the first. R is the number of words, T of steps.
//
// Both passes go through time in spans of a few steps, so that what is written
// for a span is still in cache when it is read again.
type trace struct {
	gates f32.Matrix // T*R × parts*w; only a span's if the states say it all
	h     f32.Matrix // (T+1)*R × w
	c, tc f32.Matrix // (T+1)*R × w, T*R × w: a memory and its tanh
}

// A span is whole steps, of about spanRows rows together.
const spanRows = 64

// span returns how many rows make a span.
func span(words int) int { return max(1, spanRows/words) * words }

// newTrace returns room for as many rows, T*R, and R more.
func (y *layer) newTrace(rows, words int) trace {
	w, kept := f32.Padded(y.Hidden), rows
	if y.fromStates {
		kept = min(rows, max(spanRows, words))
	}
	t := trace{gates: f32.New(kept, y.Bias.Cols), h: f32.New(rows+words, w)}
	if y.cell.Memory {
		t.c, t.tc = f32.New(rows+words, w), f32.New(rows, w)
	}
	return t
}

// span returns the gates of rows i to j, which lie in one span.
func (t *trace) span(i, j, words int) f32.Matrix {
	if t.gates.Rows < j {
		i, j = i%span(words), (j-1)%span(words)+1
	}
	return t.gates.View(i, j)
}

// step returns the step that begins at row k and has gates g.
func (t *trace) step(k int, g f32.Matrix) rnn.Step {
	next, end := k+g.Rows, k+2*g.Rows
	s := rnn.Step{Gates: g, Before: t.h.View(k, next), H: t.h.View(next, end)}
	if t.c.Rows > 0 {
		s.CBefore, s.C, s.TanhC = t.c.View(k, next), t.c.View(next, end), t.tc.View(k, next)
	}
	return s
}

// A source is where a layer's inputs come from: the table of tokens for the first
// layer, the states of the layer below for others.
type source struct {
	table f32.Matrix // tokens × parts*w
	token []int32    // T*R: rows of the table
	below f32.Matrix // T*R × w
}

// forward runs the layer over time, span by span.
func (y *layer) forward(t *trace, steps, words int, from source) {
	clear(t.h.View(0, words).Data)
	if y.cell.Memory {
		clear(t.c.View(0, words).Data)
	}
	rows := steps * words
	for i := 0; i < rows; i += span(words) {
		j := min(i+span(words), rows)
		g := t.span(i, j, words)
		if from.token == nil {
			y.Feed(g, from.below.View(i, j))
		}
		for k := i; k < j; k += words {
			y.step(t.step(k, g.View(k-i, k-i+words)), from, k)
		}
	}
}

// step makes the states after the step that begins at row k. Its gates hold the
// inputs' share already, unless that is a row of the table.
func (y *layer) step(s rnn.Step, from source, k int) {
	words := s.Gates.Rows
	switch {
	case from.token != nil && k > 0:
		y.Rec.ForwardFrom(f32.Lookup{Table: from.table, Index: from.token[k : k+words]}, s.Gates, s.Before)
	case from.token != nil:
		f32.Gather(s.Gates, from.table, from.token[:words])
	case k > 0:
		y.Rec.Forward(s.Gates, s.Before)
	}
	// The activations stay apart from the product: fused into the edge of its
	// tiles, Elman's took 3.165 ms a step (batch 64, length 100) where this takes
	// 3.163, for twice the assembly.
	y.cell.Forward(s)
}

// backward runs the layer back through time, span by span, with one row to a word
// in the carries dh and dc of b. It adds the recurrent matrix's gradient to d. For
// the step at row k, above adds to dh the gradient of the states that comes from a
// layer above, and returns the logits' gradient that comes from the head. For rows
// i to j of a span, below takes the gates' gradients.
func (y *layer) backward(d *gates.Gradient, t *trace, steps int, b back,
	above func(k int) (dy []float32), below func(g f32.Matrix, i, j int),
) {
	words := b.dh.Rows
	clear(b.dh.Data)
	clear(b.dc.Data)
	rows := steps * words
	for i := (rows - 1) / span(words) * span(words); i >= 0; i -= span(words) {
		j := min(i+span(words), rows)
		g := t.span(i, j, words)
		for k := j - words; k >= i; k -= words {
			b.Step, b.dy = t.step(k, g.View(k-i, k-i+words)), above(k)
			y.rule.backward(b)
			if k > 0 {
				y.Rec.Backward(b.dh, b.Gates)
			}
		}
		y.Rec.AddGradient(&d.Rec, g, t.h.View(i, j))
		below(g, i, j)
	}
}
