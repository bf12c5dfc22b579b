package sample_test

import (
	"math/rand/v2"
	"testing"

	"quotient/automaton"
	"quotient/sample"
	"quotient/word"
)

// Words like those that are given pass through the states that these pass through, by transitions that these take, and end where
// these end; and there are new ones among them.
func TestAlike(t *testing.T) {
	a, err := word.NewAlphabet("a", "b", "c")
	if err != nil {
		t.Fatal(err)
	}
	d := automaton.NewDFA(a, 4) // remembers the last symbol
	for q := range automaton.State(4) {
		for s := range automaton.State(3) {
			d.SetNext(q+1, word.Symbol(s), s+2)
		}
	}
	given := []word.Word{{0, 1, 0, 1, 2}, {1, 0, 1, 2}, {1, 2, 2, 1, 2}}
	rng := rand.New(rand.NewPCG(1, 2))
	fresh := 0
	for _, w := range sample.Alike(d, given, 200, rng) {
		if len(w) > 5 {
			t.Fatalf("%v is longer than any", w)
		}
		for i := range w {
			if w[i] == 0 && i+1 < len(w) && w[i+1] != 1 || i > 0 && w[i] == 0 && w[i-1] == 2 {
				t.Fatalf("%v goes on as none does", w)
			}
		}
		if len(w) != 5 {
			fresh++
		}
	}
	if fresh < 20 {
		t.Errorf("%d of 200 words are new", fresh)
	}
	// Chained words cross after every symbol, wherever the automaton is: nothing but what it counts keeps these two apart.
	count := automaton.NewDFA(a, 9) // symbols
	for q := range automaton.State(8) {
		for s := range a.Len() {
			count.SetNext(q+1, word.Symbol(s), q+2)
		}
	}
	apart := []word.Word{{0, 1, 2, 2, 2, 2, 2}, {1, 2, 2, 0}}
	elsewhere := func(words []word.Word) (many int) {
		for _, w := range words {
			if w[0] == 1 && len(w) != 4 {
				many++
			}
		}
		return many
	}
	if many := elsewhere(sample.Alike(count, apart, 200, rng)); many > 0 {
		t.Errorf("%d words go on where the automaton is in another state", many)
	}
	if many := elsewhere(sample.Chained(apart, 200, rng)); many < 50 {
		t.Errorf("%d of 200 words, half of which begin with b, go on where the automaton is in another state", many)
	}
	if words := sample.Alike(d, nil, 10, rng); len(words) > 0 {
		t.Errorf("of nothing, %v", words)
	}
}
