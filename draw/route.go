package draw

import (
	"math"
	"slices"
)

const (
	radius     = 20.0 // of a state
	reach      = radius + 1.5
	lineHeight = 18.0 // of a label
	arrow      = 34.0 // length of the arrow into the start
	clear      = 7.0  // what an edge keeps away from other states
)

// What is wrong with a picture, weighed. One edge through a state is worse than
// many crossings; a crossing is worth a detour of a few states' widths. These
// weights were settled by looking at pictures.
const (
	throughNode   = 60.0
	crossing      = 20.0
	tooClose      = 0.5 // for each sample of a curve that runs along another
	labelOnNode   = 200.0
	labelOnLabel  = 200.0
	labelOnEdge   = 40.0
	labelOnOwn    = 9.0  // the line is broken by the label's halo, which can be read
	labelOnTip    = 20.0 // its own arrowhead is hidden
	labelNearEdge = 1.5
	perLength     = 1.0 / 40
	leftOfStart   = 25.0 // for each state
	perTurn       = 1.5  // for each radian
	perHair       = 0.1  // for each unit by which a picture is too long for its height
	wide          = 1400.0
)

// A curve is one way to draw an edge.
type curve struct {
	path []cubic
	line []point // points along the path, close to each other
	box  box     // of the line
	step float64 // the longest distance between points that follow each other, along x or y
	cost float64 // how much one would rather draw it otherwise
}

// newCurve returns the curve along a path. Its cost is the one given plus what
// its length and its turns cost.
func newCurve(path []cubic, cost float64) curve {
	line := flatten(path, 6)
	step, before := 0.0, 0.0
	for k := 1; k < len(line); k++ {
		d := line[k].sub(line[k-1])
		step = max(step, math.Abs(d.x), math.Abs(d.y))
		cost += perLength * math.Sqrt(d.x*d.x+d.y*d.y)
		angle := math.Atan2(d.y, d.x)
		if k > 1 {
			cost += perTurn * math.Abs(math.Remainder(angle-before, 2*math.Pi))
		}
		before = angle
	}
	return curve{path, line, bounds(line), step, cost}
}

// A picture is a graph with a place for everything.
type picture struct {
	*graph
	at     []point // centers of the states
	curve  []curve // one for each edge, then the arrow into the start
	text   []spot  // of the label of each edge
	labels float64 // what is wrong with the labels
	offers [][]curve
}

// finish chooses among the curves offered for each edge and then places the
// labels. Both times it takes the best choice for one edge after the other, the
// others being as they are, until nothing changes: a local optimum is enough,
// and the order of the edges makes it deterministic.
func finish(g *graph, at []point, offers [][]curve) *picture {
	p := &picture{graph: g, at: at, curve: make([]curve, len(offers)), text: make([]spot, len(g.Edges)), offers: offers}
	for i, o := range offers {
		p.curve[i] = o[0]
	}
	p.chooseCurves()
	p.placeLabels()
	return p
}

// chooseCurves settles how each edge is drawn. What disturbs a curve is counted once, and
// then corrected by the edges that are drawn otherwise since; costs of clashes are multiples
// of a half, so that this is exact. A curve that is too costly even if nothing disturbs it is
// not looked at.
func (p *picture) chooseCurves() {
	n := len(p.offers)
	chosen := make([]int, n)
	type count struct {
		alone   float64 // what the curve costs without the others
		clashes float64 // with the others
		with    []int   // as which the others were when they were counted
	}
	counts := make([][]count, n)
	for i, offers := range p.offers {
		counts[i] = make([]count, len(offers))
		for k := range offers {
			counts[i][k].alone = p.aloneCost(i, &offers[k])
		}
	}
	settle(n, func(i int) int { return len(p.offers[i]) }, func(i, k int, limit float64) float64 {
		c := &counts[i][k]
		if c.alone >= limit {
			return c.alone
		}
		if c.with == nil {
			c.with = slices.Repeat([]int{-1}, n)
		}
		for j, now := range chosen {
			before := c.with[j]
			if j == i || before == now {
				continue
			}
			if before >= 0 {
				c.clashes -= clash(&p.offers[i][k], &p.offers[j][before])
			}
			c.clashes += clash(&p.offers[i][k], &p.offers[j][now])
			c.with[j] = now
		}
		return c.alone + c.clashes
	}, func(i, k int) { p.curve[i], chosen[i] = p.offers[i][k], k })
}

