// Package discrimination tells states apart by their answers after suffixes.
//
// A discrimination tree (Kearns and Vazirani, "An Introduction to Computational Learning
// Theory", 1994) has a suffix at every inner node and a state at every leaf. Every state
// lies below the child for its own answer: whether it accepts the suffix. So the suffix of
// the lowest node above two states tells them apart, and whoever answers as a state does on
// the way down from the root arrives at its leaf.
//
// The root's suffix is empty, and only the root may lack a child; so no suffix is there in
// vain, and n states have no more than n. One that is too long can be temporary, until a
// shorter one takes its place: that is what TTT adds (Isberner, Howar and Steffen, "The TTT
// algorithm: a redundancy-free approach to active automata learning", 2014).
//
// The tree asks nobody and believes what it is told. A node that is there stays there: a leaf
// that is split becomes the node above both states, and who pointed to it points to where to
// go on.
package discrimination

import (
	"slices"

	"quotient/word"
)

// A Node of a tree is inner or a leaf.
type Node int32

// Root is the node above all others. It is nobody's child, and so as a child stands for none.
const Root Node = 0

// A Tree tells the states 0, 1, … apart.
type Tree struct {
	nodes []node
	leaf  []Node // of each state

	temporary []Node // those that are to be replaced, and some that were
	accepts   []bool // of each state, its answer, for Replace alone
}

type node struct {
	suffix    word.Word
	child     [2]Node // where the suffix is rejected, and where it is accepted
	parent    Node
	depth     int32 // how many nodes are above it
	state     int32 // of a leaf; -1 of an inner node
	temporary bool
}

// New returns a tree without states.
func New() Tree { return Tree{nodes: []node{{state: -1}}} }

// Clone returns a tree of its own that tells the same.
func (t *Tree) Clone() Tree {
	return Tree{nodes: slices.Clone(t.nodes), leaf: slices.Clone(t.leaf), temporary: slices.Clone(t.temporary)}
}

// Len returns the number of states.
func (t *Tree) Len() int { return len(t.leaf) }

// Nodes returns how many nodes there are, which are numbered from Root.
func (t *Tree) Nodes() int { return len(t.nodes) }

// Parent returns the node above another. Above Root there is itself.
func (t *Tree) Parent(n Node) Node { return t.nodes[n].parent }

// Leaf returns the leaf of a state.
func (t *Tree) Leaf(q int32) Node { return t.leaf[q] }

// State returns the state of a leaf, or -1 for an inner node.
func (t *Tree) State(n Node) int32 { return t.nodes[n].state }

// Suffix returns what an inner node asks about.
func (t *Tree) Suffix(n Node) word.Word { return t.nodes[n].suffix }

// Child returns where an answer leads from an inner node, or Root if that was never given.
func (t *Tree) Child(n Node, answer bool) Node { return t.nodes[n].child[side(answer)] }

func side(answer bool) int {
	if answer {
		return 1
	}
	return 0
}

// Add makes the first state with an answer after the empty word. It returns its leaf.
func (t *Tree) Add(answer bool) Node {
	n := Node(len(t.nodes))
	t.nodes = append(t.nodes, node{parent: Root, depth: 1, state: int32(t.Len())})
	t.leaf = append(t.leaf, n)
	t.nodes[Root].child[side(answer)] = n
	return n
}

// Split makes a state that a suffix tells from q: after it q gives the answer, and the new
// state the other. It returns the node above both, which was the leaf of q.
func (t *Tree) Split(q int32, suffix word.Word, answer bool) Node {
	n, made := t.leaf[q], Node(len(t.nodes))
	t.nodes = append(t.nodes, node{state: q}, node{state: int32(t.Len())})
	t.leaf[q] = made
	t.leaf = append(t.leaf, made+1)
	child := [2]Node{made, made + 1}
	if answer {
		slices.Reverse(child[:])
	}
	t.join(n, suffix, child)
	t.sink(n)
	return n
}

