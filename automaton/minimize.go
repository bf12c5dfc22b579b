package automaton

import (
	"math/bits"
	"slices"
)

// Minimize returns the smallest automaton for the language of d. It has no
// state that is unreachable or from which nothing is accepted, and its states
// are numbered breadth first, symbols in their order. So two automata for one
// language over one alphabet come out equal in every value.
//
// It takes O(k n log n) steps for n states and k symbols, by Hopcroft's
// algorithm (1971). But that one jumps through memory at every step, and most
// automata are settled by a few rounds in the manner of Moore (1956), which run
// through their tables in order: on a random automaton of a million states they
// are 10 times as fast (BenchmarkMinimize, BenchmarkHopcroft). So rounds come
// first, O(log n) of them, which keeps the bound, as long as each tells many more
// states apart, and Hopcroft's algorithm finishes what they leave open. Over one
// symbol an automaton is a word and then a word again and again, and takes O(n).
func Minimize(d *DFA) *DFA { return minimize(d, 1<<32-1) }

// minimize uses the bits of hashes that are set in mask; tests use few.
func minimize(d *DFA, mask uint32) *DFA {
	order, next := breadthFirst(d)
	r := refinement{k: d.Alphabet.Len(), next: next, mask: mask}
	if r.k > narrow {
		r.arrows = newArrows(next, r.k)
	}
	if r.k == 1 {
		r.unary(d, order)
	} else {
		r.refine(d, order)
	}
	return r.quotient(d, order)
}

// refine divides the states into the classes of the minimal automaton.
func (r *refinement) refine(d *DFA, order []State) {
	accept := make([]uint8, len(order))
	for q, old := range order {
		if d.Accept[old] {
			accept[q] = 1
		}
	}
	var coarse []int32
	if r.slow(accept) {
		r.byAcceptance(accept)
	} else {
		r.bySignature(accept)
		var done bool
		if coarse, done = r.stable(); done {
			return
		}
	}
	r.class, r.count = hopcroft(r, coarse)
}

// byAcceptance divides the states into those that reject and those that accept.
func (r *refinement) byAcceptance(accept []uint8) {
	r.class, r.count = make([]int32, len(accept)), 1
	for q, a := range accept {
		if a == 1 {
			r.class[q], r.count = 1, 2
		}
	}
}

// ahead is how many entries of a table are loaded before any of them is used,
// so that the processor waits for them all at once and not for one after another.
// The loads end in a check that cannot fail, lest the compiler drop them.
const ahead = 64

func loadedAll(loaded State) {
	if loaded < 0 {
		panic("automaton: negative state number")
	}
}

// breadthFirst returns Dead and the states that are reachable, in the order in
// which a breadth-first search meets them, and the table of d with the states
// renumbered by that order.
func breadthFirst(d *DFA) (order, next []State) {
	k := d.Alphabet.Len()
	number := make([]State, len(d.Accept)) // 0: Dead, or not met yet
	order = make([]State, 1, len(d.Accept))
	next = make([]State, k, len(d.Table))
	if d.Start != Dead {
		number[d.Start] = 1
		order = append(order, d.Start)
	}
	if k > narrow {
		return followWide(d, number, order, next)
	}
	var loaded State
	for i := 1; i < len(order); {
		met := len(next)
		for end := min(i+ahead, len(order)); i < end; i++ {
			for _, to := range d.Row(order[i]) {
				next = append(next, to)
				loaded |= number[to]
			}
		}
		for j, to := range next[met:] {
			if number[to] == 0 && to != Dead {
				number[to] = State(len(order))
				order = append(order, to)
			}
			next[met+j] = number[to]
		}
	}
	loadedAll(loaded)
	return order, next
}

// A refinement divides states into classes, finer and finer.
type refinement struct {
	k     int
	next  []State // states × k
	class []int32 // of each state
	count int     // number of classes

	mask   uint32  // of hashes
	arrows *arrows // what next has beside Dead, where rows are wide
}

