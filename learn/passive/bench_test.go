package passive

import (
	"context"
	"math/rand/v2"
	"testing"

	"quotient/automaton"
	"quotient/learn/labeled"
	"quotient/word"
)

// sizes of the problem that bench/learning.py gives to AALpy.
const (
	benchStates = 50
	benchWords  = 10_000
	benchLength = 25
)

// randomSet returns words, of lengths uniform up to a bound, labeled by a random
// automaton with just so many states.
func randomSet(states, words, longest int, rng *rand.Rand) (*automaton.DFA, *labeled.Set) {
	var d *automaton.DFA
	for d == nil || d.Len() != states {
		d = automaton.NewDFA(word.Letters("ab"), states)
		for q := 1; q <= states; q++ {
			d.Accept[q] = rng.IntN(2) == 0
			row := d.Row(automaton.State(q))
			for s := range row {
				row[s] = automaton.State(1 + rng.IntN(states))
			}
		}
		d = automaton.Minimize(d)
	}
	s := &labeled.Set{Alphabet: d.Alphabet}
	for range words {
		w := make(word.Word, rng.IntN(longest+1))
		for i := range w {
			w[i] = word.Symbol(rng.IntN(2))
		}
		s.Add(w, labeled.Of(d.Accepts(w)))
	}
	return d, s
}

func BenchmarkEDSM(b *testing.B)     { benchmark(b, EDSM) }
func BenchmarkRPNI(b *testing.B)     { benchmark(b, RPNI) }
func BenchmarkRPNIStar(b *testing.B) { benchmark(b, RPNIStar) }

func benchmark(b *testing.B, m Method) {
	_, s := randomSet(benchStates, benchWords, benchLength, rand.New(rand.NewPCG(1, 0)))
	for b.Loop() {
		res, err := Learn(context.Background(), s, Options{Method: m})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(res.Stats.Nodes), "nodes")
		b.ReportMetric(float64(res.Stats.Folded), "pairs")
		b.ReportMetric(float64(res.Stats.Tried), "tried")
		b.ReportMetric(float64(res.Automaton.Len()), "states")
	}
}

// manySymbols returns 5,000 short words over 1,000 symbols.
func manySymbols() *labeled.Set {
	rng := rand.New(rand.NewPCG(1, 0))
	s := &labeled.Set{Alphabet: numbered(1000)}
	for range 5000 {
		w := make(word.Word, 1+rng.IntN(8))
		sum := 0
		for i := range w {
			w[i] = word.Symbol(rng.IntN(1000))
			sum += int(w[i]) % 3
		}
		s.Add(w, labeled.Of((7919*sum+31*len(w)+int(w[0]))%5 < 2))
	}
	return s
}

func BenchmarkManySymbols(b *testing.B) { benchmarkKeys(b, keptKeys) }
func BenchmarkWithoutKeys(b *testing.B) { benchmarkKeys(b, -1) }

func benchmarkKeys(b *testing.B, keys int) {
	s := manySymbols()
	for b.Loop() {
		h := finished(b, s, keys)
		b.ReportMetric(float64(h.stats.Tried), "tried")
	}
}

// finished returns the hypothesis that EDSM ends with.
func finished(t testing.TB, s *labeled.Set, keys int) *hypothesis {
	h := newHypothesis(s, tree(s))
	h.keptKeys = keys
	if err := h.redden(0); err != nil {
		t.Fatal(err)
	}
	if err := h.finish(t.Context(), Options{Method: EDSM}); err != nil {
		t.Fatal(err)
	}
	return h
}

// BenchmarkTree is the floor: every method makes the tree.
func BenchmarkTree(b *testing.B) {
	_, s := randomSet(benchStates, benchWords, benchLength, rand.New(rand.NewPCG(1, 0)))
	for b.Loop() {
		tree(s)
	}
}
