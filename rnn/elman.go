package rnn

import (
	"quotient/f32"
	"quotient/rnn/gates"
)

// Elman is the plain cell: h' = tanh(Wx + b + Uh + c).
var Elman = &Cell{
	Name: "elman", Op: "RNN",
	Layout:      gates.Layout{Recurrent: []int{0}, Input: []int{0}},
	Order:       []int{0},
	Activations: []string{"Tanh"}, Forward: elmanForward,
}

// elmanForward makes h (R × w) of the gates z (R × w):
//
//	h = tanh(z)
func elmanForward(s Step) { f32.Tanh(s.H.Data, s.Gates.Data) }

// reluForward is elmanForward with max(0, z) in place of tanh.
func reluForward(s Step) {
	for i, x := range s.Gates.Data[:len(s.H.Data)] {
		s.H.Data[i] = max(x, 0)
	}
}
