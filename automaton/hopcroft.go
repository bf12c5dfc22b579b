package automaton

// hopcroft refines the classes of r until all states of a class have, for every
// symbol, their successors in one class. It numbers the classes by their first
// states, and makes no list if every state is one. The states of each class must have,
// for every symbol, their successors in one class of coarse, which the classes of r
// divide; without a list, that is one class.
//
// It is the algorithm of Hopcroft (1971): a block of states splits the blocks that
// lead into it with some symbol and some only of their states. Of two halves the
// smaller is enough, if the whole has been used before or is as good as used; so the
// new number of a split is always that of the smaller half, and the numbers are the
// queue. Once every state is a block by itself, nothing is left to do.
func hopcroft(r *refinement, coarse []int32) ([]int32, int) {
	h := newBlocks(r)
	for _, b := range smaller(coarse, r.class, r.count) {
		h.use(b)
	}
	for b := r.count; b < len(h.blocks) && len(h.blocks) < len(r.class); b++ {
		h.use(int32(b))
	}
	return h.byFirstState()
}

// smaller returns all classes but the largest of each class of coarse; without a list,
// that is one class.
func smaller(coarse, class []int32, count int) []int32 {
	size, within := make([]int32, count), make([]int32, count)
	for q, c := range class {
		size[c]++
		if coarse != nil {
			within[c] = coarse[q]
		}
	}
	largest := make([]int32, count) // of a class of coarse: plus one
	for c, w := range within {
		if l := largest[w]; l == 0 || size[l-1] < size[c] {
			largest[w] = int32(c) + 1
		}
	}
	var rest []int32
	for c, w := range within {
		if largest[w] != int32(c)+1 {
			rest = append(rest, int32(c))
		}
	}
	return rest
}

// blocks is a division of states into blocks, in which marked states stand first in
// their block and can be split off at once. What is looked at together lies together,
// since at a million states most of the time goes by waiting for memory.
type blocks struct {
	k        int
	first    []int32 // the transitions into q with symbol s are those at first[q*k+s] to first[q*k+s+1]
	from     []int32 // where a transition begins
	places   []place
	elements []int32 // the states of all blocks, block by block
	blocks   []block
	touched  []int32 // blocks with marked states
	splitter []int32 // the states of the block that is used
}

// A place of a state: elements[at] is the state.
type place struct{ block, at int32 }

// A block is elements[first:past], and so many of its first ones are marked.
type block struct{ first, past, marked int32 }

func newBlocks(r *refinement) *blocks {
	n := len(r.class)
	h := &blocks{k: r.k, places: make([]place, n), elements: make([]int32, n), blocks: make([]block, r.count, n)}
	h.incoming(r)
	for _, c := range r.class {
		h.blocks[c].past++
	}
	past := int32(0)
	for b := range h.blocks {
		past, h.blocks[b] = past+h.blocks[b].past, block{first: past, past: past}
	}
	for q, c := range r.class {
		b := &h.blocks[c]
		h.elements[b.past], h.places[q] = int32(q), place{block: c, at: b.past}
		b.past++
	}
	return h
}

// incoming lists the transitions by where they end. While they are put there, first[i+1]
// is where the next one of i goes.
func (h *blocks) incoming(r *refinement) {
	k := r.k
	h.first = make([]int32, len(r.next)+2)
	count := h.first[2:]
	for e := 0; e < len(r.next); e += k {
		for s, q := range r.next[e : e+k] {
			count[int(q)*k+s]++
		}
	}
	free := h.first[1:]
	for i := 1; i < len(free); i++ {
		free[i] += free[i-1]
	}
	h.from = make([]int32, len(r.next))
	for e, p := 0, int32(0); e < len(r.next); e, p = e+k, p+1 {
		for s, q := range r.next[e : e+k] {
			i := &free[int(q)*k+s]
			h.from[*i] = p
			*i++
		}
	}
}

// use splits every block of which some states lead into block b with some symbol, and
// some do not. The block itself may be split, so its states are copied.
func (h *blocks) use(b int32) {
	bounds := h.blocks[b]
	if bounds.past-bounds.first == 1 {
		h.useOne(h.elements[bounds.first])
		return
	}
	h.splitter = append(h.splitter[:0], h.elements[bounds.first:bounds.past]...)
	for s := range h.k {
		for _, q := range h.splitter {
			i := int(q)*h.k + s
			for _, p := range h.from[h.first[i]:h.first[i+1]] {
				h.mark(p)
			}
		}
		h.split()
	}
}

// useOne is use for a block of one state.
func (h *blocks) useOne(q int32) {
	for i := int(q) * h.k; i < int(q+1)*h.k; i++ {
		from := h.from[h.first[i]:h.first[i+1]]
		if len(from) == 1 {
			h.cut(from[0])
			continue
		}
		for _, p := range from {
			h.mark(p)
		}
		h.split()
	}
}

// cut makes a state a block by itself: mark and split in one, which are two fifths of the
// time on an automaton that counts.
func (h *blocks) cut(q int32) {
	p := &h.places[q]
	b := &h.blocks[p.block]
	if b.past-b.first == 1 {
		return
	}
	other := h.elements[b.first]
	h.elements[p.at], h.places[other].at = other, p.at
	h.elements[b.first] = q
	*p = place{block: int32(len(h.blocks)), at: b.first}
	b.first++
	h.blocks = append(h.blocks, block{first: p.at, past: b.first})
}

// mark moves a state, which must not be marked yet, to the marked part of its block,
// unless it is alone there.
func (h *blocks) mark(q int32) {
	p := &h.places[q]
	b := &h.blocks[p.block]
	if b.past-b.first == 1 {
		return
	}
	if b.marked == 0 {
		h.touched = append(h.touched, p.block)
	}
	j := b.first + b.marked
	b.marked++
	other := h.elements[j]
	h.elements[p.at], h.places[other].at = other, p.at
	h.elements[j], p.at = q, j
}

// split makes the marked and the unmarked states of every touched block two blocks,
// the smaller of which gets a new number, and removes all marks.
func (h *blocks) split() {
	for _, c := range h.touched {
		b := &h.blocks[c]
		middle := b.first + b.marked
		b.marked = 0
		if middle == b.past {
			continue
		}
		fresh := block{first: middle, past: b.past}
		if middle-b.first <= b.past-middle {
			fresh = block{first: b.first, past: middle}
			b.first = middle
		} else {
			b.past = middle
		}
		number := int32(len(h.blocks))
		for _, q := range h.elements[fresh.first:fresh.past] {
			h.places[q].block = number
		}
		h.blocks = append(h.blocks, fresh)
	}
	h.touched = h.touched[:0]
}

// byFirstState returns the block of every state, the blocks being numbered in the
// order of their first states, and how many there are; no list if that is all of them.
func (h *blocks) byFirstState() ([]int32, int) {
	if len(h.blocks) == len(h.places) {
		return nil, len(h.places)
	}
	class := make([]int32, len(h.places))
	name := make([]int32, len(h.blocks)) // plus one
	count := int32(0)
	for q, p := range h.places {
		if name[p.block] == 0 {
			count++
			name[p.block] = count
		}
		class[q] = name[p.block] - 1
	}
	return class, int(count)
}
