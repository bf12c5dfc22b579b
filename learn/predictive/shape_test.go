package predictive

import (
	"testing"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/probabilistic"
	"quotient/word"
)

// Where a symbol leads that next to no word has is told by what follows later: scouts go on. Here it leads to a
// state of its own, which is not worth it. That predicts like the second state, and all that follows is like
// behind the fifth.
func TestRareSymbolLater(t *testing.T) {
	a := probabilistic.New(word.Letters("abc"), 8)
	a.Start = 1
	lead := func(from, a0, a1, a2 automaton.State, p0, p1, p2 float64) {
		a.SetNext(from, 0, a0, p0)
		a.SetNext(from, 1, a1, p1)
		a.SetNext(from, 2, a2, p2)
		a.End[from] = 1 - p0 - p1 - p2
	}
	const rare = 1e-6
	lead(1, 2, 5, 8, 0.5, 0.4, rare)
	lead(2, 3, 3, 3, 0.3, 0.3, 0.3)
	lead(3, 4, 4, 2, 0.1, 0.8, 0.05)
	lead(4, 1, 1, 2, 0.8, 0.05, 0.1)
	lead(5, 6, 6, 6, 0.32, 0.3, 0.28)
	lead(6, 7, 7, 2, 0.1, 0.8, 0.05)
	lead(7, 1, 1, 2, 0.05, 0.8, 0.1)
	lead(8, 6, 6, 6, 0.3, 0.3, 0.3)
	res, err := Run(oracle.Predict(t.Context(), oracletest.Speaker{Automaton: a}), Options{Seed: 1, States: 7})
	if err != nil {
		t.Fatal(err)
	}
	got := probabilistic.Minimize(res.Automaton, 1e-4)
	if got.Len() != 7 {
		t.Fatalf("%d states, want 7", got.Len())
	}
	if b, c := got.Next(got.Start, 1), got.Next(got.Start, 2); b != c {
		t.Errorf("the rare symbol leads to %d, want %d", c, b)
	}
}
