package rnn

import "quotient/f32"

// A runLayer is one recurrent layer as products want it.
type runLayer struct {
	*weights    // of this layer alone
	relu        bool
	resetBefore bool
	at          int // where its state begins in a row of all layers' states
}

func newRunLayer(y *Layer) runLayer {
	shape := Shape{Cell: y.Cell, Layers: 1, Embedding: y.In.Cols, Hidden: y.Hidden()}
	r := runLayer{weights: newWeights(shape), relu: y.ReLU, resetBefore: y.ResetBefore}
	zeros := func(b []float32) []float32 {
		if b == nil {
			b = make([]float32, y.In.Rows)
		}
		return b
	}
	r.loadLayer(0, y.In, y.Rec, zeros(y.BiasIn), zeros(y.BiasRec))
	return r
}

// A layerScratch is room for some rows of one layer, in the layout of weights.
type layerScratch struct {
	gates            f32.Matrix // rows × parts*w
	h, before, spare f32.Matrix // rows × w: the state, that before, and the reset one
	c, tc            f32.Matrix // rows × w: an LSTM's cell and its tanh
	cellBefore       f32.Matrix
}

func (y *runLayer) newScratch(rows int) layerScratch {
	s := layerScratch{gates: f32.New(rows, y.Cell.parts()*y.w), h: f32.New(rows, y.w), before: f32.New(rows, y.w)}
	if y.Cell == LSTM {
		s.c, s.tc, s.cellBefore = f32.New(rows, y.w), f32.New(rows, y.w), f32.New(rows, y.w)
	}
	if y.resetBefore {
		s.spare = f32.New(rows, y.w)
	}
	return s
}

// first returns the first n rows.
func (s *layerScratch) first(n int) layerScratch {
	view := func(m f32.Matrix) f32.Matrix {
		if m.Rows == 0 {
			return m
		}
		return m.View(0, n)
	}
	return layerScratch{
		view(s.gates), view(s.h), view(s.before), view(s.spare), view(s.c), view(s.tc), view(s.cellBefore),
	}
}

// step makes the state from that before and from gates that hold the inputs' share.
func (y *runLayer) step(s layerScratch) {
	switch {
	case y.resetBefore && y.Cell == GRU:
		y.resetFirst(s)
	default:
		y.mulInto(s.gates, s.before, &y.layer[0].rec, 0)
	}
	switch {
	case y.Cell == GRU:
		f32.GRUForward(s.gates, s.h, s.before)
	case y.Cell == LSTM:
		f32.LSTMForward(s.gates, s.h, s.c, s.tc, s.cellBefore)
	case y.relu:
		for i, x := range s.gates.Data[:len(s.h.Data)] {
			s.h.Data[i] = max(x, 0)
		}
	default:
		f32.Tanh(s.h.Data, s.gates.Data)
	}
}

// resetFirst fills the gates of a GRU that resets the state before the product
// with the candidate's weights:
//
//	n = tanh(W x + b + U (r*h) + c)
//
// It then leaves a reset gate of 1, which makes of GRUForward just that.
func (y *runLayer) resetFirst(s layerScratch) {
	rec, w := &y.layer[0].rec, y.w
	candidate := gates{inputs: rec.inputs, part: rec.part[:1]}
	others := gates{inputs: rec.inputs, part: rec.part[1:]}
	y.mulInto(s.gates, s.before, &others, 1)
	for i := range s.gates.Rows {
		reset, spare, before := s.gates.Row(i)[w:2*w], s.spare.Row(i), s.before.Row(i)
		f32.Sigmoid(spare, reset)
		for j := range spare {
			spare[j] *= before[j]
			reset[j] = 100
		}
	}
	y.mulInto(s.gates, s.spare, &candidate, 0)
}

// tokenGates turns tokens into the first layer's share of the gates.
type tokenGates struct {
	embed f32.Matrix // all embeddings; no rows if inputs are one-hot
	table f32.Matrix // the share of every token, if they are few or one-hot
}

func newTokenGates(s *Stack, first *runLayer) tokenGates {
	y := &first.layer[0]
	if s.Embedding.Rows == 0 {
		in := tokenGates{table: f32.New(s.Tokens, y.bias.Cols)}
		at := first.Cell.firstInput() * first.w
		for t := range s.Tokens {
			row := in.table.Row(t)
			copy(row, y.bias.Data)
			add(row[at:], y.in.m.Row(t))
		}
		return in
	}
	in := tokenGates{embed: f32.New(s.Tokens, y.in.t.Cols)}
	copyRows(in.embed, s.Embedding)
	if s.Tokens <= 1024 {
		in.table = f32.New(s.Tokens, y.bias.Cols)
		first.feed(y, in.table, in.embed)
	}
	return in
}

// feed sets the gates of the first layer. x is room for embeddings.
func (in *tokenGates) feed(y *runLayer, gates f32.Matrix, token []int32, x f32.Matrix) {
	if in.table.Rows > 0 {
		f32.Gather(gates, in.table, token)
		return
	}
	x = x.View(0, len(token))
	f32.Gather(x, in.embed, token)
	y.feed(&y.layer[0], gates, x)
}