// join makes n an inner node above two others.
func (t *Tree) join(n Node, suffix word.Word, child [2]Node) {
	x := &t.nodes[n]
	x.suffix, x.child, x.state = suffix, child, -1
	t.nodes[child[0]].parent, t.nodes[child[1]].parent = n, n
}

// sink says how deep all nodes below another are.
func (t *Tree) sink(n Node) {
	for _, c := range t.nodes[n].child {
		if c != Root {
			t.nodes[c].depth = t.nodes[n].depth + 1
			t.sink(c)
		}
	}
}

// Meet returns the lowest node above both, which may be one of them.
func (t *Tree) Meet(x, y Node) Node {
	for x != y {
		if t.nodes[x].depth >= t.nodes[y].depth {
			x = t.nodes[x].parent
		} else {
			y = t.nodes[y].parent
		}
	}
	return x
}

// Apart returns the suffix that tells two states apart.
func (t *Tree) Apart(p, q int32) word.Word { return t.Suffix(t.Meet(t.leaf[p], t.leaf[q])) }

// below appends a node and all below it: each before its children, and what rejects its
// suffix before what accepts it.
func (t *Tree) below(all []Node, n Node) []Node {
	all = append(all, n)
	for _, c := range t.nodes[n].child {
		if c != Root {
			all = t.below(all, c)
		}
	}
	return all
}

// Suffixes returns those of all inner nodes, each before those below it.
func (t *Tree) Suffixes() []word.Word {
	var all []word.Word
	for _, n := range t.below(nil, Root) {
		if t.State(n) < 0 {
			all = append(all, t.Suffix(n))
		}
	}
	return all
}

// States returns those below a node.
func (t *Tree) States(n Node) []int32 {
	var all []int32
	for _, n := range t.below(nil, n) {
		if q := t.State(n); q >= 0 {
			all = append(all, q)
		}
	}
	return all
}

// SetTemporary marks an inner node that is to be replaced, as all inner nodes below it are.
func (t *Tree) SetTemporary(n Node) {
	t.nodes[n].temporary = true
	t.temporary = append(t.temporary, n)
}

// Temporary reports whether a node is to be replaced.
func (t *Tree) Temporary(n Node) bool { return t.nodes[n].temporary }

// Blocks returns the highest temporary nodes, in the order of [Tree.Suffixes].
func (t *Tree) Blocks() []Node {
	t.temporary = slices.DeleteFunc(t.temporary, func(n Node) bool { return !t.Temporary(n) })
	if len(t.temporary) < 2 {
		return slices.Clone(t.temporary)
	}
	return slices.DeleteFunc(t.below(nil, Root), func(n Node) bool {
		return !t.Temporary(n) || t.Temporary(t.nodes[n].parent)
	})
}

// Replace lets an inner node ask about another suffix, after which the states below it give
// both answers. Those that give the same are told apart below as they were before. Inner
// nodes stay below the node, in other places; the node itself is no longer temporary.
func (t *Tree) Replace(n Node, suffix word.Word, answer func(q int32) bool) {
	t.accepts = append(t.accepts, make([]bool, t.Len()-len(t.accepts))...)
	for _, q := range t.States(n) {
		t.accepts[q] = answer(q)
	}
	t.join(n, suffix, t.divide(n, &[]Node{}))
	t.sink(n)
	t.nodes[n].temporary = false
}

// divide takes the subtree of n apart into those of the states with either answer. They are
// made of the inner nodes that were there, those taken last first. If there are both answers,
// one node is left over: n itself.
func (t *Tree) divide(n Node, spare *[]Node) (sides [2]Node) {
	x := t.nodes[n]
	if x.state >= 0 {
		sides[side(t.accepts[x.state])] = n
		return sides
	}
	*spare = append(*spare, n)
	no, yes := t.divide(x.child[0], spare), t.divide(x.child[1], spare)
	for i := range sides {
		sides[i] = max(no[i], yes[i])
		if no[i] != Root && yes[i] != Root {
			last := len(*spare) - 1
			sides[i], *spare = (*spare)[last], (*spare)[:last]
			t.join(sides[i], x.suffix, [2]Node{no[i], yes[i]})
		}
	}
	return sides
}
