package draw

import (
	"math"

	"quotient/automaton/codec"
)

// Places say where nodes are wanted: where the picture before had them, so that what stays
// the same does not move, or where somebody put them. Nodes without a place find one beside
// those that they are reached from.
type Places struct {
	At   map[int]codec.Point // by the IDs of nodes
	Held bool                // somebody put them there; otherwise a much better picture is preferred
}

// A picture by which nothing moves may be worse than the best one: by a share, and by two
// crossings.
const (
	tolerance = 1.2
	slack     = 2 * crossing
)

// MaxPlace bounds the coordinates of places: what is further away is put at the border.
const MaxPlace = 3000

// What a picture of wanted places may cost: how long its edges are in all, above which they
// are not tried in several ways, nor repaired, nor compared. Somebody may want states far
// apart, and trying takes the square of it.
const (
	tryLength    = 25_000
	repairLength = 8_000
)

// arranged returns the picture with nodes where they are wanted, if that can be looked
// at, and whether it is that one. Otherwise it is the best picture there is.
func arranged(g *graph, wanted Places) (p *picture, kept bool) {
	if len(wanted.At) == 0 {
		return best(g), false
	}
	at, length := g.places(wanted), 0.0
	for _, e := range g.Edges {
		length += at[e.From].dist(at[e.To])
	}
	if length > tryLength {
		if wanted.Held {
			return plainPicture(g, at, 1), true
		}
		return best(g), false
	}
	p = plainPicture(g, at, manyBends)
	if length < repairLength {
		p.repair()
	}
	if wanted.Held {
		return p, true
	}
	if other := best(g); p.judge() > tolerance*other.judge()+slack {
		return other, false
	}
	return p, true
}

// manyBends is more than there are.
const manyBends = 100

// plainPicture draws the graph with its states at the given places, and plain arcs between
// them, of which so many are tried.
func plainPicture(g *graph, at []point, bends int) *picture {
	if len(g.Edges) > 300 {
		bends = 1 // in such a tangle no bend is better than another
	}
	offers := make([][]curve, len(g.Edges)+1)
	for i, e := range g.Edges {
		if e.From == e.To {
			offers[i] = loops(at[e.From])
		} else {
			of := arcs(at[e.From], at[e.To], g.opposed(e))
			offers[i] = of[:min(bends, len(of))]
		}
	}
	offers[len(g.Edges)] = entries(at[0])
	return finish(g, at, offers)
}

// places returns a place for every node. They are whole numbers, so that they can be told
// and asked for again.
func (g *graph) places(wanted Places) []point {
	at := make([]point, len(g.Nodes))
	known := make([]bool, len(g.Nodes))
	limit := func(x float64) float64 { return math.Round(min(max(x, -MaxPlace), MaxPlace)) }
	for v, n := range g.Nodes {
		if q, ok := wanted.At[n.ID]; ok && !math.IsNaN(q.X+q.Y) {
			at[v], known[v] = point{limit(q.X), limit(q.Y)}, true
		}
	}
	from := make([]int, len(g.Nodes)) // the first that leads there
	for _, e := range g.Edges {
		if e.To > e.From && from[e.To] == 0 {
			from[e.To] = e.From
		}
	}
	for v := range at {
		if !known[v] {
			at[v], known[v] = g.beside(at, known, from[v]), true
		}
	}
	pushApart(at, 2*reach+4)
	for v, p := range at {
		at[v] = point{math.Round(p.x), math.Round(p.y)}
	}
	return at
}

// beside returns a place around that of node u, as far from all known ones as there is, and
// rather to the right.
func (g *graph) beside(at []point, known []bool, u int) point {
	const step = 108
	if !known[u] {
		return point{}
	}
	var found point
	most := math.Inf(-1)
	for k := range 12 {
		p := at[u].toward(float64(k)*math.Pi/6, step)
		room := math.Inf(1)
		for v := range at {
			if known[v] {
				room = min(room, p.dist(at[v]))
			}
		}
		if room = min(room, step) + 10*math.Cos(float64(k)*math.Pi/6); room > most {
			found, most = p, room
		}
	}
	return found
}
