package draw

import (
	"math"
	"slices"
)

// Layered drawing from left to right, after Sugiyama, Tagawa and Toda (1981) and
// Gansner, Koutsofios, North and Vo (A technique for drawing directed graphs,
// 1993): states are put into layers, long edges are cut into pieces by dummy
// vertices so that every piece joins neighboring layers, the layers are ordered
// for few crossings, and positions follow the order.
//
// States have the even layers to themselves. The odd ones in between hold, for
// each edge, the vertex where its label goes, so that room for labels is found
// in the same way as room for states.
type layered struct {
	*graph
	layers [][]int    // the vertices of each layer, from top to bottom
	layer  []int      // of each vertex; the states come first, then the dummies
	pos    []int      // of each vertex in its layer
	side   [2][][]int // the neighbors of each vertex to the left and to the right
	above  []float64  // what a vertex needs above its center
	below  []float64
	width  []float64
	y      []float64
	chain  [][]int // the vertices that each edge goes through, its ends included

	scratch []int
}

const (
	left  = 0
	right = 1
)

// newLayered puts the states into layers and the dummies between them.
func newLayered(g *graph, rank []int) *layered {
	l := &layered{graph: g, layers: make([][]int, 2*slices.Max(rank)+2)}
	for v := range g.Nodes {
		l.add(2*rank[v], radius+4, radius+4, 2*radius)
	}
	l.chain = make([][]int, len(g.Edges))
	for i, e := range g.Edges {
		if e.From == e.To {
			l.above[e.From] = radius + 26 + lineHeight
			continue
		}
		l.chain[i] = l.split(e)
	}
	return l
}

// inLayers draws the graph in layers by the given ranks.
func inLayers(g *graph, rank []int) *picture {
	l := newLayered(g, rank)
	l.arrange()
	return l.picture()
}

func (l *layered) add(layer int, above, below, width float64) int {
	l.layer = append(l.layer, layer)
	l.above = append(l.above, above)
	l.below = append(l.below, below)
	l.width = append(l.width, width)
	l.pos = append(l.pos, 0)
	l.y = append(l.y, 0)
	l.side[left] = append(l.side[left], nil)
	l.side[right] = append(l.side[right], nil)
	return len(l.layer) - 1
}

func (l *layered) link(a, b int) {
	if l.layer[a] > l.layer[b] {
		a, b = b, a
	}
	l.side[right][a] = append(l.side[right][a], b)
	l.side[left][b] = append(l.side[left][b], a)
}

// split cuts an edge into pieces. The label goes to the odd layer nearest to the
// middle. An edge within a layer makes a detour through the odd layer to the
// right, or to the left if the opposite edge is on the right already.
func (l *layered) split(e Edge) []int {
	a, b := l.layer[e.From], l.layer[e.To]
	step := 1
	if b < a {
		step = -1
	}
	middle := a + (b-a)/2
	if middle%2 == 0 {
		middle -= step
	}
	stop := b
	if a == b {
		if l.opposed(e) && e.From > e.To && a > 0 {
			step = -1
		}
		middle, stop = a+step, a+2*step
	}
	chain := []int{e.From}
	for at := a + step; at != stop; at += step {
		v := 0
		if at == middle {
			v = l.add(at, lineHeight+2, 4, textWidth(e.Short))
		} else {
			v = l.add(at, 6, 6, 0)
		}
		l.link(chain[len(chain)-1], v)
		chain = append(chain, v)
	}
	l.link(chain[len(chain)-1], e.To)
	return append(chain, e.To)
}

// place gives every vertex its y and returns the x of every layer.
//
// A vertex wants to be level with its neighbors, and the pieces of long edges
// more so, which makes those straight; [separate] finds the best positions of
// one layer given another. Sweeping to and fro spreads this over the layers.
func (l *layered) place() []float64 {
	for _, layer := range l.layers {
		y := 0.0
		for i, v := range layer {
			if i > 0 {
				y += l.gap(layer[i-1], v)
			}
			l.y[v] = y
		}
		for _, v := range layer {
			l.y[v] -= y / 2
		}
	}
	sweeps := 40
	if len(l.layer) > 20_000 {
		sweeps = 10 // nobody will see the difference, everybody the delay
	}
	for i := range sweeps {
		toward := i % 2 // sweep to the right, looking left, or the other way
		for k := range l.layers {
			if toward == left {
				l.relax(l.layers[k], i >= sweeps/2, left)
			} else {
				l.relax(l.layers[len(l.layers)-1-k], i >= sweeps/2, right)
			}
		}
	}
	for k := range slices.Backward(l.layers) {
		l.relax(l.layers[k], false, right) // parents level with their children
	}
	return l.columns()
}

