package probabilistic

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/word"
)

// coin is an automaton over {a, b}: after an even number of a's, words end with
// probability 1/4; after an odd one they never do.
func coin() *Automaton {
	a := New(word.Letters("ab"), 2)
	a.End[1], a.End[2] = 0.25, 0
	a.SetNext(1, 0, 2, 0.5)
	a.SetNext(1, 1, 1, 0.25)
	a.SetNext(2, 0, 1, 0.75)
	a.SetNext(2, 1, 2, 0.25)
	return a
}

// random returns an automaton of up to n states over k symbols in which every state ends
// words with a probability of at least least, and some transitions are missing.
func random(rng *rand.Rand, n, k int, least float64) *Automaton {
	a := New(word.Letters("abcdefgh"[:k]), n)
	for q := automaton.State(1); int(q) <= n; q++ {
		weights, sum := make([]float64, k+1), 0.0
		for s := range weights {
			if rng.IntN(4) > 0 || s == k {
				weights[s] = rng.ExpFloat64() + 1e-3
			}
			sum += weights[s]
		}
		a.End[q] = least + (1-least)*weights[k]/sum
		for s := range k {
			if weights[s] > 0 {
				a.SetNext(q, word.Symbol(s), automaton.State(1+rng.IntN(n)), (1-least)*weights[s]/sum)
			}
		}
	}
	return a
}

func draw(t *rapid.T, n, k int) *Automaton {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	return random(rng, 1+rng.IntN(n), k, 0.3)
}

func close(x, y, tolerance float64) bool {
	return x == y || math.Abs(x-y) <= tolerance*max(1, math.Abs(x), math.Abs(y))
}

func TestProbabilities(t *testing.T) {
	a := coin()
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		w            string
		word, prefix float64
	}{
		{"ε", 0.25, 1},
		{"b", 0.0625, 0.25},
		{"a", 0, 0.5},
		{"aba", 0.5 * 0.25 * 0.75 * 0.25, 0.5 * 0.25 * 0.75},
	} {
		w, err := a.Alphabet.Parse(c.w)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Probability(w); !close(got, c.word, 1e-15) {
			t.Errorf("P(%s) = %g, want %g", c.w, got, c.word)
		}
		if got, _ := a.LogPrefix(w); !close(math.Exp(got), c.prefix, 1e-15) {
			t.Errorf("P(%s…) = %g, want %g", c.w, math.Exp(got), c.prefix)
		}
	}
	dist := make([]float64, 3)
	a.Distribution(dist, a.Run(word.Word{0}))
	if dist[0] != 0.75 || dist[1] != 0.25 || dist[2] != 0 {
		t.Errorf("after a: %v", dist)
	}
	f := a.Fit([]word.Word{{}, {1}, {0}})
	if f.Zero != 1 || f.First != 2 || f.Symbols != 5 || !math.IsInf(f.Perplexity(), 1) || !close(f.PerplexityOfRest(), math.Exp(-(math.Log(0.25)+math.Log(0.0625))/3), 1e-12) {
		t.Errorf("%+v, perplexity %g, %g", f, f.Perplexity(), f.PerplexityOfRest())
	}
}

func TestCheckAndNormalize(t *testing.T) {
	for _, c := range []struct {
		change     func(a *Automaton)
		check, not string
	}{
		{func(a *Automaton) { a.End[1] += 0.005 }, "the probabilities of state 1 sum to 1.005, not to 1", ""},
		{func(a *Automaton) { a.End[1] += 0.5 }, "the probabilities of state 1 sum to 1.5, not to 1", "the probabilities of state 1, its end included, sum to 1.5; they must sum to 1"},
		{func(a *Automaton) { a.Row(2)[0] = -0.75 }, `symbol "a" of state 2 has the probability -0.75`, `symbol "a" of state 2 has the probability -0.75`},
		{func(a *Automaton) { a.Row(2)[0] = math.NaN() }, `symbol "a" of state 2 has the probability NaN`, `symbol "a" of state 2 has the probability NaN`},
		{func(a *Automaton) { a.Targets(2)[0] = 0 }, `symbol "a" of state 2 leads nowhere, but has the probability 0.75`, `symbol "a" of state 2 leads nowhere, but has the probability 0.75`},
	} {
		a := coin()
		c.change(a)
		if err := a.Check(); err == nil || err.Error() != c.check {
			t.Errorf("%v, want %s", err, c.check)
		}
		note, err := a.Normalize()
		switch {
		case c.not == "":
			if want := "the probabilities of 1 of 2 states did not sum to 1 and were scaled; the furthest off was state 1, by 0.005"; note != want || a.Check() != nil {
				t.Errorf("%q, %v", note, a.Check())
			}
		case err == nil || err.Error() != c.not:
			t.Errorf("%v, want %s", err, c.not)
		}
	}
}

