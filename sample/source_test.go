package sample_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// sparse accepts (ab)*, of which random words hardly ever are.
func sparse(noise float32) oracletest.Noisy {
	d := automaton.NewDFA(word.Letters("ab"), 3)
	d.Accept[1] = true
	copy(d.Table[2:], []automaton.State{2, 3, 3, 1, 3, 3})
	return oracletest.Noisy{DFA: d, Dims: 12, Noise: noise}
}

func TestSampleFromTheNetworkAlone(t *testing.T) {
	r := sparse(0.2)
	q := oracle.Ask(t.Context(), r)
	rng := rand.New(rand.NewPCG(1, 1))
	s, err := sample.FromNetwork(q, 10, rng)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := s.Draw(q, 200, 10, 10, rng)
	if err != nil {
		t.Fatal(err)
	}
	if drawn.Valid != 100 {
		t.Errorf("%d valid words, want 100", drawn.Valid)
	}
	for i, w := range drawn.Words {
		if len(w) != 10 || i%2 == 0 && !r.DFA.Accepts(w) {
			t.Fatalf("word %d is %v", i, w)
		}
	}
}

// Where many words are rejected the lengths must stay uniform all the same.
func TestRedrawingKeepsLengths(t *testing.T) {
	r := oracletest.Random(7, 6, 3) // its states tell little, so the guide is bad
	q := oracle.Ask(t.Context(), r)
	rng := rand.New(rand.NewPCG(1, 1))
	s, err := sample.FromNetwork(q, 8, rng)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := s.Draw(q, 6000, 0, 5, rng)
	if err != nil {
		t.Fatal(err)
	}
	lengths := make([]int, 6)
	rejected := 0
	for i, w := range drawn.Words {
		lengths[len(w)]++
		if i%2 == 0 && !r.DFA.Accepts(w) {
			rejected++
		}
	}
	for n, c := range lengths {
		if c < 850 || c > 1150 {
			t.Errorf("%d words of length %d, want about 1000", c, n)
		}
	}
	if rejected > 3000-drawn.Valid {
		t.Errorf("%d valid words are reported, but %d of 3000 are rejected", drawn.Valid, rejected)
	}
	// Of long words the network accepts about half, and so nearly all are found.
	if drawn, err := s.Draw(q, 1000, 8, 8, rng); err != nil || drawn.Valid < 490 {
		t.Errorf("%d of 500 words are valid: %v", drawn.Valid, err)
	}
}

func TestSampleFromALanguage(t *testing.T) {
	r := sparse(0)
	s, err := sample.FromLanguage("(ab)*", r.DFA, r.Alphabet())
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := s.Draw(nil, 10, 7, 7, rand.New(rand.NewPCG(1, 1)))
	if err != nil || drawn.Valid != 0 || !slices.Equal(drawn.Missing, []int{7}) {
		t.Errorf("(ab)* has no words of length 7, but %d were drawn; missing %v, %v", drawn.Valid, drawn.Missing, err)
	}
	other := automaton.NewDFA(word.Letters("xyz"), 1)
	if _, err := sample.FromLanguage("xyz", other, r.Alphabet()); err == nil || !strings.Contains(err.Error(), "xyz") {
		t.Errorf("a language over other symbols: %v", err)
	}
}

// Half of the words are uniform, a quarter accepted and a quarter rejected; where
// the automaton rejects nothing, uniform words stand in.
func TestSampleFromAnAutomaton(t *testing.T) {
	d := sparse(0).DFA
	drawn, err := sample.FromAutomaton(d).Draw(nil, 400, 6, 6, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range drawn.Words {
		if i%4 == 0 && !d.Accepts(w) || i%4 == 2 && d.Accepts(w) {
			t.Errorf("word %d is %v", i, w)
		}
	}
	all := automaton.NewDFA(d.Alphabet, 1)
	all.Accept[1] = true
	copy(all.Row(1), []automaton.State{1, 1})
	drawn, err = sample.FromAutomaton(all).Draw(nil, 400, 6, 6, rand.New(rand.NewPCG(1, 1)))
	if err != nil || drawn.Valid != 100 {
		t.Errorf("%d valid words, %v", drawn.Valid, err)
	}
}
