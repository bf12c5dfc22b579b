package active

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/word"
)

// Whatever is asked between hypotheses, and however they change, a follower finds the word that is
// found by following all words anew.
func TestFollower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		net := oracletest.Random(rng.Uint64(), 6, 0)
		k := net.DFA.Alphabet.Len()
		q := oracle.Ask(context.Background(), net)
		o, stats := Options{}.orDefaults(q), Stats{}
		m := newMemory(q, &o, &stats)
		f := newFollower(m)
		h := automaton.NewDFA(net.DFA.Alphabet, 1)
		for range 30 {
			var words []word.Word
			for range rng.IntN(20) {
				w := make(word.Word, rng.IntN(8))
				for i := range w {
					w[i] = word.Symbol(rng.IntN(k))
				}
				words = append(words, w)
				m.node(append(w, word.Symbol(rng.IntN(k)))) // a node without an answer
			}
			if _, err := m.ask(words...); err != nil {
				t.Fatal(err)
			}
			h = changed(h, rng)
			got, found := f.contradiction(h)
			want, differ := m.contradiction(h)
			if found != differ || !slices.Equal(got, want) {
				t.Fatalf("%v %v, want %v %v", got, found, want, differ)
			}
		}
	})
}

// changed returns an automaton with some more states, some transitions that lead elsewhere, and
// sometimes another acceptance or fewer states.
func changed(h *automaton.DFA, rng *rand.Rand) *automaton.DFA {
	n := h.Len() + rng.IntN(3)
	if rng.IntN(10) == 0 {
		n = 1 + rng.IntN(n)
	}
	e := automaton.NewDFA(h.Alphabet, n)
	for q := 1; q <= n; q++ {
		old := q <= h.Len()
		e.Accept[q] = old && h.Accept[q] != (rng.IntN(30) == 0) || !old && rng.IntN(2) == 0
		for s := range e.Row(automaton.State(q)) {
			if to := automaton.State(1 + rng.IntN(n)); !old || rng.IntN(8) == 0 {
				e.SetNext(automaton.State(q), word.Symbol(s), to)
			} else {
				e.SetNext(automaton.State(q), word.Symbol(s), min(h.Next(automaton.State(q), word.Symbol(s)), automaton.State(n)))
			}
		}
	}
	return e
}
