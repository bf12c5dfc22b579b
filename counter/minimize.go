package counter

import (
	"slices"

	"quotient/automaton"
	"quotient/word"
)

// Minimize returns an automaton with the same language that is smaller where that
// can be seen easily. Moves that lead nowhere become moves to Dead; states that
// cannot be reached are left out; states that do the same for either test, up to
// such states, are one. States are numbered breadth first from the start.
//
// This looks at the moves, not at the values that the counter can take, so the
// result need not be the least automaton of its language.
func Minimize(a *Automaton) *Automaton {
	return merge(reachable(prune(a)))
}

// A stand is a state and a test: all that a move depends on beside the symbol.
type stand struct {
	state automaton.State
	test  Test
}

// after returns what a counter may look like once a move has added to it.
func after(t Test, add int) []Test {
	switch {
	case add == 0:
		return []Test{t}
	case t == Zero:
		return []Test{Nonzero}
	}
	return Tests[:]
}

// prune replaces moves that cannot lead to acceptance by moves to Dead.
func prune(a *Automaton) *Automaton {
	from := map[stand][]stand{}
	live := map[stand]bool{}
	var queue []stand
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		for _, t := range Tests {
			at := stand{q, t}
			if a.Accept[q][t] {
				live[at] = true
				queue = append(queue, at)
			}
			for s := range a.Alphabet.Len() {
				m := a.Move(q, word.Symbol(s), t)
				for _, u := range after(t, m.Add) {
					from[stand{m.To, u}] = append(from[stand{m.To, u}], at)
				}
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, at := range from[queue[0]] {
			if !live[at] {
				live[at] = true
				queue = append(queue, at)
			}
		}
	}
	pruned := New(a.Alphabet, a.Len())
	copy(pruned.Accept, a.Accept)
	if pruned.Start = a.Start; !live[stand{a.Start, Zero}] {
		pruned.Start = automaton.Dead
	}
	for i, m := range a.Table {
		if slices.ContainsFunc(after(Test(i%2), m.Add), func(u Test) bool { return live[stand{m.To, u}] }) {
			pruned.Table[i] = m
		}
	}
	return pruned
}

// reachable keeps what can be reached: states, and of each state the tests with
// which it is. What it does at others is as good as dead.
func reachable(a *Automaton) *Automaton {
	met := map[stand]bool{}
	var queue []stand
	visit := func(at stand) {
		if at.state != automaton.Dead && !met[at] {
			met[at] = true
			queue = append(queue, at)
		}
	}
	number := make([]automaton.State, a.Len()+1)
	var states []automaton.State
	visit(stand{a.Start, Zero})
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if number[at.state] == 0 {
			states = append(states, at.state)
			number[at.state] = automaton.State(len(states))
		}
		for s := range a.Alphabet.Len() {
			m := a.Move(at.state, word.Symbol(s), at.test)
			for _, u := range after(at.test, m.Add) {
				visit(stand{m.To, u})
			}
		}
	}
	r := New(a.Alphabet, len(states))
	for i, q := range states {
		to := automaton.State(i + 1)
		for _, t := range Tests {
			if !met[stand{q, t}] {
				continue
			}
			r.Accept[to][t] = a.Accept[q][t]
			for s := range a.Alphabet.Len() {
				m := a.Move(q, word.Symbol(s), t)
				r.SetMove(to, word.Symbol(s), t, Move{number[m.To], m.Add})
			}
		}
	}
	return r
}

// merge unites states with equal futures, by refining a partition until no class
// has two members that differ in acceptance, in what is added or in the class that
// follows (Moore 1956).
func merge(a *Automaton) *Automaton {
	class := make([]automaton.State, a.Len()+1) // 0 for Dead alone
	for q := 1; q <= a.Len(); q++ {
		class[q] = 1
	}
	for count := min(1, a.Len()); ; {
		next, n := refine(a, class)
		if n == count {
			break
		}
		class, count = next, n
	}
	count := int(slices.Max(class))
	m := New(a.Alphabet, count)
	done := 0
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		c := class[q]
		if int(c) <= done { // classes are numbered by their first members
			continue
		}
		done++
		m.Accept[c] = a.Accept[q]
		for s := range a.Alphabet.Len() {
			for _, t := range Tests {
				move := a.Move(q, word.Symbol(s), t)
				m.SetMove(c, word.Symbol(s), t, Move{class[move.To], move.Add})
			}
		}
	}
	return m
}

// refine returns a finer partition and how many classes it has.
func refine(a *Automaton, class []automaton.State) ([]automaton.State, int) {
	k := 2 * a.Alphabet.Len()
	var first []automaton.State // a member of each class
	finer := make([]automaton.State, len(class))
	same := func(p, q automaton.State) bool {
		if a.Accept[p] != a.Accept[q] {
			return false
		}
		for i := range k {
			x, y := a.Table[int(p)*k+i], a.Table[int(q)*k+i]
			if x.Add != y.Add || class[x.To] != class[y.To] {
				return false
			}
		}
		return true
	}
	for q := automaton.State(1); int(q) < len(class); q++ {
		i := slices.IndexFunc(first, func(p automaton.State) bool { return class[p] == class[q] && same(p, q) })
		if i < 0 {
			i = len(first)
			first = append(first, q)
		}
		finer[q] = automaton.State(i + 1)
	}
	return finer, len(first)
}
