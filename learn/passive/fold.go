package passive

import (
	"slices"

	"quotient/automaton"
	"quotient/internal/fold"
	"quotient/learn/labeled"
)

// A hypothesis is a prefix tree that is being folded to an automaton. Red states
// are states of the result. What a red state leads to and is not red is blue, and
// below a blue node hangs a tree.
//
// What red states lead to is a table. Lists, as [fold.Folding] has them, take 1.3 times
// as long over 1,000 symbols (BenchmarkManySymbols), and eight times as long where scores
// are not kept (BenchmarkWithoutKeys).
type hypothesis struct {
	fold.Tree[int32, count]
	set     *labeled.Set
	symbols int
	red     []int32 // the node of each red state
	next    []int32 // red states × symbols: 0 is nothing, n > 0 the blue node n, ^r < 0 the red state r
	blue    []int32 // the places in next that hold blue nodes, in order
	errors  int32   // how many words the hypothesis gets wrong
	clock   int32   // counts merges and promotions
	changed []int32 // when each thing that attempts depend on was last changed; see key

	// The attempt that is being made, and what is needed to undo it.
	score     int32   // pairs of nodes met that both have labels
	cost      int32   // errors beside those the hypothesis had
	budget    int32   // the most that cost may be
	from      int32   // the place in next of the blue node
	blueNode  int32   // that node
	pairs     []pair  // still to be folded
	attached  []int32 // places in next that were empty
	touched   []int32 // keys of what the outcome depends on and can still change
	isTouched []bool  // by key
	visited   []int32 // nodes that the outcome depends on
	alters    []int32 // nodes that it changes; see watch

	// Of EDSM alone.
	altered []int32 // when each node was last changed; see watch
	moved   []int32 // by key: when it was last another node, or a state got its label
	kept    int     // nodes that options keep

	keptKeys int  // see the constant
	most     int  // pairs that may be folded; 0: any number
	easy     bool // whether more pairs than clean words take are too many
	stats    Stats

	// Of EDSM* alone.
	weighing *weighing
	below    []int32 // words below each node that is not red
	counting bool    // whether the attempt is made for good
}

// A pair of nodes is to be folded: t, the root of a tree, goes into the red state
// ^into or, if that is not negative, into the node into.
type pair struct{ into, t int32 }

// newHypothesis begins with the tree of the words.
func newHypothesis(s *labeled.Set, nodes []node) *hypothesis {
	h := &hypothesis{set: s, symbols: s.Alphabet.Len(), keptKeys: keptKeys}
	h.Nodes = nodes
	h.stats.Nodes = len(h.Nodes)
	for i := range h.Nodes {
		n := h.Nodes[i].Data
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
	h.moved = append(h.moved, make([]int32, h.symbols+1)...)
	for c := h.Nodes[n].Head; c != 0; c = h.Nodes[c].Sibling {
		place := row + int(h.Nodes[c].On)
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
		h.visit(p)
		if p.into < 0 {
			r := int(^p.into)
			if h.Nodes[p.t].Data.labeled() && !h.Nodes[h.red[r]].Data.labeled() {
				h.touch(h.key(r, h.symbols))
			}
			if !h.add(h.red[r], p.t) {
				return false
			}
			h.foldIntoRed(r, p.t)
		} else {
			if !h.add(p.into, p.t) {
				return false
			}
			if h.counting {
				h.below[p.into] += h.below[p.t]
			}
			h.foldIntoTree(p.into, p.t)
		}
	}
	return true
}

// add adds the words of t to those of n and reports whether the budget allows
// for that. The cost is never negative, so an attempt can stop at once.
func (h *hypothesis) add(n, t int32) bool {
	a, b := h.Nodes[n].Data, h.Nodes[t].Data
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
		if h.weighing != nil && !h.weighing.meet(a, b) {
			return false
		}
	} else {
		h.alter(n)
	}
	h.Set(n, count{a.pos + b.pos, a.neg + b.neg})
	return true
}

// foldIntoRed gives the children of t to the red state r, or folds them into what
// is there.
func (h *hypothesis) foldIntoRed(r int, t int32) {
	row := r * h.symbols
	for c := h.Nodes[t].Head; c != 0; c = h.Nodes[c].Sibling {
		place := row + int(h.Nodes[c].On)
		into := h.next[place]
		if into >= 0 {
			h.touch(h.key(r, int(h.Nodes[c].On)))
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
	link, other := &h.Nodes[n].Head, int32(0)
	for c := h.Nodes[t].Head; c != 0; {
		after := h.Nodes[c].Sibling
		if link, other = h.Give(link, c); other != 0 {
			h.pairs = append(h.pairs, pair{other, c})
		} else {
			h.alter(n)
		}
		c = after
	}
}

// undo takes the attempt back.
func (h *hypothesis) undo() {
	h.Tree.Undo()
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
	h.settle()
	h.drop(h.from)
	for _, place := range h.attached {
		i, _ := slices.BinarySearch(h.blue, place)
		h.blue = slices.Insert(h.blue, i, place)
	}
	h.stats.Merged++
	h.Tree.Keep()
	h.forget()
}

func (h *hypothesis) forget() {
	for _, key := range h.touched {
		h.isTouched[key] = false
	}
	h.attached, h.touched = h.attached[:0], h.touched[:0]
	h.visited, h.alters = h.visited[:0], h.alters[:0]
}

// dfa returns the automaton of the red states. A state accepts if more of its words
// are in the language than are not; where the words say nothing, it rejects.
func (h *hypothesis) dfa() *automaton.DFA {
	d := automaton.NewDFA(h.set.Alphabet, len(h.red))
	for r, n := range h.red {
		q := automaton.State(r + 1)
		d.Accept[q] = h.Nodes[n].Data.pos > h.Nodes[n].Data.neg
		row := d.Row(q)
		for s, to := range h.next[r*h.symbols : (r+1)*h.symbols] {
			if to < 0 {
				row[s] = automaton.State(^to + 1)
			}
		}
	}
	return automaton.Minimize(d)
}
