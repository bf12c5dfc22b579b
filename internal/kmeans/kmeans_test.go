package kmeans

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"quotient/f32"
)

// plainLloyd is Lloyd's algorithm as it is written in books: every point is compared with every
// center in every round.
func plainLloyd(points f32.Matrix, weight []int32, centers f32.Matrix, rounds int) ([]int32, float64) {
	cluster := make([]int32, points.Rows)
	for i := range cluster {
		cluster[i] = -1
	}
	for range rounds {
		changed := false
		for i := range cluster {
			best, least := int32(0), math.Inf(1)
			for j := range centers.Rows {
				if d := squared(points.Row(i), centers.Row(j)); d < least {
					best, least = int32(j), d
				}
			}
			changed = changed || cluster[i] != best
			cluster[i] = best
		}
		if !changed {
			break
		}
		for j := range centers.Rows {
			sum, members := make([]float64, points.Cols), 0.0
			for i, c := range cluster {
				if c == int32(j) {
					members += float64(weight[i])
					for l, x := range points.Row(i) {
						sum[l] += float64(x) * float64(weight[i])
					}
				}
			}
			for l, x := range sum {
				if members > 0 {
					centers.Row(j)[l] = float32(x / members)
				}
			}
		}
	}
	cost := 0.0
	for i, c := range cluster {
		cost += squared(points.Row(i), centers.Row(int(c))) * float64(weight[i])
	}
	return cluster, cost
}

// plainSeeds draws seeds, and compares every point with each that may be one.
func plainSeeds(c *cloud) f32.Matrix {
	n := c.points.Rows
	share, near := make([]float64, n), make([]float64, n)
	for i, w := range c.weight {
		share[i], near[i] = float64(w), math.Inf(1)
	}
	draw := func() int {
		total := 0.0
		for _, s := range share {
			total += s
		}
		if total == 0 {
			return c.Rand.IntN(n)
		}
		x := c.Rand.Float64() * total
		for i, s := range share {
			if x -= s; x < 0 {
				return i
			}
		}
		return n - 1
	}
	seeds := f32.New(c.Clusters, c.points.Cols)
	trials := 2 * (2 + int(math.Log(float64(c.Clusters))))
	for j := range c.Clusters {
		at := []int{draw()}
		for len(at) < trials && j > 0 {
			at = append(at, draw())
		}
		best, least := 0, math.Inf(1)
		for _, a := range at {
			cost := 0.0
			for i := range n {
				cost += min(near[i], squared(c.points.Row(i), c.points.Row(a))) * float64(c.weight[i])
			}
			if cost < least {
				best, least = a, cost
			}
		}
		copy(seeds.Row(j), c.points.Row(best))
		for i := range n {
			near[i] = min(near[i], squared(c.points.Row(i), c.points.Row(best)))
			share[i] = near[i] * float64(c.weight[i])
		}
	}
	return seeds
}

// heaps returns points around so many places, wide apart or not.
func heaps(r *rand.Rand, n, cols, number int, width float64) (f32.Matrix, []int32) {
	centers, points, weight := f32.New(number, cols), f32.New(n, cols), make([]int32, n)
	for i := range centers.Data {
		centers.Data[i] = float32(r.NormFloat64())
	}
	for i := range n {
		weight[i] = 1 + r.Int32N(5)
		center := centers.Row(r.IntN(number))
		for l := range points.Row(i) {
			points.Row(i)[l] = center[l] + float32(width*r.NormFloat64())
		}
	}
	return points, weight
}

// The bounds spare work and change nothing: clusters and seeds are those of the plain algorithms.
func TestPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n, k := rapid.IntRange(1, 300).Draw(t, "points"), rapid.IntRange(1, 40).Draw(t, "clusters")
		points, weight := heaps(r, n, rapid.IntRange(1, 40).Draw(t, "columns"), rapid.IntRange(1, 30).Draw(t, "heaps"),
			rapid.SampledFrom([]float64{0.01, 0.3, 1}).Draw(t, "width"))
		seed := r.Uint64()
		o := Options{Clusters: k, Starts: 1, Iterations: 50, Threads: 2, Rand: rand.New(rand.NewPCG(seed, 1))}
		got := Run(points, weight, o)
		o.Rand = rand.New(rand.NewPCG(seed, 1))
		c := newCloud(points, weight, o)
		seeds := c.seeds()
		again := f32.New(seeds.Rows, seeds.Cols)
		copy(again.Data, seeds.Data)
		_, cost := plainLloyd(points, weight, again, o.Iterations)
		// The means are summed in another order here: of points in the same place, or as far from
		// two centers to the last digits, either may come out first.
		if tolerance := 1e-3*cost + 1e-4*float64(n); math.Abs(got.Cost-cost) > tolerance {
			t.Fatalf("cost %v, the plain one is %v", got.Cost, cost)
		}
	})
}