// relax moves the vertices of a layer to where their neighbors on one side, or
// on both, want them.
func (l *layered) relax(layer []int, both bool, look int) {
	want, weight := make([]float64, len(layer)), make([]float64, len(layer))
	for i, v := range layer {
		want[i], weight[i] = l.y[v]*0.01, 0.01
		for s := range 2 {
			if s != look && !both {
				continue
			}
			for _, u := range l.side[s][v] {
				f := 1.0
				if u >= len(l.Nodes) && v >= len(l.Nodes) {
					f = 8
				}
				want[i] += f * l.y[u]
				weight[i] += f
			}
		}
		want[i] /= weight[i]
	}
	y := separate(want, weight, func(i int) float64 { return l.gap(layer[i], layer[i+1]) })
	for i, v := range layer {
		l.y[v] = y[i]
	}
}

func (l *layered) gap(u, v int) float64 { return l.below[u] + l.above[v] + 4 }

// columns returns the x of the middle of every layer. Layers move apart where
// edges between them are steep.
func (l *layered) columns() []float64 {
	x := make([]float64, len(l.layers))
	wide := func(k int) float64 {
		w := 0.0
		for _, v := range l.layers[k] {
			w = max(w, l.width[v])
		}
		return w
	}
	for k := 1; k < len(x); k++ {
		steep := 0.0
		for _, v := range l.layers[k] {
			for _, u := range l.side[left][v] {
				steep = max(steep, math.Abs(l.y[u]-l.y[v]))
			}
		}
		x[k] = x[k-1] + wide(k-1)/2 + wide(k)/2 + min(max(18, steep*0.3), 90)
	}
	return x
}

// picture draws the edges through their vertices.
func (l *layered) picture() *picture {
	x := l.place()
	at := make([]point, len(l.Nodes))
	for v := range at {
		at[v] = point{x[l.layer[v]], l.y[v]}
	}
	angles := l.angles(x)
	offers := make([][]curve, len(l.Edges)+1)
	for i, e := range l.Edges {
		if e.From == e.To {
			offers[i] = loops(at[e.From])
		} else {
			offers[i] = []curve{newCurve(l.spline(i, x, angles[i]), 0)}
		}
	}
	offers[len(l.Edges)] = entries(at[0])
	return finish(l.graph, at, offers)
}

// angles chooses for both ends of every edge where on the state's circle it is,
// as an angle upward or downward from the horizontal: toward the next vertex,
// but not steep, and with some distance between the edges of a side.
func (l *layered) angles(x []float64) [][2]float64 {
	type end struct {
		edge, which, next int
	}
	ends := make([][2][]end, len(l.Nodes))
	for i, c := range l.chain {
		if c == nil {
			continue
		}
		for which, v := range []int{c[0], c[len(c)-1]} {
			next := c[1]
			if which == 1 {
				next = c[len(c)-2]
			}
			s := left
			if l.layer[next] > l.layer[v] {
				s = right
			}
			ends[v][s] = append(ends[v][s], end{i, which, next})
		}
	}
	angles := make([][2]float64, len(l.Edges))
	for v := range l.Nodes {
		for _, es := range ends[v] {
			slices.SortFunc(es, func(a, b end) int { return l.pos[a.next] - l.pos[b.next] })
			want, weight := make([]float64, len(es)), make([]float64, len(es))
			for i, e := range es {
				dx := math.Abs(x[l.layer[e.next]] - x[l.layer[v]])
				steepest := 0.9
				if c := l.chain[e.edge]; l.layer[c[0]] == l.layer[c[len(c)-1]] && l.between(c[0], c[len(c)-1]) {
					steepest = 0.4 // away from the states in between
				}
				want[i], weight[i] = min(max(math.Atan2(l.y[e.next]-l.y[v], dx), -steepest), steepest), 1
			}
			apart := min(0.4, 2.4/float64(max(1, len(es)-1)))
			for i, a := range separate(want, weight, func(int) float64 { return apart }) {
				angles[es[i].edge][es[i].which] = a
			}
		}
	}
	return angles
}

