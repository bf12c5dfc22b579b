package stochastic

import (
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
	size := 1 // at most
	for _, w := range words {
		size += len(w)
	}
	if size > math.MaxInt32/2 {
		return nil, &automaton.LimitError{Op: "making a prefix tree", What: "nodes", Limit: math.MaxInt32 / 2}
	}
	x := division{words: words, order: sorted(words)}
	x.shared = make([]int32, len(words)+1)
	for i := 1; i < len(words); i++ {
		x.shared[i] = shared(words[x.order[i-1]], words[x.order[i]])
	}
	t := &tree{nodes: make([]node, 1, size), early: make([]int32, 1, size)}
	x.begins = make([]int32, 1, size)
	t.nodes[0].passes = int32(len(words))
	for n, depth, level := 0, 0, 1; n < len(t.nodes); n++ {
		if n == level {
			depth, level = depth+1, len(t.nodes)
		}
		x.divide(t, n, depth)
	}
	return t, nil
}

// A division is what dividing words into a tree needs to know.
type division struct {
	words  []word.Word
	order  []int32
	shared []int32 // how many symbols each word in the order begins with as the one before it does
	begins []int32 // where the words of each node begin in the order
}

// shared returns how many symbols two words begin with alike.
func shared(v, w word.Word) int32 {
	n := min(len(v), len(w))
	for i, s := range v[:n] {
		if w[i] != s {
			return int32(i)
		}
	}
	return int32(n)
}

// divide adds the children of node n.
func (x *division) divide(t *tree, n, depth int) {
	at := &t.nodes[n]
	from, to := x.begins[n], x.begins[n]+at.passes
	for from < to && len(x.words[x.order[from]]) == depth {
		at.ends++
		from++
	}
	at.first = int32(len(t.nodes))
	many := uint16(0)
	for ; from < to; many++ {
		begin, seen := from, x.order[from]
		on := x.words[seen][depth]
		for from++; from < to && x.shared[from] > int32(depth); from++ {
			seen = min(seen, x.order[from])
		}
		t.nodes, t.early = append(t.nodes, node{on: on, passes: from - begin}), append(t.early, seen)
		x.begins = append(x.begins, begin)
	}
	t.nodes[n].many = many
}

// sorted returns the indices of the words in the order of a dictionary; equal words stay in
// theirs.
//
// The beginning of a word, as many symbols as fit 64 bits, is one number. These are sorted
// digit by digit, which takes a fifth of the time of comparisons; only words that begin
// alike and are longer are compared.
func sorted(words []word.Word) []int32 {
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
		for _, s := range w[:min(fit, len(w))] {
			key = key<<width | (uint64(s) + 1)
		}
		entries[i] = entry{key << (width * max(0, fit-len(w))), int32(i)}
	}
	entries = byDigits(entries, width*fit)
	order := make([]int32, len(words))
	for i, e := range entries {
		order[i] = e.index
	}
	for from, to := 0, 0; from < len(entries); from = to {
		for to = from + 1; to < len(entries) && entries[to].key == entries[from].key; to++ {
		}
		if to > from+1 && len(words[order[from]]) >= fit { // shorter ones are equal
			slices.SortStableFunc(order[from:to], func(i, j int32) int { return slices.Compare(words[i][fit:], words[j][fit:]) })
		}
	}
	return order
}

// An entry is a word to be sorted.
type entry struct {
	key   uint64
	index int32
}

// byDigits sorts entries by the given number of low bits of their keys, and keeps the order
// of equal ones.
func byDigits(entries []entry, width int) []entry {
	const digit = 11
	other := make([]entry, len(entries))
	for shift := 0; shift < width; shift += digit {
		var place [1 << digit]int32
		for _, e := range entries {
			place[e.key>>shift&(1<<digit-1)]++
		}
		sum := int32(0)
		for i, n := range place {
			place[i] = sum
			sum += n
		}
		for _, e := range entries {
			d := e.key >> shift & (1<<digit - 1)
			other[place[d]] = e
			place[d]++
		}
		entries, other = other, entries
	}
	return entries
}
