package draw

import "slices"

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
