package predictive

import (
	"math"
	"slices"

	"quotient/automaton"
	"quotient/probabilistic"
	"quotient/sample"
)

// starts is how many automata the floor is looked for from, and foreseen how many symbols these go on;
// none where that took more than so many losses by nodes and states.
const (
	starts     = 4
	foreseen   = 8
	mostLosses = 3_000_000
)

// Floor returns about the least divergence that any automaton with as many states as a given one can have on
// the words of a tree: what is left if it may begin anywhere after every prefix, and has to go on from there by
// its transitions for some symbols alone. With no symbols that is clustering in the geometry of the divergence
// (Banerjee, Merugu, Dhillon and Ghosh, Clustering with Bregman divergences, 2005), and each symbol takes the
// floor nearer to what automata reach. It is looked for from the given automaton and from clusters; what no
// search meets is not excluded.
func Floor(t *Tree, a *probabilistic.Automaton) float64 {
	ahead := foreseen
	if t.Len()*a.Len() > mostLosses {
		ahead = 0
	}
	least := math.Inf(1)
	for start := range starts {
		var next []int32
		var rows [][]float64
		if start == 0 {
			next, rows = structure(a)
		} else {
			next, rows = t.clustered(t.spread(a.Len(), uint64(start)))
		}
		least = min(least, foresee(t, next, logarithmsOf(rows), ahead).least())
	}
	return max(0, least/math.Max(t.Symbols(), 1))
}

// structure returns the transitions and the predictions of an automaton. What it never says leads to the
// first state.
func structure(a *probabilistic.Automaton) (next []int32, rows [][]float64) {
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		row := make([]float64, a.Alphabet.Len()+1)
		a.Distribution(row, q)
		rows = append(rows, row)
		for s := range a.Alphabet.Len() {
			next = append(next, max(1, int32(a.Table[int(q)*a.Alphabet.Len()+s]))-1)
		}
	}
	return next, rows
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

// clustered returns an automaton of clusters of predictions, begun with some; a symbol leads where most members go.
func (t *Tree) clustered(centers [][]float64) (next []int32, rows [][]float64) {
	var class []int32
	last := math.Inf(1)
	for range 50 {
		logs, sum := logarithmsOf(centers), sums(len(centers), t.Alphabet.Len()+1)
		loss := t.entropy
		class = lowest(t.Next, logs, make([]float64, len(logs)))
		for n, c := range class {
			loss += t.Weight[n] * crossEntropy(t.Next[n], logs[c])
			add(sum[c], t.Next[n], t.Weight[n])
		}
		if centers = sum; loss > last*(1-1e-3) {
			break
		}
		last = loss
	}
	return majority(t, class, len(centers)), centers
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
