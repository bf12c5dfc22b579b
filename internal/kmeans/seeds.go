package kmeans

import (
	"math"

	"quotient/f32"
)

// A sowing is seeds as they are drawn.
type sowing struct {
	*cloud
	seeds   f32.Matrix
	nearest []int32   // which seed is nearest to every point,
	near    []float32 // and its squared distance
	share   []float64 // of each chunk: the sum of weights times squared distances
	trials  []float32 // points × trials: squared distances from what may be the next seed, where it may be nearer
}

// seeds draws points as the first centers. Each is the best of a few, drawn with a probability in
// proportion to their weight and their squared distance from those before.
func (c *cloud) seeds() f32.Matrix {
	s := &sowing{
		cloud: c, seeds: f32.New(c.Clusters, c.points.Cols), nearest: make([]int32, c.points.Rows),
		near: make([]float32, c.points.Rows), share: make([]float64, len(c.shares)),
	}
	for i := range s.near {
		s.near[i] = 1
	}
	s.weigh()
	s.first(s.draw())
	// Twice as many as scikit-learn draws: what one start ends with is then less a matter of luck.
	at := make([]int, 2*(2+int(math.Log(float64(c.Clusters)))))
	s.trials = make([]float32, len(at)*c.points.Rows)
	for j := 1; j < c.Clusters && !c.stop(); j++ {
		s.weigh()
		for t := range at {
			at[t] = s.draw()
		}
		s.add(j, at, s.best(j, at))
	}
	return s.seeds
}

// weigh sums the shares of the chunks.
func (s *sowing) weigh() {
	s.each(func(chunk, from, to int) {
		sum := 0.0
		for i := from; i < to; i++ {
			sum += float64(s.near[i]) * float64(s.weight[i])
		}
		s.share[chunk] = sum
	})
}

// draw returns a point with a probability in proportion to its share, or any if there is none.
func (s *sowing) draw() int {
	total := 0.0
	for _, x := range s.share {
		total += x
	}
	if total == 0 {
		return s.Rand.IntN(s.points.Rows)
	}
	x, chunk := s.Rand.Float64()*total, 0
	for ; chunk < len(s.share)-1 && x >= s.share[chunk]; chunk++ {
		x -= s.share[chunk]
	}
	i, last := chunk*s.chunk, min((chunk+1)*s.chunk, s.points.Rows)-1
	for ; i < last; i++ {
		if x -= float64(s.near[i]) * float64(s.weight[i]); x < 0 {
			break
		}
	}
	return i
}

// first makes a point the first seed.
func (s *sowing) first(at int) {
	seed := s.points.Row(at)
	copy(s.seeds.Row(0), seed)
	s.each(func(_, from, to int) {
		f32.Dots(s.near[from:to], s.points.View(from, to), seed)
		for i := from; i < to; i++ {
			s.near[i] = max(0, s.squares[i]+s.squares[at]-2*s.near[i])
		}
	})
}

// best returns which of some points leaves the least to the nearest of j seeds and itself.
func (s *sowing) best(j int, at []int) int {
	apart := make([][]float32, len(at)) // a quarter of each one's squared distance from the seeds
	for t, p := range at {
		apart[t] = s.quarters(j, s.points.Row(p))
	}
	few := s.points.Gather(at)
	gain := make([]float64, len(s.share)*len(at))
	s.each(func(chunk, from, to int) {
		sum := gain[chunk*len(at):][:len(at)]
		for i := from; i < to; i++ {
			near, a := s.near[i], s.nearest[i]
			any := false
			for _, q := range apart {
				any = any || q[a] < near
			}
			if !any {
				continue
			}
			trials := s.trials[i*len(at):][:len(at)]
			f32.Dots(trials, few, s.points.Row(i))
			for t, x := range trials {
				trials[t] = max(0, s.squares[i]+s.squares[at[t]]-2*x)
				if trials[t] < near {
					sum[t] += float64(near-trials[t]) * float64(s.weight[i])
				}
			}
		}
	})
	best, most := 0, -1.0
	for t := range at {
		sum := 0.0
		for chunk := range s.share {
			sum += gain[chunk*len(at)+t]
		}
		if sum > most {
			best, most = t, sum
		}
	}
	return best
}

// add makes one of the points that were tried seed j.
func (s *sowing) add(j int, at []int, t int) {
	seed := s.points.Row(at[t])
	apart := s.quarters(j, seed)
	copy(s.seeds.Row(j), seed)
	s.each(func(_, from, to int) {
		for i := from; i < to; i++ {
			if apart[s.nearest[i]] >= s.near[i] {
				continue
			}
			if d := s.trials[i*len(at)+t]; d < s.near[i] {
				s.near[i], s.nearest[i] = d, int32(j)
			}
		}
	})
}

// quarters returns a quarter of the squared distances of a point from the first seeds. Points that
// are nearer than that to such a seed are no nearer to this one.
func (s *sowing) quarters(seeds int, point []float32) []float32 {
	q := make([]float32, seeds)
	for j := range q {
		q[j] = float32(squared(s.seeds.Row(j), point) / 4)
	}
	return q
}
