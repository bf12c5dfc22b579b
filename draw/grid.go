package draw

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// A small graph is drawn in layers, and its states are also placed freely on a
// grid of half steps, by search from several beginnings. The layouts that look
// best from afar are then drawn in full, and the least costly picture wins. For
// twelve random automata of 12 states that left 6 crossings of 67.
const (
	gridStates = 16
	gridEdges  = 60
	gridDrawn  = 8

	layeredMalus = 1.35 // plain arcs on a wide grid look better than splines packed tightly
)

// best returns the best picture found.
func best(g *graph) *picture {
	type candidate struct {
		*picture
		malus float64
	}
	var all []candidate
	offer := func(p *picture, malus float64) {
		if !p.sprawls() {
			all = append(all, candidate{p, malus})
		}
	}
	malus := 1.0
	if len(g.Nodes) <= gridStates && len(g.Edges) <= gridEdges {
		malus = layeredMalus
		for _, cells := range gridLayouts(g) {
			offer(gridPicture(g, cells), 1)
		}
	}
	for _, rank := range ranks(g) {
		p := inLayers(g, rank)
		offer(p, malus)
		for _, folded := range foldings(p) {
			offer(folded, malus)
		}
	}
	switch len(all) {
	case 0:
		return spreadPicture(g)
	case 1:
		return all[0].picture // judging takes longer than drawing
	}
	best, least := all[0].picture, math.Inf(1)
	for _, c := range all {
		if cost := c.judge() * c.malus; cost < least-1e-6 {
			best, least = c.picture, cost
		}
	}
	best.repair()
	return best
}

// A cell is a place on the grid, in half steps.
type cell struct{ x, y int }

// gridPicture draws the graph with its states at the given cells.
func gridPicture(g *graph, cells []cell) *picture {
	across, down := 112.0, 106.0
	for _, e := range g.Edges {
		if e.From != e.To {
			across = max(across, textWidth(e.Short)+2*radius+36)
		}
	}
	at := make([]point, len(cells))
	for v, c := range cells {
		at[v] = point{float64(c.x) * across / 2, float64(c.y) * down / 2}
	}
	return placed(g, at)
}

// placed draws the graph with its states where they are put.
func placed(g *graph, at []point) *picture {
	offers := make([][]curve, len(g.Edges)+1)
	for i, e := range g.Edges {
		if e.From == e.To {
			offers[i] = loops(at[e.From])
		} else {
			offers[i] = arcs(at[e.From], at[e.To], g.opposed(e))
		}
	}
	offers[len(g.Edges)] = entries(at[0])
	return finish(g, at, offers)
}

// gridLayouts returns the layouts with the least cost, each a local optimum or
// close to one: no state can be moved, and no two exchanged, for the better.
func gridLayouts(g *graph) [][]cell {
	s := newSearch(g)
	type layout struct {
		cells []cell
		cost  float64
	}
	var found []layout
	r := rand.New(rand.NewPCG(1, 2)) // fixed: the same automaton, the same picture
	_, rank := g.search(0)
	rows := 2 + len(g.Nodes)/6
	for i := range min(16, max(4, 120/len(g.Nodes))) {
		switch i {
		case 0: // a row
			for v := range s.cell {
				s.cell[v] = cell{2 * v, 0}
			}
		case 1: // columns
			for v := range s.cell {
				s.cell[v] = cell{2 * rank[v], 0}
				for u := range v {
					if rank[u] == rank[v] {
						s.cell[v].y += 2
					}
				}
			}
		case 2: // rows, to the right and to the left in turn
			row := int(math.Ceil(math.Sqrt(2 * float64(len(s.cell)))))
			for v := range s.cell {
				s.cell[v] = cell{2 * (v % row), 2 * (v / row)}
				if v/row%2 == 1 {
					s.cell[v].x = 2 * (row - 1 - v%row)
				}
			}
		default:
			for v, k := range r.Perm(len(s.cell)) {
				s.cell[v] = cell{2 * (k / rows), 2 * (k % rows)}
			}
		}
		s.descend()
		total := 0.0
		for v := range s.cell {
			total += s.cost(v)
		}
		l := layout{slices.Clone(s.cell), math.Round(total * 1000)}
		if !slices.ContainsFunc(found, func(m layout) bool { return slices.Equal(m.cells, l.cells) }) {
			found = append(found, l)
		}
	}
	slices.SortStableFunc(found, func(a, b layout) int { return cmp.Compare(a.cost, b.cost) })
	var cells [][]cell
	for _, l := range found[:min(len(found), gridDrawn)] {
		cells = append(cells, l.cells)
	}
	return cells
}

