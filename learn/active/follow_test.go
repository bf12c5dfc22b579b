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
	"quotient/sample"
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
		h := newHypothesis(net.DFA.Alphabet)
		f := newFollower(m, h)
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
			was := change(h, rng)
			if got := h.before(); !slices.Equal(got.Table, was.Table) || !slices.Equal(got.Accept, was.Accept) {
				t.Fatalf("%v before, want %v", got, was)
			}
			got, found := f.contradiction()
			want, differ := m.contradiction(h.DFA)
			if found != differ || !slices.Equal(got, want) {
				t.Fatalf("%v %v, want %v %v", got, found, want, differ)
			}
		}
	})
}

// change makes some more states and lets some transitions lead elsewhere. It returns the
// hypothesis as it was.
func change(h *hypothesis, rng *rand.Rand) *automaton.DFA {
	k := h.Alphabet.Len()
	was := &automaton.DFA{Alphabet: h.Alphabet, Start: h.Start, Accept: slices.Clone(h.Accept), Table: slices.Clone(h.Table)}
	for range rng.IntN(3) + 1 - min(was.Len(), 1) {
		h.add(rng.IntN(2) == 0)
	}
	few := 2 + rng.IntN(20)
	for way := range h.Len() * k {
		if way >= was.Len()*k || rng.IntN(few) == 0 {
			h.lead(way, rng.IntN(h.Len()))
		}
	}
	return was
}

// A hypothesis that is right about the words watched is right about all words that were asked: learners
// watch enough, whatever counterexamples they get.
func TestWatch(t *testing.T) {
	saved, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		d := oracletest.Random(rng.Uint64(), rapid.IntRange(1, 40).Draw(t, "states"), 0).DFA
		q := oracle.Ask(context.Background(), teacher{d})
		o, stats := Options{}.orDefaults(q), Stats{}
		m := newMemory(q, &o, &stats)
		var l learner = newTTT(m, rapid.Bool().Draw(t, "keep"))
		if rapid.Bool().Draw(t, "table") {
			l = newTable(m)
		}
		f := newFollower(m, l.guess())
		length := rapid.IntRange(0, 40).Draw(t, "length")
		for {
			if err := l.close(); err != nil {
				t.Fatal(err)
			}
			h := l.guess().DFA
			w, found := f.contradiction()
			if _, differ := m.contradiction(h); differ != found {
				t.Fatalf("%v after %d states: %v", found, h.Len(), w)
			}
			if found && (m.lookup(w) == yes) == h.Accepts(w) {
				t.Fatalf("%v is no contradiction", w)
			}
			for i := 0; i < 50 && !found; i++ {
				w = sample.UniformWord(d.Alphabet.Len(), length, length, rng)
				found = h.Accepts(w) != d.Accepts(w)
			}
			if !found {
				w, found = automaton.Distinguish(h, d)
			}
			if !found {
				break
			}
			q, s, suffix, err := analyze(m, l, w)
			if err == nil {
				err = l.split(q, s, suffix)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		saved, all = saved+len(m.nodes)-len(f.followed), all+len(m.nodes)
	})
	if 4*saved < all {
		t.Errorf("only %d of %d words are not followed", saved, all)
	}
}
