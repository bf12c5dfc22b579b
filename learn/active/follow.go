package active

import (
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// A follower knows where a hypothesis leads with every word of a memory, and which answers it
// gets wrong. The next hypothesis has the states of the one before and some more, and few transitions that
// lead elsewhere: only words that take those are followed anew. Following all words through
// all hypotheses was a quarter of the time of TTT over two symbols, and more over many.
type follower struct {
	m       *memory
	h       *automaton.DFA    // the hypothesis; nil: none yet
	at      []automaton.State // where it leads, of each node of the memory that it has seen
	members []int32           // of each state, the first node of a list of those that lead there; -1: none
	next    []int32           // of each node, the next in its list, and the one before; -1: none
	before  []int32
	wrong   []int32 // nodes whose answers the hypothesis gets wrong, and some others
	queued  []bool  // whether a node is among those
}

// newFollower returns a follower of a memory that has no other.
func newFollower(m *memory) *follower {
	m.noted = []int32{}
	return &follower{m: m}
}

// contradiction returns the shortest known word that a hypothesis gets wrong, the one
// learned first among those. Nobody may change the hypothesis afterwards.
func (f *follower) contradiction(h *automaton.DFA) (word.Word, bool) {
	if f.h == nil || h.Start != f.h.Start || h.Len() < f.h.Len() || !f.update(h) {
		f.restart(h)
	}
	for n := int32(len(f.at)); int(n) < len(f.m.nodes); n++ {
		f.append(n)
	}
	for _, n := range f.m.noted {
		f.check(n)
	}
	f.m.noted = f.m.noted[:0]
	worst := int32(-1)
	f.wrong = slices.DeleteFunc(f.wrong, func(n int32) bool {
		if f.queued[n] = f.isWrong(n); f.queued[n] && (worst < 0 || f.comes(n, worst)) {
			worst = n
		}
		return !f.queued[n]
	})
	if worst < 0 {
		return nil, false
	}
	return f.m.word(worst), true
}

// comes reports whether the word of a node is shorter than another, or was learned before it.
func (f *follower) comes(n, other int32) bool {
	a, b := f.m.nodes[n].depth, f.m.nodes[other].depth
	return a < b || a == b && n < other
}

// restart forgets the hypothesis before.
func (f *follower) restart(h *automaton.DFA) {
	f.h = h
	f.members = slices.Repeat([]int32{-1}, len(h.Accept))
	f.at, f.next, f.before, f.queued = f.at[:0], f.next[:0], f.before[:0], f.queued[:0]
	f.wrong = f.wrong[:0]
}

// update follows the words that the new hypothesis leads elsewhere, unless those are
// many transitions: then it reports false.
func (f *follower) update(h *automaton.DFA) bool {
	k, old := h.Alphabet.Len(), f.h
	var changed []int
	for i, to := range old.Table {
		if h.Table[i] != to {
			changed = append(changed, i)
		}
	}
	if 4*len(changed) > len(old.Table)+64 {
		return false
	}
	var again []int32
	for _, i := range changed {
		for n := f.members[i/k]; n >= 0; n = f.next[n] {
			if c := f.m.child[f.m.find(n, word.Symbol(i%k))]; c != 0 && int(c) < len(f.at) {
				again = append(again, c)
			}
		}
	}
	for q, accept := range old.Accept {
		for n := f.members[q]; accept != h.Accept[q] && n >= 0; n = f.next[n] {
			f.m.noted = append(f.m.noted, n)
		}
	}
	f.h = h
	for len(f.members) < len(h.Accept) {
		f.members = append(f.members, -1)
	}
	for len(again) > 0 {
		n := again[len(again)-1]
		again = again[:len(again)-1]
		to := h.Next(f.at[f.m.nodes[n].parent], f.m.nodes[n].on)
		if to == f.at[n] {
			continue
		}
		f.unlink(n)
		f.link(n, to)
		f.check(n)
		for c := f.m.nodes[n].first; c != 0; c = f.m.nodes[c].sibling {
			if int(c) < len(f.at) {
				again = append(again, c)
			}
		}
	}
	return true
}

// append follows the word of a new node.
func (f *follower) append(n int32) {
	to := f.h.Start
	if n > 0 {
		to = f.h.Next(f.at[f.m.nodes[n].parent], f.m.nodes[n].on)
	}
	f.at, f.next, f.before = append(f.at, 0), append(f.next, -1), append(f.before, -1)
	f.queued = append(f.queued, false)
	f.link(n, to)
	f.check(n)
}

// link puts a node into the list of a state.
func (f *follower) link(n int32, q automaton.State) {
	first := f.members[q]
	f.at[n], f.members[q], f.next[n], f.before[n] = q, n, first, -1
	if first >= 0 {
		f.before[first] = n
	}
}

// unlink takes a node out of its list.
func (f *follower) unlink(n int32) {
	next, before := f.next[n], f.before[n]
	if next >= 0 {
		f.before[next] = before
	}
	if before >= 0 {
		f.next[before] = next
	} else {
		f.members[f.at[n]] = next
	}
}

// check remembers a node whose answer is wrong.
func (f *follower) check(n int32) {
	if !f.queued[n] && f.isWrong(n) {
		f.queued[n] = true
		f.wrong = append(f.wrong, n)
	}
}

func (f *follower) isWrong(n int32) bool { return f.m.isWrong(n, f.h.Accept[f.at[n]]) }