func (r *refinement) row(q int32) []State { return r.next[int(q)*r.k : (int(q)+1)*r.k] }

// bySignature divides the states by what they accept within a few symbols. The
// signature of a state, which stands for its class at first, is a hash of its
// own and of its successors' last one, and its lowest bit is acceptance. States of
// one language always agree in it, and states that differ in acceptance never do.
// So a chance collision can only make a class too large, and since the class still
// respects acceptance, the steps after this one divide it.
//
// After t rounds words up to length t have been looked at. A random automaton of a
// million states needs four, and the exact round after them. The first rounds tell
// so few classes apart that a byte will do, and bytes stay in the cache.
func (r *refinement) bySignature(accept []uint8) {
	n := len(accept)
	small, other := make([]uint8, n), make([]uint8, n)
	sign(r, other, accept)
	sign(r, small, other)
	r.class = make([]int32, n)
	sign(r, r.class, small)
	then := make([]int32, n)
	for range bits.Len(uint(n)) / 20 {
		r.class, then = then, r.class
		sign(r, r.class, then)
	}
}

// slow reports whether two rounds tell hardly anything apart, by a thousand states: then
// there is a long way to go. Where each round divides every class, two symbols make 128
// classes in two rounds. It is found out only where that takes no longer than a round.
func (r *refinement) slow(accept []uint8) bool {
	const sample, few = 1000, 8
	if sample*len(r.row(0)) > len(accept) {
		return false
	}
	var seen []uint64
	mix := func(h uint64, q State) uint64 {
		var own [1]uint64
		hashes(r, own[:], accept, int(q))
		return (h^h>>32)*odd + own[0]
	}
	for q := 0; q < len(accept); q += 1 + len(accept)/sample {
		h := mix(0, State(q))
		for _, to := range r.row(int32(q)) {
			h = mix(h, to)
		}
		if !slices.Contains(seen, h) {
			if seen = append(seen, h); len(seen) == few {
				return false
			}
		}
	}
	return true
}

// odd is 2⁶⁴ divided by the golden ratio.
const odd = 0x9e3779b97f4a7c15

// sign computes signatures from those of the round before.
func sign[From, To uint8 | int32](r *refinement, dst []To, src []From) {
	var some [ahead]uint64
	for q := 0; q < len(dst); q += len(some) {
		part := some[:min(len(some), len(dst)-q)]
		hashes(r, part, src, q)
		for i, h := range part {
			dst[q+i] = To(uint32(h>>32)&r.mask&^1) | To(src[q+i])&1
		}
	}
}

// hashes computes a hash of the classes of a state and of its successors, for states from q on.
func hashes[C uint8 | int32](r *refinement, dst []uint64, class []C, q int) {
	if r.arrows != nil {
		hashArrows(r.arrows, dst, class, q)
		return
	}
	for i := range dst {
		dst[i] = hash(r, class, int32(q+i))
	}
}

// hash returns the hash of one state, all of its successors being in the row.
func hash[C uint8 | int32](r *refinement, class []C, q int32) uint64 {
	h := uint64(uint32(class[q]))
	for _, to := range r.row(q) {
		h = (h^h>>32)*odd + uint64(uint32(class[to]))
	}
	h *= odd
	return h ^ h>>29
}

// stable runs exact rounds and reports whether they have come to an end: whether the
// states of each class have, for every symbol, their successors in one class. Rounds
// that do not add half as many classes again must be few, else it gives up and
// returns the classes before the last round.
func (r *refinement) stable() (before []int32, done bool) {
	fresh := make([]int32, len(r.class))
	count := 0
	for patience := 3; patience > 0; {
		r.round(fresh)
		r.class, fresh = fresh, r.class
		if r.count == count || r.count == len(r.class) {
			return nil, true
		}
		if r.count < count+count/2 {
			patience--
		}
		count = r.count
	}
	return fresh, false
}

// An entry is a state and a part of its hash.
type entry struct {
	tag   uint32
	state int32
}

