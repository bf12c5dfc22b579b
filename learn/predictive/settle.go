package predictive

import (
	"cmp"
	"slices"
)

// detours is how many states are divided at once before as many are merged. With fewer most detours lead
// back to where they began.
const detours = 3

// settle divides states of a machine and merges as many others, whichever cost least then, and keeps what is
// better for it. That leads out of where no single transition can be redirected any more. Every state is begun
// with once.
func (s *search) settle(m *machine) *machine {
	for i := 0; i < m.states() && !s.stop(); i++ {
		if x := s.detour(m, i); x != nil && x.all < m.all*(1-coarse) {
			m = x
		}
	}
	return m
}

// detour returns the machine after some states were divided and as many merged; nil if no more can be divided. Of
// the divisions the given one comes first, and then always that which gains most.
func (s *search) detour(m *machine, first int) *machine {
	x := m
	for i := range detours {
		list := x.divisions()
		if i > 0 {
			first = 0
		}
		if first >= len(list) {
			return nil
		}
		x = newMachine(m.t, x.divided(list[first]))
	}
	p := polishing{rounds: 2, targets: 3, least: coarse, stop: s.stop}
	x.polish(p, newDiary(x))
	x = newMachine(m.t, compact(x.next, x.k))
	for d := newDiary(x); x.states() > m.states(); {
		x, d = s.merge(x, d)
		x.polish(p, d)
	}
	return x
}

// A division is of a state into two: these transitions to it lead to the other one.
type division struct {
	edges []int
	gain  float64
}

// divisions returns how states are best divided, those first that gain most.
func (m *machine) divisions() (list []division) {
	arrivals, into := m.arrivals(), make([][]int, m.states())
	for e, q := range m.next {
		if total(arrivals[e]) > 0 {
			into[q] = append(into[q], e)
		}
	}
	for _, edges := range into {
		if d := divide(arrivals, edges); len(d.edges) > 0 {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b division) int { return cmp.Compare(b.gain, a.gain) })
	return list
}

// arrivals returns the sum of the predictions behind every transition.
func (m *machine) arrivals() [][]float64 {
	rows := sums(len(m.next), m.k+1)
	for n := 1; n < len(m.at); n++ {
		add(rows[int(m.at[m.t.Parent[n]])*m.k+int(m.t.On[n])], m.t.Next[n], m.t.Weight[n])
	}
	return rows
}

// sums returns so many of them, of nothing yet.
func sums(number, width int) [][]float64 {
	all, rows := make([]float64, number*width), make([][]float64, number)
	for i := range rows {
		rows[i] = all[i*width:][:width]
	}
	return rows
}

// divide puts the transitions to a state into two clusters by the predictions behind them. The second begins
// with the one that loses most by being in one with the others.
func divide(arrivals [][]float64, edges []int) division {
	width := len(arrivals[0])
	whole := make([]float64, width)
	for _, e := range edges {
		together(whole, whole, arrivals[e])
	}
	logs, seed, most := logarithms(whole), -1, 0.0
	for _, e := range edges {
		if loss := across(arrivals[e], logs) - crossed(arrivals[e]); loss > most {
			seed, most = e, loss
		}
	}
	side := map[int]int{seed: 1}
	for range 10 {
		parts, moved := sums(2, width), false
		for _, e := range edges {
			together(parts[side[e]], parts[side[e]], arrivals[e])
		}
		logs := logarithmsOf(parts)
		for _, e := range edges {
			better := 0
			if across(arrivals[e], logs[1]) < across(arrivals[e], logs[0]) {
				better = 1
			}
			moved = moved || side[e] != better
			side[e] = better
		}
		if !moved {
			break
		}
	}
	return divided(arrivals, edges, side)
}

// divided returns the division of a state by the sides of the transitions to it; none if all are on one.
func divided(arrivals [][]float64, edges []int, side map[int]int) (d division) {
	parts := sums(3, len(arrivals[0])) // the sides, and both
	for _, e := range edges {
		together(parts[side[e]], parts[side[e]], arrivals[e])
		together(parts[2], parts[2], arrivals[e])
		if side[e] == 1 {
			d.edges = append(d.edges, e)
		}
	}
	if len(d.edges) == len(edges) {
		return division{}
	}
	d.gain = crossed(parts[2]) - crossed(parts[0]) - crossed(parts[1])
	return d
}

// across returns what predictions, as a sum, lose by others, given as logarithms: their cross entropy.
func across(sum, logs []float64) float64 {
	loss := 0.0
	for i, x := range sum {
		loss -= x * logs[i]
	}
	return loss
}

// divided returns the table with one state more.
func (m *machine) divided(d division) []int32 {
	q := int(m.next[d.edges[0]])
	next := append(slices.Clone(m.next), m.next[q*m.k:][:m.k]...)
	for _, e := range d.edges {
		next[e] = int32(m.states())
	}
	return next
}
