package automaton

import "math/bits"

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
// first, O(log n) of them, which keeps the bound, and Hopcroft's algorithm
// finishes what they leave open.
func Minimize(d *DFA) *DFA { return minimize(d, 1<<32-1) }

// minimize uses the bits of signatures that are set in mask; tests use few.
func minimize(d *DFA, mask uint32) *DFA {
	order, next := breadthFirst(d)
	r := refinement{k: d.Alphabet.Len(), next: next}
	r.bySignature(d, order, mask)
	if !r.stable(2 * bits.Len(uint(len(order)))) {
		r.class, r.count = hopcroft(r.k, next, r.class, r.count)
	}
	return r.quotient(d, order)
}

// ahead is how many entries of a table are loaded before any of them is used,
// so that the processor waits for them all at once and not for one after another.
// The loads end in a check that cannot fail, lest the compiler drop them.
const ahead = 64

// breadthFirst returns Dead and the states that are reachable, in the order in
// which a breadth-first search meets them, and the table of d with the states
// renumbered by that order.
func breadthFirst(d *DFA) (order []State, next []int32) {
	k := d.Alphabet.Len()
	number := make([]int32, len(d.Accept)) // 0: Dead, or not met yet
	order = make([]State, 1, len(d.Accept))
	next = make([]int32, k, len(d.Table))
	if d.Start != Dead {
		number[d.Start] = 1
		order = append(order, d.Start)
	}
	var loaded int32
	for i := 1; i < len(order); {
		met := len(next)
		for end := min(i+ahead, len(order)); i < end; i++ {
			for _, to := range d.Row(order[i]) {
				next = append(next, int32(to))
				loaded |= number[to]
			}
		}
		for j, to := range next[met:] {
			if number[to] == 0 && State(to) != Dead {
				number[to] = int32(len(order))
				order = append(order, State(to))
			}
			next[met+j] = number[to]
		}
	}
	if loaded < 0 {
		panic("automaton: negative state number")
	}
	return order, next
}

// A refinement divides states into classes, finer and finer.
type refinement struct {
	k     int
	next  []int32 // states × k
	class []int32 // of each state
	count int     // number of classes
}

func (r *refinement) row(q int32) []int32 { return r.next[int(q)*r.k : (int(q)+1)*r.k] }

// bySignature divides the states by what they accept within a few symbols. The
// signature of a state, which stands for its class at first, is a hash of its
// own and of its successors' last one, and its lowest bit is acceptance. States of
// one language always agree in it, and states that differ in acceptance never do.
// So a chance collision can only make a class too large, and since the class still
// respects acceptance, the steps after this one divide it.
func (r *refinement) bySignature(d *DFA, order []State, mask uint32) {
	r.class = make([]int32, len(order))
	for i, q := range order {
		if d.Accept[q] {
			r.class[i] = 1
		}
	}
	// After t rounds words up to length t have been looked at. A random automaton
	// of a million states needs four, and the exact round after them.
	then := make([]int32, len(order))
	for range bits.Len(uint(len(order))) / 5 {
		r.class, then = then, r.class
		for q := range r.class {
			h := uint32(r.hash(then, int32(q))>>32) & mask
			r.class[q] = int32(h&^1) | then[q]&1
		}
	}
}

// hash returns a hash of the classes of q and of its successors.
func (r *refinement) hash(class []int32, q int32) uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2⁶⁴ divided by the golden ratio
	h := uint64(uint32(class[q]))
	for _, to := range r.row(q) {
		h = (h^h>>32)*odd + uint64(uint32(class[to]))
	}
	h *= odd
	return h ^ h>>29
}

// stable runs at most the given number of exact rounds and reports whether they
// have come to an end: whether the states of each class have, for every symbol,
// their successors in one class.
func (r *refinement) stable(rounds int) bool {
	n := len(r.class)
	table := make([]uint64, 1<<bits.Len(uint(n+n/4)))
	fresh := make([]int32, n)
	for i := range rounds {
		before := r.count
		if i > 0 {
			clear(table)
		}
		r.round(fresh, table)
		r.class, fresh = fresh, r.class
		if r.count == before || r.count == n {
			return true
		}
	}
	return false
}

// round puts two states into one class of fresh if they and all their successors
// were in one class each. New class numbers follow the order in which the
// classes first occur, so that of Dead is 0 and, since the states stand breadth
// first, the classes are numbered breadth first too. An entry of the table,
// which is addressed by hash, is a new class number plus one and above it a part
// of the hash.
func (r *refinement) round(fresh []int32, table []uint64) {
	mask := uint64(len(table) - 1)
	first := make([]int32, 0, len(fresh)) // the first state of every new class
	var hashes [ahead]uint64
	for begin := 0; begin < len(fresh); begin += ahead {
		end := min(begin+ahead, len(fresh))
		var loaded uint64
		for q := begin; q < end; q++ {
			h := r.hash(r.class, int32(q))
			hashes[q-begin] = h
			loaded |= table[h&mask]
		}
		if int32(loaded) < 0 {
			panic("automaton: negative class number")
		}
		for q := int32(begin); int(q) < end; q++ {
			h := hashes[int(q)-begin]
			tag := h &^ (1<<32 - 1)
			slot := h & mask
			for table[slot] != 0 {
				if t := table[slot]; t&^(1<<32-1) == tag && r.alike(q, first[uint32(t)-1]) {
					break
				}
				slot = (slot + 1) & mask
			}
			if table[slot] == 0 {
				first = append(first, q)
				table[slot] = tag | uint64(len(first))
			}
			fresh[q] = int32(uint32(table[slot])) - 1
		}
	}
	r.count = len(first)
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
	if len(order) == 1 || r.class[1] == 0 {
		return NewDFA(d.Alphabet, 0)
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