// judge returns what is wrong with the picture as a whole, its size included.
func (p *picture) judge() float64 {
	b := p.bounds()
	width, height := b.x1-b.x0, b.y1-b.y0
	cost := p.labels + perLength*(width+2*height)
	cost += perHair * max(0, max(width, height)-max(wide, 3*min(width, height)))
	for i := range p.curve {
		cost += p.curveCost(i)
	}
	for _, at := range p.at {
		if at.x < p.at[0].x-1 {
			cost += leftOfStart
		}
	}
	return cost
}

// repair draws an edge whose label is in the way of another edge in another manner, if
// that makes a better picture.
func (p *picture) repair() {
	if len(p.Edges) > gridEdges {
		return // it would take too long
	}
	least := p.judge()
	for i := range p.Edges {
		if p.spotCost(i, p.text[i], p.at, newIndex(p.curve)) < labelOnEdge {
			continue
		}
		best := p.curve[i]
		for _, c := range p.offers[i] {
			p.curve[i] = c
			p.placeLabels()
			if cost := p.judge(); cost < least-1e-6 {
				best, least = c, cost
			}
		}
		p.curve[i] = best
		p.placeLabels()
	}
}

// sprawls reports whether the picture is too large or too slender to be looked at.
func (p *picture) sprawls() bool {
	b := p.bounds()
	width, height := b.x1-b.x0, b.y1-b.y0
	return max(width, height) > max(2*wide, 6*min(width, height)) || width*height > 60_000*float64(len(p.at))+4e6
}

// thinOut hides the labels that would hide something else, as far as they are not all
// that there is.
func (p *picture) thinOut() {
	lines := newIndex(p.curve)
	for i := range p.text {
		p.text[i].hidden = p.spotCost(i, p.text[i], p.at, lines) >= labelOnEdge
		for j := range i {
			if !p.text[j].hidden && p.text[i].overlaps(p.text[j].box) {
				p.text[i].hidden = true
			}
		}
	}
}

// settle improves the choice for each of n things in turn, as long as that helps. A cost that
// is not below the limit need not be exact.
func settle(n int, choices func(i int) int, cost func(i, k int, limit float64) float64, set func(i, k int)) {
	chosen := make([]int, n)
	for range 6 {
		changed := false
		for i := range n {
			if choices(i) == 1 {
				continue
			}
			best, least := chosen[i], cost(i, chosen[i], math.Inf(1))-1e-6
			for k := range choices(i) {
				if c := cost(i, k, least); c < least {
					best, least = k, c-1e-6
				}
			}
			changed = changed || best != chosen[i]
			chosen[i] = best
			set(i, best)
		}
		if !changed {
			return
		}
	}
}

// curveCost says how bad it is that edge i is drawn as it is while the others are as they are.
func (p *picture) curveCost(i int) float64 {
	cost := p.aloneCost(i, &p.curve[i])
	for j := range p.curve {
		if j != i {
			cost += clash(&p.curve[i], &p.curve[j])
		}
	}
	return cost
}

// aloneCost says how bad it is to draw edge i as c, the other edges left aside.
func (p *picture) aloneCost(i int, c *curve) float64 {
	cost := c.cost
	from, to := p.ends(i)
	for v, at := range p.at {
		if v == from || v == to || c.box.farther(at, radius+2*clear) {
			continue
		}
		nearest := math.Inf(1)
		for _, q := range c.line {
			d := q.sub(at)
			nearest = min(nearest, d.x*d.x+d.y*d.y)
		}
		nearest = math.Sqrt(nearest)
		if nearest < radius+clear {
			cost += throughNode
		} else {
			cost += max(0, radius+2*clear-nearest)
		}
	}
	return cost
}

// ends returns the states that curve i begins and ends at.
func (p *picture) ends(i int) (from, to int) {
	if i == len(p.Edges) {
		return 0, 0
	}
	return p.Edges[i].From, p.Edges[i].To
}

// clash says how much two curves disturb each other.
func clash(a, b *curve) float64 {
	if len(a.line) > len(b.line) {
		a, b = b, a
	}
	near := a.box.grow(clear)
	if !near.overlaps(b.box) {
		return 0
	}
	cost := 0.0
	const far = 16
	for j := 1; j < len(b.line); j++ {
		if !near.has(b.line[j]) {
			continue
		}
		closest := math.Inf(1)
		for i := 1; i < len(a.line); i++ {
			d := b.line[j].sub(a.line[i])
			if away := max(math.Abs(d.x), math.Abs(d.y)); away >= far {
				i += int((away - far) / a.step) // the next points of a are too far away as well
				continue
			}
			closest = min(closest, d.x*d.x+d.y*d.y)
			if cross(a.line[i-1], a.line[i], b.line[j-1], b.line[j]) {
				cost += crossing
			}
		}
		if closest < clear*clear {
			cost += tooClose
		}
	}
	return cost
}

