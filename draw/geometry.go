package draw

import "math"

// A point of the page; y grows downward, as in SVG.
type point struct{ x, y float64 }

func (p point) add(q point) point            { return point{p.x + q.x, p.y + q.y} }
func (p point) sub(q point) point            { return point{p.x - q.x, p.y - q.y} }
func (p point) scale(f float64) point        { return point{p.x * f, p.y * f} }
func (p point) dist(q point) float64         { return math.Hypot(p.x-q.x, p.y-q.y) }
func (p point) toward(a, d float64) point    { return point{p.x + d*math.Cos(a), p.y + d*math.Sin(a)} }
func (p point) angleTo(q point) float64      { return math.Atan2(q.y-p.y, q.x-p.x) }
func (p point) mix(q point, t float64) point { return p.scale(1 - t).add(q.scale(t)) }

// A cubic is a Bézier curve.
type cubic [4]point

func (c cubic) at(t float64) point {
	a, b, d := c[0].mix(c[1], t), c[1].mix(c[2], t), c[2].mix(c[3], t)
	return a.mix(b, t).mix(b.mix(d, t), t)
}

// flatten returns points along the path that are at most about step apart.
func flatten(path []cubic, step float64) []point {
	line := make([]point, 1, 32)
	line[0] = path[0][0]
	for _, c := range path {
		length := c[0].dist(c[1]) + c[1].dist(c[2]) + c[2].dist(c[3])
		n := max(4, int(math.Ceil(length/step)))
		for i := 1; i <= n; i++ {
			line = append(line, c.at(float64(i)/float64(n)))
		}
	}
	return line
}

// A box is an upright rectangle.
type box struct{ x0, y0, x1, y1 float64 }

// around returns the box of the given size with center c.
func around(c point, w, h float64) box {
	return box{c.x - w/2, c.y - h/2, c.x + w/2, c.y + h/2}
}

func (b box) grow(d float64) box { return box{b.x0 - d, b.y0 - d, b.x1 + d, b.y1 + d} }

func (b box) union(c box) box {
	return box{min(b.x0, c.x0), min(b.y0, c.y0), max(b.x1, c.x1), max(b.y1, c.y1)}
}

func (b box) overlaps(c box) bool {
	return b.x0 < c.x1 && c.x0 < b.x1 && b.y0 < c.y1 && c.y0 < b.y1
}

func (b box) has(p point) bool {
	return b.x0 < p.x && p.x < b.x1 && b.y0 < p.y && p.y < b.y1
}

// dist returns the distance from p to the box, zero inside.
func (b box) dist(p point) float64 {
	return math.Hypot(max(b.x0-p.x, 0, p.x-b.x1), max(b.y0-p.y, 0, p.y-b.y1))
}

// farther reports whether p is at that distance from the box, or at a greater one.
func (b box) farther(p point, than float64) bool {
	x, y := max(b.x0-p.x, 0, p.x-b.x1), max(b.y0-p.y, 0, p.y-b.y1)
	return x*x+y*y >= than*than
}

// bounds returns the smallest box that holds all points.
func bounds(line []point) box {
	b := box{line[0].x, line[0].y, line[0].x, line[0].y}
	for _, p := range line[1:] {
		b = b.union(box{p.x, p.y, p.x, p.y})
	}
	return b
}

// cross reports whether the segments ab and cd have an inner point in common.
func cross(a, b, c, d point) bool {
	return side(a, b, c)*side(a, b, d) < 0 && side(c, d, a)*side(c, d, b) < 0
}

// side returns on which side of the line ab the point c lies: -1, 0 or 1.
func side(a, b, c point) int {
	switch v := (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x); {
	case v > 1e-9:
		return 1
	case v < -1e-9:
		return -1
	}
	return 0
}

// separate returns the positions y closest to the wanted ones, in the sense of
// weighted least squares, such that y[i+1] - y[i] >= gap(i). It is the
// pool-adjacent-violators algorithm for isotonic regression (Best and
// Chakravarti, 1990) after the gaps are taken out, and exact in linear time.
func separate(want, weight []float64, gap func(i int) float64) []float64 {
	type block struct {
		sum, weight float64
		n           int
	}
	var blocks []block
	offset := make([]float64, len(want))
	for i := range want {
		if i > 0 {
			offset[i] = offset[i-1] + gap(i-1)
		}
		b := block{weight[i] * (want[i] - offset[i]), weight[i], 1}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if last.sum*b.weight <= b.sum*last.weight {
				break
			}
			b = block{b.sum + last.sum, b.weight + last.weight, b.n + last.n}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	y := make([]float64, 0, len(want))
	for _, b := range blocks {
		for range b.n {
			y = append(y, b.sum/b.weight+offset[len(y)])
		}
	}
	return y
}
