package sample_test

import (
	"fmt"
	"testing"

	"quotient/automaton"
	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// Without noise, exploring finds the automaton itself.
func TestRoughFindsTheAutomaton(t *testing.T) {
	for seed := range uint64(20) {
		r := oracletest.Random(seed, 6, 0.01)
		d := sample.Rough(oracle.Ask(t.Context(), r), 0.05, 100)
		if w, differ := automaton.Distinguish(d, r.DFA); differ {
			t.Errorf("seed %d: they differ on %v", seed, w)
		}
	}
}

func TestRoughKeepsToItsLimit(t *testing.T) {
	r := oracletest.Random(1, 6, 3) // hardly a state is like another
	if d := sample.Rough(oracle.Ask(t.Context(), r), 0.001, 50); d.Len() != 50 {
		t.Errorf("%d states, want the limit", d.Len())
	}
}

// narrow is a recognizer that minds how many rows it is given at once.
type narrow struct {
	oracletest.Noisy
	rows *int // the most so far
}

func (n narrow) Step(dst, src f32.Matrix, on []word.Symbol) error {
	*n.rows = max(*n.rows, dst.Rows)
	return n.Noisy.Step(dst, src, on)
}

// Over many symbols, states are stepped a few at a time, so that memory is bounded.
func TestRoughOfManySymbols(t *testing.T) {
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	d := automaton.NewDFA(a, 7) // the sum of the symbols, modulo 7
	d.Accept[1] = true
	for i := range 7 {
		for s := range a.Len() {
			d.SetNext(automaton.State(1+i), word.Symbol(s), automaton.State(1+(i+s)%7))
		}
	}
	rows := 0
	found := sample.Rough(oracle.Ask(t.Context(), narrow{oracletest.Noisy{DFA: d, Dims: 12, Noise: 0.01}, &rows}), 0.05, 100)
	if w, differ := automaton.Distinguish(found, d); differ {
		t.Errorf("they differ on %v", w)
	}
	if rows > 4096 {
		t.Errorf("%d rows at once", rows)
	}
}
