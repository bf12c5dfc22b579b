package rnn

import (
	"quotient/f32"
	"quotient/rnn/gates"
)

// GRU is the gated recurrent unit, with the reset gate applied after the recurrent
// product. So it scales only the recurrent share of the candidate n, whose two
// shares are kept apart:
//
//	recurrent share of n | r | z | input share of n
var GRU = &Cell{
	Name: "gru", Op: "GRU",
	Layout:      gates.Layout{Recurrent: []int{1, 2, 0}, Input: []int{1, 2, 3}},
	Order:       []int{1, 0, 2}, // z, r, h where PyTorch has r, z, n
	Activations: []string{"Sigmoid", "Tanh"}, Forward: gruForward,
}

// gruForward makes h (R × w) of the gates (R × 4*w) and the h before, as
// [f32.GRUForward] says.
func gruForward(s Step) { f32.GRUForward(s.Gates, s.H, s.Before) }

// resetFirst fills the gates of a GRU that resets the state before the product
// with the candidate's weights:
//
//	n = tanh(W x + b + U (r*h) + c)
//
// It then leaves a reset gate of 1, which makes of GRUForward just that.
func (y *runLayer) resetFirst(s layerScratch) {
	candidate, others, w := y.Rec.Slice(0, 1), y.Rec.Slice(1, 3), s.h.Cols
	others.Forward(s.gates, s.before)
	for i := range s.gates.Rows {
		reset, spare, before := s.gates.Row(i)[w:2*w], s.spare.Row(i), s.before.Row(i)
		f32.Sigmoid(spare, reset)
		for j := range spare {
			spare[j] *= before[j]
			reset[j] = 100
		}
	}
	candidate.Forward(s.gates, s.spare)
}