// arcs offers ways to draw an edge between two states: straight or bent to
// either side. Of two opposite edges each bends to its own left, as in a
// textbook, so that they never meet.
func arcs(a, b point, opposite bool) []curve {
	bends := []float64{0, 16, -16, 28, -28, 42, -42, 56, -56, 72, -72}
	if opposite {
		bends = []float64{22, 15, 34, 48, 62, 76}
	}
	var offers []curve
	for _, degrees := range bends {
		bend := degrees * math.Pi / 180
		out, in := a.angleTo(b)-bend, b.angleTo(a)+bend
		loose := 0.39 * (a.dist(b) - 2*radius*math.Cos(bend))
		path := []cubic{{a.toward(out, reach), a.toward(out, reach+loose), b.toward(in, reach+loose), b.toward(in, reach)}}
		offers = append(offers, newCurve(path, 0))
	}
	return offers
}

// loops offers ways to draw an edge from a state to itself, above if possible.
func loops(at point) []curve {
	var offers []curve
	for _, o := range []struct{ degrees, cost float64 }{
		{-90, 0}, {90, 0.6}, {-60, 1.6}, {-120, 1.6}, {60, 2}, {120, 2}, {0, 1.2}, {180, 1.6}, {-30, 2.4}, {-150, 2.4}, {30, 2.6}, {150, 2.6},
	} {
		a := o.degrees * math.Pi / 180
		first, last := a-0.32, a+0.32
		offers = append(offers, newCurve([]cubic{{
			at.toward(first, reach), at.toward(a-0.38, reach+38), at.toward(a+0.38, reach+38), at.toward(last, reach),
		}}, o.cost))
	}
	return offers
}

// entries offers ways to draw the arrow into the start, from the left if possible.
func entries(at point) []curve {
	var offers []curve
	for _, o := range []struct{ degrees, cost float64 }{{180, 0}, {-135, 3}, {135, 3}, {-90, 4}, {90, 4.5}, {-45, 6}, {45, 6}, {0, 8}} {
		a := o.degrees * math.Pi / 180
		tail, tip := at.toward(a, reach+arrow), at.toward(a, reach)
		offers = append(offers, newCurve([]cubic{{tail, tail.mix(tip, 1.0/3), tail.mix(tip, 2.0/3), tip}}, o.cost))
	}
	return offers
}

// A spot is one place for a label.
type spot struct {
	box
	onLine bool // on its edge rather than beside it
	hidden bool // there is no room for it
	cost   float64
}

// placeLabels puts every label beside its edge, near the middle, clear of
// states, other labels and other edges where it can.
func (p *picture) placeLabels() {
	p.labels = 0
	lines := newIndex(p.curve)
	spots := make([][]spot, len(p.Edges))
	reach := make([]box, len(p.Edges)) // all spots of an edge
	for i := range p.Edges {
		spots[i] = p.spots(i)
		reach[i] = spots[i][0].box
		for _, s := range spots[i] {
			reach[i] = reach[i].union(s.box)
		}
		states := p.near(reach[i])
		for k, s := range spots[i] {
			spots[i][k].cost += p.spotCost(i, s, states, lines)
		}
		p.text[i] = spots[i][0]
	}
	rivals := make([][]int, len(p.Edges)) // labels that can get in the way
	for i := range p.Edges {
		for j := range p.Edges {
			if j != i && reach[i].grow(2).overlaps(reach[j]) {
				rivals[i] = append(rivals[i], j)
			}
		}
	}
	cost := func(i, k int, limit float64) float64 {
		c, b := spots[i][k].cost, spots[i][k].grow(2)
		if c >= limit {
			return c
		}
		for _, j := range rivals[i] {
			if b.overlaps(p.text[j].box) {
				c += labelOnLabel
			}
		}
		return c
	}
	chosen := make([]int, len(p.Edges))
	settle(len(p.Edges), func(i int) int { return len(spots[i]) }, cost, func(i, k int) {
		p.text[i], chosen[i] = spots[i][k], k
	})
	for i, k := range chosen {
		p.labels += cost(i, k, math.Inf(1))
	}
}

