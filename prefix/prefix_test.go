package prefix_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/automaton"
	"quotient/f32"
	"quotient/prefix"
	"quotient/prefix/prefixtest"
	"quotient/word"
)

func drawWords(t *rapid.T) []word.Word {
	symbol := rapid.Custom(func(t *rapid.T) word.Symbol { return word.Symbol(rapid.IntRange(0, 2).Draw(t, "symbol")) })
	short := rapid.Custom(func(t *rapid.T) word.Word { return rapid.SliceOfN(symbol, 0, 7).Draw(t, "word") })
	return rapid.SliceOfN(short, 0, 30).Draw(t, "words")
}

// The tree has every prefix once, in shortlex order, with the state and the answer
// that running the prefix alone gives.
func TestBuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := prefixtest.Random(rapid.Uint64().Draw(t, "seed"), 4, 0.3)
		words := drawWords(t)
		tree, err := prefix.Build(r, words)
		if err != nil {
			t.Fatal(err)
		}
		var all []word.Word
		for _, w := range append(words, nil) {
			for n := range len(w) + 1 {
				all = append(all, w[:n])
			}
		}
		shortlex := func(x, y word.Word) int {
			if len(x) != len(y) {
				return len(x) - len(y)
			}
			return slices.Compare(x, y)
		}
		slices.SortFunc(all, shortlex)
		distinct := slices.CompactFunc(slices.Clone(all), slices.Equal[word.Word])
		if tree.Len() != len(distinct) {
			t.Fatalf("%d nodes, want %d", tree.Len(), len(distinct))
		}
		labels := prefix.Labels(r, distinct)
		for n, w := range distinct {
			node := prefix.Node(n)
			if !slices.Equal(tree.Word(node), w) {
				t.Fatalf("node %d is %v, want %v", n, tree.Word(node), w)
			}
			if want := r.DFA.Accepts(w); tree.Accept[n] != want || labels[n][len(w)] != want {
				t.Fatalf("%v: label %v and %v, want %v", w, tree.Accept[n], labels[n][len(w)], want)
			}
			alone := f32.New(1, r.Dim())
			r.Start(alone.Row(0))
			for _, s := range w {
				r.Step(alone, alone, []word.Symbol{s})
			}
			if !slices.Equal(alone.Row(0), tree.State.Row(n)) {
				t.Fatalf("%v: another state than alone", w)
			}
			if n > 0 && tree.Child(tree.Parent[n], tree.On[n]) != node {
				t.Fatalf("node %d is not a child of its parent", n)
			}
			through := 0
			for _, x := range words {
				if len(x) >= len(w) && slices.Equal(x[:len(w)], w) {
					through++
				}
			}
			if int(tree.Count[n]) != through {
				t.Fatalf("%v: count %d, want %d", w, tree.Count[n], through)
			}
		}
		for i, w := range words {
			if got := tree.Word(tree.Ends[i]); !slices.Equal(got, w) {
				t.Fatalf("word %d ends at %v, want %v", i, got, w)
			}
		}
		d := tree.DFA()
		for n, w := range distinct {
			if d.Accepts(w) != tree.Accept[n] {
				t.Fatalf("the tree's automaton is wrong on %v", w)
			}
		}
	})
}

// A broken recognizer has states that are no direction in space.
type broken struct {
	prefixtest.Noisy
	value float32
}

func (b broken) Step(dst, src f32.Matrix, on []word.Symbol) {
	b.Noisy.Step(dst, src, on)
	for i, s := range on {
		if s == 1 {
			for j := range dst.Row(i) {
				dst.Row(i)[j] = b.value
			}
		}
	}
}

