package automaton

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"quotient/word"
)

// Components returns the strongly connected components: groups of states that all lead to
// each other, in the order of their first states. It is the algorithm of Tarjan (1972),
// with a stack of its own, since paths can be long.
func (d *DFA) Components() [][]State {
	const closed = math.MaxInt32 // what a complete component has as its low
	n := len(d.Accept)
	met := make([]int32, n) // when each state was met
	low := make([]int32, n) // when the first state was met that is known to be in its component
	next := make([]int, n)  // the symbol to follow
	of := make([]int32, n)  // the component, by when its first state was met
	met[Dead], low[Dead] = closed, closed
	var path, open []State
	clock := int32(0)
	enter := func(q State) {
		clock++
		met[q], low[q] = clock, clock
		path, open = append(path, q), append(open, q)
	}
	for root := State(1); int(root) < n; root++ {
		if met[root] == 0 {
			enter(root)
		}
		for len(path) > 0 {
			q := path[len(path)-1]
			if row := d.Row(q); next[q] < len(row) {
				to := row[next[q]]
				if met[to] == 0 {
					enter(to) // and come back to the same symbol
					continue
				}
				low[q] = min(low[q], low[to])
				next[q]++
				continue
			}
			path = path[:len(path)-1]
			if low[q] < met[q] {
				continue
			}
			for low[q] != closed {
				last := open[len(open)-1]
				open = open[:len(open)-1]
				of[last], low[last] = met[q], closed
			}
		}
	}
	return together(of)
}

// together returns the states for which the same number is given, in groups that are in the
// order of their first states.
func together(number []int32) [][]State {
	var groups [][]State
	index := map[int32]int{}
	for q := 1; q < len(number); q++ {
		i, met := index[number[q]]
		if !met {
			i = len(groups)
			index[number[q]] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], State(q))
	}
	return groups
}

// Lump groups the states by their weight: the start and those of greatest weight stay
// alone, as many as are given, and the others are together where transitions join them.
// Groups are in the order of their first states.
func (d *DFA) Lump(weight []int, alone int) [][]State {
	heavy := func(q State) int {
		if q == d.Start {
			return math.MaxInt
		}
		return weight[q]
	}
	order := make([]State, d.Len())
	for i := range order {
		order[i] = State(i + 1)
	}
	slices.SortStableFunc(order, func(p, q State) int { return cmp.Compare(heavy(q), heavy(p)) })
	light := make([]bool, len(d.Accept))
	for _, q := range order[min(alone, len(order)):] {
		light[q] = true
	}
	joined := newClasses(len(d.Accept))
	for q := range d.Accept {
		for _, to := range d.Row(State(q)) {
			if light[q] && light[to] {
				joined.join(int32(q), int32(to))
			}
		}
	}
	number := make([]int32, len(d.Accept))
	for q := range number {
		number[q] = joined.find(int32(q))
	}
	return together(number)
}

// Neighborhood returns the states that lie within some steps of q, there or back, nearest
// first, but no more than most of them. Dead is no neighbor and has none.
func (d *DFA) Neighborhood(q State, radius, most int) []State {
	back := make([][]State, len(d.Accept)) // the states before each
	for p := range d.Accept {
		for _, to := range d.Row(State(p)) {
			back[to] = append(back[to], State(p))
		}
	}
	met := make([]bool, len(d.Accept))
	met[Dead] = true
	var states []State
	add := func(list ...State) {
		for _, p := range list {
			if !met[p] && len(states) < most {
				met[p] = true
				states = append(states, p)
			}
		}
	}
	add(q)
	from := 0
	for range radius {
		for upTo := len(states); from < upTo; from++ {
			add(d.Row(states[from])...)
			add(back[states[from]]...)
		}
	}
	return states
}

// Boundary returns those of the given states with transitions to others, Dead not counted,
// or from others.
func (d *DFA) Boundary(states []State) []State {
	inside, boundary := make([]bool, len(d.Accept)), make([]bool, len(d.Accept))
	for _, q := range states {
		inside[q] = true
	}
	for q := range d.Accept {
		for _, to := range d.Row(State(q)) {
			if to != Dead && inside[q] != inside[to] {
				boundary[q], boundary[to] = true, true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(states), func(q State) bool { return !boundary[q] })
}

// Restrict returns the part of d that consists of the given states, numbered in their order.
// It starts in the first. Transitions to other states lead to Dead.
func Restrict(d *DFA, states []State) *DFA {
	number := make([]State, len(d.Accept))
	for i, q := range states {
		number[q] = State(i + 1)
	}
	part := NewDFA(d.Alphabet, len(states))
	for i, q := range states {
		part.Accept[i+1] = d.Accept[q]
		for s, to := range d.Row(q) {
			part.SetNext(State(i+1), word.Symbol(s), number[to])
		}
	}
	return part
}

// AccessWords returns, in shortlex order, words and the states that they lead to: for every
// state, Dead too, the first few words that do. With one for each state, these are its
// shortest words, in the order of a breadth-first search. Words to Dead end when they get
// there. Each word is a slice of its own.
func (d *DFA) AccessWords(few int) iter.Seq2[State, word.Word] {
	type arrival struct {
		at  State
		how word.Word
	}
	return func(yield func(State, word.Word) bool) {
		known := make([]int, len(d.Accept)) // words for each state
		known[d.Start] = 1
		// A prefix of such a word is such a word of its own state, so breadth first nothing
		// else needs to be followed.
		for queue := []arrival{{d.Start, word.Word{}}}; len(queue) > 0; queue = queue[1:] {
			a := queue[0]
			if !yield(a.at, a.how) {
				return
			}
			for s, to := range d.Row(a.at) {
				if a.at != Dead && known[to] < few {
					known[to]++
					queue = append(queue, arrival{to, append(slices.Clip(a.how), word.Symbol(s))})
				}
			}
		}
	}
}
