// Package kmeans clusters points by Lloyd's algorithm, from seeds that are drawn as Arthur and
// Vassilvitskii do (k-means++, 2007), the best of several at each draw.
//
// The clusters are those of the plain algorithm, but for ties within what single precision can tell,
// and do not depend on the number of threads. Most of its work is not done: the triangle inequality says of most points that
// their cluster cannot have changed since the last round (Hamerly, 2010), or that a new seed is no
// nearer than an old one (Raff, 2021). The others are compared with all centers in one product of
// matrices, and exactly with those that are too close in it to be told apart.
package kmeans

import (
	"math"
	"math/rand/v2"

	"quotient/f32"
	"quotient/internal/parallel"
)

// Options say how to cluster.
type Options struct {
	Clusters   int
	Starts     int // the best of so many counts
	Iterations int // of one start, at most
	Threads    int // none: one for every core
	Rand       *rand.Rand
	Stop       func() bool // reports whether the result is no longer wanted; nil: it is
}

// A Result says which cluster every point is in.
type Result struct {
	Cluster    []int32
	Centers    f32.Matrix // clusters × columns
	Cost       float64    // the sum of squared distances from the centers, each times its point's weight
	Iterations int        // of all starts
}

// Run clusters points, which count with their weights. If it is told to stop, the result is worth
// nothing.
func Run(points f32.Matrix, weight []int32, o Options) Result {
	c := newCloud(points, weight, o)
	var best Result
	iterations := 0
	for start := range o.Starts {
		r := c.lloyd(c.seeds())
		iterations += r.Iterations
		if start == 0 || r.Cost < best.Cost {
			best = r
		}
		if c.stop() {
			break
		}
	}
	best.Iterations = iterations
	for i, cluster := range best.Cluster {
		best.Cluster[i] = max(0, cluster) // it was told to stop before it came to this one
	}
	return best
}

// A cloud is points to cluster. They are worked on in chunks of a fixed size, and whatever is
// summed is summed chunk by chunk: so threads make no difference.
type cloud struct {
	Options
	points  f32.Matrix
	weight  []int32
	squares []float32 // of the points' lengths
	slack   float32   // a squared distance is wrong by less than so many times the two squared lengths
	chunk   int       // points of a chunk
	shares  []float64 // one for each chunk
}

func newCloud(points f32.Matrix, weight []int32, o Options) *cloud {
	o.Clusters = min(o.Clusters, points.Rows)
	c := &cloud{Options: o, points: points, weight: weight, squares: make([]float32, points.Rows)}
	// Rounding adds up like a random walk of as many steps as there are columns.
	c.slack = float32(math.Sqrt(float64(points.Cols))) * 0x1p-23
	// The sums of a chunk take a few hundredths of the memory of its points.
	c.chunk = max(4096, 32*o.Clusters)
	c.shares = make([]float64, (points.Rows+c.chunk-1)/c.chunk)
	c.each(func(_, from, to int) {
		for i := from; i < to; i++ {
			c.squares[i] = f32.Dot(points.Row(i), points.Row(i))
		}
	})
	return c
}

func (c *cloud) stop() bool { return c.Stop != nil && c.Stop() }

// each calls work for every chunk, with its number and which points are in it.
func (c *cloud) each(work func(chunk, from, to int)) {
	parallel.Do(c.Threads, len(c.shares), func(n int) {
		if !c.stop() {
			work(n, n*c.chunk, min((n+1)*c.chunk, c.points.Rows))
		}
	})
}

// total sums what work returns for every chunk.
func (c *cloud) total(work func(from, to int) float64) float64 {
	c.each(func(chunk, from, to int) { c.shares[chunk] = work(from, to) })
	sum := 0.0
	for _, s := range c.shares {
		sum += s
	}
	return sum
}

// squared returns the squared distance of two vectors, without the cancellation that is in
// differences of scalar products. Four sums do not wait for each other.
func squared(x, y []float32) float64 {
	var sum [4]float64
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		for j := range sum {
			d := float64(x[i+j] - y[i+j])
			sum[j] += d * d
		}
	}
	for ; i < len(x); i++ {
		d := float64(x[i] - y[i])
		sum[0] += d * d
	}
	return sum[0] + sum[1] + sum[2] + sum[3]
}
