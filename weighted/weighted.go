// Package weighted computes with weighted automata over the real numbers: an
// initial vector α, a matrix A for every symbol and a final vector β. The value
// of a word is the number
//
//	f(s₁s₂…sₙ) = α · A(s₁) · A(s₂) ⋯ A(sₙ) · β
//
// The functions of words that such automata compute are the rational series of
// Schützenberger (1961). A probabilistic automaton is one, a deterministic
// automaton another, whose values are 0 and 1. With a threshold a weighted
// automaton accepts words: those whose value is over it.
//
// Readers spend memory in proportion to the file and never panic; results are
// deterministic.
package weighted

import (
	"fmt"
	"math"

	"quotient/automaton"
	"quotient/word"
)

// An Automaton is a weighted automaton. Its states are 0 to Len()-1.
type Automaton struct {
	Alphabet  *word.Alphabet
	Initial   []float64 // states
	Weights   []float64 // symbols × states × states: symbol, from, to
	Final     []float64 // states
	Threshold float64   // a word is accepted if its value is over this
}

// New returns an automaton of n states whose weights are all zero.
func New(a *word.Alphabet, n int) *Automaton {
	return &Automaton{
		Alphabet: a,
		Initial:  make([]float64, n),
		Weights:  make([]float64, a.Len()*n*n),
		Final:    make([]float64, n),
	}
}

// FromDFA returns an automaton whose value is 1 for the words that d accepts and 0
// for others. Its threshold is 1/2.
func FromDFA(d *automaton.DFA) *Automaton {
	a := New(d.Alphabet, d.Len())
	a.Threshold = 0.5
	for q := automaton.State(1); int(q) <= d.Len(); q++ {
		if q == d.Start {
			a.Initial[q-1] = 1
		}
		if d.Accept[q] {
			a.Final[q-1] = 1
		}
		for s, to := range d.Row(q) {
			if to != automaton.Dead {
				a.Row(word.Symbol(s), int(q-1))[to-1] = 1
			}
		}
	}
	return a
}

// Len returns the number of states.
func (a *Automaton) Len() int { return len(a.Initial) }

// Row returns the weights with which symbol s leads from a state to every other.
// It is a view, not a copy.
func (a *Automaton) Row(s word.Symbol, from int) []float64 {
	n := a.Len()
	at := (int(s)*n + from) * n
	return a.Weights[at : at+n : at+n]
}

// Step stores in dst the vector src·A(s): where the weights of src are after one more
// symbol. The two must not overlap.
func (a *Automaton) Step(dst, src []float64, s word.Symbol) {
	if len(dst) != a.Len() || len(src) != a.Len() {
		panic(fmt.Sprintf("weighted: vectors of %d and %d numbers for %d states", len(dst), len(src), a.Len()))
	}
	clear(dst)
	for i, x := range src {
		if x != 0 {
			addScaled(dst, x, a.Row(s, i))
		}
	}
}

// Value returns the value of a word.
func (a *Automaton) Value(w word.Word) float64 {
	v, next := append([]float64(nil), a.Initial...), make([]float64, a.Len())
	for _, s := range w {
		a.Step(next, v, s)
		v, next = next, v
	}
	return dot(v, a.Final)
}

// Values returns the values of words. A prefix that a word shares with the one
// before it is not computed again, so sorted words cost least.
func (a *Automaton) Values(words []word.Word) []float64 {
	values := make([]float64, len(words))
	along := [][]float64{a.Initial} // the vectors of all prefixes of the last word
	var last word.Word
	for i, w := range words {
		depth := 0
		for depth < min(len(w), len(last)) && w[depth] == last[depth] {
			depth++
		}
		for ; depth < len(w); depth++ {
			if depth+1 == len(along) {
				along = append(along, make([]float64, a.Len()))
			}
			a.Step(along[depth+1], along[depth], w[depth])
		}
		values[i] = dot(along[len(w)], a.Final)
		last = w
	}
	return values
}

// Accepts reports whether the value of w is over the threshold.
func (a *Automaton) Accepts(w word.Word) bool { return a.Value(w) > a.Threshold }

// Scale returns the automaton whose values are c times those of a; the threshold is
// scaled with them.
func (a *Automaton) Scale(c float64) *Automaton {
	b := *a
	b.Initial = make([]float64, a.Len())
	addScaled(b.Initial, c, a.Initial)
	b.Threshold *= c
	return &b
}

// Reverse returns the automaton that gives every word the value that a gives to the
// word read backwards.
func (a *Automaton) Reverse() *Automaton {
	r := New(a.Alphabet, a.Len())
	r.Threshold = a.Threshold
	copy(r.Initial, a.Final)
	copy(r.Final, a.Initial)
	for s := range a.Alphabet.Len() {
		for i := range a.Len() {
			for j, x := range a.Row(word.Symbol(s), i) {
				r.Row(word.Symbol(s), j)[i] = x
			}
		}
	}
	return r
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func dot(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

// addScaled adds c times x to dst.
func addScaled(dst []float64, c float64, x []float64) {
	for i := range dst {
		dst[i] += c * x[i]
	}
}
