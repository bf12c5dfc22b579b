package passive

import (
	"slices"

	"quotient/automaton"
	"quotient/learn/labeled"
)

// A hypothesis is a prefix tree that is being folded to an automaton. Red states
// are states of the result. What a red state leads to and is not red is blue, and
// below a blue node hangs a tree.
type hypothesis struct {
	set     *labeled.Set
	symbols int
	nodes   []node
	red     []int32 // the node of each red state
	next    []int32 // red states × symbols: 0 is nothing, n > 0 the blue node n, ^r < 0 the red state r
	blue    []int32 // the places in next that hold blue nodes, in order
	errors  int32   // how many words the hypothesis gets wrong
	clock   int32   // counts merges and promotions
	changed []int32 // when each thing that attempts depend on was last changed; see key

	// The attempt that is being made, and what is needed to undo it.
	score     int32      // pairs of nodes met that both have labels
	cost      int32      // errors beside those the hypothesis had
	budget    int32      // the most that cost may be
	from      int32      // the place in next of the blue node
	blueNode  int32      // that node
	pairs     []pair     // still to be folded
	counted   []pair     // whose words were added to those of into
	attached  []int32    // places in next that were empty
	inserted  []inserted // children that were given to other nodes
	touched   []int32    // keys of what the outcome depends on and can still change
	isTouched []bool     // by key

	keptKeys int // see the constant
	stats    Stats
}

// A pair of nodes is to be folded: t, the root of a tree, goes into the red state
// ^into or, if that is not negative, into the node into.
type pair struct{ into, t int32 }

// The child was put where the link is; its sibling was another then.
type inserted struct {
	link           *int32
	child, sibling int32
}

func newHypothesis(s *labeled.Set) *hypothesis {
	h := &hypothesis{set: s, symbols: s.Alphabet.Len(), nodes: tree(s), keptKeys: keptKeys}
	h.stats.Nodes = len(h.nodes)
	for i := range h.nodes {
		n := &h.nodes[i]
		h.stats.Words += int(n.pos + n.neg)
		h.errors += n.errors()
		if n.errors() > 0 {
			h.stats.Contradictory++
		}
	}
	return h
}

// redden makes a state of node n, and blue nodes of its children.
func (h *hypothesis) redden(n int32) error {
	row := len(h.next)
	if row+h.symbols > automaton.MaxTable {
		return &automaton.LimitError{Op: "learning", What: "entries of the table", Limit: automaton.MaxTable}
	}
	h.red = append(h.red, n)
	h.next = append(h.next, make([]int32, h.symbols)...)
	h.changed = append(h.changed, make([]int32, h.symbols+1)...)
	h.isTouched = append(h.isTouched, make([]bool, h.symbols+1)...)
	for c := h.nodes[n].head; c != 0; c = h.nodes[c].sibling {
		place := row + int(h.nodes[c].on)
		h.next[place] = c
		h.blue = append(h.blue, int32(place))
	}
	return nil
}

// key numbers what the outcome of an attempt depends on beside transitions between
// red states, which never change: where red state r leads on symbol s, if that is
// nothing or a blue node, with all that hangs below it; and, where s is the number of
// symbols, that r has no label yet.
func (h *hypothesis) key(r, s int) int { return r*(h.symbols+1) + s }

// keyOf returns the key of a place in next.
func (h *hypothesis) keyOf(place int32) int {
	return h.key(int(place)/h.symbols, int(place)%h.symbols)
}

// touch notes that the attempt depends on what the key stands for.
func (h *hypothesis) touch(key int) {
	if !h.isTouched[key] {
		h.isTouched[key] = true
		h.touched = append(h.touched, int32(key))
	}
}

// promote makes a red state of the blue node at a place of next.
func (h *hypothesis) promote(place int32) error {
	n := h.next[place]
	h.clock++
	h.changed[h.keyOf(place)] = h.clock // what was below is found elsewhere now
	h.next[place] = ^int32(len(h.red))
	h.drop(place)
	h.stats.Promoted++
	return h.redden(n)
}

// drop removes a place from those that hold blue nodes.
func (h *hypothesis) drop(place int32) {
	i, _ := slices.BinarySearch(h.blue, place)
	if i == 0 {
		h.blue = h.blue[1:] // as RPNI does every time
		return
	}
	h.blue = slices.Delete(h.blue, i, i+1)
}

