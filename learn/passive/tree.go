package passive

import (
	"cmp"
	"math/bits"
	"slices"

	"quotient/internal/fold"
	"quotient/learn/labeled"
	"quotient/word"
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
	order := sorted(s)
	size := 1
	for i, w := range order {
		size += len(s.Words[w])
		if i > 0 {
			size -= common(s.Words[order[i-1]], s.Words[w])
		}
	}
	nodes := make([]node, 1, size)
	path := []int32{0} // the node of each prefix of the word before
	var before word.Word
	for _, i := range order {
		w := s.Words[i]
		shared := common(before, w)
		for depth := shared; depth < len(w); depth++ {
			n := int32(len(nodes))
			nodes = append(nodes, node{On: int32(w[depth])})
			if depth == shared && depth < len(before) {
				nodes[path[depth+1]].Sibling = n // the last child so far
			} else {
				nodes[path[depth]].Head = n
			}
			path = append(path[:depth+1], n)
		}
		if at := &nodes[path[len(w)]].Data; s.Labels[i] == labeled.Accept {
			at.pos++
		} else {
			at.neg++
		}
		before = w
	}
	return nodes
}

// sorted returns the indices of the words that have a label in the order of a
// dictionary; equal words stay in their order.
//
// The beginning of a word, as many symbols as fit 64 bits, is compared as one
// number.
func sorted(s *labeled.Set) []int32 {
	type entry struct {
		key   uint64
		index int32
	}
	width := max(bits.Len(uint(s.Alphabet.Len())), 1)
	entries := make([]entry, 0, len(s.Words))
	for i, w := range s.Words {
		if s.Labels[i] == labeled.Unknown {
			continue
		}
		key := uint64(0)
		for j := range 64 / width {
			key <<= width
			if j < len(w) {
				key |= uint64(w[j]) + 1
			}
		}
		entries = append(entries, entry{key, int32(i)})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		if c := slices.Compare(s.Words[a.index], s.Words[b.index]); c != 0 {
			return c
		}
		return cmp.Compare(a.index, b.index)
	})
	order := make([]int32, len(entries))
	for i, e := range entries {
		order[i] = e.index
	}
	return order
}

// common returns the length of the longest common prefix.
func common(v, w word.Word) int {
	n := 0
	for n < min(len(v), len(w)) && v[n] == w[n] {
		n++
	}
	return n
}