func TestBuildRefusesBrokenStates(t *testing.T) {
	for value, want := range map[float32]string{
		0:                    "state after ab is zero",
		float32(math.Inf(1)): "state after ab is not finite",
		float32(math.NaN()):  "state after ab is not finite",
	} {
		_, err := prefix.Build(broken{prefixtest.Random(1, 3, 0), value}, []word.Word{{0, 1}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", value, err, want)
		}
	}
}

// Without noise, exploring finds the automaton itself.
func TestExploreFindsTheAutomaton(t *testing.T) {
	for seed := range uint64(20) {
		r := prefixtest.Random(seed, 6, 0.01)
		d := prefix.Explore(r, 0.05, 100)
		if w, differ := automaton.Distinguish(d, r.DFA); differ {
			t.Errorf("seed %d: they differ on %v", seed, w)
		}
	}
}

func TestExploreKeepsToItsLimit(t *testing.T) {
	r := prefixtest.Random(1, 6, 3) // hardly a state is like another
	if d := prefix.Explore(r, 0.001, 50); d.Len() != 50 {
		t.Errorf("%d states, want the limit", d.Len())
	}
}

// narrow is a recognizer that minds how many rows it is given at once.
type narrow struct {
	prefixtest.Noisy
	rows *int // the most so far
}

func (n narrow) Step(dst, src f32.Matrix, on []word.Symbol) {
	*n.rows = max(*n.rows, dst.Rows)
	n.Noisy.Step(dst, src, on)
}

// Over many symbols, states are stepped a few at a time, so that memory is bounded.
func TestExploreOfManySymbols(t *testing.T) {
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	a, err := word.NewAlphabet(names...)
	if err != nil {
		t.Fatal(err)
	}
	d := automaton.NewDFA(a, 7) // the sum of the symbols, modulo 7
	d.Accept[1] = true
	for i := range 7 {
		for s := range a.Len() {
			d.SetNext(automaton.State(1+i), word.Symbol(s), automaton.State(1+(i+s)%7))
		}
	}
	rows := 0
	found := prefix.Explore(narrow{prefixtest.Noisy{DFA: d, Dims: 12, Noise: 0.01}, &rows}, 0.05, 100)
	if w, differ := automaton.Distinguish(found, d); differ {
		t.Errorf("they differ on %v", w)
	}
	if rows > 4096 {
		t.Errorf("%d rows at once", rows)
	}
}

// sparse accepts (ab)*, of which random words hardly ever are.
func sparse(noise float32) prefixtest.Noisy {
	d := automaton.NewDFA(word.Letters("ab"), 3)
	d.Accept[1] = true
	copy(d.Table[2:], []automaton.State{2, 3, 3, 1, 3, 3})
	return prefixtest.Noisy{DFA: d, Dims: 12, Noise: noise}
}

func TestSampleFromTheNetworkAlone(t *testing.T) {
	r := sparse(0.2)
	rng := rand.New(rand.NewPCG(1, 1))
	s, err := prefix.FromNetwork(r, 10, rng)
	if err != nil {
		t.Fatal(err)
	}
	sample, err := s.Draw(200, 10, 10, rng)
	if err != nil {
		t.Fatal(err)
	}
	if sample.Valid != 100 {
		t.Errorf("%d valid words, want 100", sample.Valid)
	}
	for i, w := range sample.Words {
		if len(w) != 10 || i%2 == 0 && !r.DFA.Accepts(w) {
			t.Fatalf("word %d is %v", i, w)
		}
	}
}

// Where many words are rejected the lengths must stay uniform all the same.
func TestRedrawingKeepsLengths(t *testing.T) {
	r := prefixtest.Random(7, 6, 3) // its states tell little, so the guide is bad
	rng := rand.New(rand.NewPCG(1, 1))
	s, err := prefix.FromNetwork(r, 8, rng)
	if err != nil {
		t.Fatal(err)
	}
	sample, err := s.Draw(6000, 0, 5, rng)
	if err != nil {
		t.Fatal(err)
	}
	lengths := make([]int, 6)
	rejected := 0
	for i, w := range sample.Words {
		lengths[len(w)]++
		if i%2 == 0 && !r.DFA.Accepts(w) {
			rejected++
		}
	}
	for n, c := range lengths {
		if c < 850 || c > 1150 {
			t.Errorf("%d words of length %d, want about 1000", c, n)
		}
	}
	if rejected > 3000-sample.Valid {
		t.Errorf("%d valid words are reported, but %d of 3000 are rejected", sample.Valid, rejected)
	}
}

func TestSampleFromALanguage(t *testing.T) {
	r := sparse(0)
	s, err := prefix.FromLanguage(r, "(ab)*", r.DFA)
	if err != nil {
		t.Fatal(err)
	}
	sample, err := s.Draw(10, 7, 7, rand.New(rand.NewPCG(1, 1)))
	if err != nil || sample.Valid != 0 || !slices.Equal(sample.Missing, []int{7}) {
		t.Errorf("(ab)* has no words of length 7, but %d were drawn; missing %v, %v", sample.Valid, sample.Missing, err)
	}
	other := automaton.NewDFA(word.Letters("xyz"), 1)
	if _, err := prefix.FromLanguage(r, "xyz", other); err == nil || !strings.Contains(err.Error(), "xyz") {
		t.Errorf("a language over other symbols: %v", err)
	}
}

// Half of the words are uniform, a quarter accepted and a quarter rejected; where
// the automaton rejects nothing, uniform words stand in.
func TestSampleFromAnAutomaton(t *testing.T) {
	d := sparse(0).DFA
	sample, err := prefix.FromAutomaton(d).Draw(400, 6, 6, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range sample.Words {
		if i%4 == 0 && !d.Accepts(w) || i%4 == 2 && d.Accepts(w) {
			t.Errorf("word %d is %v", i, w)
		}
	}
	all := automaton.NewDFA(d.Alphabet, 1)
	all.Accept[1] = true
	copy(all.Row(1), []automaton.State{1, 1})
	sample, err = prefix.FromAutomaton(all).Draw(400, 6, 6, rand.New(rand.NewPCG(1, 1)))
	if err != nil || sample.Valid != 100 {
		t.Errorf("%d valid words, %v", sample.Valid, err)
	}
}
