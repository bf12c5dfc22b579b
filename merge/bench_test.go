package merge_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"quotient/language"
	"quotient/merge"
	"quotient/oracle"
	"quotient/prefix"
	"quotient/rnn"
	"quotient/sample"
	"quotient/zoo"
)

// treeOfSize is a prefix tree of the bundled network for Tomita 4, after 21
// epochs, with about as many nodes.
func treeOfSize(b *testing.B, nodes int) *prefix.Tree {
	b.Helper()
	net, info, err := zoo.Open("zoo:tomita4@21")
	if err != nil {
		b.Skipf("no network to measure with: %v", err)
	}
	q := oracle.Ask(b.Context(), rnn.NewRunner(net, 0))
	s, err := sample.FromLanguage(info.Run.Settings.Language, language.Builtin()[3].DFA(), q.Alphabet())
	if err != nil {
		b.Fatal(err)
	}
	// w random words of this length have about w (1 + length - log2 w) prefixes.
	const length = 22
	words := 1.0
	for words*(1+length-math.Log2(words)) < float64(nodes) {
		words *= 1.05
	}
	drawn, err := s.Draw(q, int(words), length, length, rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		b.Fatal(err)
	}
	tree, err := prefix.Build(q, drawn.Words)
	if err != nil {
		b.Fatal(err)
	}
	return tree
}

func BenchmarkMerge(b *testing.B) {
	for _, nodes := range []int{1_000, 10_000, 100_000, 1_000_000} {
		tree := treeOfSize(b, nodes)
		for _, c := range []struct {
			name  string
			rule  merge.Rule
			order merge.Order
		}{{"fold", merge.Fold, merge.Breadth}, {"union", merge.Union, merge.Breadth}, {"released", merge.Union, merge.Released}} {
			nodes, err := merge.Enumerate(tree, c.order, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%d", c.name, tree.Len()), func(b *testing.B) {
				var log []merge.Step
				for b.Loop() {
					log = merge.Log(b.Context(), tree, merge.How{Rule: c.rule, Kappa: 0.05, Order: c.order}, nodes)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tree.Len()), "ns/node")
				b.ReportMetric(float64(tree.Len()-len(log)), "states")
			})
		}
	}
}
