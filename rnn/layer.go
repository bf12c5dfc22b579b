package rnn

import "quotient/f32"

// A trace is what a layer keeps of a forward pass for the backward pass. Steps
// follow one another, each with one row per word; states have one step more, the
// zeros before the first. R is the number of words, T of steps.
//
// Both passes go through time in spans of a few steps, so that what is written
// for a span is still in cache when it is read again.
type trace struct {
	gates f32.Matrix // T*R × parts*w; only a span's if the state says it all
	h     f32.Matrix // (T+1)*R × w
	c, tc f32.Matrix // (T+1)*R × w, T*R × w: an LSTM's cell and its tanh
}

// A span is whole steps, of about spanRows rows together.
const spanRows = 64

// span returns how many rows make a span.
func span(words int) int { return max(1, spanRows/words) * words }

// newTrace returns room for as many rows, T*R, and R more.
func newTrace(s Shape, rows, words int) trace {
	w := f32.Padded(s.Hidden)
	gates := rows
	if s.Cell == Elman {
		gates = min(rows, max(spanRows, words))
	}
	t := trace{gates: f32.New(gates, s.Cell.parts()*w), h: f32.New(rows+words, w)}
	if s.Cell == LSTM {
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

// A source is where a layer's inputs come from: the table of tokens for the first
// layer, the states of the layer below for others.
type source struct {
	table f32.Matrix // tokens × parts*w
	token []int32    // T*R: rows of the table
	below f32.Matrix // T*R × w
}

// forward runs layer y over time, span by span.
func (p *weights) forward(y *layerWeights, t *trace, steps, words int, from source) {
	clear(t.h.View(0, words).Data)
	if p.Cell == LSTM {
		clear(t.c.View(0, words).Data)
	}
	rows := steps * words
	for i := 0; i < rows; i += span(words) {
		j := min(i+span(words), rows)
		gates := t.span(i, j, words)
		if from.token == nil {
			p.feed(y, gates, from.below.View(i, j))
		}
		for k := i; k < j; k += words {
			p.step(y, t, gates.View(k-i, k-i+words), from, k)
		}
	}
}

// step makes the states after the step that begins at row k. Its gates g hold the
// inputs' share already, unless that is a row of the table.
func (p *weights) step(y *layerWeights, t *trace, g f32.Matrix, from source, k int) {
	words := g.Rows
	before, after := t.h.View(k, k+words), t.h.View(k+words, k+2*words)
	switch {
	case from.token != nil && k > 0:
		p.lookup(g, from.table, from.token[k:k+words], before, &y.rec)
	case from.token != nil:
		f32.Gather(g, from.table, from.token[:words])
	case k > 0:
		p.mulInto(g, before, &y.rec, 0)
	}
	// The activations stay apart from the product: fused into the edge of its
	// tiles, Elman's took 3.165 ms a step (batch 64, length 100) where this takes
	// 3.163, for twice the assembly.
	switch p.Cell {
	case Elman:
		f32.Tanh(after.Data, g.Data)
	case GRU:
		f32.GRUForward(g, after, before)
	case LSTM:
		f32.LSTMForward(g, after, t.c.View(k+words, k+2*words), t.tc.View(k, k+words), t.c.View(k, k+words))
	}
}

// backward runs layer y back through time, span by span, with one row to a word
// in the carries dh and dc. It adds the recurrent matrix's gradient to d. For the
// step at row k, above adds to dh the gradient of the states that comes from a
// layer above, and returns the logits' gradient that comes from the head. For rows
// i to j of a span, below takes the gates' gradients.
func (p *weights) backward(d *layerGradient, y *layerWeights, t *trace, steps int, dh, dc f32.Matrix,
	above func(dh f32.Matrix, k int) (dy []float32), below func(g f32.Matrix, i, j int),
) {
	words := dh.Rows
	clear(dh.Data)
	clear(dc.Data)
	rows := steps * words
	for i := (rows - 1) / span(words) * span(words); i >= 0; i -= span(words) {
		j := min(i+span(words), rows)
		gates := t.span(i, j, words)
		for k := j - words; k >= i; k -= words {
			dy := above(dh, k)
			p.stepBack(y, t, gates.View(k-i, k-i+words), dh, dc, dy, k)
		}
		p.gradient(&d.rec, gates, t.h.View(i, j), &y.rec, 0)
		below(gates, i, j)
	}
}

// stepBack turns the gradients dh and dc of the states after the step that begins
// at row k into those of the states before, and its gates g into their gradients.
func (p *weights) stepBack(y *layerWeights, t *trace, g, dh, dc f32.Matrix, dy []float32, k int) {
	words := dh.Rows
	switch p.Cell {
	case Elman:
		f32.ElmanBackward(g, dh, t.h.View(k+words, k+2*words), dy, p.head.Data)
	case GRU:
		f32.GRUBackward(g, dh, t.h.View(k, k+words), dy, p.head.Data)
	case LSTM:
		f32.LSTMBackward(g, dh, dc, t.tc.View(k, k+words), t.c.View(k, k+words), dy, p.head.Data)
	}
	if k > 0 {
		p.mulOutOf(dh, g, &y.rec, 0)
	}
}
