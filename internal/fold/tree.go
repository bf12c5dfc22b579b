// Package fold holds a prefix tree while it is folded to an automaton. Merges are
// made in place and can be taken back, so an attempt costs what it visits.
//
// A [Tree] is the nodes, and what an attempt did to them. A [Folding] is the loop of
// red and blue states on it (Lang, Pearlmutter and Price, 1998). What is known of a
// node, and when two may be one, is for those who fold to say.
package fold

import "slices"

// A Node of a tree stands for a prefix. Its children are a list, so that the memory
// does not depend on the alphabet.
type Node[N ~int32, T comparable] struct {
	Head, Sibling N     // the first child, the next child of the same parent; 0: none
	On            int32 // what leads here from the parent
	Data          T     // what is known
}

// A Tree is changed by attempts that can be undone. Node 0 is its root. It calls nothing
// back: package passive, which carries merges down by itself, is as fast with it as with
// arrays of its own (BenchmarkEDSM, within 2%).
type Tree[N ~int32, T comparable] struct {
	Nodes []Node[N, T]
	given []given[N]
	old   []old[N, T]
}

// The child was put where the link is; its sibling was another then.
type given[N ~int32] struct {
	link           *N
	child, sibling N
}

// What was known of a node.
type old[N ~int32, T comparable] struct {
	node N
	data T
}

// Set changes what is known of node n.
func (t *Tree[N, T]) Set(n N, data T) {
	t.old = append(t.old, old[N, T]{n, t.Nodes[n].Data})
	t.Nodes[n].Data = data
}

// Give puts child c into a list, at the link or behind, in the order of what leads to
// children, unless the same leads to another already. It returns that one, or 0, and
// the link for children that come after c.
func (t *Tree[N, T]) Give(link *N, c N) (*N, N) {
	on := t.Nodes[c].On
	for *link != 0 && t.Nodes[*link].On < on {
		link = &t.Nodes[*link].Sibling
	}
	if other := *link; other != 0 && t.Nodes[other].On == on {
		return link, other
	}
	t.insert(link, c)
	return link, 0
}

func (t *Tree[N, T]) insert(link *N, c N) {
	t.given = append(t.given, given[N]{link, c, t.Nodes[c].Sibling})
	t.Nodes[c].Sibling, *link = *link, c
}

// Undo takes back what was done since Keep.
func (t *Tree[N, T]) Undo() {
	for _, g := range slices.Backward(t.given) {
		*g.link = t.Nodes[g.child].Sibling
		t.Nodes[g.child].Sibling = g.sibling
	}
	for _, o := range slices.Backward(t.old) {
		t.Nodes[o.node].Data = o.data
	}
	t.Keep()
}

// Keep makes what was done so far final.
func (t *Tree[N, T]) Keep() { t.given, t.old = t.given[:0], t.old[:0] }
