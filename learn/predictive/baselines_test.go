package predictive

import (
	"math"
	"math/rand/v2"
	"testing"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/probabilistic"
	"quotient/sample"
	"quotient/word"
)

// later is an automaton two of whose states predict alike now and differently later.
func later() *probabilistic.Automaton {
	a := probabilistic.New(word.Letters("ab"), 5)
	row := func(q automaton.State, pa, pb float64, ta, tb automaton.State) {
		a.SetNext(q, 0, ta, pa)
		a.SetNext(q, 1, tb, pb)
		a.End[q] = 1 - pa - pb
	}
	row(1, 0.5, 0.4, 2, 3) // after a and after b the same is likely,
	row(2, 0.5, 0.5, 4, 5)
	row(3, 0.5, 0.5, 5, 4) // and leads elsewhere
	row(4, 0.7, 0.1, 1, 1)
	row(5, 0.1, 0.2, 1, 1)
	return a
}

func run(t *testing.T, a *probabilistic.Automaton, o Options) *Result {
	t.Helper()
	res, err := Run(oracle.Predict(t.Context(), oracletest.Speaker{Automaton: a}), o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// The tree of suffixes finds what classes of predictions alone do not: that two states predict
// differently later.
func TestCongruence(t *testing.T) {
	for _, a := range []*probabilistic.Automaton{later(), random(7, "abc", 3), random(9, "ab", 11)} {
		res := run(t, a, Options{Method: "congruence", States: a.Len(), Seed: 1})
		d, err := probabilistic.Diverge(a, res.Automaton)
		if err != nil || d.PerSymbol > 1e-6 || res.Automaton.Len() != a.Len() {
			t.Errorf("%d states of %d, %+v, %v", res.Automaton.Len(), a.Len(), d, err)
		}
	}
	if res := run(t, later(), Options{Method: "quantize", States: 5, Seed: 1}); least(res) < 0.01 {
		t.Error("classes of predictions alone tell all states apart: this is no test")
	}
}

// A weighted automaton of as many states as the network has predicts as the network does, and
// smaller ones do not; clusters of its vectors are the states.
func TestSpectral(t *testing.T) {
	for _, a := range []*probabilistic.Automaton{later(), random(7, "abc", 3), random(9, "ab", 11)} {
		res := run(t, a, Options{Method: "spectral", States: a.Len(), Seed: 1})
		if res.Linear == nil || res.LinearDivergence > 1e-4 {
			t.Errorf("%d states: a divergence of %v by values", a.Len(), res.LinearDivergence)
		}
		d, err := probabilistic.Diverge(a, res.Automaton)
		if err != nil || d.PerSymbol > 1e-6 {
			t.Errorf("%d states: %+v, %v", a.Len(), d, err)
		}
		if res := run(t, a, Options{Method: "spectral", States: 2, Seed: 1}); res.Linear.Len() > 2 || res.LinearDivergence < 1e-3 {
			t.Errorf("rank %d of 2, divergence %v", res.Linear.Len(), res.LinearDivergence)
		}
	}
}

// Values of the weighted automaton are the probabilities of prefixes.
func TestValuesOfPrefixes(t *testing.T) {
	a := random(5, "abc", 8)
	res := run(t, a, Options{Method: "spectral", States: 5, Seed: 1})
	for _, w := range word.Shortest(3, 40) {
		log, _ := a.LogPrefix(w)
		if want, got := math.Exp(log), res.Linear.Value(w); math.Abs(want-got) > 1e-5 {
			t.Errorf("%v: %v, want %v", w, got, want)
		}
	}
}

// A method that asks about words of its own stays within its budget.
func TestAsking(t *testing.T) {
	for _, m := range []string{"congruence", "spectral"} {
		q := oracle.Predict(t.Context(), oracletest.Speaker{Automaton: random(9, "abc", 7)})
		res, err := Run(q, Options{Method: m, Seed: 1, Budget: 3000})
		if err != nil || q.Asked() > 3000 || res.Automaton.Len() < 1 {
			t.Errorf("%s: %d asked of 3000, %v", m, q.Asked(), err)
		}
	}
}

// The floor is nothing where there are as many predictions as states, no more than what any
// automaton of the size has, and falls with the number of predictions.
func TestFloor(t *testing.T) {
	a := random(9, "abc", 7)
	q := oracle.Predict(t.Context(), oracletest.Speaker{Automaton: a})
	tree := Speak(q, Spoken{Words: 1000, Longest: longest, Prefixes: mostPrefixes}, sample.Rand(1, sample.Certificate))
	last := math.Inf(1)
	for _, n := range []int{2, 4, 6, 9} {
		res := run(t, a, Options{Method: "kmeans", States: n, Seed: 1})
		low := Floor(tree, res.Automaton)
		if low > last || low > 1.1*least(res)+1e-9 {
			t.Errorf("%d states: the floor is %v, the automaton's divergence %v, the floor before %v", n, low, least(res), last)
		}
		last = low
	}
	if last > 1e-6 {
		t.Errorf("with as many predictions as states %v is left", last)
	}
}

// Which function is least at a point is what one finds by computing them all.
func TestLowest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, c := range []struct{ points, functions, width int }{{1, 1, 1}, {47, 3, 2}, {4000, 20, 27}} {
		points := make([][]float32, c.points)
		for n := range points {
			for range c.width {
				points[n] = append(points[n], rng.Float32())
			}
		}
		slopes, offsets := make([][]float64, c.functions), make([]float64, c.functions)
		for f := range slopes {
			offsets[f] = rng.NormFloat64()
			for range c.width {
				slopes[f] = append(slopes[f], rng.NormFloat64())
			}
		}
		value := func(f int, x []float32) float64 {
			sum := offsets[f]
			for i, y := range x {
				sum -= slopes[f][i] * float64(y)
			}
			return sum
		}
		for n, got := range lowest(points, slopes, offsets) {
			for f := range slopes {
				if value(f, points[n]) < value(int(got), points[n])-1e-4 {
					t.Fatalf("%+v: at point %d function %d is less than %d", c, n, f, got)
				}
			}
		}
	}
}