// round puts two states into one class of fresh if they and all their successors
// were in one class each. New class numbers follow the order in which the classes
// first occur, so that of Dead is 0 and, since the states stand breadth first, the
// classes are numbered breadth first too.
//
// Equal states are found by hashing. A table for all of them would not fit into
// the cache, so they are first distributed by a part of the hash, which writes in
// a few streams, and each part has a small table. Whether those of one hash are
// really alike is looked at in the end, where no state has to wait for the one before.
func (r *refinement) round(fresh []int32) {
	n := len(fresh)
	width := max(0, bits.Len(uint(n))-12)
	parts := 1 << width
	hashed := make([]uint64, n)
	hashes(r, hashed, r.class, 0)
	first := make([]int32, parts+1) // part p is entries[first[p]:first[p+1]]
	for _, h := range hashed {
		first[h&uint64(parts-1)+1]++
	}
	for p := range parts {
		first[p+1] += first[p]
	}
	entries := make([]entry, n)
	free := slices.Clone(first[:parts])
	for q, h := range hashed {
		p := h & uint64(parts-1)
		entries[free[p]] = entry{tag: uint32(h>>32) & r.mask, state: int32(q)}
		free[p]++
	}
	var table []int32
	for p := range parts {
		table = unite(fresh, entries[first[p]:first[p+1]], table)
	}
	r.count = 0
	var strays []int32
	for q, same := range fresh { // the first state of the class, which has its number already
		if int(same) != q && !r.alike(int32(q), same) {
			strays, same = r.stray(strays, int32(q))
		}
		if int(same) == q {
			fresh[q] = int32(r.count)
			r.count++
		} else {
			fresh[q] = fresh[same]
		}
	}
}

// stray returns the first state that is like q among those that only their hashes put together with
// others, and q with them if it is the first. There is about one of them at a million states.
func (r *refinement) stray(strays []int32, q int32) (all []int32, same int32) {
	for _, p := range strays {
		if r.alike(p, q) {
			return strays, p
		}
	}
	return append(strays, q), q
}

// unite sets same[q], for each of the states, to the first of them with the same tag.
// The table is scratch space, which it returns.
func unite(same []int32, states []entry, table []int32) []int32 {
	size := 2 << bits.Len(uint(len(states)))
	if len(table) < size {
		table = make([]int32, size)
	}
	clear(table[:size])
	for i, e := range states {
		slot := e.tag & uint32(size-1)
		same[e.state] = e.state
		for ; table[slot] != 0; slot = (slot + 1) & uint32(size-1) {
			if f := states[table[slot]-1]; f.tag == e.tag {
				same[e.state] = f.state
				break
			}
		}
		if table[slot] == 0 {
			table[slot] = int32(i) + 1
		}
	}
	return table
}

// alike reports whether p and q, and their successors, are in one class each.
func (r *refinement) alike(p, q int32) bool {
	if r.class[p] != r.class[q] {
		return false
	}
	row := r.row(q)
	for s, to := range r.row(p) {
		if r.class[to] != r.class[row[s]] {
			return false
		}
	}
	return true
}

// quotient returns the automaton whose states are the classes.
func (r *refinement) quotient(d *DFA, order []State) *DFA {
	if r.count == 1 || r.class != nil && r.class[1] == 0 {
		return NewDFA(d.Alphabet, 0)
	}
	if r.count == len(order) { // every state is its own class
		accept := make([]bool, r.count)
		for q, old := range order {
			accept[q] = d.Accept[old]
		}
		return &DFA{Alphabet: d.Alphabet, Start: 1, Accept: accept, Table: r.next}
	}
	out := NewDFA(d.Alphabet, r.count-1)
	seen := int32(0) // classes met so far, beside that of Dead
	for q, c := range r.class {
		if c <= seen {
			continue
		}
		seen = c
		out.Accept[c] = d.Accept[order[q]]
		row := out.Row(State(c))
		for s, to := range r.row(int32(q)) {
			row[s] = State(r.class[to])
		}
	}
	return out
}
