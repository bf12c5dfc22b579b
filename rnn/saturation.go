package rnn

import "math"

// Saturation returns how far a state is from its signs, both scaled to length 1:
//
//	‖ h/‖h‖ - sign(h)/√d ‖
//
// This is the ε of the proposition in Merrill and Tsilivis, "Extracting Finite
// Automata from RNNs Using State Merging" (2022): two ε-saturated states whose
// cosine is at least 1-κ have the same signs if √κ < √2 (1/√d - ε).
//
// The layers of a state may come one by one. The zero vector counts as orthogonal to
// its signs.
func Saturation(layers ...[]float32) float64 {
	var sum, squares float64 // Σ|h|, Σh²
	d := 0
	for _, h := range layers {
		var s, q float32
		for _, x := range h {
			s += max(x, -x)
			q += x * x
		}
		sum, squares, d = sum+float64(s), squares+float64(q), d+len(h)
	}
	if squares == 0 {
		return math.Sqrt2
	}
	// By way of the scalar product of the two, Σ|h|/(‖h‖√d).
	return math.Sqrt(max(0, 2-2*sum/math.Sqrt(squares*float64(d))))
}