func TestPlainSeeds(t *testing.T) {
	for seed := range uint64(20) {
		points, weight := heaps(rand.New(rand.NewPCG(seed, 0)), 5000, 20, 10, 0.3)
		c := newCloud(points, weight, Options{Clusters: 12, Threads: 2, Rand: rand.New(rand.NewPCG(seed, 1))})
		got := c.seeds()
		c.Rand = rand.New(rand.NewPCG(seed, 1))
		if want := plainSeeds(c); !reflect.DeepEqual(got.Data, want.Data) {
			t.Errorf("seed %d: other points than the plain way", seed)
		}
	}
}

// On well-behaved points clusters are the very same.
func TestPlainClusters(t *testing.T) {
	points, weight := heaps(rand.New(rand.NewPCG(1, 0)), 5000, 100, 30, 0.5)
	c := newCloud(points, weight, Options{Clusters: 20, Iterations: 100, Threads: 2, Rand: rand.New(rand.NewPCG(1, 1))})
	seeds := c.seeds()
	plain := f32.New(seeds.Rows, seeds.Cols)
	copy(plain.Data, seeds.Data)
	got := c.lloyd(seeds)
	want, cost := plainLloyd(points, weight, plain, 100)
	if !reflect.DeepEqual(got.Cluster, want) || math.Abs(got.Cost/cost-1) > 1e-6 {
		t.Errorf("cost %v, want %v; %d iterations", got.Cost, cost, got.Iterations)
	}
}

func TestThreads(t *testing.T) {
	points, weight := heaps(rand.New(rand.NewPCG(1, 0)), 20_000, 30, 40, 0.6)
	var want Result
	for threads := 1; threads <= 4; threads++ {
		got := Run(points, weight, Options{Clusters: 20, Starts: 3, Iterations: 20, Threads: threads, Rand: rand.New(rand.NewPCG(1, 1))})
		if threads == 1 {
			want = got
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads: another result than one, cost %v and %v", threads, got.Cost, want.Cost)
		}
	}
}

// Points in three clear heaps, one of them far heavier.
func TestWeights(t *testing.T) {
	points := f32.Of(6, 2, []float32{0, 0, 0, 1, 10, 0, 10, 1, 5, 9, 5, 8})
	o := Options{Clusters: 3, Starts: 10, Iterations: 100, Threads: 1, Rand: rand.New(rand.NewPCG(0, 0))}
	got := Run(points, []int32{100, 100, 1, 1, 1, 1}, o).Cluster
	for i := 0; i < 6; i += 2 {
		if got[i] != got[i+1] || got[i] == got[(i+2)%6] {
			t.Fatalf("clusters %v", got)
		}
	}
	o.Clusters = 1
	center := Run(points, []int32{100, 0, 0, 0, 0, 100}, o).Centers.Row(0)
	if center[0] != 2.5 || center[1] != 4 {
		t.Errorf("center %v, want [2.5 4]", center)
	}
}

func TestStop(t *testing.T) {
	points, weight := heaps(rand.New(rand.NewPCG(1, 0)), 10_000, 10, 5, 1)
	for n := range 40 {
		r := Run(points, weight, Options{
			Clusters: 5, Starts: 2, Iterations: 10, Threads: 1, Rand: rand.New(rand.NewPCG(1, 1)),
			Stop: func() bool { n--; return n < 0 },
		})
		for _, c := range r.Cluster {
			if c < 0 || c >= 5 {
				t.Fatalf("cluster %d", c)
			}
		}
	}
}

// All points in one place, and more clusters than points.
func TestDegenerate(t *testing.T) {
	points := f32.New(7, 3)
	r := Run(points, []int32{1, 1, 1, 1, 1, 1, 1}, Options{Clusters: 20, Starts: 2, Iterations: 10, Threads: 2, Rand: rand.New(rand.NewPCG(1, 1))})
	if r.Cost != 0 || r.Centers.Rows != 7 {
		t.Errorf("cost %v, %d centers", r.Cost, r.Centers.Rows)
	}
}
