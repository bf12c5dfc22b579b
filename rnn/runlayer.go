package rnn

import (
	"quotient/f32"
	"quotient/rnn/gates"
)

// A runLayer is one recurrent layer as products want it.
type runLayer struct {
	*gates.Weights
	Cell        *Cell
	relu        bool // an Elman layer's
	linear      int  // an Elman layer's last units that have no function
	resetBefore bool // a GRU's
	cells       bool // it gives c in place of h to whoever reads it
	norms       *CellNorms
	biasRec     []float32 // of a layer with norms, which keeps it apart
	norm        *Norm     // of what it passes on
	at          int       // where its state begins in a row of all layers' states
}

func newRunLayer(y *Layer) runLayer {
	r := runLayer{
		Weights: gates.New(y.Cell.Layout, y.In.Cols, y.Hidden()), Cell: y.Cell,
		relu: y.ReLU && y.Cell == Elman, resetBefore: y.ResetBefore && y.Cell == GRU, linear: y.Linear,
	}
	if r.norms, r.norm = y.Norms, y.Norm; r.norms != nil && !r.resetBefore {
		r.biasRec = y.BiasRec
		r.Load(y.In, y.Rec, y.BiasIn, nil)
		return r
	}
	r.Load(y.In, y.Rec, y.BiasIn, y.BiasRec)
	return r
}

// A layerScratch is room for some rows of one layer, in the layout of weights.
type layerScratch struct {
	gates            f32.Matrix // rows × parts*w
	h, before, spare f32.Matrix // rows × w: the state, that before, and the reset one
	c, tc            f32.Matrix // rows × w: a memory and its tanh
	cellBefore       f32.Matrix
}

func (y *runLayer) newScratch(rows int) layerScratch {
	w := f32.Padded(y.Hidden)
	return layerScratch{
		f32.New(rows, y.Bias.Cols), f32.New(rows, w), f32.New(rows, w), f32.New(rows, w),
		f32.New(rows, w), f32.New(rows, w), f32.New(rows, w),
	}
}

// sharesRoom reports whether a scratch fits both layers and has no columns beside theirs, which one might leave other than zero.
func (y *runLayer) sharesRoom(other *runLayer) bool {
	return y.Hidden == other.Hidden && y.Bias.Cols == other.Bias.Cols && y.Hidden%f32.Block == 0
}

// first returns the first n rows.
func (s *layerScratch) first(n int) layerScratch {
	return layerScratch{
		s.gates.View(0, n), s.h.View(0, n), s.before.View(0, n), s.spare.View(0, n),
		s.c.View(0, n), s.tc.View(0, n), s.cellBefore.View(0, n),
	}
}

// step makes the state from that before and from gates that hold the inputs' share, or from a lookup of it.
func (y *runLayer) step(s layerScratch, from f32.Lookup) {
	switch {
	case y.resetBefore:
		y.resetFirst(s)
	case y.norms != nil:
		y.normedGates(s)
	case from.Index != nil:
		y.Rec.ForwardFrom(from, s.gates, s.before)
	default:
		y.Rec.Forward(s.gates, s.before)
	}
	forward := y.Cell.Forward
	if y.relu {
		forward = reluForward
	}
	forward(Step{Gates: s.gates, Before: s.before, H: s.h, CBefore: s.cellBefore, C: s.c, TanhC: s.tc})
	for i := 0; y.linear > 0 && i < s.h.Rows; i++ {
		copy(s.h.Row(i)[y.Hidden-y.linear:y.Hidden], s.gates.Row(i)[y.Hidden-y.linear:])
	}
	if y.norms != nil {
		y.normedState(s)
	}
}

// tokenGates turns tokens into the first layer's share of the gates.
type tokenGates struct {
	embed f32.Matrix // all embeddings; no rows if inputs are one-hot
	table f32.Matrix // the share of every token, if they are few or one-hot
}

func newTokenGates(s *Stack, first *runLayer) tokenGates {
	if s.Embedding.Rows == 0 {
		in := tokenGates{table: f32.New(s.Tokens, first.Bias.Cols)}
		for t := range s.Tokens {
			first.FeedOne(in.table.Row(t), t)
		}
		return in
	}
	in := tokenGates{embed: f32.New(s.Tokens, f32.Padded(s.Embedding.Cols))}
	copyRows(in.embed, s.Embedding)
	s.EmbeddingNorm.apply(in.embed.Columns(0, s.Embedding.Cols))
	if s.Tokens <= 1024 {
		in.table = f32.New(s.Tokens, first.Bias.Cols)
		first.Feed(in.table, in.embed)
	}
	return in
}

// feed sets the gates of the first layer, or returns where the step finds them. x is room for embeddings.
func (in *tokenGates) feed(y *runLayer, gates f32.Matrix, token []int32, x f32.Matrix) (from f32.Lookup) {
	switch {
	case in.table.Rows == 0:
		x = x.View(0, len(token))
		f32.Gather(x, in.embed, token)
		y.Feed(gates, x)
	case y.resetBefore || y.norms != nil:
		f32.Gather(gates, in.table, token)
	default:
		return f32.Lookup{Table: in.table, Index: token}
	}
	return f32.Lookup{}
}

// copyRows copies the columns that both have.
func copyRows(dst, src f32.Matrix) {
	for i := range src.Rows {
		copy(dst.Row(i), src.Row(i))
	}
}
