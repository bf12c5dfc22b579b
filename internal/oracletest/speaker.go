package oracletest

import (
	"context"

	"quotient/automaton"
	"quotient/f32"
	"quotient/probabilistic"
	"quotient/word"
)

// A Speaker is a language model that predicts as a probabilistic automaton does. Its state is
// the number of the automaton's.
type Speaker struct{ Automaton *probabilistic.Automaton }

// Alphabet implements oracle.Stepper, as do the other methods.
func (s Speaker) Alphabet() *word.Alphabet { return s.Automaton.Alphabet }

// Outputs returns one for each symbol, and one for the end.
func (s Speaker) Outputs() int { return s.Automaton.Alphabet.Len() + 1 }

// Answer writes what follows each word.
func (s Speaker) Answer(_ context.Context, dst f32.Matrix, words []word.Word) error {
	for i, w := range words {
		s.predict(dst.Row(i), s.Automaton.Run(w))
	}
	return nil
}

func (s Speaker) predict(dst []float32, q automaton.State) {
	p := make([]float64, len(dst))
	s.Automaton.Distribution(p, q)
	for i, x := range p {
		dst[i] = float32(x)
	}
}

// Dim returns 1.
func (s Speaker) Dim() int { return 1 }

// Start writes the state after the empty word.
func (s Speaker) Start(dst []float32) error {
	dst[0] = float32(s.Automaton.Start)
	return nil
}

// Step writes the states after one more symbol each.
func (s Speaker) Step(dst, src f32.Matrix, on []word.Symbol) error {
	for i, x := range on {
		dst.Row(i)[0] = float32(s.Automaton.Next(automaton.State(src.Row(i)[0]), x))
	}
	return nil
}

// Read writes what follows in each state.
func (s Speaker) Read(dst, states f32.Matrix) error {
	for i := range states.Rows {
		s.predict(dst.Row(i), automaton.State(states.Row(i)[0]))
	}
	return nil
}
