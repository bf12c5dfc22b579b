package passive

import (
	"quotient/internal/fold"
	"quotient/learn/labeled"
)

// A node of the prefix tree stands for a prefix of the words. Its children are in
// the order of their symbols.
type node = fold.Node[int32, count]

// A count says how many words that end at a node are in the language, and how many
// are not.
type count struct{ pos, neg int32 }

// labeled reports whether a word with a label ends here.
func (c count) labeled() bool { return c.pos|c.neg != 0 }

// errors returns how many of the words that end here the better answer gets wrong.
func (c count) errors() int32 { return min(c.pos, c.neg) }

// tree returns the prefix tree of the words that have a label. Node 0 is the empty
// word. Nodes are numbered depth first, so that the tail of a word, which it
// shares with no other, lies in one piece of memory.
func tree(s *labeled.Set) []node {
	d := newDictionary(s)
	size := 1
	for i, e := range d.entries {
		size += d.length(e)
		if i > 0 {
			size -= d.common(d.entries[i-1], e)
		}
	}
	nodes := make([]node, 1, size)
	path := []int32{0} // the node of each prefix of the word before
	for i, e := range d.entries {
		shared, before := 0, 0
		if i > 0 {
			shared, before = d.common(d.entries[i-1], e), len(path)-1
		}
		length := d.length(e)
		for depth := shared; depth < length; depth++ {
			n := int32(len(nodes))
			nodes = append(nodes, node{On: int32(d.symbol(e, depth))})
			if depth == shared && depth < before {
				nodes[path[depth+1]].Sibling = n // the last child so far
			} else {
				nodes[path[depth]].Head = n
			}
			path = append(path[:depth+1], n)
		}
		if at := &nodes[path[length]].Data; s.Labels[e.index] == labeled.Accept {
			at.pos++
		} else {
			at.neg++
		}
	}
	return nodes
}