// enumerate calls visit with every word up to a length and its probability.
func enumerate(a *Automaton, length int, visit func(w word.Word, p float64)) {
	words := []word.Word{{}}
	for range length + 1 {
		for _, w := range words {
			visit(w, a.Probability(w))
		}
		words = word.Prolong(words, a.Alphabet.Len())
	}
}

func TestSummaryAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := draw(t, 5, 2)
		for q := range a.End { // short words, so that few are left out
			if q > 0 {
				a.End[q] = 0.7 + 0.3*a.End[q]
				for s := range a.Row(automaton.State(q)) {
					a.Row(automaton.State(q))[s] *= 0.3
				}
			}
		}
		got, err := a.Summarize()
		if err != nil {
			t.Fatal(err)
		}
		var mass, symbols, entropy float64
		enumerate(a, 14, func(w word.Word, p float64) {
			mass += p
			symbols += p * float64(len(w)+1)
			entropy += surprise(p)
		})
		if !close(mass, 1, 1e-6) || !close(got.Symbols, symbols, 1e-5) || !close(got.Entropy, entropy, 1e-5) || !close(got.PerSymbol, entropy/symbols, 1e-5) {
			t.Fatalf("%+v, but %g symbols, %g nats for a mass of %g", got, symbols, entropy, mass)
		}
	})
}

// Sweeps give what elimination gives, also where words are long.
func TestIterate(t *testing.T) {
	for _, least := range []float64{0.3, 1e-4} {
		a := random(rand.New(rand.NewPCG(1, 2)), 60, 4, least)
		want, err := a.Visits()
		if err != nil {
			t.Fatal(err)
		}
		c := &chain{n: a.Len()}
		a.each(func(q automaton.State, _ word.Symbol, to automaton.State, p float64) {
			c.edges = append(c.edges, flow{int32(to - 1), int32(q - 1), p})
		})
		source := make([]float64, c.n)
		source[a.Start-1] = 1
		got, err := iterate(c.edges, source)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if !close(got[i], want[i+1], 1e-9) {
				t.Fatalf("state %d: %g visits by sweeps, %g by elimination", i+1, got[i], want[i+1])
			}
		}
	}
}

func TestEndless(t *testing.T) {
	a := New(word.Letters("ab"), 2)
	a.End[1], a.End[2] = 0.5, 0
	a.SetNext(1, 0, 2, 0.5)
	a.SetNext(2, 1, 2, 1)
	_, err := a.Summarize()
	var endless *EndlessError
	if !errors.As(err, &endless) || endless.State != 2 || endless.Prefix != "a" {
		t.Errorf("%v", err)
	}
	if _, err = NewSampler(a); !errors.As(err, &endless) {
		t.Errorf("sampling: %v", err)
	}
	if _, err = Diverge(a, coin()); !errors.As(err, &endless) {
		t.Errorf("comparing: %v", err)
	}
	if _, err = TotalVariation(coin(), a, 0, 10); !errors.As(err, &endless) {
		t.Errorf("comparing: %v", err)
	}
}

// Words are drawn as often as they should be: a chi-squared test with a seed.
func TestSampler(t *testing.T) {
	a := coin()
	s, err := NewSampler(a)
	if err != nil {
		t.Fatal(err)
	}
	const n = 20000
	seen := map[string]float64{}
	rng := rand.New(rand.NewPCG(7, 0))
	for range n {
		w, err := s.Draw(rng)
		if err != nil {
			t.Fatal(err)
		}
		seen[w.Key()]++
	}
	chi, cells := 0.0, 0
	enumerate(a, 8, func(w word.Word, p float64) {
		if p*n >= 5 {
			cells++
			chi += (seen[w.Key()] - p*n) * (seen[w.Key()] - p*n) / (p * n)
		}
		if p == 0 && seen[w.Key()] > 0 {
			t.Errorf("%s was drawn, which has no probability", a.Alphabet.Format(w))
		}
	})
	if limit := float64(cells) + 4*math.Sqrt(2*float64(cells)); chi > limit {
		t.Errorf("chi squared is %g over %d words, over %g", chi, cells, limit)
	}
}

