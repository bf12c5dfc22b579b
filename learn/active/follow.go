package active

import (
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// A follower knows where a hypothesis leads with the words that a memory watches, and which answers it
// gets wrong. The next hypothesis has the states of the one before and some more, and few transitions that
// lead elsewhere: only words that take those are followed anew. Following all words through
// all hypotheses was a quarter of the time of TTT over two symbols, and more over many.
type follower struct {
	m        *memory
	h        *hypothesis
	followed []int32           // the words that are watched and all their prefixes, each behind its own
	at       []automaton.State // where a node of the memory leads; Dead: it is not followed
	members  []int32           // of each state, the first node of a list of those that lead there; 0: none
	next     []int32           // of each node, the next in its list, and the one before; 0: none
	before   []int32
	watched  []bool  // whether a node is, or only words behind it are
	wrong    []int32 // nodes watched whose answers the hypothesis gets wrong, and some others
	queued   []bool  // whether a node is among those
}

// newFollower returns a follower of a memory that has no other, and of one hypothesis.
func newFollower(m *memory, h *hypothesis) *follower {
	m.noted = []int32{}
	return &follower{m: m, h: h}
}

// contradiction returns the first word watched that the hypothesis gets wrong, short words before
// long ones. It settles the hypothesis.
func (f *follower) contradiction() (word.Word, bool) {
	f.grow()
	if 4*len(f.h.moved) > len(f.h.Table)+64 {
		f.restart()
	} else {
		f.update()
	}
	f.h.settle()
	for _, n := range f.m.noted {
		f.follow(n)
		f.watched[n] = true
		f.check(n)
	}
	f.m.noted = f.m.noted[:0]
	worst := int32(-1)
	f.wrong = slices.DeleteFunc(f.wrong, func(n int32) bool {
		if f.queued[n] = f.isWrong(n); f.queued[n] && (worst < 0 || f.m.comes(n, worst)) {
			worst = n
		}
		return !f.queued[n]
	})
	if worst < 0 {
		return nil, false
	}
	return f.m.word(worst), true
}

// grow makes room for all nodes and states.
func (f *follower) grow() {
	if more := len(f.m.nodes) - len(f.at); more > 0 {
		f.at = append(f.at, make([]automaton.State, more)...)
		f.next = append(f.next, make([]int32, more)...)
		f.before = append(f.before, make([]int32, more)...)
		f.queued, f.watched = append(f.queued, make([]bool, more)...), append(f.watched, make([]bool, more)...)
	}
	f.members = append(f.members, make([]int32, len(f.h.Accept)-len(f.members))...)
}

// restart follows all words anew.
func (f *follower) restart() {
	clear(f.members)
	for _, n := range f.followed {
		f.link(n, f.leads(n))
		f.check(n)
	}
}

// update follows the words that the hypothesis leads elsewhere.
func (f *follower) update() {
	k := f.h.Alphabet.Len()
	var again []int32
	for _, move := range f.h.moved {
		for n := f.members[move.way/k+1]; n != 0; n = f.next[n-1] {
			if c := f.m.child[f.m.find(n-1, word.Symbol(move.way%k))]; c != 0 && f.at[c] != automaton.Dead {
				again = append(again, c)
			}
		}
	}
	for len(again) > 0 {
		n := again[len(again)-1]
		again = again[:len(again)-1]
		to := f.leads(n)
		if to == f.at[n] {
			continue
		}
		f.unlink(n)
		f.link(n, to)
		f.check(n)
		for c := f.m.nodes[n].first; c != 0; c = f.m.nodes[c].sibling {
			if f.at[c] != automaton.Dead {
				again = append(again, c)
			}
		}
	}
}

// follow follows a word that was not, and its prefixes.
func (f *follower) follow(n int32) {
	begin := len(f.followed)
	for ; n >= 0 && f.at[n] == automaton.Dead; n = f.m.nodes[n].parent {
		f.followed = append(f.followed, n)
	}
	slices.Reverse(f.followed[begin:])
	for _, n := range f.followed[begin:] {
		f.link(n, f.leads(n))
	}
}

// leads returns where the hypothesis leads with a word, if that is known of the word without its last symbol.
func (f *follower) leads(n int32) automaton.State {
	if n == 0 {
		return f.h.Start
	}
	return f.h.Next(f.at[f.m.nodes[n].parent], f.m.nodes[n].on)
}

// link puts a node into the list of a state. Nodes in lists are counted from 1.
func (f *follower) link(n int32, q automaton.State) {
	first := f.members[q]
	f.at[n], f.members[q], f.next[n], f.before[n] = q, n+1, first, 0
	if first != 0 {
		f.before[first-1] = n + 1
	}
}

// unlink takes a node out of its list.
func (f *follower) unlink(n int32) {
	next, before := f.next[n], f.before[n]
	if next != 0 {
		f.before[next-1] = before
	}
	if before != 0 {
		f.next[before-1] = next
	} else {
		f.members[f.at[n]] = next
	}
}

// check remembers a node whose answer is wrong.
func (f *follower) check(n int32) {
	if f.watched[n] && !f.queued[n] && f.isWrong(n) {
		f.queued[n] = true
		f.wrong = append(f.wrong, n)
	}
}

func (f *follower) isWrong(n int32) bool { return f.m.isWrong(n, f.h.Accept[f.at[n]]) }
