package probabilistic

import (
	"math"

	"quotient/automaton"
	"quotient/word"
)

// Minimize returns a smaller automaton in which states that predict alike are one: the
// probabilities of every symbol and of the end differ by at most the tolerance, now and
// after every continuation. Zero is like zero alone, so no word gains a probability or
// loses all of it. States that cannot be reached are left out, and the others numbered
// breadth first.
//
// With a tolerance of zero this is the least automaton with exactly these probabilities.
// To be alike within a tolerance is not transitive, so states are compared with the first
// of each class, in breadth-first order (Moore's refinement, 1956). A class gets the mean of
// its members' probabilities, weighted by how often words pass them.
func Minimize(a *Automaton, tolerance float64) *Automaton {
	r := a.reach(a.Start)
	class := make([]int32, len(a.End)) // -1: not reached
	for q := range class {
		class[q] = -1
	}
	for _, q := range r.states {
		class[q] = 0
	}
	for count := min(1, len(r.states)); ; {
		finer, n := a.refine(class, r.states, tolerance)
		if n == count {
			break
		}
		class, count = finer, n
	}
	return a.quotient(class, r.states)
}

// refine splits the classes: members that differ from the first in a probability, or in
// the class of a successor, leave. It returns the finer classes, numbered by their first
// members, and how many there are.
func (a *Automaton) refine(class []int32, states []automaton.State, tolerance float64) ([]int32, int) {
	finer := make([]int32, len(class))
	for q := range finer {
		finer[q] = -1
	}
	first := map[int32][]automaton.State{} // the first members of the parts of each class
	n := 0
	for _, q := range states {
		for _, p := range first[class[q]] {
			if a.alike(p, q, class, tolerance) {
				finer[q] = finer[p]
				break
			}
		}
		if finer[q] < 0 {
			finer[q] = int32(n)
			n++
			first[class[q]] = append(first[class[q]], q)
		}
	}
	return finer, n
}

// alike reports whether two states predict alike, and their successors are in the same
// classes.
func (a *Automaton) alike(p, q automaton.State, class []int32, tolerance float64) bool {
	if !near(a.End[p], a.End[q], tolerance) {
		return false
	}
	x, y := a.Row(p), a.Row(q)
	toX, toY := a.Targets(p), a.Targets(q)
	for s := range x {
		if !near(x[s], y[s], tolerance) || x[s] > 0 && class[toX[s]] != class[toY[s]] {
			return false
		}
	}
	return true
}

func near(x, y, tolerance float64) bool {
	return (x == 0) == (y == 0) && math.Abs(x-y) <= tolerance
}

// quotient returns the automaton of the classes.
func (a *Automaton) quotient(class []int32, states []automaton.State) *Automaton {
	n := 0
	for _, q := range states {
		n = max(n, int(class[q])+1)
	}
	weight, err := a.Visits()
	if err != nil { // words never end, so there is no mean: all count the same
		weight = make([]float64, len(a.End))
	}
	total, members := make([]float64, n), make([]int, n)
	for _, q := range states {
		total[class[q]] += weight[q]
		members[class[q]]++
	}
	m := New(a.Alphabet, n)
	clear(m.End)
	for _, q := range states {
		c := class[q]
		share := 1.0
		switch {
		case members[c] > 1 && total[c] > 0:
			share = weight[q] / total[c]
		case members[c] > 1:
			share = 1 / float64(members[c])
		}
		m.End[c+1] += share * a.End[q]
		row, to := m.Row(automaton.State(c+1)), m.Targets(automaton.State(c+1))
		for s, p := range a.Row(q) {
			if p > 0 {
				row[s] += share * p
				to[s] = automaton.State(class[a.Next(q, word.Symbol(s))] + 1)
			}
		}
	}
	return m
}
