package stochastic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/probabilistic"
	"quotient/word"
)

// truth is an automaton of three states over {a, b, c}.
func truth() *probabilistic.Automaton {
	a := probabilistic.New(word.Letters("abc"), 3)
	for q, row := range [][]float64{{0.5, 0.3, 0, 0.2}, {0.1, 0.2, 0.6, 0.1}, {0, 0.8, 0.05, 0.15}} {
		for s, p := range row[:3] {
			if p > 0 {
				a.SetNext(automaton.State(q+1), word.Symbol(s), automaton.State((q+s)%3+1), p)
			}
		}
		a.End[q+1] = row[3]
	}
	return a
}

func drawWords(t testing.TB, a *probabilistic.Automaton, n int, seed uint64) []word.Word {
	t.Helper()
	s, err := probabilistic.NewSampler(a)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	words := make([]word.Word, n)
	for i := range words {
		if words[i], err = s.Draw(rng); err != nil {
			t.Fatal(err)
		}
	}
	return words
}

// Enough words of an automaton lead back to it.
func TestFindsTruth(t *testing.T) {
	want := truth()
	words := drawWords(t, want, 20000, 1)
	for _, m := range Methods {
		r, err := Learn(t.Context(), want.Alphabet, words, Options{Method: m, Epsilon: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		d, err := probabilistic.Diverge(want, r.Automaton)
		if err != nil {
			t.Fatal(err)
		}
		if r.Automaton.Len() != 3 || d.PerSymbol > 1e-3 {
			t.Errorf("%s: %d states, %g nats a symbol away", m, r.Automaton.Len(), d.PerSymbol)
		}
	}
}

func drawSmall(t *rapid.T) []word.Word {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	words := make([]word.Word, 1+rng.IntN(60))
	for i := range words {
		for rng.IntN(4) > 0 {
			words[i] = append(words[i], word.Symbol(rng.IntN(1+rng.IntN(3))))
		}
	}
	return words
}

// The tree counts every prefix, whatever the order of the words.
func TestTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := drawSmall(t)
		tr, err := newTree(words)
		if err != nil {
			t.Fatal(err)
		}
		passes, ends, early := map[string]int32{}, map[string]int32{}, map[string]int32{}
		for i, w := range words {
			for n := range len(w) + 1 {
				if passes[w[:n].Key()] == 0 {
					early[w[:n].Key()] = int32(i)
				}
				passes[w[:n].Key()]++
			}
			ends[w.Key()]++
		}
		if len(tr.nodes) != len(passes) {
			t.Fatalf("%d nodes, want %d", len(tr.nodes), len(passes))
		}
		prefix := make([]word.Word, len(tr.nodes))
		for i, x := range tr.nodes {
			key := prefix[i].Key()
			if x.passes != passes[key] || x.ends != ends[key] || i > 0 && tr.early[i] != early[key] {
				t.Fatalf("%v: %+v, want %d, %d, first %d", prefix[i], x, passes[key], ends[key], early[key])
			}
			for j, c := range tr.children(int32(i)) {
				prefix[x.first+int32(j)] = prefix[i].With(c.on)
			}
			if i > 0 && word.Compare(prefix[i-1], prefix[i]) >= 0 {
				t.Fatalf("%v before %v", prefix[i-1], prefix[i])
			}
		}
	})
}

// state is what a folding is made of.
func (f *folding) state() [][]int32 {
	var all [][]int32
	for _, list := range [][]int32{f.head, f.sibling, f.into, f.passed, f.end, f.total, f.red, f.attached} {
		all = append(all, append([]int32{}, list...))
	}
	return all
}

// likelihood returns the log likelihood of the words that a folding has counted, red or not.
func (f *folding) likelihood() float64 {
	sum := 0.0
	term := func(n int32) float64 {
		if n == 0 {
			return 0
		}
		return float64(n) * math.Log(float64(n))
	}
	for n := range f.nodes {
		if f.find(int32(n)) != int32(n) {
			continue
		}
		sum += term(f.end[n]) - term(f.total[n])
		left := f.end[n]
		for c := f.head[n]; c != none; c = f.sibling[c] {
			sum += term(f.passed[c])
			left += f.passed[c]
		}
		if left != f.total[n] {
			panic(fmt.Sprintf("node %d: %d words pass, %d go on", n, f.total[n], left))
		}
	}
	return sum
}