// spline draws edge i within the room its dummies have between their neighbors.
// One cubic is best; where it would leave the room, the edge is split at the
// worst place and its parts are drawn in the same way (after Schneider, An
// algorithm for automatically fitting digitized curves, 1990).
func (l *layered) spline(i int, x []float64, angle [2]float64) []cubic {
	c := l.chain[i]
	knots := make([]point, len(c))
	for k, v := range c {
		knots[k] = point{x[l.layer[v]], l.y[v]}
	}
	last := len(c) - 1
	first, out := l.dock(knots[0], knots[1], angle[0])
	end, in := l.dock(knots[last], knots[last-1], angle[1])
	if l.layer[c[0]] == l.layer[c[last]] { // within a layer: a bulge as wide as the dummy asks for
		h, k := (knots[1].x-first.x)/(0.7*out.x), (knots[1].x-end.x)/(0.7*in.x)
		if !l.between(c[0], c[last]) {
			h, k = min(h, first.dist(end)), min(k, first.dist(end)) // rounder, with nothing in the way
		}
		return []cubic{{first, first.add(out.scale(h)), end.add(in.scale(k)), end}}
	}
	knots[0], knots[last] = first, end
	return l.fit(c, knots, out, in.scale(-1))
}

// between reports whether a state stands between two others of the same layer.
func (l *layered) between(u, v int) bool {
	i, j := min(l.pos[u], l.pos[v]), max(l.pos[u], l.pos[v])
	return slices.ContainsFunc(l.layers[l.layer[u]][i+1:j], func(w int) bool { return w < len(l.Nodes) })
}

// dock returns the point of a state's circle at an angle upward or downward from
// the horizontal, on the side where next is, and the direction from the center.
func (l *layered) dock(center, next point, angle float64) (on, direction point) {
	if next.x < center.x {
		angle = math.Pi - angle
	}
	return center.toward(angle, reach), point{math.Cos(angle), math.Sin(angle)}
}

// fit returns a path from the first to the last of the knots with the given
// directions at its ends.
func (l *layered) fit(chain []int, knots []point, out, in point) []cubic {
	last := len(knots) - 1
	a, b := knots[0], knots[last]
	h := a.dist(b) * 0.36
	c := cubic{a, a.add(out.scale(h)), b.sub(in.scale(h)), b}
	worst, at := 0.0, 0
	for k := 1; k < last; k++ {
		if off := l.leaves(chain[k], knots[k].x, c); off > worst {
			worst, at = off, k
		}
	}
	if at == 0 {
		return []cubic{c}
	}
	d := knots[at+1].sub(knots[at-1])
	if l.layer[chain[at]]%2 == 0 { // not too steep where states are near
		d.y = min(max(d.y, -0.4*math.Abs(d.x)), 0.4*math.Abs(d.x))
	}
	d = d.scale(1 / math.Hypot(d.x, d.y))
	return append(l.fit(chain[:at+1], knots[:at+1], out, d), l.fit(chain[at:], knots[at:], d, in)...)
}

// leaves returns by how much the curve, where it passes the column of vertex v,
// leaves the room between the neighbors of v.
func (l *layered) leaves(v int, x float64, c cubic) float64 {
	layer, i := l.layers[l.layer[v]], l.pos[v]
	lo, hi := math.Inf(-1), math.Inf(1)
	if i > 0 {
		u := layer[i-1]
		lo = min(l.y[u]+l.below[u]+4, l.y[v])
	}
	if i+1 < len(layer) {
		u := layer[i+1]
		hi = max(l.y[u]-l.above[u]-4, l.y[v])
	}
	half := 4.0
	if l.layer[v]%2 == 0 {
		half = radius
	}
	off := 0.0
	const samples = 32
	for k := range samples + 1 {
		if p := c.at(float64(k) / samples); math.Abs(p.x-x) <= half {
			off = max(off, lo-p.y, p.y-hi)
		}
	}
	return off
}
