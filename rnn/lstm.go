package rnn

import (
	"quotient/f32"
	"quotient/rnn/gates"
)

// LSTM is long short-term memory, without peepholes.
var LSTM = &Cell{
	Name: "lstm", Op: "LSTM", Memory: true,
	Layout:      gates.Layout{Recurrent: []int{0, 1, 2, 3}, Input: []int{0, 1, 2, 3}},
	Order:       []int{0, 3, 1, 2}, // i, o, f, c where PyTorch has i, f, g, o
	Activations: []string{"Sigmoid", "Tanh", "Tanh"}, Forward: lstmForward,
}

// lstmForward makes h, c and tanh(c), R × w each, of the gates (R × 4*w) and the c
// before, as [f32.LSTMForward] says.
func lstmForward(s Step) { f32.LSTMForward(s.Gates, s.H, s.C, s.TanhC, s.CBefore) }