// try folds the tree of a blue node into the red state r and reports whether that
// costs no more than the budget. Every try is followed by undo or commit.
//
// The order of the pairs does not matter: which nodes come together follows from
// the first pair alone.
func (h *hypothesis) try(r int, place int32) bool {
	h.stats.Tried++
	h.score, h.cost = 0, 0
	h.from, h.blueNode = place, h.next[place]
	h.next[place] = ^int32(r)
	h.pairs = append(h.pairs[:0], pair{^int32(r), h.blueNode})
	for len(h.pairs) > 0 {
		p := h.pairs[len(h.pairs)-1]
		h.pairs = h.pairs[:len(h.pairs)-1]
		h.stats.Folded++
		if p.into < 0 {
			r := int(^p.into)
			if h.nodes[p.t].labeled() && !h.nodes[h.red[r]].labeled() {
				h.touch(h.key(r, h.symbols))
			}
			if !h.count(h.red[r], p.t) {
				return false
			}
			h.foldIntoRed(r, p.t)
		} else {
			if !h.count(p.into, p.t) {
				return false
			}
			h.foldIntoTree(p.into, p.t)
		}
	}
	return true
}

// count adds the words of t to those of n and reports whether the budget allows
// for that. The cost is never negative, so an attempt can stop at once.
func (h *hypothesis) count(n, t int32) bool {
	a, b := &h.nodes[n], &h.nodes[t]
	if !b.labeled() {
		return true
	}
	if a.labeled() {
		h.cost -= a.errors() + b.errors()
		h.cost += min(a.pos+b.pos, a.neg+b.neg)
		if h.cost > h.budget {
			return false
		}
		h.score++
	}
	a.pos += b.pos
	a.neg += b.neg
	h.counted = append(h.counted, pair{n, t})
	return true
}

// foldIntoRed gives the children of t to the red state r, or folds them into what
// is there.
func (h *hypothesis) foldIntoRed(r int, t int32) {
	row := r * h.symbols
	for c := h.nodes[t].head; c != 0; c = h.nodes[c].sibling {
		place := row + int(h.nodes[c].on)
		into := h.next[place]
		if into >= 0 {
			h.touch(h.key(r, int(h.nodes[c].on)))
		}
		if into != 0 {
			h.pairs = append(h.pairs, pair{into, c})
			continue
		}
		h.next[place] = c
		h.attached = append(h.attached, int32(place))
	}
}

// foldIntoTree gives the children of t to the node n, or folds them into what is
// there. Both lists are in the order of symbols.
func (h *hypothesis) foldIntoTree(n, t int32) {
	link := &h.nodes[n].head
	for c := h.nodes[t].head; c != 0; {
		after := h.nodes[c].sibling
		for *link != 0 && h.nodes[*link].on < h.nodes[c].on {
			link = &h.nodes[*link].sibling
		}
		if d := *link; d != 0 && h.nodes[d].on == h.nodes[c].on {
			h.pairs = append(h.pairs, pair{d, c})
		} else {
			h.inserted = append(h.inserted, inserted{link, c, after})
			h.nodes[c].sibling, *link = *link, c
		}
		c = after
	}
}

// undo takes the attempt back.
func (h *hypothesis) undo() {
	for _, p := range h.counted {
		h.nodes[p.into].pos -= h.nodes[p.t].pos
		h.nodes[p.into].neg -= h.nodes[p.t].neg
	}
	for _, i := range slices.Backward(h.inserted) {
		*i.link = h.nodes[i.child].sibling
		h.nodes[i.child].sibling = i.sibling
	}
	for _, place := range h.attached {
		h.next[place] = 0
	}
	h.next[h.from] = h.blueNode
	h.forget()
}

// commit makes the attempt part of the hypothesis.
func (h *hypothesis) commit() {
	h.errors += h.cost
	h.clock++
	h.touch(h.keyOf(h.from))
	for _, key := range h.touched {
		h.changed[key] = h.clock
	}
	h.drop(h.from)
	for _, place := range h.attached {
		i, _ := slices.BinarySearch(h.blue, place)
		h.blue = slices.Insert(h.blue, i, place)
	}
	h.stats.Merged++
	h.forget()
}

func (h *hypothesis) forget() {
	for _, key := range h.touched {
		h.isTouched[key] = false
	}
	h.counted, h.attached, h.inserted, h.touched = h.counted[:0], h.attached[:0], h.inserted[:0], h.touched[:0]
}

// dfa returns the automaton of the red states. A state accepts if more of its words
// are in the language than are not; where the words say nothing, it rejects.
func (h *hypothesis) dfa() *automaton.DFA {
	d := automaton.NewDFA(h.set.Alphabet, len(h.red))
	for r, n := range h.red {
		q := automaton.State(r + 1)
		d.Accept[q] = h.nodes[n].pos > h.nodes[n].neg
		row := d.Row(q)
		for s, to := range h.next[r*h.symbols : (r+1)*h.symbols] {
			if to < 0 {
				row[s] = automaton.State(^to + 1)
			}
		}
	}
	return automaton.Minimize(d)
}
