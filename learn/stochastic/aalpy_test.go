package stochastic

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"quotient/automaton"
	"quotient/learn/labeled"
)

// An aalpyCase is an automaton that AALpy has learned: see python/fixtures/fixtures_alergia.py.
type aalpyCase struct {
	Words   int
	Epsilon float64
	Kind    string
	States  []struct {
		Prefix string
		End    float64
		Moves  map[string][2]float64 // target and probability
	}
}

func readSet(t testing.TB, name string) *labeled.Set {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	set, err := labeled.Read(file, name, labeled.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// ALERGIA gives AALpy's automata: the same states in the same order, with the same
// probabilities.
func TestAALpy(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "aalpy.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []aalpyCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		name := fmt.Sprintf("words %d, epsilon %g, %s", c.Words, c.Epsilon, c.Kind)
		set := readSet(t, filepath.Join("testdata", fmt.Sprintf("words%d.txt", c.Words)))
		r, err := Learn(t.Context(), set.Alphabet, set.Words, Options{Epsilon: c.Epsilon, Chain: c.Kind == "mc"})
		if err != nil {
			t.Fatal(err)
		}
		a := r.Automaton
		if a.Len() != len(c.States) {
			t.Errorf("%s: %d states, AALpy has %d", name, a.Len(), len(c.States))
			continue
		}
		for i, want := range c.States {
			q := automaton.State(i + 1)
			prefix, err := a.Alphabet.Parse(want.Prefix)
			if err != nil {
				t.Fatal(err)
			}
			if at := a.Run(prefix); at != q {
				t.Errorf("%s: %q leads to state %d, in AALpy to %d", name, want.Prefix, at, q)
			}
			if math.Abs(a.End[q]-want.End) > 1e-12 {
				t.Errorf("%s: state %d ends with %g, in AALpy with %g", name, q, a.End[q], want.End)
			}
			for s, p := range a.Row(q) {
				move := want.Moves[a.Alphabet.Names()[s]]
				if math.Abs(move[1]-p) > 1e-12 || p > 0 && a.Targets(q)[s] != automaton.State(move[0]+1) {
					t.Errorf("%s: state %d, symbol %d: %g to %d, in AALpy %v", name, q, s, p, a.Targets(q)[s], move)
				}
			}
		}
	}
}
