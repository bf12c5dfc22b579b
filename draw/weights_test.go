package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/weighted"
	"quotient/word"
)

// signed is an automaton with negative weights, two initial ones and small ones.
func signed() *weighted.Automaton {
	a := weighted.New(word.Letters("ab"), 3)
	copy(a.Initial, []float64{0.25, 0, 1})
	copy(a.Final, []float64{0, -0.5, 120})
	copy(a.Row(0, 0), []float64{0.5, -0.25, 0})
	copy(a.Row(0, 1), []float64{1, 0, -1})
	copy(a.Row(0, 2), []float64{0, 1e-5, 0})
	copy(a.Row(1, 0), []float64{0, -0.25, 3})
	copy(a.Row(1, 1), []float64{0.333, 0, 2})
	copy(a.Row(1, 2), []float64{0, 0, -1})
	return a
}

func TestWeightsGolden(t *testing.T) {
	tomita3, _ := weighted.FromDFA(tomita[2]).Minimize()
	for _, test := range []struct {
		name   string
		a      *weighted.Automaton
		cutoff float64
	}{
		{"weights-tomita3", tomita3, 0},
		{"weights-signed", signed(), 0.01},
		{"weights-random", weighted.Random(word.Letters("ab"), 3, rand.New(rand.NewPCG(3, 3))), 0.05},
		{"weights-empty", weighted.New(word.Letters("ab"), 0), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Weights(&b, test.a, WeightOptions{Cutoff: test.cutoff}); err != nil {
				t.Fatal(err)
			}
			for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
			golden(t, test.name, b.String())
		})
	}
}

func TestWeightsDescription(t *testing.T) {
	g, hidden, err := fromWeights(signed(), 0.01)
	if err != nil {
		t.Fatal(err)
	}
	if hidden != 1 {
		t.Errorf("%d weights are hidden, want 1", hidden)
	}
	var got []string
	for _, e := range g.Edges {
		sign := "+"
		if e.Negative {
			sign = "-"
		}
		got = append(got, g.Nodes[e.From].Name+" "+g.Nodes[e.To].Name+" "+e.Short+" "+sign)
	}
	want := "q2 q2 b:−1 -|q1 q2 a:−1 b:2 +|q1 q0 a:1 b:0.33 +|q0 q2 b:3 +|q0 q1 a, b:−0.25 -|q0 q0 a:0.5 +"
	if text := strings.Join(got, "|"); text != strings.ReplaceAll(want, "a, b", "a,b") {
		t.Errorf("edges are\n%s, want\n%s", text, want)
	}
}

func TestWeightsLimit(t *testing.T) {
	var limit *automaton.LimitError
	large := weighted.New(word.Letters("a"), MaxStates+1)
	if err := Weights(io.Discard, large, WeightOptions{}); !errors.As(err, &limit) {
		t.Errorf("too many states: %v", err)
	}
	dense := weighted.New(word.Letters("a"), 40)
	for i := range dense.Weights {
		dense.Weights[i] = 1
	}
	if err := Weights(io.Discard, dense, WeightOptions{}); !errors.As(err, &limit) {
		t.Errorf("too many edges: %v", err)
	}
}
