package merge

import (
	"cmp"
	"container/heap"
	"slices"

	"quotient/f32"
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
// The tree's states must have length 1; see [Unit]. The log holds the merges that
// were carried down, too. A blue node is compared with red ones alone, which are
// few, and every merge shrinks the tree, so no index is needed.
func FoldLog(t *prefix.Tree, kappa float64, order []prefix.Node) []Step {
	f := newFolding(t, order)
	f.redden(0)
	for f.blue.Len() > 0 {
		n := heap.Pop(&f.blue).(ranked).node
		if f.find(n) != n {
			continue // merged with another since
		}
		if !f.mergeIntoOneOf(f.candidates(n, kappa), n) {
			f.redden(n)
		}
	}
	return f.log
}

// A folding is a tree that is being folded. Children are linked lists, so that the
// memory does not depend on the alphabet.
type folding struct {
	t       *prefix.Tree
	rank    []int32       // position of each node in the order
	into    []prefix.Node // what a node was merged into, itself if nothing
	head    []prefix.Node // first child of each node that stands for itself, -1 if none
	sibling []prefix.Node // next child of the same node, -1 if none
	log     []Step
	trail   []change // what the current attempt changed, for undoing it

	red    []prefix.Node
	unit   f32.Matrix // the states of red nodes, a row each
	isRed  []bool
	isBlue []bool // also of nodes that were blue and are red or merged now
	blue   queue  // every blue node, and some that are blue no longer
}

// A change attached the child to the node, whose first child was before, and
// whose next sibling was next.
type change struct{ node, child, before, next prefix.Node }

func newFolding(t *prefix.Tree, order []prefix.Node) *folding {
	f := &folding{
		t:       t,
		rank:    make([]int32, t.Len()),
		into:    make([]prefix.Node, t.Len()),
		head:    make([]prefix.Node, t.Len()),
		sibling: make([]prefix.Node, t.Len()),
		unit:    f32.New(0, t.State.Cols),
		isRed:   make([]bool, t.Len()),
		isBlue:  make([]bool, t.Len()),
	}
	for i, n := range order {
		f.rank[n] = int32(i)
	}
	for n := range f.into {
		f.into[n], f.head[n], f.sibling[n] = prefix.Node(n), -1, -1
		if first, past := t.First[n], t.First[n+1]; first < past {
			f.head[n] = first
		}
	}
	for n := 1; n+1 < t.Len(); n++ {
		if t.Parent[n] == t.Parent[n+1] {
			f.sibling[n] = prefix.Node(n + 1)
		}
	}
	return f
}

// redden makes a state of n. Its children turn blue.
func (f *folding) redden(n prefix.Node) {
	f.isRed[n] = true
	f.red = append(f.red, n)
	f.unit.Append(f.t.State.Row(int(n)))
	for c := f.head[n]; c >= 0; c = f.sibling[c] {
		f.paint(f.find(c))
	}
}

// paint turns n blue, unless it is colored already.
func (f *folding) paint(n prefix.Node) {
	if !f.isRed[n] && !f.isBlue[n] {
		f.isBlue[n] = true
		heap.Push(&f.blue, ranked{f.rank[n], n})
	}
}

// candidates returns the red nodes that a blue one may be merged into, the most
// similar first and, where two are equally similar, the older one.
func (f *folding) candidates(blue prefix.Node, kappa float64) []prefix.Node {
	type candidate struct {
		node   prefix.Node
		cosine float32
	}
	cosine := make([]float32, len(f.red))
	f32.Dots(cosine, f.unit, f.t.State.Row(int(blue)))
	var close []candidate
	for i, r := range f.red {
		if f.t.Accept[r] == f.t.Accept[blue] && cosine[i] > threshold(kappa) {
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

// mergeIntoOneOf tries the candidates in order and reports whether one would do.
func (f *folding) mergeIntoOneOf(candidates []prefix.Node, blue prefix.Node) bool {
	for _, r := range candidates {
		before := len(f.log)
		f.trail = f.trail[:0]
		if f.merge(r, blue) {
			f.recolor(before)
			return true
		}
		f.undo(before)
	}
	return false
}

// recolor paints what a successful attempt made children of red nodes: nodes that
// took the place of a blue one, and children that a red node was given.
func (f *folding) recolor(before int) {
	for _, s := range f.log[before:] {
		if f.isBlue[s.From] {
			f.paint(s.Into)
		}
	}
	for _, c := range f.trail {
		if f.isRed[f.find(c.node)] {
			f.paint(f.find(c.child))
		}
	}
}

// find returns the node that n was merged into at last.
func (f *folding) find(n prefix.Node) prefix.Node {
	for f.into[n] != n {
		n = f.into[n]
	}
	return n
}

// merge merges b into a, and their children on the same symbols, and so on. It
// reports whether all labels agreed; if not, it has stopped halfway. Of two nodes
// that are not red, the first in the order stays, so that the result does not
// depend on the order of children. b is never red: what hangs below a blue node
// is a tree of nodes that are not.
func (f *folding) merge(a, b prefix.Node) bool {
	if f.t.Accept[a] != f.t.Accept[b] {
		return false
	}
	if !f.isRed[a] && f.rank[b] < f.rank[a] {
		a, b = b, a
	}
	f.into[b] = a
	f.log = append(f.log, Step{Into: a, From: b})
	for c := f.head[b]; c >= 0; {
		next := f.sibling[c]
		if same := f.child(a, c); same >= 0 {
			x, y := f.find(same), f.find(c)
			if x != y && !f.merge(x, y) {
				return false
			}
		} else {
			f.trail = append(f.trail, change{node: a, child: c, before: f.head[a], next: next})
			f.sibling[c], f.head[a] = f.head[a], c
		}
		c = next
	}
	return true
}

// child returns the child of a on the symbol of c, or -1.
func (f *folding) child(a, c prefix.Node) prefix.Node {
	for x := f.head[a]; x >= 0; x = f.sibling[x] {
		if f.t.On[x] == f.t.On[c] {
			return x
		}
	}
	return -1
}

// undo takes back the current attempt; the log was that long before it.
func (f *folding) undo(before int) {
	for _, c := range slices.Backward(f.trail) {
		f.head[c.node], f.sibling[c.child] = c.before, c.next
	}
	for _, s := range f.log[before:] {
		f.into[s.From] = s.From
	}
	f.log = f.log[:before]
}

// A queue of nodes, the first in the order on top.
type queue []ranked

type ranked struct {
	rank int32
	node prefix.Node
}

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].rank < q[j].rank }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(ranked)) }
func (q *queue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}
