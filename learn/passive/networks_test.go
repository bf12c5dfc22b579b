package passive_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"quotient/automaton"
	"quotient/internal/foreign"
	"quotient/language"
	"quotient/learn/labeled"
	"quotient/learn/passive"
	"quotient/model"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// A plan draws the words that a network is asked for.
type plan func(t *testing.T, q *oracle.Inquiry, n int, rng *rand.Rand) []word.Word

// halfValid draws words of lengths up to 15, half of them accepted by the network.
func halfValid(t *testing.T, q *oracle.Inquiry, n int, rng *rand.Rand) []word.Word {
	s, err := sample.FromNetwork(q, 15, rng)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := s.Draw(q, n, 0, 15, rng)
	if err != nil {
		t.Fatal(err)
	}
	return drawn.Words
}

// halfShort returns the shortest words, and as many with lengths up to 15. It asks
// nothing of the network.
func halfShort(_ *testing.T, q *oracle.Inquiry, n int, rng *rand.Rand) []word.Word {
	k := q.Alphabet().Len()
	words := word.Shortest(k, n/2)
	for len(words) < n {
		w := make(word.Word, rng.IntN(16))
		for i := range w {
			w[i] = word.Symbol(rng.IntN(k))
		}
		words = append(words, w)
	}
	return words
}

// recoverLanguage checks that RPNI and EDSM find the language from 1,000 words with the
// network's answers. Only whole words count, and only their answers are used.
func recoverLanguage(t *testing.T, name string, net oracle.Oracle, target *automaton.DFA) {
	t.Helper()
	q := oracle.Ask(t.Context(), net)
	for i, draw := range []plan{halfValid, halfShort} {
		for seed := range uint64(2) {
			words := draw(t, q, 1000, rand.New(rand.NewPCG(seed, 0)))
			s := &labeled.Set{Alphabet: net.Alphabet()}
			for j, accept := range q.Accepts(words) {
				s.Add(words[j], labeled.Of(accept))
			}
			for _, m := range []passive.Method{passive.RPNI, passive.EDSM} {
				res, err := passive.Learn(context.Background(), s, passive.Options{Method: m})
				if err != nil {
					t.Fatal(err)
				}
				if w, differ := automaton.Distinguish(res.Automaton, target); differ {
					t.Errorf("%s, plan %d, seed %d, %s: %d states, and wrong on %s", name, i, seed, m,
						res.Automaton.Len(), s.Alphabet.Format(w))
				}
			}
		}
	}
}

// Every bundled Elman network gives its language away in 1,000 words.
func TestBundledNetworks(t *testing.T) {
	for _, l := range language.Builtin()[:7] {
		m, err := model.Open(t.Context(), "zoo:"+l.Name, model.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		recoverLanguage(t, l.Name, m.Net, l.DFA())
	}
}

// So do networks for Tomita languages that PyTorch trained, GRUs and LSTMs.
func TestForeignNetworks(t *testing.T) {
	for _, vocab := range foreign.Files(t, "models", "torch", "t[1-7]-*", "model.json") {
		folder := filepath.Dir(vocab)
		m, err := model.Open(t.Context(), filepath.Join(folder, "model.safetensors"), model.Options{Vocab: vocab, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("tomita%c", filepath.Base(folder)[1])
		target, err := language.Load(language.Options{Symbols: m.Net.Alphabet().Names()}, name)
		if err != nil {
			t.Fatal(err)
		}
		recoverLanguage(t, filepath.Base(folder), m.Net, target[0])
	}
}
