package regex

import (
	"math/bits"

	"quotient/automaton"
)

// A judge decides whether small expressions have the language of an automaton.
// It runs the position automaton of the expression (Glushkov, The Abstract
// Theory of Automata, 1961) beside the given one. A set of positions is one
// machine word, so most wrong expressions are found out within a microsecond.
type judge struct {
	d      *automaton.DFA // minimal, over blocks
	budget int            // steps that are left

	n      int                  // positions; 0 is the one before the first symbol
	follow [maxPositions]uint64 // what may come after a position
	on     []uint64             // the positions that read a block
	state  map[uint64]automaton.State
	queue  []uint64
}

const (
	maxPositions = 64
	maxSets      = 1 << 12
)

func newJudge(d *automaton.DFA, budget int) *judge {
	return &judge{
		d:      d,
		budget: budget,
		on:     make([]uint64, d.Alphabet.Len()),
		state:  make(map[uint64]automaton.State),
	}
}

// same reports whether the language of e is that of the automaton. It also
// answers no where e or the work is too large.
func (j *judge) same(e *Expr) bool {
	j.budget -= e.weight
	if e.weight >= maxPositions || e.nullable != j.d.Accept[j.d.Start] {
		return false
	}
	last := j.positions(e)
	clear(j.state)
	j.state[1] = j.d.Start
	j.queue = append(j.queue[:0], 1)
	for i := 0; i < len(j.queue) && i < maxSets; i++ {
		j.budget -= len(j.on)
		if !j.step(j.queue[i], last) {
			return false
		}
	}
	return len(j.queue) <= maxSets
}

// step follows all symbols from a set. Because the automaton is minimal and
// every position leads to an accepted word, a set belongs to at most one state
// and only the empty set belongs to Dead.
func (j *judge) step(set, last uint64) bool {
	var next uint64
	for rest := set; rest != 0; rest &= rest - 1 {
		next |= j.follow[bits.TrailingZeros64(rest)]
	}
	for b, to := range j.d.Row(j.state[set]) {
		after := next & j.on[b]
		if after == 0 || to == automaton.Dead {
			if after != 0 || to != automaton.Dead {
				return false
			}
			continue
		}
		known, ok := j.state[after]
		switch {
		case ok && known != to, !ok && (after&last != 0) != j.d.Accept[to]:
			return false
		case !ok:
			j.state[after] = to
			j.queue = append(j.queue, after)
		}
	}
	return true
}

// positions builds the position automaton of e and returns the positions that a
// word may end at.
func (j *judge) positions(e *Expr) (last uint64) {
	j.n = 1
	clear(j.on)
	first, last := j.visit(e)
	j.follow[0] = first
	return last
}

// visit numbers the positions of e, notes what follows what within it, and
// returns where its words may begin and end.
func (j *judge) visit(e *Expr) (first, last uint64) {
	switch e.op {
	case class:
		here := uint64(1) << j.n
		j.follow[j.n] = 0
		j.n++
		for _, b := range e.blocks {
			j.on[b] |= here
		}
		return here, here
	case repeat:
		first, last = j.visit(e.subs[0])
		if e.max == unbounded {
			j.link(last, first)
		}
		return first, last
	case alternate:
		for _, x := range e.subs {
			f, l := j.visit(x)
			first, last = first|f, last|l
		}
		return first, last
	}
	nullable := true // what is read so far
	for _, x := range e.subs {
		f, l := j.visit(x)
		j.link(last, f)
		if nullable {
			first |= f
		}
		if x.nullable {
			l |= last
		}
		last = l
		nullable = nullable && x.nullable
	}
	return first, last
}

// link notes that the positions of after may follow those of before.
func (j *judge) link(before, after uint64) {
	for ; before != 0; before &= before - 1 {
		j.follow[bits.TrailingZeros64(before)] |= after
	}
}