// An attempt that is undone leaves no traces, and what it costs is the likelihood that is
// lost, from scratch.
func TestMDICostAndUndo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr, err := newTree(drawSmall(t))
		if err != nil {
			t.Fatal(err)
		}
		f := newFolding(tr)
		x := &mdi{worth: 0.5 + rapid.Float64Range(0, 2).Draw(t, "worth")}
		states := len(tr.nodes)
		err = f.run(t.Context(), func(f *folding, blue int32) bool {
			before, likelihood := f.state(), f.likelihood()
			merged := x.merge(f, blue)
			if !merged {
				if diff := cmp.Diff(before, f.state()); diff != "" {
					t.Fatal(diff)
				}
				return false
			}
			states -= f.saved
			if lost := likelihood - f.likelihood(); math.Abs(lost-f.cost) > 1e-6 || f.cost < -1e-9 {
				t.Fatalf("a merge costs %g, and %g is lost", f.cost, lost)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		if states != len(f.red) {
			t.Fatalf("%d states, and %d were saved", len(f.red), len(tr.nodes)-states)
		}
	})
}

// Probabilities are shares of the words, so those of all words together are the likelihood
// that the counts say, and every training word has one.
func TestResultsAreAutomata(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := drawSmall(t)
		o := Options{Method: rapid.SampledFrom(Methods).Draw(t, "method"), Epsilon: rapid.Float64Range(0.01, 2).Draw(t, "epsilon")}
		o.Chain = o.Method == ALERGIA && rapid.Bool().Draw(t, "chain")
		r, err := Learn(t.Context(), word.Letters("abc"), words, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Automaton.Check(); err != nil {
			t.Fatal(err)
		}
		if f := r.Automaton.Fit(words); f.Zero > 0 {
			t.Fatalf("%v has probability zero", words[f.First])
		}
	})
}

// Words choose an alpha with which the truth is found, and mixed with 1-grams no word has
// probability zero.
func TestChooseAlpha(t *testing.T) {
	want := truth()
	words := drawWords(t, want, 2000, 2)
	alpha, err := ChooseAlpha(t.Context(), want.Alphabet, words, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Learn(t.Context(), want.Alphabet, words, Options{Method: MDI, Alpha: alpha})
	if err != nil || r.Automaton.Len() != 3 {
		t.Errorf("alpha %g: %d states; %v", alpha, r.Automaton.Len(), err)
	}
	grams, err := NGrams(want.Alphabet, words, 1)
	if err != nil {
		t.Fatal(err)
	}
	odd := []word.Word{{0, 2}} // c never follows a
	if f := Mixed(r.Automaton, grams, odd); r.Automaton.Fit(odd).Zero != 1 || f.Zero != 0 ||
		math.Abs(f.LogProb-math.Log(Smoothing)-grams.LogProb(odd[0])) > 1e-9 {
		t.Errorf("%+v", f)
	}
}

func TestNGrams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := drawSmall(t)
		n := rapid.IntRange(1, 4).Draw(t, "n")
		a, err := NGrams(word.Letters("abc"), words, n)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Check(); err != nil {
			t.Fatal(err)
		}
		w := drawSmall(t)[0]
		// From scratch: counts of what follows the last symbols, longest context first.
		var share func(context word.Word, next int) float64
		share = func(context word.Word, next int) float64 {
			counts, total, different := make([]float64, 4), 0.0, 0.0
			for _, v := range words {
				padded := append(append(word.Word{3}, v...), 3)
				for i := 1; i < len(padded); i++ {
					if i >= len(context) && slices.Equal(padded[i-len(context):i], context) {
						if counts[padded[i]]++; counts[padded[i]] == 1 {
							different++
						}
						total++
					}
				}
			}
			shorter := 0.25
			if len(context) > 0 {
				shorter = share(context[1:], next)
			}
			if total == 0 {
				return shorter
			}
			return (counts[next] + different*shorter) / (total + different)
		}
		want := 0.0
		padded := append(append(word.Word{3}, w...), 3)
		for i := 1; i < len(padded); i++ {
			want += math.Log(share(padded[max(0, i-n+1):i], int(padded[i])))
		}
		if got := a.LogProb(w); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%d-grams: log P(%v) = %g, want %g", n, w, got, want)
		}
	})
}

func TestOptions(t *testing.T) {
	a := word.Letters("ab")
	for _, o := range []Options{{Method: "x"}, {Epsilon: 3}, {Epsilon: math.NaN()}, {Alpha: -1}} {
		if _, err := Learn(t.Context(), a, []word.Word{{0}}, o); err == nil {
			t.Errorf("%+v is no error", o)
		}
	}
	if _, err := Learn(t.Context(), a, nil, Options{}); err == nil {
		t.Error("no words are no error")
	}
}
