package stochastic

import (
	"testing"
)

// BenchmarkALERGIA learns from 100,000 words of an automaton of three states.
func BenchmarkALERGIA(b *testing.B) {
	a := truth()
	words := drawWords(b, a, 100000, 1)
	for b.Loop() {
		if _, err := Learn(b.Context(), a.Alphabet, words, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