// A search moves states over the grid.
type search struct {
	cell []cell
	link []link
	at   [][]int // the links of each state

	known []float64 // the cost of each state, as far as it is known; otherwise negative
}

// A link joins two states, by one edge or two.
type link struct {
	u, v   int
	both   bool // edges in both directions
	onward bool // u discovers v in a breadth-first search, so v should be to its right
}

func newSearch(g *graph) *search {
	n := len(g.Nodes)
	s := &search{cell: make([]cell, n), at: make([][]int, n), known: make([]float64, n)}
	seen := make([]bool, n)
	seen[0] = true
	for _, e := range g.Edges { // in the order of their sources, which is breadth first
		if e.From == e.To || g.opposed(e) && e.From > e.To {
			continue
		}
		s.at[e.From] = append(s.at[e.From], len(s.link))
		s.at[e.To] = append(s.at[e.To], len(s.link))
		s.link = append(s.link, link{e.From, e.To, g.opposed(e), !seen[e.To]})
		seen[e.To] = true
	}
	return s
}

// descend improves the layout until no change helps, and then moves it so that
// the start is at the origin. The rounds are limited because the cost of one
// state counts what two of its links share twice, so that in rare cases a few
// states would chase each other forever.
func (s *search) descend() {
	s.forget()
	for round, changed := 0, true; changed && round < 20; round++ {
		changed = false
		for v := range s.cell {
			changed = s.move(v) || changed
			for u := range v {
				changed = s.exchange(u, v) || changed
			}
		}
	}
	origin := s.cell[0]
	for v := range s.cell {
		s.cell[v].x -= origin.x
		s.cell[v].y -= origin.y
	}
}

// move puts state v into the best cell near the others and reports whether it
// was elsewhere before.
func (s *search) move(v int) bool {
	lo, hi := s.cell[0], s.cell[0]
	for _, c := range s.cell {
		lo, hi = cell{min(lo.x, c.x), min(lo.y, c.y)}, cell{max(hi.x, c.x), max(hi.y, c.y)}
	}
	old := s.cell[v]
	best, least := old, s.cost(v)-1e-6
	for x := lo.x - 2; x <= hi.x+2; x++ {
		for y := lo.y - 2; y <= hi.y+2; y++ {
			s.cell[v] = cell{x, y}
			if c := s.costUpTo(least, v); c < least {
				best, least = s.cell[v], c-1e-6
			}
		}
	}
	s.cell[v] = best
	if best != old {
		s.forget()
	}
	return best != old
}

// exchange swaps two states and reports whether that is better; if not, it undoes it.
func (s *search) exchange(u, v int) bool {
	before := s.cost(u) + s.cost(v) - 1e-6
	s.cell[u], s.cell[v] = s.cell[v], s.cell[u]
	if after := s.costUpTo(before, u); after < before && after+s.costUpTo(before-after, v) < before {
		s.forget()
		return true
	}
	s.cell[u], s.cell[v] = s.cell[v], s.cell[u]
	return false
}

// cost is the part of a layout's cost that depends on where state v is, edges
// being taken as straight. One step of the grid costs one unit.
func (s *search) cost(v int) float64 {
	if s.known[v] < 0 {
		s.known[v] = s.costUpTo(math.Inf(1), v)
	}
	return s.known[v]
}

// forget is called when a state has moved.
func (s *search) forget() {
	for v := range s.known {
		s.known[v] = -1
	}
}

