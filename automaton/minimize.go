package automaton

import (
	"quotient/word"
)

// Minimize returns the smallest automaton for the language of d. It has no
// state that is unreachable or from which nothing is accepted, and its states
// are numbered breadth first, symbols in their order. So two automata for one
// language over one alphabet come out equal in every value.
//
// It is Hopcroft's algorithm (1971) in the form of Valmari and Lehtinen (2008),
// which splits the transitions as well as the states: O(m log m) for m
// transitions that are present, so at most O(k n log n), and those to Dead cost
// nothing.
func Minimize(d *DFA) *DFA {
	live := liveStates(d)
	if len(live) == 0 {
		return NewDFA(d.Alphabet, 0)
	}
	t := liveTransitions(d, live)
	blocks := newPartition(len(live))
	for i, q := range live {
		if d.Accept[q] {
			blocks.mark(int32(i))
		}
	}
	blocks.split()
	refine(blocks, t)
	return quotient(d, live, blocks)
}

// liveStates returns the states that are reachable and from which an accepting
// state is reachable, breadth first from the start, or none if the start is not
// one of them.
func liveStates(d *DFA) []State {
	reached := d.reachable()
	useful := d.coreachable(reached)
	live := reached[:0]
	for _, q := range reached {
		if useful[q] {
			live = append(live, q)
		}
	}
	return live
}

// reachable returns the states, without Dead, that are reachable from the
// start, breadth first.
func (d *DFA) reachable() []State {
	seen := make([]bool, len(d.Accept))
	seen[Dead] = true
	var order []State
	visit := func(q State) {
		if !seen[q] {
			seen[q] = true
			order = append(order, q)
		}
	}
	visit(d.Start)
	for i := 0; i < len(order); i++ {
		for _, to := range d.Row(order[i]) {
			visit(to)
		}
	}
	return order
}

// coreachable reports, for every state, whether one of the given states that
// accepts can be reached from it by way of given states.
func (d *DFA) coreachable(among []State) []bool {
	first := make([]int32, len(d.Accept)+1) // predecessors of q: from[first[q]:first[q+1]]
	for _, q := range among {
		for _, to := range d.Row(q) {
			first[to+1]++
		}
	}
	first[1] = 0 // Dead's predecessors are of no interest
	for q := range d.Accept {
		first[q+1] += first[q]
	}
	from := make([]State, first[len(d.Accept)])
	next := make([]int32, len(d.Accept))
	copy(next, first)
	for _, q := range among {
		for _, to := range d.Row(q) {
			if to != Dead {
				from[next[to]] = q
				next[to]++
			}
		}
	}

	useful := make([]bool, len(d.Accept))
	var stack []State
	for _, q := range among {
		if d.Accept[q] {
			useful[q] = true
			stack = append(stack, q)
		}
	}
	for len(stack) > 0 {
		q := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, p := range from[first[q]:first[q+1]] {
			if !useful[p] {
				useful[p] = true
				stack = append(stack, p)
			}
		}
	}
	return useful
}

// transitions between live states, which are numbered from 0 here, sorted by
// their symbol.
type transitions struct {
	states int
	tail   []int32 // where each transition starts
	head   []int32 // where it ends
	first  []int32 // symbol s has the transitions first[s] to first[s+1]
}

func liveTransitions(d *DFA, live []State) transitions {
	number := make([]int32, len(d.Accept))
	for i := range number {
		number[i] = -1
	}
	for i, q := range live {
		number[q] = int32(i)
	}
	k := d.Alphabet.Len()
	t := transitions{states: len(live), first: make([]int32, k+1)}
	for _, q := range live {
		for s, to := range d.Row(q) {
			if number[to] >= 0 {
				t.first[s+1]++
			}
		}
	}
	for s := range k {
		t.first[s+1] += t.first[s]
	}
	t.tail = make([]int32, t.first[k])
	t.head = make([]int32, t.first[k])
	next := append([]int32(nil), t.first...)
	for i, q := range live {
		for s, to := range d.Row(q) {
			if number[to] >= 0 {
				t.tail[next[s]], t.head[next[s]] = int32(i), number[to]
				next[s]++
			}
		}
	}
	return t
}

// refine splits the blocks of states until all states of a block have, for
// every symbol, their transitions into one block. A block of transitions holds
// transitions with one symbol into one block of states; each is used once to
// split the states at its tails, and whenever a block of states was split off,
// the smaller half, it splits the transitions into it.
func refine(blocks *partition, t transitions) {
	cords := newPartition(len(t.tail))
	cords.divide(t.first)
	into := t.incoming()
	b := int32(1) // the first block of states may stand for "anywhere else"
	for c := int32(0); c < cords.count; c++ {
		for _, e := range cords.members(c) {
			blocks.mark(t.tail[e])
		}
		blocks.split()
		for ; b < blocks.count; b++ {
			for _, q := range blocks.members(b) {
				for _, e := range into.edges[into.first[q]:into.first[q+1]] {
					cords.mark(e)
				}
			}
			cords.split()
		}
	}
}

// incoming lists, for every state, the transitions that end there.
type incoming struct{ first, edges []int32 }

func (t transitions) incoming() incoming {
	in := incoming{first: make([]int32, t.states+1), edges: make([]int32, len(t.head))}
	for _, q := range t.head {
		in.first[q+1]++
	}
	for q := range t.states {
		in.first[q+1] += in.first[q]
	}
	next := append([]int32(nil), in.first...)
	for e, q := range t.head {
		in.edges[next[q]] = int32(e)
		next[q]++
	}
	return in
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

// newPartition puts everything into one block.
func newPartition(n int) *partition {
	buf := make([]int32, 6*n)
	cut := func() []int32 { s := buf[:n:n]; buf = buf[n:]; return s }
	p := &partition{elements: cut(), at: cut(), block: cut(), first: cut(), past: cut(), marked: cut()}
	for i := range int32(n) {
		p.elements[i], p.at[i] = i, i
	}
	if n > 0 {
		p.count, p.past[0] = 1, int32(n)
	}
	return p
}

// divide makes blocks of the runs bounds[i] to bounds[i+1] of a partition that
// is still a single block in order.
func (p *partition) divide(bounds []int32) {
	p.count = 0
	for i := 1; i < len(bounds); i++ {
		if bounds[i-1] == bounds[i] {
			continue
		}
		p.first[p.count], p.past[p.count] = bounds[i-1], bounds[i]
		for e := bounds[i-1]; e < bounds[i]; e++ {
			p.block[e] = p.count
		}
		p.count++
	}
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

// quotient returns the automaton whose states are the blocks, numbered breadth
// first. live[0] is the start.
func quotient(d *DFA, live []State, blocks *partition) *DFA {
	number := make([]int32, len(d.Accept)) // of live states, from 1
	for i, q := range live {
		number[q] = int32(i) + 1
	}
	m := NewDFA(d.Alphabet, int(blocks.count))
	named := make([]State, blocks.count) // the new number of each block
	order := make([]int32, 0, blocks.count)
	stateOf := func(q State) State {
		if number[q] == 0 {
			return Dead
		}
		b := blocks.block[number[q]-1]
		if named[b] == Dead {
			order = append(order, b)
			named[b] = State(len(order))
		}
		return named[b]
	}
	m.Start = stateOf(live[0])
	for i := 0; i < len(order); i++ {
		q := live[blocks.members(order[i])[0]]
		m.Accept[i+1] = d.Accept[q]
		for s, to := range d.Row(q) {
			m.SetNext(State(i+1), word.Symbol(s), stateOf(to))
		}
	}
	return m
}
