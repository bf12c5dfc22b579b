package kmeans

import (
	"math"

	"quotient/f32"
)

// A search is one start of Lloyd's algorithm. For every point it knows a distance from its own
// center that is surely no less than the true one, and a distance from all others that is no more.
type search struct {
	*cloud
	centers      f32.Matrix
	table        f32.Matrix // columns × padded clusters: the centers with the other sign, transposed
	half         f32.Matrix // 1 × padded clusters: halves of their squared lengths
	cluster      []int32
	upper, lower []float32
	gap          []float32 // half of each center's distance from the nearest other
	moved, other []float32 // how far each center went in the last round, and the farthest of all others

	change  f32.Matrix // clusters × columns for each chunk: what came to the sums of the clusters
	number  []float64  // the same of their weights
	sum     []float64  // clusters × columns: the sums of their points,
	members []float64  // and of their weights
}

// lloyd runs Lloyd's algorithm until nothing changes.
func (c *cloud) lloyd(centers f32.Matrix) Result {
	n, k, d := c.points.Rows, c.Clusters, c.points.Cols
	s := &search{
		cloud: c, centers: centers, table: f32.New(d, f32.Padded(k)), half: f32.New(1, f32.Padded(k)),
		cluster: make([]int32, n), upper: make([]float32, n), lower: make([]float32, n),
		gap: make([]float32, k), moved: make([]float32, k), other: make([]float32, k),
		change: f32.New(len(c.shares)*k, d), number: make([]float64, len(c.shares)*k),
		sum: make([]float64, k*d), members: make([]float64, k),
	}
	for i := range s.cluster {
		s.cluster[i], s.upper[i] = -1, float32(math.Inf(1))
	}
	s.arrange()
	rounds := 0
	for rounds < c.Iterations {
		rounds++
		if changed := s.assign(); changed == 0 || c.stop() {
			break
		}
		s.center()
		s.arrange()
	}
	return Result{Cluster: s.cluster, Centers: s.centers, Cost: s.cost(), Iterations: rounds}
}

// arrange makes of the centers what assigning needs.
func (s *search) arrange() {
	far := float32(math.Inf(1))
	for j := range s.half.Cols {
		s.half.Row(0)[j] = far // what is there to fill the block is never nearest
	}
	for j := range s.centers.Rows {
		row := s.centers.Row(j)
		s.half.Row(0)[j] = f32.Dot(row, row) / 2
		for l, x := range row {
			s.table.Row(l)[j] = -x
		}
		s.gap[j] = far
	}
	for j := range s.gap {
		for i := range j {
			g := down(math.Sqrt(squared(s.centers.Row(i), s.centers.Row(j))) / 2)
			s.gap[i], s.gap[j] = min(s.gap[i], g), min(s.gap[j], g)
		}
	}
}

// up and down round, with room for what is computed with the result.
func up(x float64) float32   { return float32(x * (1 + 1e-6)) }
func down(x float64) float32 { return float32(x * (1 - 1e-6)) }

// assign finds the nearest center of every point, and returns for how many it is another.
func (s *search) assign() int {
	return int(s.total(func(from, to int) float64 {
		b := s.newBatch(from / s.chunk)
		for i := from; i < to; i++ {
			a := s.cluster[i]
			if a >= 0 {
				s.upper[i] += s.moved[a]
				s.lower[i] -= s.other[a]
				if s.upper[i] <= max(s.gap[a], s.lower[i]) {
					continue
				}
			}
			b.add(int32(i))
		}
		b.settle()
		return float64(b.changed)
	}))
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(max(0, x)))) }

// batchRows is how many points are compared with all centers at once: they and the products fit
// into the first cache.
const batchRows = 48

// A batch is points that are to be compared with all centers.
type batch struct {
	*search
	chunk   int
	rows    []int32
	points  f32.Matrix // copies of them
	product f32.Matrix // rows × padded clusters: halves of squared distances, but for the points' own lengths
	zeros   []int32
	best    []int32 // the nearest center of each, and what the product has for it and for the next
	first   []float32
	second  []float32
	changed int
}

func (s *search) newBatch(chunk int) *batch {
	k := s.centers.Rows
	clear(s.change.View(chunk*k, (chunk+1)*k).Data)
	clear(s.number[chunk*k:][:k])
	return &batch{
		search: s, chunk: chunk, rows: make([]int32, 0, batchRows), points: f32.New(batchRows, s.points.Cols),
		product: f32.New(batchRows, s.half.Cols), zeros: make([]int32, batchRows),
		best: make([]int32, batchRows), first: make([]float32, batchRows), second: make([]float32, batchRows),
	}
}

