package merge

import (
	"cmp"
	"context"
	"slices"

	"quotient/f32"
	"quotient/internal/fold"
	"quotient/prefix"
)

// FoldLog merges in the manner of red-blue state merging (Lang, Pearlmutter and
// Price, 1998). Red nodes are states of the result; blue nodes are children of red
// ones. The first blue node in the given order is merged into the red node with
// the same label that is most similar to it, if their cosine is over 1 - kappa,
// and the merge is carried down until the automaton is deterministic. If two
// labels clash on the way, all of it is undone and the next most similar red node
// is tried; if none is left the blue node turns red.
//
// The log holds the merges that were carried down, too. A blue node is compared with
// red ones alone, which are few, and every merge shrinks the tree, so no index is needed.
func FoldLog(ctx context.Context, t *prefix.Tree, kappa float64, order []prefix.Node) []Step {
	f := newFolding(t, order)
	unit := f32.New(0, t.State.Cols) // the directions of red nodes, a row each
	state := f32.Slice(t.State.Cols)
	direction(state, t, 0)
	unit.Append(state)
	for n := f.Next(); n != 0 && ctx.Err() == nil; n = f.Next() {
		direction(state, t, n)
		cosine := make([]float32, len(f.Red))
		f32.Dots(cosine, unit, state)
		if !f.MergeIntoOne(candidates(t, f.Red, cosine, n, kappa), n) {
			f.Redden(n)
			unit.Append(state)
		}
	}
	return f.Log
}

// newFolding returns the tree with its root red. What is known of a node is its label,
// and nodes with the same label may be one.
func newFolding(t *prefix.Tree, order []prefix.Node) *fold.Folding[prefix.Node, bool] {
	f := &fold.Folding[prefix.Node, bool]{
		Meet: func(a, b bool) (bool, bool) { return a, a == b },
		Rank: make([]int32, t.Len()),
	}
	for i, n := range order {
		f.Rank[n] = int32(i)
	}
	f.Nodes = make([]fold.Node[prefix.Node, bool], t.Len())
	for n := range f.Nodes {
		f.Nodes[n].On, f.Nodes[n].Data = int32(t.On[n]), t.Accept[n]
	}
	f.Start(t.Parent)
	return f
}

// candidates returns the red nodes that a blue one may be merged into, the most
// similar by their cosines first and, where two are equally similar, the older one.
func candidates(t *prefix.Tree, red []prefix.Node, cosine []float32, blue prefix.Node, kappa float64) []prefix.Node {
	type candidate struct {
		node   prefix.Node
		cosine float32
	}
	var close []candidate
	for i, r := range red {
		if t.Accept[r] == t.Accept[blue] && cosine[i] > threshold(kappa) {
			close = append(close, candidate{r, cosine[i]})
		}
	}
	slices.SortStableFunc(close, func(x, y candidate) int { return cmp.Compare(y.cosine, x.cosine) })
	nodes := make([]prefix.Node, len(close))
	for i, c := range close {
		nodes[i] = c.node
	}
	return nodes
}
