package predictive

import (
	"slices"

	"quotient/learn/stochastic"
	"quotient/sample"
	"quotient/word"
)

// A baseline finds automata of about a number of states; with none given, of all up to 60.
func baseline(find func(s *search, size int) []int32) func(*search, Options) {
	return func(s *search, o Options) {
		for _, n := range sizes(o) {
			if next := find(s, n); next != nil && !(s.stop() && len(s.best) > 0) {
				s.note(newMachine(s.t, compact(next, s.t.Alphabet.Len())))
			}
		}
	}
}

// sizes returns the numbers of states that are tried.
func sizes(o Options) (list []int) {
	if o.States > 0 {
		return []int{o.States}
	}
	for n := 1; n <= enough; n += 1 + n/8 {
		list = append(list, n)
	}
	return list
}

// byClass makes an automaton of classes of nodes, the start first.
func byClass(t *Tree, class []int32, number int) []int32 {
	return startFirst(majority(t, class, number), t.Alphabet.Len(), class[0])
}

// majority returns where symbols lead from classes of nodes, by the weight of the nodes there.
func majority(t *Tree, class []int32, number int) []int32 {
	k := t.Alphabet.Len()
	votes := make([]map[int32]float64, number*k)
	usual := make([]map[int32]float64, k)
	for s := range usual {
		usual[s] = map[int32]float64{}
	}
	for n := 1; n < t.Len(); n++ {
		e, c := int(class[t.Parent[n]])*k+int(t.On[n]), class[n]
		if votes[e] == nil {
			votes[e] = map[int32]float64{}
		}
		votes[e][c] += t.Weight[n]
		usual[t.On[n]][c] += t.Weight[n]
	}
	next := make([]int32, number*k)
	for e, v := range votes {
		if v == nil {
			v = usual[e%k]
		}
		next[e] = heaviest(v)
	}
	return next
}

// startFirst returns a table with the start as state 0, which changes places with it.
func startFirst(next []int32, k int, start int32) []int32 {
	place := func(q int32) int32 {
		switch q {
		case start:
			return 0
		case 0:
			return start
		}
		return q
	}
	out := make([]int32, len(next))
	for e, to := range next {
		out[int(place(int32(e/k)))*k+e%k] = place(to)
	}
	return out
}

// kmeans clusters predictions.
func kmeans(s *search, size int) []int32 {
	class, number := clusters(s.t.Next, s.t.Weight, size)
	return byClass(s.t, class, number)
}

// clusters puts weighted points into clusters by Lloyd's algorithm, from a start after Arthur and
// Vassilvitskii (k-means++, 2007).
func clusters(points [][]float32, weights []float64, size int) (class []int32, number int) {
	rng := sample.Rand(0, sample.Clusters)
	k := len(points[0])
	share, near := slices.Clone(weights), make([]float64, len(points))
	class = make([]int32, len(points))
	var centers [][]float64
	for range min(size, len(points)) {
		seed := pick(share, rng.Float64())
		c := make([]float64, k)
		add(c, points[seed], 1)
		for n := range share {
			if d := squared(c, points[n]); len(centers) == 0 || d < near[n] {
				near[n] = d
			}
			share[n] = weights[n] * near[n]
		}
		centers = append(centers, c)
	}
	for range 50 {
		sums, weight := make([][]float64, len(centers)), make([]float64, len(centers))
		moved := false
		for n, c := range nearest(points, centers) {
			moved = moved || c != class[n]
			if class[n] = c; sums[c] == nil {
				sums[c] = make([]float64, k)
			}
			add(sums[c], points[n], weights[n])
			weight[c] += weights[n]
		}
		if !moved {
			break
		}
		for c, sum := range sums {
			for i := range sum {
				centers[c][i] = sum[i] / weight[c]
			}
		}
	}
	return class, len(centers)
}

// nearest returns the nearest center of every point.
func nearest(points [][]float32, centers [][]float64) []int32 {
	twice, squares := make([][]float64, len(centers)), make([]float64, len(centers))
	for c, center := range centers {
		twice[c] = make([]float64, len(center))
		for i, x := range center {
			twice[c][i] = 2 * x
			squares[c] += x * x
		}
	}
	return lowest(points, twice, squares)
}

func squared(c []float64, p []float32) float64 {
	sum := 0.0
	for i, x := range p {
		d := c[i] - float64(x)
		sum += d * d
	}
	return sum
}

// quantize takes the finest steps that give no more states than asked for, and one state if
// none do.
func quantize(s *search, size int) []int32 {
	t := s.t
	var best []int32
	for steps := 1; steps <= 100; steps++ {
		class, number := quantized(t, steps)
		if number > 4*size { // most of the classes are never reached by majority; past this none will fit
			break
		}
		if next := compact(byClass(t, class, number), t.Alphabet.Len()); len(next)/t.Alphabet.Len() <= size {
			best = next
		}
	}
	if best == nil {
		best = make([]int32, t.Alphabet.Len())
	}
	return best
}

// quantized returns the class of every node, if probabilities are rounded to steps.
func quantized(t *Tree, steps int) (class []int32, number int) {
	known := map[string]int32{}
	class = make([]int32, t.Len())
	for n, p := range t.Next {
		key := inSteps(p, steps)
		c, ok := known[key]
		if !ok {
			c = int32(len(known))
			known[key] = c
		}
		class[n] = c
	}
	return class, len(known)
}

// ngrams takes the longest contexts that give no more states than asked for, and single
// symbols at least where there are as many states as symbols.
func ngrams(x *search, size int) []int32 {
	t := x.t
	k := t.Alphabet.Len()
	best := make([]int32, k) // one state
	for n := 2; n < 8; n++ {
		a, err := stochastic.NGrams(t.Alphabet, t.spoken(), n)
		if err != nil || a.Len() > 4*size {
			break
		}
		next := make([]int32, a.Len()*k)
		for e := range next {
			next[e] = max(1, int32(a.Table[k+e])) - 1
		}
		if next = compact(startFirst(next, k, int32(a.Start)-1), k); len(next)/k > size {
			break
		}
		best = next
	}
	return best
}

// spoken returns the words that ended in the tree.
func (t *Tree) spoken() []word.Word {
	var words []word.Word
	for n, ends := range t.Ends {
		for range ends {
			words = append(words, t.Word(int32(n)))
		}
	}
	return words
}
