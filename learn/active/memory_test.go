package active

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/word"
)

// The memory answers as the network does, whatever is asked in which order and however
// few states it may keep. With room for all, every distinct prefix costs one step; with
// less, it never keeps more than it may.
func TestMemory(t *testing.T) {
	symbol := rapid.Custom(func(t *rapid.T) word.Symbol { return word.Symbol(rapid.IntRange(0, 2).Draw(t, "symbol")) })
	some := rapid.Custom(func(t *rapid.T) word.Word { return rapid.SliceOfN(symbol, 0, 8).Draw(t, "word") })
	rapid.Check(t, func(t *rapid.T) {
		net := oracletest.Random(rapid.Uint64().Draw(t, "seed"), 6, 0.1)
		q := oracle.Ask(context.Background(), net)
		o, stats := Options{}.orDefaults(q), Stats{}
		m := newMemory(q, &o, &stats)
		m.room = rapid.SampledFrom([]int{0, 1, 5, 1 << 20}).Draw(t, "room")
		enough := m.room == 1<<20
		prefixes, asked, times := map[string]bool{}, map[string]bool{}, 0
		for range rapid.IntRange(1, 5).Draw(t, "calls") {
			words := rapid.SliceOfN(some, 0, 20).Draw(t, "words")
			answers, err := m.ask(words...)
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range words {
				if answers[i] != net.DFA.Accepts(w) {
					t.Fatalf("%v: %v", w, answers[i])
				}
				for n := range len(w) {
					prefixes[net.Alphabet().Format(w[:n+1])] = true
				}
				asked[net.Alphabet().Format(w)] = true
				times++
			}
		}
		if enough && stats.Symbols != len(prefixes) {
			t.Errorf("%d steps for %d prefixes", stats.Symbols, len(prefixes))
		}
		if m.kept.Rows > m.room {
			t.Errorf("%d states are kept, with room for %d", m.kept.Rows, m.room)
		}
		if stats.MembershipQueries != len(asked) || stats.CacheHits != times-len(asked) {
			t.Errorf("%+v, but %d words were asked %d times", stats, len(asked), times)
		}
	})
}

// The contradiction is the shortest known word that is answered wrong.
func TestContradiction(t *testing.T) {
	net := oracletest.Random(1, 6, 0)
	q := oracle.Ask(context.Background(), net)
	o, stats := Options{}.orDefaults(q), Stats{}
	m := newMemory(q, &o, &stats)
	words := word.UpTo(3, 500)
	if len(words) != 1+3+9+27+81+243 || !slices.Equal(words[5], word.Word{0, 1}) {
		t.Fatalf("%d short words, the sixth of them %v", len(words), words[5])
	}
	if _, err := m.ask(words...); err != nil {
		t.Fatal(err)
	}
	if w, found := m.contradiction(net.DFA); found {
		t.Errorf("the network contradicts itself on %v", w)
	}
	for seed := range uint64(20) {
		h := oracletest.Random(seed, 6, 0).DFA
		w, found := m.contradiction(h)
		want, differ := automaton.Distinguish(h, net.DFA)
		if found != (differ && len(want) <= 5) || found && (len(w) != len(want) || h.Accepts(w) == net.DFA.Accepts(w)) {
			t.Errorf("seed %d: %v %v, want one like %v", seed, w, found, want)
		}
	}
}

// The numbers of Angluin's bound: for epsilon = delta = 1/2 the first query needs
// 2(ln 2 + ln 2) words.
func TestSamples(t *testing.T) {
	for _, c := range []struct {
		epsilon, delta float64
		i, want        int
	}{{0.5, 0.5, 1, 3}, {0.5, 0.5, 2, 5}, {0.002, 0.01, 1, 2650}, {0.002, 0.01, 10, 5769}} {
		if got := samples(c.epsilon, c.delta, c.i); got != c.want {
			t.Errorf("%v: %d", c, got)
		}
	}
}

// A refinement tells the two states apart, and the first one cuts many dimensions.
func TestRefine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := newAbstraction(nil)
		vector := rapid.SliceOfN(rapid.OneOf(rapid.Float32Range(-1, 1), rapid.SampledFrom([]float32{1, 1 - 1.0/(1<<24), 1 - 2.0/(1<<24)})), 12, 12)
		vectors := rapid.SliceOfNDistinct(vector, 2, 30, func(x []float32) float32 { return x[0] }).Draw(t, "vectors")
		cell := map[int32][]float32{}
		for _, x := range vectors {
			for y := cell[a.cell(x)]; y != nil; y = cell[a.cell(x)] {
				before := a.cell(x)
				a.refine(x, y)
				if a.cell(x) == a.cell(y) || a.cell(x) == before {
					t.Fatalf("%v and %v stay together", x, y)
				}
				delete(cell, before)
				cell[a.cell(y)] = y
			}
			cell[a.cell(x)] = x
		}
		if len(a.cuts) > 1 && len(a.cuts) < 2<<aggressive-1 {
			t.Fatalf("only %d cells after the first refinement", len(a.cuts)/2+1)
		}
	})
}
