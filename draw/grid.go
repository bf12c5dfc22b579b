package draw

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Up to gridStates states are also placed freely on a grid of half steps, by
// search from several beginnings. The layouts that look best from afar are then
// drawn in full, like the layered ones, and the least costly picture wins.
const (
	gridStates = 8
	gridStarts = 16
	gridDrawn  = 5

	layeredMalus = 1.2 // plain arcs on a wide grid look better than splines packed tightly
)

// best returns the best picture found.
func best(g *graph) *picture {
	pictures := layeredPictures(g)
	if len(pictures) == 1 {
		return pictures[0]
	}
	costs := make([]float64, len(pictures))
	for i, p := range pictures {
		costs[i] = p.judge() * layeredMalus
	}
	if len(g.nodes) <= gridStates {
		for _, cells := range gridLayouts(g) {
			p := gridPicture(g, cells)
			pictures, costs = append(pictures, p), append(costs, p.judge())
		}
	}
	least := 0
	for i, c := range costs {
		if c < costs[least]-1e-6 {
			least = i
		}
	}
	return pictures[least]
}

// A cell is a place on the grid, in half steps.
type cell struct{ x, y int }

func (c cell) point() point { return point{float64(c.x) / 2, float64(c.y) / 2} }

// gridPicture draws the graph with its states at the given cells.
func gridPicture(g *graph, cells []cell) *picture {
	across, down := 108.0, 100.0
	for _, e := range g.edges {
		if e.from != e.to {
			across = max(across, textWidth(e.label.text)+2*radius+36)
		}
	}
	at := make([]point, len(cells))
	for v, c := range cells {
		at[v] = point{c.point().x * across, c.point().y * down}
	}
	offers := make([][]curve, len(g.edges)+1)
	for i, e := range g.edges {
		if e.from == e.to {
			offers[i] = loops(at[e.from])
		} else {
			offers[i] = arcs(at[e.from], at[e.to], e.back >= 0)
		}
	}
	offers[len(g.edges)] = entries(at[0])
	return finish(g, at, offers)
}

// gridLayouts returns the layouts with the least cost, each a local optimum: no
// state can be moved, and no two exchanged, for the better.
func gridLayouts(g *graph) [][]cell {
	s := newSearch(g)
	type layout struct {
		cells []cell
		cost  float64
	}
	var found []layout
	r := rand.New(rand.NewPCG(1, 2)) // fixed: the same automaton, the same picture
	rank := breadthFirst(g)
	for i := range gridStarts {
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
		default:
			for v, k := range r.Perm(len(s.cell)) {
				s.cell[v] = cell{2 * (k / 3), 2 * (k % 3)}
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
}

// A link joins two states, by one edge or two.
type link struct {
	u, v   int
	both   bool // edges in both directions
	onward bool // u discovers v in a breadth-first search, so v should be to its right
}

func newSearch(g *graph) *search {
	s := &search{cell: make([]cell, len(g.nodes)), at: make([][]int, len(g.nodes))}
	seen := make([]bool, len(g.nodes))
	seen[0] = true
	for _, e := range g.edges { // in the order of their sources, which is breadth first
		if e.from == e.to || e.back >= 0 && e.from > e.to {
			continue
		}
		s.at[e.from] = append(s.at[e.from], len(s.link))
		s.at[e.to] = append(s.at[e.to], len(s.link))
		s.link = append(s.link, link{e.from, e.to, e.back >= 0, !seen[e.to]})
		seen[e.to] = true
	}
	return s
}

// descend improves the layout until it is a local optimum, and then moves it so
// that the start is at the origin.
func (s *search) descend() {
	for changed := true; changed; {
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
			if c := s.cost(v); c < least {
				best, least = s.cell[v], c-1e-6
			}
		}
	}
	s.cell[v] = best
	return best != old
}

// exchange swaps two states and reports whether that is better; if not, it undoes it.
func (s *search) exchange(u, v int) bool {
	before := s.cost(u) + s.cost(v)
	s.cell[u], s.cell[v] = s.cell[v], s.cell[u]
	if s.cost(u)+s.cost(v) < before-1e-6 {
		return true
	}
	s.cell[u], s.cell[v] = s.cell[v], s.cell[u]
	return false
}

// cost is the part of a layout's cost that depends on where state v is, edges
// being taken as straight. One step of the grid costs one unit.
func (s *search) cost(v int) float64 {
	cost := 0.1 * math.Abs(float64(s.cell[v].y-s.cell[0].y)) // flat is better
	here := s.cell[v]
	for u, c := range s.cell {
		if u != v && max(here.x-c.x, c.x-here.x) < 2 && max(here.y-c.y, c.y-here.y) < 2 {
			cost += 50
		}
	}
	if v == 0 { // the start is on the left
		for _, c := range s.cell[1:] {
			cost += startCost(here, c)
		}
	} else {
		cost += startCost(s.cell[0], here)
	}
	for i, l := range s.link {
		a, b := s.cell[l.u].point(), s.cell[l.v].point()
		if l.u != v && l.v != v {
			cost += s.blocked(l, here.point(), a, b)
			continue
		}
		cost += a.dist(b)
		if a.x != b.x && a.y != b.y {
			cost += 0.3
		}
		if l.onward && a.x >= b.x {
			cost += 0.5 + 0.5*(a.x-b.x)
		}
		for u, c := range s.cell {
			if u != l.u && u != l.v {
				cost += s.blocked(l, c.point(), a, b)
			}
		}
		for j, m := range s.link {
			if j != i && cross(a, b, s.cell[m.u].point(), s.cell[m.v].point()) {
				cost += 4
			}
		}
	}
	return cost
}

func startCost(start, other cell) float64 {
	switch {
	case other.x < start.x:
		return 2
	case other.x == start.x:
		return 0.3
	}
	return 0
}

// blocked is the cost of the bend that link l, from a to b, takes around a state at c.
func (s *search) blocked(l link, c, a, b point) float64 {
	switch {
	case segmentDist(c, a, b) > 0.4:
		return 0
	case l.both:
		return 3
	}
	return 1.8
}
