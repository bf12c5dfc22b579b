package extract

import (
	"math/rand/v2"

	"quotient/automaton"
	"quotient/f32"
	"quotient/oracle"
	"quotient/prefix"
	"quotient/word"
)

// kmeans is the baseline of the paper's appendix, after Wang et al. (2018): the
// states are clustered, and every cluster is a state of the automaton. Whether it
// accepts, and where a symbol leads, is decided by majority among its members,
// each prefix counted as often as it occurs in the sample.
func kmeans(q *oracle.Inquiry, t *prefix.Tree, k int, rng *rand.Rand) *automaton.DFA {
	k = min(k, t.Len())
	cluster := clusters(t.State, t.Count, k, rng, func() bool { return q.Err() != nil })

	yes := make([]int, k) // votes for acceptance less those against
	votes := make([]map[word.Symbol]map[int]int, k)
	for c := range votes {
		votes[c] = map[word.Symbol]map[int]int{}
	}
	for n, c := range cluster {
		if t.Accept[n] {
			yes[c] += int(t.Count[n])
		} else {
			yes[c] -= int(t.Count[n])
		}
		if n == 0 {
			continue
		}
		from := cluster[t.Parent[n]]
		if votes[from][t.On[n]] == nil {
			votes[from][t.On[n]] = map[int]int{}
		}
		votes[from][t.On[n]][c] += int(t.Count[n])
	}

	d := automaton.NewDFA(t.Alphabet, k)
	d.Start = automaton.State(cluster[0] + 1)
	for c := range k {
		q := automaton.State(c + 1)
		d.Accept[q] = yes[c] > 0
		for s, targets := range votes[c] {
			d.SetNext(q, s, automaton.State(majority(targets)+1))
		}
	}
	return d
}

// majority returns the number with most votes, the smallest of several.
func majority(votes map[int]int) int {
	best := -1
	for c, n := range votes {
		if best < 0 || n > votes[best] || n == votes[best] && c < best {
			best = c
		}
	}
	return best
}

const (
	restarts   = 10
	iterations = 100
)

// A cloud is points to cluster.
type cloud struct {
	points  f32.Matrix
	squares []float32 // of the points' lengths
	weight  []int32
	stop    func() bool // reports whether the result is no longer wanted
}

// clusters runs Lloyd's algorithm from several starts after Arthur and
// Vassilvitskii (k-means++, 2007), and returns the cluster of every point in the
// best result. Points count with their weights. If it is to stop, the result is worth
// nothing.
func clusters(points f32.Matrix, weight []int32, k int, rng *rand.Rand, stop func() bool) []int {
	p := cloud{points, make([]float32, points.Rows), weight, stop}
	for i := range p.squares {
		p.squares[i] = f32.Dot(points.Row(i), points.Row(i))
	}
	var best []int
	least := -1.0
	for range restarts {
		c := p.seeds(k, rng)
		assigned, cost := make([]int, points.Rows), 0.0
		for range iterations {
			before := cost
			cost = p.assign(assigned, c)
			if cost == before || stop() {
				break
			}
			p.center(c, assigned)
		}
		if stop() {
			return assigned
		}
		if least < 0 || cost < least {
			best, least = assigned, cost
		}
	}
	return best
}

// seeds picks k points, each with a probability in proportion to its weight and
// to its squared distance from those picked before.
func (p *cloud) seeds(k int, rng *rand.Rand) f32.Matrix {
	c := f32.New(k, p.points.Cols)
	share := make([]float64, p.points.Rows)
	for i, w := range p.weight {
		share[i] = float64(w)
	}
	nearest := make([]float32, p.points.Rows) // squared distance from a seed
	product := make([]float32, p.points.Rows)
	for j := 0; j < k && !p.stop(); j++ {
		seed := draw(share, rng)
		copy(c.Row(j), p.points.Row(seed))
		f32.Dots(product, p.points, c.Row(j))
		for i, x := range product {
			if d := max(0, p.squares[i]+p.squares[seed]-2*x); j == 0 || d < nearest[i] {
				nearest[i] = d
			}
			share[i] = float64(nearest[i]) * float64(p.weight[i])
		}
	}
	return c
}

// draw returns an index with a probability in proportion to its share, or any if
// all shares are zero.
func draw(share []float64, rng *rand.Rand) int {
	total := 0.0
	for _, s := range share {
		total += s
	}
	if total == 0 {
		return rng.IntN(len(share))
	}
	x := rng.Float64() * total
	for i, s := range share {
		if x < s {
			return i
		}
		x -= s
	}
	return len(share) - 1
}

// assign finds the nearest center of every point, and returns the sum of the
// squared distances. |x-c|² is |x|² + |c|² - 2x·c, so that scalar products do. With many
// points and centers this takes minutes, so it asks now and then whether it is to stop.
func (p *cloud) assign(assigned []int, c f32.Matrix) float64 {
	length, product := make([]float32, c.Rows), make([]float32, c.Rows)
	for j := range length {
		length[j] = f32.Dot(c.Row(j), c.Row(j))
	}
	cost := 0.0
	for i := range assigned {
		if i%256 == 0 && p.stop() {
			break
		}
		f32.Dots(product, c, p.points.Row(i))
		best := 0
		for j, x := range product {
			if length[j]-2*x < length[best]-2*product[best] {
				best = j
			}
		}
		assigned[i] = best
		cost += float64(max(0, p.squares[i]+length[best]-2*product[best])) * float64(p.weight[i])
	}
	return cost
}

// center moves every center to the mean of its points; one without points stays.
func (p *cloud) center(c f32.Matrix, assigned []int) {
	total := make([]float32, c.Rows)
	sum := f32.New(c.Rows, c.Cols)
	for i, j := range assigned {
		total[j] += float32(p.weight[i])
		f32.Axpy(sum.Row(j), float32(p.weight[i]), p.points.Row(i))
	}
	for j, n := range total {
		if n > 0 {
			row := c.Row(j)
			for x, s := range sum.Row(j) {
				row[x] = s / n
			}
		}
	}
}
