package predictive

import (
	"cmp"
	"math"
	"slices"
)

// A folder folds the prefix tree into an automaton, as ALERGIA and MDI do with counts: states
// are found from the start on, and the next one that is not settled yet is merged with that
// state with which the two lose least by having one prediction, now and after whatever
// follows, or becomes a state.
type folder struct {
	t      *Tree
	k      int
	sum    [][]float64 // of each node, with all that is folded into it
	weight []float64   // its total
	own    []float64   // what its predictions have of their own: crossed
	child  []int32
	state  []int32 // of nodes that are settled; -1 for others
	reds   []int32
	both   []float64 // scratch
}

func newFolder(t *Tree) *folder {
	f := &folder{t: t, k: t.Alphabet.Len(), child: slices.Clone(t.Child)}
	f.both = make([]float64, f.k+1)
	f.sum, f.weight, f.own = make([][]float64, t.Len()), make([]float64, t.Len()), make([]float64, t.Len())
	f.state = make([]int32, t.Len())
	all := make([]float64, t.Len()*(f.k+1))
	for n := range f.sum {
		f.sum[n] = all[n*(f.k+1):][:f.k+1]
		add(f.sum[n], t.Next[n], t.Weight[n])
		f.weight[n], f.own[n] = total(f.sum[n]), crossed(f.sum[n])
		f.state[n] = -1
	}
	return f
}

// fold returns the table of an automaton. Two states are merged if that costs at most so many
// nats for each word that passes the one; from a number of states on, everything is merged.
func fold(t *Tree, tolerance float64, most int, stop func() bool) []int32 {
	f := newFolder(t)
	f.state[0] = 0
	f.reds = []int32{0}
	for !stop() {
		from, s := f.heaviest()
		if from < 0 {
			break
		}
		blue := f.child[int(from)*f.k+s]
		limit := tolerance * f.weight[blue]
		if len(f.reds) >= most {
			limit = math.Inf(1)
		}
		best := f.closest(blue, limit)
		if best < 0 {
			f.state[blue] = int32(len(f.reds))
			f.reds = append(f.reds, blue)
			continue
		}
		f.child[int(from)*f.k+s] = best
		f.merge(best, blue)
	}
	return f.table()
}

// closest returns the state that a node costs least to be folded into; -1 if all cost more than a
// limit. Most are seen to cost too much without a logarithm: by Pinsker's inequality.
func (f *folder) closest(blue int32, limit float64) int32 {
	type rival struct {
		red   int32
		least float64
	}
	rivals := make([]rival, 0, len(f.reds))
	for _, red := range f.reds {
		if least := f.atLeast(red, blue); least <= limit {
			rivals = append(rivals, rival{red, least})
		}
	}
	slices.SortStableFunc(rivals, func(a, b rival) int { return cmp.Compare(a.least, b.least) })
	best := int32(-1)
	for _, r := range rivals {
		if r.least > limit {
			break
		}
		if c := f.try(r.red, blue, limit, 0); c < limit || best < 0 && math.IsInf(limit, 1) {
			limit, best = c, r.red
		}
	}
	return best
}

// atLeast returns less than what two nodes lose by having one prediction.
func (f *folder) atLeast(a, b int32) float64 {
	x, y := f.weight[a], f.weight[b]
	if x <= 0 || y <= 0 {
		return 0
	}
	apart, p, q := 0.0, f.sum[a], f.sum[b]
	for i := range p {
		apart += math.Abs(p[i]/x - q[i]/y)
	}
	return x * y / (x + y) * apart * apart / 2
}

// heaviest returns the transition that leads out of the states and that most words take.
func (f *folder) heaviest() (from int32, on int) {
	from, most := int32(-1), -1.0
	for _, red := range f.reds {
		for s, c := range f.child[int(red)*f.k:][:f.k] {
			if c >= 0 && f.state[c] < 0 && f.weight[c] > most {
				from, on, most = red, s, f.weight[c]
			}
		}
	}
	return from, on
}

// deep is how far merging two states is thought through.
const deep = 12

// try returns what it costs to fold a tree into a state, or +∞ if that is over a limit.
func (f *folder) try(red, blue int32, limit float64, depth int) float64 {
	if f.atLeast(red, blue) > limit {
		return math.Inf(1)
	}
	cost := f.joined(red, blue)
	if cost > limit {
		return math.Inf(1)
	}
	if depth == deep {
		return cost
	}
	for s := range f.k {
		x, y := f.child[int(red)*f.k+s], f.child[int(blue)*f.k+s]
		if x < 0 || y < 0 || x == y {
			continue
		}
		if cost += f.try(x, y, limit-cost, depth+1); cost > limit {
			return math.Inf(1)
		}
	}
	return cost
}

// joined returns what the predictions of two nodes lose by being one.
func (f *folder) joined(a, b int32) float64 {
	together(f.both, f.sum[a], f.sum[b])
	return max(0, crossed(f.both)-f.own[a]-f.own[b])
}

// together adds two predictions.
func together(dst, a, b []float64) {
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

// merge folds a tree into a state.
func (f *folder) merge(red, blue int32) {
	a := f.sum[red]
	together(a, a, f.sum[blue])
	f.weight[red] += f.weight[blue]
	f.own[red] = crossed(a)
	for s := range f.k {
		x, y := &f.child[int(red)*f.k+s], f.child[int(blue)*f.k+s]
		switch {
		case y < 0 || *x == y:
		case *x < 0:
			*x = y
		default:
			f.merge(*x, y)
		}
	}
}

// table returns where the symbols lead. One that was never seen in a state leads where it
// leads most often.
func (f *folder) table() []int32 {
	next := make([]int32, len(f.reds)*f.k)
	usual := make([]map[int32]float64, f.k)
	for s := range usual {
		usual[s] = map[int32]float64{}
	}
	for q, red := range f.reds {
		for s := range f.k {
			next[q*f.k+s] = -1
			if c := f.child[int(red)*f.k+s]; c >= 0 && f.state[c] >= 0 {
				next[q*f.k+s] = f.state[c]
				usual[s][f.state[c]] += f.sum[red][s]
			}
		}
	}
	for e, q := range next {
		if q < 0 {
			next[e] = heaviest(usual[e%f.k])
		}
	}
	return compact(next, f.k)
}

// heaviest returns the state of most weight, the first of several; the start if there is none.
func heaviest(weights map[int32]float64) int32 {
	best := int32(0)
	for q, w := range weights {
		if w > weights[best] || w == weights[best] && q < best {
			best = q
		}
	}
	return best
}
