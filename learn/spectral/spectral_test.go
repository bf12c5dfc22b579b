package spectral

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quotient/automaton"
	"quotient/internal/foreign"
	"quotient/language"
	"quotient/model"
	"quotient/oracle"
	"quotient/rnn"
	"quotient/sample"
	"quotient/weighted"
	"quotient/word"
	"quotient/zoo"
)

var ab = word.Letters("ab")

// exact makes a function of a weighted automaton.
func exact(a *weighted.Automaton) Function {
	return func(_ context.Context, words []word.Word) ([]float64, error) { return a.Values(words), nil }
}

// drawn returns n words of a probabilistic automaton.
func drawn(t *testing.T, a *weighted.Automaton, n int, rng *rand.Rand) []word.Word {
	t.Helper()
	s, err := weighted.NewSampler(a)
	if err != nil {
		t.Fatal(err)
	}
	words := make([]word.Word, n)
	for i := range words {
		if words[i], err = s.Draw(rng); err != nil {
			t.Fatal(err)
		}
	}
	return words
}

// On prefixes and suffixes of words drawn from a random automaton of five states, the
// values give the automaton back.
func TestFitRecoversRandomAutomata(t *testing.T) {
	for seed := range uint64(10) {
		for _, symbols := range []string{"ab", "abc"} {
			rng := rand.New(rand.NewPCG(seed, 1))
			a := word.Letters(symbols)
			target := weighted.Random(a, 5, rng)
			basis := NewBasis(a, drawn(t, target, 1000, rng), 60)
			got, singular, err := Fit(context.Background(), a, exact(target), basis, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got.Len() != 5 {
				t.Errorf("seed %d: %d states, singular values %.3g", seed, got.Len(), singular[:7])
			}
			small, words := got.Minimize()
			if small.Len() != 5 || len(words) != 5 {
				t.Errorf("seed %d: %d states once minimal", seed, small.Len())
			}
			worst, whole := 0.0, 0.0
			for _, w := range append(drawn(t, target, 1000, rng), word.Shortest(a.Len(), 1000)...) {
				x := target.Value(w)
				worst = max(worst, math.Abs(got.Value(w)-x), math.Abs(small.Value(w)-x))
				whole = max(whole, x)
			}
			if worst > 1e-6*whole {
				t.Errorf("seed %d, %s: values are up to %.2g off, the largest is %.2g", seed, symbols, worst, whole)
			}
		}
	}
}

// Learning from how often words occur comes closer the more words there are.
func TestFitFromFrequencies(t *testing.T) {
	var before float64
	for i, n := range []int{300, 3_000, 30_000} {
		sum := 0.0
		for seed := range uint64(5) {
			rng := rand.New(rand.NewPCG(seed, 2))
			target := weighted.Random(ab, 2, rng)
			sample := drawn(t, target, n, rng)
			got, _, err := Fit(context.Background(), ab, Frequencies(sample), NewBasis(ab, sample, 20), 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range word.Shortest(ab.Len(), 127) {
				sum += math.Abs(got.Value(w)-target.Value(w)) / 5
			}
		}
		t.Logf("%d words: %.4f of the probability is misplaced among words up to length 6", n, sum)
		if i > 0 && sum > before/2 {
			t.Errorf("ten times as many words, %d: the error falls from %.4f to %.4f only", n, before, sum)
		}
		before = sum
	}
	if before > 0.02 {
		t.Errorf("the error is still %.4f", before)
	}
}

// blind hides all that a network shows but its answers.
type blind struct{ oracle.Oracle }

func open(t *testing.T, name string) *rnn.Runner {
	t.Helper()
	n, _, err := zoo.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return rnn.NewRunner(n, 1)
}

// The thresholded automata of the bundled Elman networks agree with them on words that
// had no part in learning.
func TestLearnTomita(t *testing.T) {
	ranks := []int{1, 2, 3, 3, 4, 3, 4}
	for i, rank := range ranks {
		name := fmt.Sprintf("tomita%d", i+1)
		net := open(t, "zoo:"+name)
		loaded, err := language.Load(language.Options{Symbols: net.Alphabet().Names()}, name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := sample.FromLanguage(name, loaded[0], net.Alphabet())
		if err != nil {
			t.Fatal(err)
		}
		test, err := s.Draw(nil, 1000, 0, 100, rand.New(rand.NewPCG(7, 7)))
		if err != nil {
			t.Fatal(err)
		}
		oracles := []oracle.Oracle{net}
		if name == "tomita2" || name == "tomita5" {
			oracles = append(oracles, blind{net})
		}
		for _, o := range oracles {
			q := oracle.Ask(context.Background(), o)
			res, err := Learn(q, Options{Queries: 20_000})
			if err != nil {
				t.Fatal(err)
			}
			if agree := q.Label(test.Words).Agree(res.Automaton); agree < 995 {
				t.Errorf("%s, %T: agreement on %d of 1000 words", name, o, agree)
			}
			if res.Rank != rank || res.Automaton.Len() != rank || len(res.States) != rank {
				t.Errorf("%s, %T: rank %d and %d states, want %d", name, o, res.Rank, res.Automaton.Len(), rank)
			}
			want := automaton.Minimize(loaded[0])
			if res.DFA == nil || !res.DFA.Equal(want) {
				t.Errorf("%s, %T: the deterministic automaton is another: %s", name, o, res.Note)
			}
		}
	}
}

// A network made elsewhere, with more states.
func TestLearnForeign(t *testing.T) {
	for _, test := range []struct{ network, language string }{{"r16-gru", "r16.att"}} {
		folder := foreign.Files(t, "models", "torch", test.network)[0]
		m, err := model.Open(context.Background(), filepath.Join(folder, "model.safetensors"), model.Options{Vocab: filepath.Join(folder, "model.json")})
		if err != nil {
			t.Fatal(err)
		}
		target, err := language.Load(language.Options{Symbols: m.Net.Alphabet().Names()}, foreign.Files(t, "languages", test.language)[0])
		if err != nil {
			t.Fatal(err)
		}
		res, err := Learn(oracle.Ask(context.Background(), m.Net), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if res.DFA == nil {
			t.Fatalf("%s: %s", test.network, res.Note)
		}
		if w, differ := automaton.Distinguish(res.DFA, target[0]); differ {
			t.Errorf("%s: it differs from its language on %s", test.network, target[0].Alphabet.Format(w))
		}
	}
}

func TestLearnStops(t *testing.T) {
	net := open(t, "zoo:tomita1")
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	cancel(why)
	if _, err := Learn(oracle.Ask(ctx, net), Options{}); !errors.Is(err, why) {
		t.Errorf("a canceled context gives %v", err)
	}
	if _, err := Learn(oracle.Ask(context.Background(), net), Options{Rank: 40, Queries: 1000}); err == nil {
		t.Error("a rank past that of the matrix is no error")
	}
	if _, err := Learn(oracle.Ask(context.Background(), net), Options{Rank: -1}); err == nil {
		t.Error("a negative rank is no error")
	}
}

func TestBasis(t *testing.T) {
	words := []word.Word{{0, 1, 1}, {0, 1, 0}, {0, 0, 1}}
	b := NewBasis(ab, words, 6)
	format := func(words []word.Word) (text []string) {
		for _, w := range words {
			text = append(text, ab.Format(w))
		}
		return text
	}
	if diff := cmp.Diff([]string{"ε", "a", "b", "ab", "aa", "aab"}, format(b.Prefixes)); diff != "" {
		t.Errorf("prefixes:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"ε", "a", "b", "aa", "ab", "ba"}, format(b.Suffixes)); diff != "" {
		t.Errorf("suffixes:\n%s", diff)
	}
}
