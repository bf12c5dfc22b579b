package draw

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// arrange orders the vertices of every layer for few crossings: from the order
// of a depth-first search, which is planar for trees, it sweeps over the layers,
// moves every vertex to the median of its neighbors and exchanges neighbors
// while that helps (Gansner et al., 1993, section 3). What comes of it depends on where it
// begins, so it begins several times, each time with the neighbors of a vertex in
// another order, as often as the size allows. It keeps the best order seen.
func (l *layered) arrange() {
	l.depthFirst()
	least, kept := l.sweep()
	r := rand.New(rand.NewPCG(3, 4)) // fixed: the same automaton, the same picture
	for range min(maxStarts, 1+sweepWork/len(l.layer)) {
		if least == 0 {
			break
		}
		for s := range 2 {
			for _, next := range l.side[s] {
				r.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
			}
		}
		l.depthFirst()
		if n, order := l.sweep(); n < least {
			least, kept = n, order
		}
	}
	l.layers = kept
	l.number()
}

// How often [layered.arrange] begins: for 300 vertices that took a tenth of a second.
const (
	maxStarts = 24
	sweepWork = 12_000
)

// sweep improves the order of the layers and returns the best that it has seen, with its
// number of crossings.
func (l *layered) sweep() (least int, kept [][]int) {
	least, kept = l.crossings(), l.snapshot()
	for i, since := 0, 0; i < 24 && since < 6 && least > 0; i++ {
		if i%2 == 0 {
			for k := 1; k < len(l.layers); k++ {
				l.medians(k, left)
			}
		} else {
			for k := len(l.layers) - 2; k >= 0; k-- {
				l.medians(k, right)
			}
		}
		l.transpose()
		since++
		if n := l.crossings(); n < least {
			least, kept, since = n, l.snapshot(), 0
		}
	}
	return least, kept
}

func (l *layered) snapshot() [][]int {
	kept := make([][]int, len(l.layers))
	for k, layer := range l.layers {
		kept[k] = slices.Clone(layer)
	}
	return kept
}

func (l *layered) number() {
	for _, layer := range l.layers {
		for i, v := range layer {
			l.pos[v] = i
		}
	}
}

// depthFirst fills the layers in the order in which a search from the start
// comes by.
func (l *layered) depthFirst() {
	seen := make([]bool, len(l.layer))
	for k := range l.layers {
		l.layers[k] = nil
	}
	for root := range l.layer {
		stack := []int{root}
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			l.layers[l.layer[v]] = append(l.layers[l.layer[v]], v)
			for s := range 2 {
				for _, u := range slices.Backward(l.side[s][v]) {
					stack = append(stack, u)
				}
			}
		}
	}
	l.number()
}

// An aim is where in its layer a vertex should be.
type aim struct {
	vertex int
	at     float64
}

// medians sorts layer k by the medians of the neighbors on one side. A vertex
// without neighbors there keeps its place.
func (l *layered) medians(k, side int) {
	layer := l.layers[k]
	moving := make([]aim, 0, len(layer))
	for _, v := range layer {
		if m, ok := l.median(l.side[side][v]); ok {
			moving = append(moving, aim{v, m})
		}
	}
	slices.SortStableFunc(moving, func(a, b aim) int { return cmp.Compare(a.at, b.at) })
	for i, v := range layer {
		if len(l.side[side][v]) > 0 {
			layer[i] = moving[0].vertex
			moving = moving[1:]
		}
	}
	for i, v := range layer {
		l.pos[v] = i
	}
}

// median returns the weighted median of the positions of vertices, which leans
// to the side where they are packed more closely.
func (l *layered) median(vs []int) (float64, bool) {
	if len(vs) == 0 {
		return 0, false
	}
	p := l.scratch[:0]
	for _, v := range vs {
		p = append(p, l.pos[v])
	}
	slices.Sort(p)
	l.scratch = p
	m := len(p) / 2
	switch {
	case len(p)%2 == 1:
		return float64(p[m]), true
	case len(p) == 2:
		return float64(p[0]+p[1]) / 2, true
	}
	lo, hi := float64(p[m-1]-p[0]), float64(p[len(p)-1]-p[m])
	if lo+hi == 0 {
		return float64(p[m-1]+p[m]) / 2, true
	}
	return (float64(p[m-1])*hi + float64(p[m])*lo) / (lo + hi), true
}

// transpose exchanges neighbors in a layer as long as that removes crossings.
func (l *layered) transpose() {
	for range 8 {
		improved := false
		for _, layer := range l.layers {
			for i := 1; i < len(layer); i++ {
				u, v := layer[i-1], layer[i]
				gain := 0
				for s := range 2 {
					gain += l.pairs(l.side[s][u], l.side[s][v]) - l.pairs(l.side[s][v], l.side[s][u])
				}
				if gain > 0 {
					layer[i-1], layer[i] = v, u
					l.pos[u], l.pos[v] = i, i-1
					improved = true
				}
			}
		}
		if !improved {
			return
		}
	}
}

// pairs returns how many pairs (u, v) have u below v: the crossings of the edges
// to us and vs if the vertex of us stands above that of vs.
func (l *layered) pairs(us, vs []int) int {
	n := 0
	for _, u := range us {
		for _, v := range vs {
			if l.pos[u] > l.pos[v] {
				n++
			}
		}
	}
	return n
}

// crossings counts the crossings between all neighboring layers with a tree of
// partial sums (Barth, Jünger and Mutzel, Simple and efficient bilayer cross
// counting, 2002).
func (l *layered) crossings() int {
	n := 0
	for k := 1; k < len(l.layers); k++ {
		sums := make([]int, len(l.layers[k])+1)
		total := 0
		for _, u := range l.layers[k-1] {
			for _, v := range l.side[right][u] { // edges that end below v so far
				n += total
				for i := l.pos[v] + 1; i > 0; i &= i - 1 {
					n -= sums[i]
				}
			}
			for _, v := range l.side[right][u] {
				total++
				for i := l.pos[v] + 1; i < len(sums); i += i & -i {
					sums[i]++
				}
			}
		}
	}
	return n
}
