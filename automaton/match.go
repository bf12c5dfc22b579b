package automaton

import (
	"fmt"

	"quotient/word"
)

// A Pair is a state of each of two automata that stand for each other.
type Pair struct {
	A, B State
	Same bool // the same words are accepted from both
}

// Match pairs the states of two automata over the same alphabet, each at most once and the dead
// one not at all. States from which the same words are accepted are pairs, first those that a
// shortest word leads to; then states are that a shortest word for either leads to in the
// other. Pairs are in the order of the first automaton's states.
func Match(a, b *DFA) []Pair {
	future := futures(a, b)
	toB, toA := across(a, b), across(b, a)
	ofA, ofB := make([]State, a.Len()+1), make([]State, b.Len()+1) // the other of the pair
	pair := func(p, q State) {
		if p != Dead && q != Dead && ofA[p] == Dead && ofB[q] == Dead {
			ofA[p], ofB[q] = q, p
		}
	}
	of := map[int]State{} // a state of b for each future
	for q := State(b.Len()); q > Dead; q-- {
		of[future[1][q]] = q
	}
	for p := range ofA {
		if q := toB[p]; future[0][p] == future[1][q] {
			pair(State(p), q)
		}
	}
	for p := range ofA {
		if q, ok := of[future[0][p]]; ok {
			pair(State(p), q)
		}
	}
	for p := range ofA {
		if q := toB[p]; toA[q] == State(p) {
			pair(State(p), q)
		}
	}
	var pairs []Pair
	for p, q := range ofA {
		if q != Dead {
			pairs = append(pairs, Pair{State(p), q, future[0][p] == future[1][q]})
		}
	}
	return pairs
}

// across returns to which state of b a shortest word leads that leads to each state of a; none
// leads to a state that cannot be reached.
func across(a, b *DFA) []State {
	to := make([]State, a.Len()+1)
	seen := make([]bool, a.Len()+1)
	seen[a.Start], to[a.Start] = true, b.Start
	for queue := []State{a.Start}; len(queue) > 0; queue = queue[1:] {
		for s, next := range a.Row(queue[0]) {
			if !seen[next] {
				seen[next], to[next] = true, b.Next(to[queue[0]], word.Symbol(s))
				queue = append(queue, next)
			}
		}
	}
	return to
}

// futures numbers the states of two automata: those of equal numbers, in the same or in
// different ones, accept the same words.
func futures(a, b *DFA) [2][]int {
	both := [2]*DFA{a, b}
	var class [2][]int
	count := 0
	refine := func(key func(i int, q State) string) (n int) {
		number := map[string]int{}
		var next [2][]int
		for i, d := range both {
			next[i] = make([]int, d.Len()+1)
			for q := range next[i] {
				k := key(i, State(q))
				if _, ok := number[k]; !ok {
					number[k] = len(number)
				}
				next[i][q] = number[k]
			}
		}
		class = next
		return len(number)
	}
	n := refine(func(i int, q State) string { return fmt.Sprint(both[i].Accept[q]) })
	for n > count {
		count = n
		n = refine(func(i int, q State) string {
			key := fmt.Appendf(nil, "%d", class[i][q])
			for _, to := range both[i].Row(q) {
				key = fmt.Appendf(key, " %d", class[i][to])
			}
			return string(key)
		})
	}
	return class
}
