package merge

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"quotient/prefix"
)

// An Order is one in which nodes are enumerated. The paper points out that the
// result can depend on it, since a merged state keeps the vector of one of two.
type Order string

const (
	// Released is the order of the code that the paper's authors released: prefixes as
	// the words bring them, one word after the other. With Union and Keep it also is
	// that code's loop, in which the later of two nodes stays; see [ReleasedLog].
	Released Order = "released"

	First   Order = "first"   // Breadth by another name: a node is merged into the first that is similar
	Breadth Order = "breadth" // shorter prefixes first
	Depth   Order = "depth"   // every prefix right before those that prolong it
	Reverse Order = "reverse" // longest prefixes first, but the empty one before all
	Random  Order = "random"  // the empty prefix, then any
)

// Orders are all there are.
var Orders = []Order{Released, First, Breadth, Depth, Reverse, Random}

// Enumerate returns the nodes in the given order, which always begins with the
// empty prefix.
func Enumerate(t *prefix.Tree, o Order, rng *rand.Rand) ([]prefix.Node, error) {
	nodes := make([]prefix.Node, t.Len())
	for n := range nodes {
		nodes[n] = prefix.Node(n)
	}
	rest := nodes[1:]
	switch o {
	case Released:
		return inserted(t), nil
	case First, Breadth:
	case Depth:
		return depthFirst(t), nil
	case Reverse:
		slices.Reverse(rest)
	case Random:
		rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	default:
		return nil, fmt.Errorf("no order is called %q; there are %v", o, Orders)
	}
	return nodes, nil
}

// inserted returns the nodes as the words bring them.
func inserted(t *prefix.Tree) []prefix.Node {
	nodes := append(make([]prefix.Node, 0, t.Len()), 0)
	known := make([]bool, t.Len())
	known[0] = true
	for _, n := range t.Ends {
		from := len(nodes)
		for ; !known[n]; n = t.Parent[n] {
			known[n] = true
			nodes = append(nodes, n)
		}
		slices.Reverse(nodes[from:])
	}
	return nodes
}

func depthFirst(t *prefix.Tree) []prefix.Node {
	nodes := make([]prefix.Node, 0, t.Len())
	stack := []prefix.Node{0}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		nodes = append(nodes, n)
		for c := t.First[n+1] - 1; c >= t.First[n]; c-- {
			stack = append(stack, c)
		}
	}
	return nodes
}