// costUpTo returns the cost of state v, or, once that is clear, anything that is not less
// than the limit: nearly all places are far from being the best one, and what is cheap to
// count comes first.
func (s *search) costUpTo(limit float64, v int) float64 {
	cost := s.lengths(v)
	if cost >= limit {
		return cost
	}
	here := s.cell[v]
	for u, c := range s.cell {
		if u != v && max(here.x-c.x, c.x-here.x) < 2 && max(here.y-c.y, c.y-here.y) < 2 {
			cost += 50
		}
	}
	for i, l := range s.link {
		if cost >= limit {
			return cost
		}
		a, b := s.cell[l.u], s.cell[l.v]
		if l.u != v && l.v != v {
			cost += blocked(l, here, a, b)
			continue
		}
		for u, c := range s.cell {
			if u != l.u && u != l.v {
				cost += blocked(l, c, a, b)
			}
		}
		for j, m := range s.link {
			if l.u != m.u && l.u != m.v && l.v != m.u && l.v != m.v {
				if meet(a, b, s.cell[m.u], s.cell[m.v]) {
					cost += 4
				}
			} else if j != i && (l.both || m.both) && s.acute(l, m) {
				cost += 0.6
			}
		}
	}
	return cost
}

// lengths is the cost of where state v is beside the start and its neighbors, whatever
// else there is.
func (s *search) lengths(v int) float64 {
	here := s.cell[v]
	cost := 0.0
	if y := float64(here.y - s.cell[0].y); y < 0 { // flat is better, and down better than up
		cost = -0.2*y + 0.1
	} else {
		cost = 0.2 * y
	}
	if v == 0 { // the start is on the left
		for _, c := range s.cell[1:] {
			cost += startCost(here, c)
		}
	} else {
		cost += startCost(s.cell[0], here)
	}
	for _, i := range s.at[v] {
		l := s.link[i]
		a, b := s.cell[l.u], s.cell[l.v]
		cost += math.Sqrt(float64((a.x-b.x)*(a.x-b.x)+(a.y-b.y)*(a.y-b.y))) / 2
		if a.x != b.x && a.y != b.y {
			cost += 0.6
		}
		if l.onward && a.x == b.x {
			cost += 0.5
		} else if l.onward && a.x > b.x {
			cost += 1.5 + 0.25*float64(a.x-b.x)
		}
	}
	return cost
}

func startCost(start, other cell) float64 {
	switch {
	case other.x < start.x:
		return 12
	case other.x == start.x:
		return 0.2
	}
	return 0
}

// blocked is the cost of the bend that link l, from a to b, takes around a state
// at c that is nearer than 0.4 steps to the straight line.
func blocked(l link, c, a, b cell) float64 {
	d, e := cell{b.x - a.x, b.y - a.y}, cell{c.x - a.x, c.y - a.y}
	along, across, length := d.x*e.x+d.y*e.y, d.x*e.y-d.y*e.x, d.x*d.x+d.y*d.y
	switch {
	case along <= 0 || along >= length || 25*across*across > 16*length:
		return 0
	case l.both:
		return 3
	}
	return 1.8
}

// acute reports whether two links leave the state that they share at an angle of 45° or less,
// which leaves little room for bent edges.
func (s *search) acute(l, m link) bool {
	if l.v == m.u || l.v == m.v {
		l.u, l.v = l.v, l.u
	}
	if l.u == m.v {
		m.u, m.v = m.v, m.u
	}
	a, b, c := s.cell[l.u], s.cell[l.v], s.cell[m.v]
	d, e := cell{b.x - a.x, b.y - a.y}, cell{c.x - a.x, c.y - a.y}
	dot := d.x*e.x + d.y*e.y
	return dot > 0 && 2*dot*dot >= (d.x*d.x+d.y*d.y)*(e.x*e.x+e.y*e.y)
}

// meet reports whether the segments ab and cd have an inner point in common.
func meet(a, b, c, d cell) bool {
	side := func(a, b, c cell) int { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }
	return side(a, b, c)*side(a, b, d) < 0 && side(c, d, a)*side(c, d, b) < 0
}
