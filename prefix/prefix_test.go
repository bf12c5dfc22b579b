package prefix_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/prefix"
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
		r := oracletest.Random(rapid.Uint64().Draw(t, "seed"), 4, 0.3)
		words := drawWords(t)
		q := oracle.Ask(context.Background(), r)
		tree, err := prefix.Build(q, words)
		if err != nil {
			t.Fatal(err)
		}
		var all []word.Word
		for _, w := range append(words, nil) {
			for n := range len(w) + 1 {
				all = append(all, w[:n])
			}
		}
		slices.SortFunc(all, word.Compare)
		distinct := slices.CompactFunc(slices.Clone(all), slices.Equal[word.Word])
		if tree.Len() != len(distinct) {
			t.Fatalf("%d nodes, want %d", tree.Len(), len(distinct))
		}
		labels := q.LabelPaths(distinct).Labels
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
	oracletest.Noisy
	value float32
}

func (b broken) Step(dst, src f32.Matrix, on []word.Symbol) error {
	err := b.Noisy.Step(dst, src, on)
	for i, s := range on {
		if s == 1 {
			for j := range dst.Row(i) {
				dst.Row(i)[j] = b.value
			}
		}
	}
	return err
}

func TestBuildRefusesBrokenStates(t *testing.T) {
	for value, want := range map[float32]string{
		0:                    "state after ab is zero",
		float32(math.Inf(1)): "state after ab is not finite",
		float32(math.NaN()):  "state after ab is not finite",
	} {
		_, err := prefix.Build(oracle.Ask(t.Context(), broken{oracletest.Random(1, 3, 0), value}), []word.Word{{0, 1}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", value, err, want)
		}
	}
}
