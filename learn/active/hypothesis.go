package active

import (
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// A hypothesis is the automaton of a learner, which changes it in place: to build one anew for
// every counterexample takes the square of the states. State q of the learner is state q+1, its
// transition by s is number q·symbols+s.
type hypothesis struct {
	*automaton.DFA
	moved   []move // transitions that lead elsewhere since it was settled, in order
	settled int    // how many states it had then
}

// A move says where a transition led before.
type move struct {
	way  int
	from automaton.State
}

func newHypothesis(a *word.Alphabet) *hypothesis {
	d := automaton.NewDFA(a, 0)
	d.Start = 1
	return &hypothesis{DFA: d}
}

// add makes a state, whose transitions lead nowhere yet.
func (h *hypothesis) add(accept bool) {
	h.Accept = append(h.Accept, accept)
	h.Table = append(h.Table, make([]automaton.State, h.Alphabet.Len())...)
}

// lead lets a transition lead to a state of the learner.
func (h *hypothesis) lead(way, q int) {
	at := &h.Table[way+h.Alphabet.Len()]
	if to := automaton.State(q + 1); *at != to {
		h.moved = append(h.moved, move{way, *at})
		*at = to
	}
}

// target returns the state of the learner to which a transition of another leads.
func (h *hypothesis) target(q int, s word.Symbol) int {
	return int(h.Next(automaton.State(q+1), s)) - 1
}

// settle forgets what it was before.
func (h *hypothesis) settle() { h.moved, h.settled = h.moved[:0], h.Len() }

// before returns the automaton as it was when it was settled.
func (h *hypothesis) before() *automaton.DFA {
	k := h.Alphabet.Len()
	d := &automaton.DFA{Alphabet: h.Alphabet, Start: h.Start, Accept: slices.Clone(h.Accept[:h.settled+1])}
	table := slices.Clone(h.Table)
	for _, m := range slices.Backward(h.moved) {
		table[m.way+k] = m.from
	}
	d.Table = table[:(h.settled+1)*k]
	return d
}
