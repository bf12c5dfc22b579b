package merge

import (
	"fmt"
	"testing"

	"quotient/prefix"
)

// treeOfSize is the tree of so many words of a recognizer that is as noisy as a
// network: with more nodes come hardly more states that differ.
func treeOfSize(words, length int) *prefix.Tree { return noisyTree(4, 0.1, words, length) }

func BenchmarkMerge(b *testing.B) {
	for _, words := range []int{2_000, 20_000, 200_000} {
		tree := treeOfSize(words, 12)
		order, _ := Enumerate(tree, Breadth, nil)
		for _, rule := range []Rule{Fold, Union} {
			b.Run(fmt.Sprintf("%s/%d", rule, tree.Len()), func(b *testing.B) {
				for b.Loop() {
					Log(tree, rule, 0.05, order)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(tree.Len()), "ns/node")
			})
		}
	}
}

// The index against comparing with all kept nodes, where many are kept.
func BenchmarkIndex(b *testing.B) {
	tree := noisyTree(4, 0.3, 5_000, 12)
	order, _ := Enumerate(tree, Breadth, nil)
	for _, kappa := range []float64{0.001, 0.01} {
		b.Run(fmt.Sprint("index/", kappa), func(b *testing.B) {
			for b.Loop() {
				ClusterLog(tree, kappa, order)
			}
		})
		b.Run(fmt.Sprint("plain/", kappa), func(b *testing.B) {
			for b.Loop() {
				plainCluster(tree, All(Consistent, Similar(kappa)), order)
			}
		})
	}
}