func (b *batch) add(i int32) {
	f32.Prefetch(b.cloud.points.Row(int(i)))
	if b.rows = append(b.rows, i); len(b.rows) == batchRows {
		b.settle()
	}
}

// settle finds the nearest centers of the points. |x-c|² is |x|² + 2(|c|²/2 - x·c).
func (b *batch) settle() {
	n := len(b.rows)
	if n == 0 {
		return
	}
	first, last := int(b.rows[0]), int(b.rows[n-1])
	points, product := b.cloud.points.View(first, last+1), b.product.View(0, n)
	if points.Rows > n { // they do not lie side by side
		points = b.points.View(0, n)
		for r, i := range b.rows {
			copy(points.Row(r), b.cloud.points.Row(int(i)))
		}
	}
	f32.MulAddTo(product, f32.Lookup{Table: b.half, Index: b.zeros[:n]}, points, b.table)
	f32.Least(b.best[:n], b.first[:n], b.second[:n], product)
	for r, i := range b.rows {
		square, best := b.squares[i], b.best[r]
		wrong := b.slack * (square + 2*b.half.Row(0)[best])
		if b.second[r]-b.first[r] <= wrong {
			best = b.nearest(points.Row(r), product.Row(r), b.first[r]+wrong)
			b.second[r] = b.first[r] // which of the others is next is as unsure
		}
		b.upper[i] = sqrt(square + 2*b.first[r] + wrong)
		b.lower[i] = sqrt(square + 2*b.second[r] - wrong)
		if b.cluster[i] != best {
			b.place(i, best, points.Row(r))
		}
	}
	b.rows = b.rows[:0]
}

// nearest returns the nearest center of a point among those whose products are no more than a
// limit. In a narrow heap far from the origin the products cancel, and cannot tell them apart.
func (b *batch) nearest(point, product []float32, limit float32) int32 {
	best, least := int32(0), math.Inf(1)
	for j := range b.centers.Rows {
		if product[j] > limit {
			continue
		}
		if d := squared(point, b.centers.Row(j)); d < least {
			best, least = int32(j), d
		}
	}
	return best
}

// place puts a point into a cluster.
func (b *batch) place(i, cluster int32, point []float32) {
	b.shift(b.cluster[i], -float32(b.weight[i]), point)
	b.shift(cluster, float32(b.weight[i]), point)
	b.cluster[i] = cluster
	b.changed++
}

// shift adds a multiple of a point to the change of a cluster, if there is one.
func (b *batch) shift(cluster int32, times float32, point []float32) {
	if cluster >= 0 {
		at := b.chunk*b.centers.Rows + int(cluster)
		f32.Axpy(b.change.Row(at), times, point)
		b.number[at] += float64(times)
	}
}

// center moves every center to the mean of its points; one without points stays.
func (s *search) center() {
	k := s.centers.Rows
	for chunk := range s.shares {
		for j := range k {
			at := chunk*k + j
			s.members[j] += s.number[at]
			sum := s.sum[j*s.points.Cols:][:s.points.Cols]
			for l, x := range s.change.Row(at) {
				sum[l] += float64(x)
			}
		}
	}
	var most, next float32 // the two farthest ways
	for j := range k {
		row, before := s.centers.Row(j), make([]float32, s.points.Cols)
		copy(before, row)
		if s.members[j] > 0 {
			for l, x := range s.sum[j*len(row):][:len(row)] {
				row[l] = float32(x / s.members[j])
			}
		}
		s.moved[j] = up(math.Sqrt(squared(row, before)))
		if s.moved[j] > most {
			most, next = s.moved[j], most
		} else {
			next = max(next, s.moved[j])
		}
	}
	for j, m := range s.moved {
		if s.other[j] = most; m == most {
			s.other[j] = next
		}
	}
}

// cost sums the squared distances from the centers.
func (s *search) cost() float64 {
	return s.total(func(from, to int) float64 {
		sum := 0.0
		for i := from; i < to && s.cluster[i] >= 0; i++ {
			sum += squared(s.points.Row(i), s.centers.Row(int(s.cluster[i]))) * float64(s.weight[i])
		}
		return sum
	})
}
