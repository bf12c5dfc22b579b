package draw

import (
	"math"
	"slices"
)

// A picture that is far wider than high is a hair line on every page: a counter up to 30,
// a cycle of 40 states. It is cut into bands that stand below each other and run to the
// right and to the left in turn, as an ox plows, so that what follows stays near.

// foldings returns the picture folded into two bands or more, where it is so wide that
// this can be better.
func foldings(p *picture) []*picture {
	b := p.bounds()
	width, height := b.x1-b.x0, b.y1-b.y0
	if width < wide || width < 4*height {
		return nil
	}
	var all []*picture
	most := int(math.Ceil(math.Sqrt(width / height)))
	for n := 2; n <= most; n++ {
		if folded := fold(p, n); folded != nil {
			all = append(all, folded)
		}
	}
	return all
}

// fold cuts the picture into n bands.
func fold(p *picture, n int) *picture {
	columns := p.columns()
	if len(columns) < 2*n {
		return nil
	}
	each := (len(columns) + n - 1) / n
	line := len(columns) == len(p.at) // one state after the other
	bands := make([]int, len(p.at))
	for v, q := range p.at {
		k, _ := slices.BinarySearch(columns, q.x-0.5)
		bands[v] = k / each
	}
	step := p.bandHeight(bands) + 46
	// A band begins where the one before it ends, and every second one is a mirror image.
	move := func(q point, k int) point {
		x := q.x - columns[k*each]
		if k%2 == 1 {
			x = columns[each-1] - columns[0] - x
		}
		return point{x, q.y + float64(k)*step}
	}
	at := make([]point, len(p.at))
	for v, q := range p.at {
		if line {
			q.y = p.at[0].y
		}
		at[v] = move(q, bands[v])
	}
	offers := make([][]curve, len(p.curve))
	for i, e := range p.Edges {
		switch {
		case e.From == e.To:
			offers[i] = loops(at[e.From])
		case line || bands[e.From] != bands[e.To]:
			offers[i] = arcs(at[e.From], at[e.To], p.opposed(e))
		default:
			path := slices.Clone(p.curve[i].path)
			for k, c := range path {
				for j := range c {
					path[k][j] = move(c[j], bands[e.From])
				}
			}
			offers[i] = []curve{newCurve(path, 0)}
		}
	}
	offers[len(p.Edges)] = entries(at[0])
	return finish(p.graph, at, offers)
}

// bandHeight returns the height of a band that holds every state, and the edges between
// those of the same band.
func (p *picture) bandHeight(bands []int) float64 {
	b := around(p.at[0], 2*reach, 2*reach)
	for _, at := range p.at {
		b = b.union(around(at, 2*reach, 2*reach))
	}
	for i, e := range p.Edges {
		if bands[e.From] == bands[e.To] {
			b = b.union(p.curve[i].box)
		}
	}
	return b.y1 - b.y0
}

// columns returns the places along x at which states stand, ascending.
func (p *picture) columns() []float64 {
	var xs []float64
	for _, q := range p.at {
		xs = append(xs, q.x)
	}
	slices.Sort(xs)
	return slices.CompactFunc(xs, func(a, b float64) bool { return math.Abs(a-b) < 1 })
}
