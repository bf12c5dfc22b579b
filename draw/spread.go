package draw

import (
	"math"
	"slices"
)

// Layers need room for every edge that passes them, and where each state leads to many
// others that is more room than there is in the world: a network's 199 states over 64
// symbols once were 2 units wide for 156 high. Such a graph is spread over the plane
// instead, states at distances like those in the graph (Gansner, Koren and North, Graph
// drawing by stress majorization, 2004), with plain arcs between them, and of the labels
// those are drawn that can be read; the others are tooltips.
const (
	maxVertices = 2000 // states and dummies that are put into layers
	apart       = 66.0 // distance between the centers of spread states
	spreadSteps = 60
)

// spreadPicture draws the graph spread over the plane.
func spreadPicture(g *graph) *picture {
	at := g.spread()
	fit(at)
	pushApart(at, apart)
	p := plainPicture(g, at, manyBends)
	p.thinOut()
	return p
}

// spread returns places whose distances are like those between states in the graph,
// edges taken without their directions.
func (g *graph) spread() []point {
	distance := g.distances()
	_, rank := g.search(0)
	at := make([]point, len(g.Nodes))
	for v := range at { // the start on the left; the golden angle keeps states from lying on a line
		at[v] = point{float64(rank[v]), 0}.toward(2.39996*float64(v), 0.5+float64(v)/float64(len(at)))
	}
	for range spreadSteps {
		for v := range at {
			var sum point
			total := 0.0
			for u := range at {
				if u == v {
					continue
				}
				d := float64(distance[v][u])
				w := 1 / (d * d)
				sum = sum.add(at[u].toward(at[u].angleTo(at[v]), d).scale(w))
				total += w
			}
			if total > 0 {
				at[v] = sum.scale(1 / total)
			}
		}
	}
	return at
}

// distances returns how far states are from each other by edges in either direction;
// what is not connected counts as far.
func (g *graph) distances() [][]int {
	next := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		next[e.From], next[e.To] = append(next[e.From], e.To), append(next[e.To], e.From)
	}
	all := make([][]int, len(g.Nodes))
	for v := range all {
		d := make([]int, len(g.Nodes))
		order := []int{v}
		for i := 0; i < len(order); i++ {
			for _, u := range next[order[i]] {
				if u != v && d[u] == 0 {
					d[u] = d[order[i]] + 1
					order = append(order, u)
				}
			}
		}
		far := 1 + d[order[len(order)-1]]
		for u := range d {
			if d[u] == 0 && u != v {
				d[u] = far
			}
		}
		all[v] = d
	}
	return all
}

// fit turns the places so that the start is on the left, and scales them so that most
// states have room.
func fit(at []point) {
	var middle point
	for _, p := range at {
		middle = middle.add(p.scale(1 / float64(len(at))))
	}
	turn := math.Pi - middle.angleTo(at[0])
	for v, p := range at {
		at[v] = point{}.toward(middle.angleTo(p)+turn, middle.dist(p))
	}
	var nearest []float64
	for v, p := range at {
		least := math.Inf(1)
		for u, q := range at {
			if u != v {
				least = min(least, p.dist(q))
			}
		}
		nearest = append(nearest, least)
	}
	slices.Sort(nearest)
	scale := 1.4 * apart / max(nearest[len(nearest)/4], 0.02)
	for v, p := range at {
		at[v] = point{p.x * scale * 1.2, p.y * scale / 1.2} // pages are wide
	}
}

// pushApart moves states that are closer than that away from each other until none is, or
// nothing helps.
func pushApart(at []point, apart float64) {
	for range 200 {
		moved := false
		for v := range at {
			for u := range v {
				d := at[u].dist(at[v])
				if d >= apart {
					continue
				}
				angle := at[u].angleTo(at[v])
				if d < 1e-6 {
					angle = 2.39996 * float64(v)
				}
				at[u] = at[u].toward(angle+math.Pi, (apart-d)/2+0.5)
				at[v] = at[v].toward(angle, (apart-d)/2+0.5)
				moved = true
			}
		}
		if !moved {
			return
		}
	}
}