// spots offers places for the label of edge i: on either side of the line, at
// several points of it, and on the line itself.
func (p *picture) spots(i int) []spot {
	line := p.curve[i].line
	w := textWidth(p.Edges[i].Short)
	bulge := line[len(line)/2].sub(line[0].mix(line[len(line)-1], 0.5)) // where the curve is round
	var spots []spot
	for _, f := range []float64{0.5, 0.43, 0.57, 0.36, 0.64, 0.29, 0.71, 0.22, 0.78, 0.16, 0.84} {
		k := min(max(int(f*float64(len(line)-1)), 1), len(line)-2)
		d := line[k+1].sub(line[k-1])
		n := point{d.y, -d.x}.scale(1 / max(math.Hypot(d.x, d.y), 1e-9))
		if n.y > 0 || n.y == 0 && n.x < 0 {
			n = n.scale(-1) // upward, or to the right
		}
		away := 12 * math.Abs(f-0.5)
		support := math.Abs(n.x)*w/2 + math.Abs(n.y)*lineHeight/2 + 1.5 + 2.5*math.Abs(n.x)
		for _, side := range []float64{1, -1} {
			cost := away
			if bulge.x*n.x+bulge.y*n.y < -1 {
				cost += 1 + side // the inner side of a bend
			} else {
				cost += (1 - side) / 2
			}
			spots = append(spots, spot{box: around(line[k].add(n.scale(side*support)), w, lineHeight), cost: cost})
		}
		spots = append(spots, spot{box: around(line[k], w, lineHeight), onLine: true, cost: away + labelOnOwn})
	}
	return spots
}

// near returns the centers of the states that a label in the box can hide a part of.
func (p *picture) near(b box) []point {
	var near []point
	for _, at := range p.at {
		if !b.farther(at, radius+2) {
			near = append(near, at)
		}
	}
	return near
}

// spotCost says how much a label of edge i hides of states, of which those that are near
// will do, and of edges.
func (p *picture) spotCost(i int, s spot, states []point, lines *index) float64 {
	cost := 0.0
	for _, at := range states {
		if !s.farther(at, radius+2) {
			cost += labelOnNode
		}
	}
	if tip := p.curve[i].line[len(p.curve[i].line)-1]; !s.farther(tip, 12) {
		cost += labelOnTip
	}
	inner := box{s.x0 - 1, s.y0 + 1, s.x1 + 1, s.y1 - 1}
	var hit, near []int // edges
	lines.within(s.grow(4), func(j int, q point) {
		switch {
		case j == i && s.onLine:
		case inner.has(q):
			if !slices.Contains(hit, j) {
				hit = append(hit, j)
				cost += labelOnEdge
			}
			cost++
		case j != i && !slices.Contains(near, j):
			near = append(near, j)
			cost += labelNearEdge
		}
	})
	return cost
}

// An index finds the points of all curves that lie in a box: the plane is cut into square
// cells, and the points of a cell lie together.
type index struct {
	x0, y0     float64 // where the first cell begins
	cols, rows int
	begin      []int // of each cell, row by row, among the points; and the end of the last
	points     []sample
}

type sample struct {
	curve int
	at    point
}

const cellSize = 32.0

func newIndex(curves []curve) *index {
	all := curves[0].box
	points := 0
	for _, c := range curves {
		all = all.union(c.box)
		points += len(c.line)
	}
	x := &index{x0: all.x0, y0: all.y0, points: make([]sample, points)}
	x.cols, x.rows = 1+int((all.x1-all.x0)/cellSize), 1+int((all.y1-all.y0)/cellSize)
	x.begin = make([]int, x.cols*x.rows+1)
	cell := func(q point) int { return int((q.y-x.y0)/cellSize)*x.cols + int((q.x-x.x0)/cellSize) }
	for _, c := range curves {
		for _, q := range c.line {
			x.begin[cell(q)]++
		}
	}
	end := 0
	for k, n := range x.begin {
		end += n
		x.begin[k] = end
	}
	for i, c := range slices.Backward(curves) { // from its end to its beginning each cell is filled
		for _, q := range slices.Backward(c.line) {
			k := cell(q)
			x.begin[k]--
			x.points[x.begin[k]] = sample{i, q}
		}
	}
	return x
}

// within calls f for every point in b.
func (x *index) within(b box, f func(curve int, at point)) {
	cells := func(from, to, origin float64, n int) (first, last int) {
		return max(0, int((from-origin)/cellSize)), min(n-1, int((to-origin)/cellSize))
	}
	left, right := cells(b.x0, b.x1, x.x0, x.cols)
	top, bottom := cells(b.y0, b.y1, x.y0, x.rows)
	for j := top; j <= bottom; j++ {
		for _, s := range x.points[x.begin[j*x.cols+left]:x.begin[j*x.cols+max(left, right+1)]] {
			if b.has(s.at) {
				f(s.curve, s.at)
			}
		}
	}
}
