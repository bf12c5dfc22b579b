package study

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"quotient/extract"
	"quotient/model"
	"quotient/probabilistic"
)

// What is said of a language model holds together, and is said again with the same seed.
func TestPredict(t *testing.T) {
	m, err := model.Open(t.Context(), "../model/testdata/lm/tokens.pt", model.Options{Vocab: "../model/testdata/lm/tokens.json"})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Options: extract.Options{Seed: 1, Data: "words", DataText: []byte("abc\nb\nba\ncab\nbb\nbcb\n")}}
	p, err := Predict(t.Context(), m, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := p.Certificate
	if err := p.Automaton.Check(); err != nil || p.States != p.Automaton.Len() {
		t.Errorf("%d states, %v", p.States, err)
	}
	if !(c.Divergence >= 0 && c.Divergence <= c.Bound && c.Bound < 0.02) || c.Top < 0.9 || c.Entropy <= 0 || c.Symbols <= c.Words {
		t.Errorf("certificate %+v", c)
	}
	if len(c.Parting) == 0 || len(c.Apart) == 0 {
		t.Error("nothing is said of where they part")
	}
	if d := p.Data; d == nil || d.HeldOut != 2 || math.Abs(*d.Network / *d.Automaton - 1) > 0.2 {
		t.Errorf("data %+v", d)
	}
	again, err := Predict(t.Context(), m, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Seconds, again.Seconds = 0, 0
	one, _ := json.Marshal(p)
	two, _ := json.Marshal(again)
	if !bytes.Equal(one, two) {
		t.Error("one seed, two results")
	}
	var b strings.Builder
	if p.Tell(&b); !strings.Contains(b.String(), "nats a symbol") {
		t.Errorf("it tells %s", b.String())
	}
	coarse, err := Predict(t.Context(), m, Options{Options: extract.Options{Seed: 1, States: 1}}, nil)
	if err != nil || coarse.States != 1 || coarse.Certificate.Divergence < c.Divergence {
		t.Errorf("one state: %v", err)
	}
}

// Words that an automaton gives probability zero have no perplexity; that is said, and JSON has null for it.
func TestImpossibleWords(t *testing.T) {
	none, some := known(probabilistic.Fit{}.PerplexityOfRest()), known(2)
	d := &Surprise{File: "f", HeldOut: 3, Network: some, Automaton: none, Zero: 3}
	if got := d.String(); !strings.Contains(got, "perplexity 2.0000 of the network and ∞ of the automaton") {
		t.Error(got)
	}
	if text, err := json.Marshal(d); err != nil || !strings.Contains(string(text), `"automaton_perplexity":null`) {
		t.Errorf("%s, %v", text, err)
	}
}
