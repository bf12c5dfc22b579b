package stochastic

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// A node of the prefix tree stands for a prefix. Nodes are numbered breadth first, in
// shortlex order, so that the children of a node are neighbors, in the order of their
// symbols.
type node struct {
	on     word.Symbol // what leads here from the parent
	many   uint16      // children
	first  int32       // child
	passes int32       // words that begin with the prefix
	ends   int32       // words that are the prefix
}

// A tree is never changed once it is built.
type tree struct {
	nodes []node
	early []int32 // the first word that passes each node
}

func (t *tree) children(n int32) []node {
	x := t.nodes[n]
	return t.nodes[x.first : x.first+int32(x.many)]
}

// newTree returns the prefix tree of words. They are sorted, so that those of a prefix are
// neighbors, and then taken apart level by level.
func newTree(words []word.Word) (*tree, error) {
	order := sorted(words)
	size := 1
	for i := 1; i < len(order); i++ {
		size += len(words[order[i]]) - common(words[order[i-1]], words[order[i]])
	}
	size += len(words[order[0]])
	if size > math.MaxInt32/2 {
		return nil, &automaton.LimitError{Op: "making a prefix tree", What: "nodes", Limit: math.MaxInt32 / 2}
	}
	t := &tree{nodes: make([]node, 1, size), early: make([]int32, 1, size)}
	begins := make([]int32, 1, size) // where the words of each node begin in the order
	t.nodes[0].passes = int32(len(words))
	for n, depth, level := 0, 0, 1; n < len(t.nodes); n++ {
		if n == level {
			depth, level = depth+1, len(t.nodes)
		}
		begins = t.divide(n, depth, words, order, begins)
	}
	return t, nil
}

// divide adds the children of node n.
func (t *tree) divide(n, depth int, words []word.Word, order, begins []int32) []int32 {
	x := &t.nodes[n]
	from, to := begins[n], begins[n]+x.passes
	early := order[from]
	for ; from < to && len(words[order[from]]) == depth; from++ {
		x.ends++
		early = min(early, order[from])
	}
	x.first = int32(len(t.nodes))
	many, passes, ends := uint16(0), x.passes, x.ends
	for left := passes - ends; left > 0; many++ {
		child := node{on: words[order[from]][depth]}
		begin, seen := from, order[from]
		for ; from < to && words[order[from]][depth] == child.on; from++ {
			seen = min(seen, order[from])
		}
		child.passes = from - begin
		left -= child.passes
		t.nodes, t.early, begins = append(t.nodes, child), append(t.early, seen), append(begins, begin)
	}
	t.nodes[n].many = many
	return begins
}

// common returns how many symbols two words begin with together.
func common(v, w word.Word) int {
	n := 0
	for n < min(len(v), len(w)) && v[n] == w[n] {
		n++
	}
	return n
}

// sorted returns the indices of the words in the order of a dictionary. The beginning of a
// word, as many symbols as fit 64 bits, is compared as one number.
func sorted(words []word.Word) []int32 {
	type entry struct {
		key   uint64
		index int32
	}
	most := word.Symbol(0)
	for _, w := range words {
		for _, s := range w {
			most = max(most, s)
		}
	}
	width := bits.Len(uint(most) + 1) // 0 stands for no symbol
	fit := 64 / width
	entries := make([]entry, len(words))
	for i, w := range words {
		key := uint64(0)
		for j := range fit {
			key <<= width
			if j < len(w) {
				key |= uint64(w[j]) + 1
			}
		}
		entries[i] = entry{key, int32(i)}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		v, w := words[a.index], words[b.index]
		if len(v) > fit && len(w) > fit {
			if c := slices.Compare(v[fit:], w[fit:]); c != 0 {
				return c
			}
		} else if len(v) != len(w) {
			return cmp.Compare(len(v), len(w))
		}
		return cmp.Compare(a.index, b.index)
	})
	order := make([]int32, len(words))
	for i, e := range entries {
		order[i] = e.index
	}
	return order
}
