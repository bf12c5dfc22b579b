package automaton

// hopcroft refines the given classes of states until all states of a class have,
// for every symbol, their successors in one class. It numbers the classes by
// their first states.
//
// It is the algorithm of Hopcroft (1971) in the form of Valmari and Lehtinen
// (2008), which splits the transitions as well as the states. A block of
// transitions, here called a cord, holds those with one symbol into one block
// of states. Each cord is used once to split the states at its tails, and
// whenever a block of states was split off, the smaller half, it splits the
// cords into it.
func hopcroft(k int, next, class []int32, count int) ([]int32, int) {
	blocks := newPartition(len(class), class, count)
	symbols := make([]int32, len(next))
	for e := range symbols {
		symbols[e] = int32(e % k)
	}
	cords := newPartition(len(next), symbols, k)
	first, into := incoming(next, len(class))
	b := int32(1) // block 0 may stand for "anywhere else"
	for c := int32(0); c < cords.count; c++ {
		for _, e := range cords.members(c) {
			blocks.mark(e / int32(k))
		}
		blocks.split()
		for ; b < blocks.count; b++ {
			for _, q := range blocks.members(b) {
				for _, e := range into[first[q]:first[q+1]] {
					cords.mark(e)
				}
			}
			cords.split()
		}
	}
	return blocks.byFirstMember()
}

// incoming lists, for every state q, the transitions that end there:
// into[first[q]:first[q+1]].
func incoming(next []int32, n int) (first, into []int32) {
	first = make([]int32, n+1)
	for _, q := range next {
		first[q+1]++
	}
	for q := range n {
		first[q+1] += first[q]
	}
	into = make([]int32, len(next))
	free := append([]int32(nil), first...)
	for e, q := range next {
		into[free[q]] = int32(e)
		free[q]++
	}
	return first, into
}

// A partition of the numbers 0 to n-1 into blocks, in which marked members
// stand first in their block and can be split off at once.
type partition struct {
	count    int32   // number of blocks
	elements []int32 // the members of all blocks, block by block
	at       []int32 // elements[at[e]] == e
	block    []int32 // which block e is in
	first    []int32 // block b is elements[first[b]:past[b]]
	past     []int32
	marked   []int32 // how many members of b are marked
	touched  []int32 // blocks with marked members
}

// newPartition puts number e into block block[e], of which there are count.
func newPartition(n int, block []int32, count int) *partition {
	p := &partition{
		count:    int32(count),
		elements: make([]int32, n),
		at:       make([]int32, n),
		block:    append([]int32(nil), block...),
		first:    make([]int32, n+1),
		past:     make([]int32, n+1),
		marked:   make([]int32, n+1),
	}
	for _, b := range block {
		p.first[b+1]++
	}
	for b := range count {
		p.first[b+1] += p.first[b]
	}
	copy(p.past, p.first[:count])
	for e, b := range block {
		p.elements[p.past[b]], p.at[e] = int32(e), p.past[b]
		p.past[b]++
	}
	return p
}

func (p *partition) members(b int32) []int32 { return p.elements[p.first[b]:p.past[b]] }

// mark moves e, which must not be marked yet, to the marked part of its block.
func (p *partition) mark(e int32) {
	b := p.block[e]
	i, j := p.at[e], p.first[b]+p.marked[b]
	other := p.elements[j]
	p.elements[i], p.at[other] = other, i
	p.elements[j], p.at[e] = e, j
	if p.marked[b] == 0 {
		p.touched = append(p.touched, b)
	}
	p.marked[b]++
}

// split makes the marked and the unmarked members of every touched block two
// blocks, the smaller of which gets a new number, and removes all marks.
func (p *partition) split() {
	for _, b := range p.touched {
		middle := p.first[b] + p.marked[b]
		p.marked[b] = 0
		if middle == p.past[b] {
			continue
		}
		fresh := p.count
		p.count++
		if middle-p.first[b] <= p.past[b]-middle {
			p.first[fresh], p.past[fresh] = p.first[b], middle
			p.first[b] = middle
		} else {
			p.first[fresh], p.past[fresh] = middle, p.past[b]
			p.past[b] = middle
		}
		for _, e := range p.members(fresh) {
			p.block[e] = fresh
		}
	}
	p.touched = p.touched[:0]
}

// byFirstMember returns the block of every number, the blocks being numbered in
// the order of their smallest members, and how many there are.
func (p *partition) byFirstMember() ([]int32, int) {
	name := make([]int32, p.count) // plus one
	count := int32(0)
	class := make([]int32, len(p.block))
	for e, b := range p.block {
		if name[b] == 0 {
			count++
			name[b] = count
		}
		class[e] = name[b] - 1
	}
	return class, int(count)
}
