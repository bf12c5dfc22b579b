package predictive

import (
	"math"
	"slices"

	"quotient/internal/parallel"
	"quotient/sample"
)

// starts is how many clusterings are begun anew to find the floor.
const starts = 4

// Floor returns about the least divergence that any automaton with so many predictions can have on
// the words of a tree: what is left if every prefix is given the best of them, whatever the prefix
// before it was given. It is found by clustering in the geometry of the divergence (Banerjee, Merugu,
// Dhillon and Ghosh, Clustering with Bregman divergences, 2005), from the given predictions and from
// others; what no clustering meets is not excluded.
func Floor(t *Tree, predictions [][]float64) float64 {
	var left [starts]float64
	parallel.Do(0, starts, func(start int) {
		centers := predictions
		if start > 0 {
			centers = t.spread(len(predictions), uint64(start))
		}
		left[start] = t.cluster(centers)
	})
	return max(0, slices.Min(left[:])/math.Max(t.Symbols(), 1))
}

// spread returns predictions of nodes that are far apart: each next one is drawn with the
// probability of what it loses by those before it.
func (t *Tree) spread(number int, seed uint64) [][]float64 {
	rng := sample.Rand(seed, sample.Clusters)
	share, near := slices.Clone(t.Weight), slices.Repeat([]float64{math.Inf(1)}, t.Len())
	own := make([]float64, t.Len())
	for i, p := range t.Next {
		own[i] = Entropy(p)
	}
	var centers [][]float64
	for range number {
		n := pick(share, rng.Float64())
		c := make([]float64, t.Alphabet.Len()+1)
		add(c, t.Next[n], 1)
		centers = append(centers, c)
		logs := logarithms(c)
		for i, p := range t.Next {
			near[i] = min(near[i], crossEntropy(p, logs)-own[i])
			share[i] = t.Weight[i] * max(0, near[i])
		}
	}
	return centers
}

// pick returns an index by weights, for a number below one.
func pick(weights []float64, x float64) int {
	x *= total(weights)
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// cluster returns what is lost if every node has the best of some predictions, which move to where
// they serve best.
func (t *Tree) cluster(centers [][]float64) float64 {
	last := math.Inf(1)
	for range 50 {
		logs, sums := make([][]float64, len(centers)), make([][]float64, len(centers))
		for c, p := range centers {
			logs[c], sums[c] = logarithms(p), make([]float64, len(p))
		}
		loss := t.entropy
		for n, c := range lowest(t.Next, logs, make([]float64, len(logs))) {
			loss += t.Weight[n] * crossEntropy(t.Next[n], logs[c])
			add(sums[c], t.Next[n], t.Weight[n])
		}
		if centers = sums; loss > last*(1-1e-3) {
			return loss
		}
		last = loss
	}
	return last
}

// logarithms returns those of a sum of predictions, as one; of none, all are as likely.
func logarithms(sum []float64) []float64 {
	logs, all := make([]float64, len(sum)), total(sum)
	for i, x := range sum {
		if logs[i] = -math.Log(float64(len(sum))); all > 0 {
			logs[i] = math.Log(max(x, floor) / all)
		}
	}
	return logs
}

func crossEntropy(p []float32, logs []float64) float64 {
	sum := 0.0
	for i, x := range p {
		sum -= float64(x) * logs[i]
	}
	return sum
}
