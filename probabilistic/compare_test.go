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

// full returns a random automaton without missing transitions whose words are short: of more than 13 symbols is less than one in a million.
func full(t *rapid.T, n int) *Automaton {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	a := New(word.Letters("ab"), 1+rng.IntN(n))
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		p := 0.1 + 0.1*rng.Float64()
		r := 0.05 + 0.05*rng.Float64()
		a.SetNext(q, 0, automaton.State(1+rng.IntN(a.Len())), p)
		a.SetNext(q, 1, automaton.State(1+rng.IntN(a.Len())), r)
		a.End[q] = 1 - p - r
	}
	return a
}

func TestDivergenceAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := full(t, 4), full(t, 4)
		d, err := Diverge(a, b)
		if err != nil {
			t.Fatal(err)
		}
		bounds, err := TotalVariation(a, b, 1e-7, 1<<16)
		if err != nil {
			t.Fatal(err)
		}
		loose, err := TotalVariation(a, b, 1e-7, 20)
		if err != nil {
			t.Fatal(err)
		}
		var kl, tv, symbols, local float64
		enumerate(a, 13, func(w word.Word, p float64) {
			q := b.Probability(w)
			kl += relative(p, q)
			tv += math.Abs(p-q) / 2
			symbols += p * float64(len(w)+1)
			at, _ := a.LogPrefix(w)
			x, y := make([]float64, 3), make([]float64, 3)
			a.Distribution(x, a.Run(w))
			b.Distribution(y, b.Run(w))
			for i := range x {
				local += math.Exp(at) * math.Abs(x[i]-y[i]) / 2
			}
		})
		if !close(d.KL, kl, 1e-4) || !close(d.Symbols, symbols, 1e-4) || !close(d.PerSymbol, kl/symbols, 1e-4) || !close(d.Variation, local/symbols, 1e-4) {
			t.Fatalf("%+v, but KL %g, %g symbols, variation %g", d, kl, symbols, local/symbols)
		}
		if tv < bounds.Low-1e-5 || tv > bounds.High+1e-5 || bounds.High-bounds.Low > 1e-6 {
			t.Fatalf("total variation %g is not within %+v", tv, bounds)
		}
		if tv < loose.Low-1e-5 || tv > loose.High+1e-5 {
			t.Fatalf("total variation %g is not within %+v", tv, loose)
		}
	})
}

func TestMostDifferent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := full(t, 3), full(t, 3)
		got, sure := MostDifferent(a, b, 4)
		if !sure && len(got) > 0 {
			t.Fatal("not sure")
		}
		var want []float64
		enumerate(a, 9, func(w word.Word, p float64) {
			if d := math.Abs(p - b.Probability(w)); d > 0 {
				want = insert(want, d, 4)
			}
		})
		for i, l := range got {
			if d := math.Abs(math.Exp(l.P) - math.Exp(l.Q)); !close(d, want[i], 1e-9) || !close(l.Q, b.LogProb(l.Word), 1e-9) {
				t.Fatalf("word %d, %v, differs by %g, want %g", i, l.Word, d, want[i])
			}
		}
	})
}

// What one automaton never says and the other does has an infinite divergence, and the
// witness is as short as can be.
func TestInfiniteDivergence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, 4, 2), draw(t, 4, 2)
		d, err := Diverge(a, b)
		if err != nil {
			t.Fatal(err)
		}
		shortest := -1
		enumerate(a, 8, func(w word.Word, p float64) {
			if p > 0 && b.Probability(w) == 0 && shortest < 0 {
				shortest = len(w)
			}
		})
		if math.IsInf(d.KL, 1) != (shortest >= 0) {
			t.Fatalf("KL is %g, and the shortest word that one lacks has length %d", d.KL, shortest)
		}
		if shortest >= 0 && (len(d.Witness) != shortest || a.Probability(d.Witness) == 0 || b.Probability(d.Witness) > 0) {
			t.Fatalf("witness %v, and the shortest has length %d", d.Witness, shortest)
		}
	})
}

func TestEqualAutomata(t *testing.T) {
	a := random(rand.New(rand.NewPCG(3, 0)), 30, 4, 0.05)
	b := split(a, 4, rand.New(rand.NewPCG(4, 0)))
	d, err := Diverge(a, b)
	if err != nil || d.KL > 1e-12 || d.Variation != 0 || d.Witness != nil {
		t.Errorf("%+v, %v", d, err)
	}
	if v, err := TotalVariation(a, b, 1e-9, 100); err != nil || v.High != 0 {
		t.Errorf("%+v, %v", v, err)
	}
	if list, sure := MostDifferent(a, b, 3); len(list) != 0 || sure {
		t.Errorf("%v, %t", list, sure) // infinitely many words, none of which differs
	}
	if list, err := Part(a, b, 3); len(list) != 0 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
}

func TestPart(t *testing.T) {
	a, b := coin(), coin()
	b.Row(2)[0], b.Row(2)[1] = 0.25, 0.75
	list, err := Part(a, b, 3)
	if err != nil || len(list) != 1 || a.Alphabet.Format(list[0].Prefix) != "a" || list[0].Variation != 0.5 || list[0].P != 0.5 {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := Part(a, New(word.Letters("xy"), 1), 3); err == nil {
		t.Error("two alphabets were compared")
	}
}

func TestTooManyPairs(t *testing.T) {
	cycle := func(n int) *Automaton {
		a := New(word.Letters("a"), n)
		for q := 1; q <= n; q++ {
			a.End[q] = 0.5
			a.SetNext(automaton.State(q), 0, automaton.State(q%n+1), 0.5)
		}
		return a
	}
	_, err := Diverge(cycle(1031), cycle(1033))
	var limit *automaton.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("%v", err)
	}
}
