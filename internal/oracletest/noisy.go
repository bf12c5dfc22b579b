// Package oracletest makes oracles for tests whose behavior is known: they follow an
// automaton.
package oracletest

import (
	"context"
	"math"
	"math/rand/v2"

	"quotient/automaton"
	"quotient/f32"
	"quotient/word"
)

// A Noisy oracle accepts what its automaton accepts. Its state is a vector
// that belongs to the automaton's state, disturbed by noise that depends on the
// prefix; so similarity tells states apart as in a network, and the less so the
// more noise there is. Two numbers at the end of a state hold the automaton's
// state and a fingerprint of the prefix.
type Noisy struct {
	DFA   *automaton.DFA
	Dims  int     // of the vector
	Noise float32 // its standard deviation; that of the vectors is 1

	// Errs, if not nil, says on which prefixes to give the wrong answer: those
	// of a length for which it returns true.
	Errs func(length int) bool
}

// Alphabet implements oracle.Stepper, as do the other methods.
func (r Noisy) Alphabet() *word.Alphabet { return r.DFA.Alphabet }

// Outputs returns 1: it is a recognizer.
func (r Noisy) Outputs() int { return 1 }

// Answer writes 1 for accepted words and 0 for others.
func (r Noisy) Answer(_ context.Context, dst f32.Matrix, words []word.Word) error {
	for i, w := range words {
		dst.Row(i)[0] = probability(r.DFA.Accepts(w) != (r.Errs != nil && r.Errs(len(w))))
	}
	return nil
}

func probability(accepted bool) float32 {
	if accepted {
		return 1
	}
	return 0
}

// Dim returns the length of a state.
func (r Noisy) Dim() int { return r.Dims + 3 }

// Start writes the state after the empty word.
func (r Noisy) Start(dst []float32) error {
	r.fill(dst, r.DFA.Start, 1, 0)
	return nil
}

// Step writes the states after one more symbol each.
func (r Noisy) Step(dst, src f32.Matrix, on []word.Symbol) error {
	for i, s := range on {
		q, print, length := r.hidden(src.Row(i))
		r.fill(dst.Row(i), r.DFA.Next(q, s), print*31+uint32(s)+1, length+1)
	}
	return nil
}

// Read writes 1 for states of accepted words and 0 for others.
func (r Noisy) Read(dst, states f32.Matrix) error {
	for i := range dst.Rows {
		q, _, length := r.hidden(states.Row(i))
		dst.Row(i)[0] = probability(r.DFA.Accept[q] != (r.Errs != nil && r.Errs(length)))
	}
	return nil
}

// What a state hides is stored so small that it does not change the direction.
const small = 1e-30

func (r Noisy) fill(row []float32, q automaton.State, print uint32, length int) {
	center := rand.New(rand.NewPCG(uint64(q), 0))
	noise := rand.New(rand.NewPCG(uint64(print), 1))
	for i := range r.Dims {
		row[i] = float32(center.NormFloat64()) + r.Noise*float32(noise.NormFloat64())
	}
	row[r.Dims] = float32(q) * small
	row[r.Dims+1] = math.Float32frombits(print & 0x00ffffff) // a number near zero
	row[r.Dims+2] = float32(length) * small
}

func (r Noisy) hidden(row []float32) (q automaton.State, print uint32, length int) {
	q = automaton.State(math.Round(float64(row[r.Dims]) / small))
	return q, math.Float32bits(row[r.Dims+1]), int(math.Round(float64(row[r.Dims+2]) / small))
}

// Random returns a recognizer for a random automaton over the letters a, b and c.
func Random(seed uint64, states int, noise float32) Noisy {
	rng := rand.New(rand.NewPCG(seed, 0))
	d := automaton.NewDFA(word.Letters("abc"), states)
	for i := 3; i < len(d.Table); i++ {
		d.Table[i] = automaton.State(1 + rng.IntN(states))
	}
	for q := 1; q <= states; q++ {
		d.Accept[q] = rng.IntN(2) == 0
	}
	return Noisy{DFA: d, Dims: 12, Noise: noise}
}
