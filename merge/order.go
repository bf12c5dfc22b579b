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
	Breadth Order = "breadth" // shorter prefixes first
	Depth   Order = "depth"   // every prefix right before those that prolong it
	Reverse Order = "reverse" // longest prefixes first, but the empty one before all
	Random  Order = "random"  // the empty prefix, then any
)

// Orders are all there are.
var Orders = []Order{Breadth, Depth, Reverse, Random}

// Enumerate returns the nodes in the given order, which always begins with the
// empty prefix.
func Enumerate(t *prefix.Tree, o Order, rng *rand.Rand) ([]prefix.Node, error) {
	nodes := make([]prefix.Node, t.Len())
	for n := range nodes {
		nodes[n] = prefix.Node(n)
	}
	rest := nodes[1:]
	switch o {
	case Breadth:
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