// split returns an automaton with the same probabilities in which every state is there
// several times.
func split(a *Automaton, times int, rng *rand.Rand) *Automaton {
	b := New(a.Alphabet, a.Len()*times)
	copyOf := func(q automaton.State) automaton.State {
		return (q-1)*automaton.State(times) + 1 + automaton.State(rng.IntN(times))
	}
	b.Start = copyOf(a.Start)
	for i := range automaton.State(b.Len()) {
		q := i/automaton.State(times) + 1
		b.End[i+1] = a.End[q]
		for s, to := range a.Targets(q) {
			if a.Row(q)[s] > 0 {
				b.SetNext(i+1, word.Symbol(s), copyOf(to), a.Row(q)[s])
			}
		}
	}
	return b
}

func TestMinimize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := draw(t, 6, 3)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "split"), 1))
		small := Minimize(a, 0)
		again := Minimize(split(a, 3, rng), 0)
		if again.Len() != small.Len() || small.Len() > a.Len() || again.Check() != nil {
			t.Fatalf("%d states, then %d times 3, then %d", a.Len(), small.Len(), again.Len())
		}
		enumerate(a, 5, func(w word.Word, p float64) {
			if q := again.Probability(w); !close(p, q, 1e-12) || (p == 0) != (q == 0) {
				t.Fatalf("%v had the probability %g, and has %g", w, p, q)
			}
		})
		// With a little noise, the tolerance finds the same states.
		noisy := split(a, 3, rng)
		for q := automaton.State(1); int(q) <= noisy.Len(); q++ {
			shift := 1e-4 * rng.Float64() * min(1, 1/(1-noisy.End[q]))
			for s, p := range noisy.Row(q) {
				noisy.Row(q)[s] = p * (1 - shift)
			}
			noisy.End[q] = 1 - (1-noisy.End[q])*(1-shift)
		}
		if got := Minimize(noisy, 1e-3); got.Len() > small.Len() || got.Check() != nil {
			t.Fatalf("%d states with a tolerance, %d without noise; %v", got.Len(), small.Len(), got.Check())
		}
	})
}

func TestLikely(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := draw(t, 4, 2)
		const n = 5
		got := a.MostProbable(n)
		var want []float64
		enumerate(a, 9, func(w word.Word, p float64) {
			if p > 0 {
				want = insert(want, p, n)
			}
		})
		if len(got) < len(want) {
			t.Fatalf("%d words, want %d", len(got), len(want))
		}
		for i, l := range got {
			if i < len(want) && !close(math.Exp(l.P), want[i], 1e-12) || !close(a.LogProb(l.Word), l.P, 1e-12) {
				t.Fatalf("word %d is %v with probability %g; want %g", i, l.Word, math.Exp(l.P), want[i])
			}
		}
		w, err := a.Weighted()
		if err != nil {
			t.Fatal(err)
		}
		d, all := a.DFA(0.2), a.DFA(0)
		enumerate(a, 5, func(v word.Word, p float64) {
			if !close(w.Value(v), p, 1e-12) {
				t.Fatalf("%v has the weight %g and the probability %g", v, w.Value(v), p)
			}
			if all.Accepts(v) != (p > 0) {
				t.Fatalf("%v of probability %g: %t", v, p, all.Accepts(v))
			}
			likely, q := true, a.Start
			for _, s := range v {
				likely = likely && a.Row(q)[s] >= 0.2
				q = a.Next(q, s)
			}
			if likely = likely && a.End[q] >= 0.2; d.Accepts(v) != likely {
				t.Fatalf("%v: accepted %t, likely %t", v, d.Accepts(v), likely)
			}
		})
	})
}

// insert keeps the n largest numbers, in order.
func insert(list []float64, x float64, n int) []float64 {
	i := len(list)
	for i > 0 && x > list[i-1] {
		i--
	}
	list = append(list[:i], append([]float64{x}, list[i:]...)...)
	return list[:min(n, len(list))]
}

func TestWithAlphabet(t *testing.T) {
	a := coin()
	wide := word.Letters("cba")
	b, err := a.WithAlphabet(wide)
	if err != nil || b.Check() != nil {
		t.Fatal(err, b.Check())
	}
	w, _ := wide.Parse("aba")
	v, _ := a.Alphabet.Parse("aba")
	if b.Probability(w) != a.Probability(v) {
		t.Errorf("%g, want %g", b.Probability(w), a.Probability(v))
	}
	if _, err := b.WithAlphabet(a.Alphabet); err == nil {
		t.Error("a symbol was lost")
	}
}
