package sample_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/sample"
	"quotient/word"
)

// within reports whether a word has a length in a range, and few enough symbols.
func within(w word.Word, symbols, low, high int) bool {
	return len(w) >= low && len(w) <= high && !slices.ContainsFunc(w, func(s word.Symbol) bool { return int(s) >= symbols })
}

// A seed and a stream fix what is drawn, and another of either draws something else.
func TestRand(t *testing.T) {
	first := map[uint64]bool{}
	streams := []sample.Stream{
		sample.Guide, sample.Words, sample.Order, sample.Judges, sample.Clusters, sample.Objects, sample.Contest,
		sample.Confirming, sample.Certificate, sample.Fresh, sample.HeldOut,
	}
	for seed := range uint64(10) {
		for _, s := range streams {
			x := sample.Rand(seed, s).Uint64()
			if x != sample.Rand(seed, s).Uint64() || x != rand.New(rand.NewPCG(seed, uint64(s))).Uint64() {
				t.Errorf("seed %d, stream %d: another number", seed, s)
			}
			first[x] = true
		}
	}
	if len(first) != 10*len(streams) {
		t.Errorf("%d numbers of %d streams", len(first), 10*len(streams))
	}
}

// Words keep to their lengths and symbols, and meet them all.
func TestUniformWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, low := rapid.IntRange(0, 4).Draw(t, "symbols"), rapid.IntRange(0, 3).Draw(t, "low")
		high := low + rapid.IntRange(0, 3).Draw(t, "more")
		rng := sample.Rand(rapid.Uint64().Draw(t, "seed"), sample.Words)
		lengths, symbols := map[int]bool{}, map[word.Symbol]bool{}
		words := sample.UniformWords(400, k, low, high, rng)
		for _, w := range words {
			if k > 0 && !within(w, k, low, high) || k == 0 && len(w) > 0 {
				t.Fatalf("%v over %d symbols, of length %d to %d", w, k, low, high)
			}
			lengths[len(w)] = true
			for _, s := range w {
				symbols[s] = true
			}
		}
		if len(words) != 400 || k > 0 && (len(lengths) != high-low+1 || high > 0 && len(symbols) != k) {
			t.Fatalf("%d words of %d lengths with %d symbols", len(words), len(lengths), len(symbols))
		}
	})
}

// Every size of a part of the alphabet is met, from two symbols on.
func TestFewSymbols(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 5).Draw(t, "symbols")
		rng := sample.Rand(rapid.Uint64().Draw(t, "seed"), sample.Queries)
		sizes := map[int]int{}
		for range 800 {
			w := sample.FewSymbols(k, 60, rng)
			if !within(w, k, 0, 60) {
				t.Fatalf("%v over %d symbols", w, k)
			}
			if len(w) > 50 { // so long that it has all of its symbols
				slices.Sort(w)
				sizes[len(slices.Compact(w))]++
			}
		}
		for size := min(2, k); size <= k; size++ {
			if sizes[size] == 0 {
				t.Fatalf("over %d symbols, words have %v", k, sizes)
			}
		}
		if sizes[1] > 0 && k > 1 {
			t.Fatalf("over %d symbols, %d words have one", k, sizes[1])
		}
	})
}

func accepted(d *automaton.DFA, n, low, high int, rng *rand.Rand) ([]word.Word, error) {
	s, err := automaton.NewSampler(d, high)
	if err != nil {
		return nil, err
	}
	return sample.Accepted(s, n, low, high, rng), nil
}

// Accepted words are, and lengths without any are left out; changed words are such words,
// or one step from one.
func TestAcceptedAndChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := oracletest.Random(rapid.Uint64().Draw(t, "automaton"), rapid.IntRange(1, 4).Draw(t, "states"), 0).DFA
		low := rapid.IntRange(0, 2).Draw(t, "low")
		high := low + rapid.IntRange(0, 3).Draw(t, "more")
		rng := sample.Rand(rapid.Uint64().Draw(t, "seed"), sample.Words)
		words, err := accepted(d, 300, low, high, rng)
		if err != nil {
			t.Fatal(err)
		}
		drawn, possible := map[int]bool{}, map[int]bool{}
		for _, w := range words {
			if !within(w, 3, low, high) || !d.Accepts(w) {
				t.Fatalf("%v is accepted: %v", w, d.Accepts(w))
			}
			drawn[len(w)] = true
		}
		near := map[string]bool{} // accepted words, and what a step makes of them
		for _, w := range word.UpTo(3, 364) {
			if !d.Accepts(w) || len(w) > high {
				continue
			}
			near[w.Key()] = true
			if len(w) >= low {
				possible[len(w)] = true
			}
			for i := range w {
				near[slices.Delete(slices.Clone(w), i, i+1).Key()] = true
				for s := range word.Symbol(3) {
					near[slices.Replace(slices.Clone(w), i, i+1, s).Key()] = true
					near[slices.Insert(slices.Clone(w), i, s).Key()] = true
				}
			}
		}
		if len(drawn) != len(possible) || len(possible) == high-low+1 && len(words) != 300 {
			t.Fatalf("%d words of %d lengths, and there are %d", len(words), len(drawn), len(possible))
		}
		changed, err := sample.Changed(t.Context(), d, 300, high, rng)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range changed {
			if !within(w, 3, 0, high) || !near[w.Key()] {
				t.Fatalf("%v is more than a step from any accepted word up to length %d", w, high)
			}
		}
	})
	nothing := automaton.NewDFA(word.Letters("ab"), 0)
	for name, draw := range map[string]func() ([]word.Word, error){
		"accepted": func() ([]word.Word, error) { return accepted(nothing, 10, 0, 5, sample.Rand(1, 0)) },
		"changed":  func() ([]word.Word, error) { return sample.Changed(t.Context(), nothing, 10, 5, sample.Rand(1, 0)) },
	} {
		if words, err := draw(); len(words) > 0 || err != nil {
			t.Errorf("%s words of no language: %v, %v", name, words, err)
		}
	}
}

// Behind one of the words given, a period of one to three runs is repeated, and the words
// given stay as they are.
func TestPeriodic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 4).Draw(t, "symbols")
		rng := sample.Rand(rapid.Uint64().Draw(t, "seed"), sample.Exploring)
		from := []word.Word{nil, append(make(word.Word, 0, 50), 0, 0), make(word.Word, 70)}
		w := sample.Periodic(from, k, 40, rng)
		if !within(w, k, 40, 70) {
			t.Fatalf("%v of length %d", w, len(w))
		}
		periodic := len(w) == 70 // so long already
		for _, begin := range from {
			for period := 1; period <= 15 && !periodic; period++ {
				tail := w[min(len(begin), len(w)):]
				periodic = len(tail) > period && len(tail)%period == 0 && slices.Equal(tail[period:], tail[:len(tail)-period])
			}
		}
		if !periodic || slices.Max(from[1][:50]) > 0 {
			t.Fatalf("%v is not periodic, from %v", w, from)
		}
	})
}
