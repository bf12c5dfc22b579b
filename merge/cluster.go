package merge

import (
	"context"
	"math"
	"slices"

	"quotient/f32"
	"quotient/internal/parallel"
	"quotient/prefix"
)

// ClusterLog goes through the nodes in the given order and merges each into the
// first earlier one that was not given up itself, has the same label, and whose
// cosine with it is over 1 - kappa.
//
// Comparing with nodes that were kept, not with all, already saves most of the
// plain loop over pairs. An index rules out most of the kept ones as well. What is kept
// only grows at its end, so a stretch of nodes is compared with it on all cores at once; only those
// that are like none of it have to be compared with what the stretch itself has added.
func ClusterLog(ctx context.Context, t *prefix.Tree, kappa float64, order []prefix.Node) []Step {
	var log []Step
	kept := newIndices(t, kappa)
	const shortest, longest = 64, 1 << 14
	for stretch := shortest; len(order) > 0 && ctx.Err() == nil; {
		now := order[:min(stretch, len(order))]
		order = order[len(now):]
		first, before := kept.first(now), kept.lengths()
		added := 0
		for i, n := range now {
			k := kept.of(n)
			if first[i] < 0 {
				first[i] = k.firstFrom(n, before[k.label])
			}
			if first[i] >= 0 {
				log = append(log, Step{Into: k.nodes[first[i]], From: n})
				continue
			}
			k.add(n)
			added++
		}
		// Where many are kept, what a stretch adds has to be short: it has no index.
		if added > stretch/32 {
			stretch = max(stretch/2, shortest)
		} else {
			stretch = min(2*stretch, longest)
		}
	}
	return log
}

// ReleasedLog goes through the nodes in the given order and merges into each, one
// after the other, all earlier ones that were not given up, have its label, and
// whose cosine with it is over 1 - kappa, as the code does that the paper's authors
// released. So the later one stays, with its own state, and may be given up in turn.
//
// No two nodes that stand are similar, so they are few, and the index of [ClusterLog]
// finds them: BenchmarkMerge takes 50 ms for 100,000 nodes and 0.6 s for a million.
func ReleasedLog(ctx context.Context, t *prefix.Tree, kappa float64, order []prefix.Node) []Step {
	var log []Step
	standing := newIndices(t, kappa)
	look := newLook(t)
	for _, n := range order {
		if ctx.Err() != nil {
			break
		}
		x := standing.of(n)
		x.place()
		direction(look.state, t, n)
		for _, i := range x.similar(look, false) {
			log = append(log, Step{Into: n, From: x.nodes[i]})
			x.remove(i)
		}
		x.addState(n, look.state)
	}
	return log
}

// indices are two, of nodes that the network rejects and of those that it accepts.
type indices [2]*index

func newIndices(t *prefix.Tree, kappa float64) indices {
	return indices{newIndex(t, kappa, 0), newIndex(t, kappa, 1)}
}

// lengths returns how many nodes came to each.
func (x indices) lengths() [2]int { return [2]int{len(x[0].nodes), len(x[1].nodes)} }

// first returns for every node where the first that is similar is in its index, or -1.
func (x indices) first(nodes []prefix.Node) []int32 {
	for _, index := range x {
		index.place()
	}
	first := make([]int32, len(nodes))
	parallel.Stretches(len(nodes), 256, func(from, to int) {
		look := newLook(x[0].t)
		for i := from; i < to; i++ {
			direction(look.state, x[0].t, nodes[i])
			first[i] = -1
			if similar := x.of(nodes[i]).similar(look, true); len(similar) > 0 {
				first[i] = similar[0]
			}
		}
	})
	return first
}

// of returns the index of the nodes with the label of n.
func (x indices) of(n prefix.Node) *index {
	if x[0].t.Accept[n] {
		return x[1]
	}
	return x[0]
}

// axes is the number of directions that an index looks along.
const axes = 3

// An index finds nodes whose states are close. Two states of length 1 whose cosine
// is over 1-κ are less than √(2κ) apart, and so are their projections on any
// direction. The index puts nodes into cells of that width along a few directions,
// and compares a node with those in its own and the neighboring cells only.
type index struct {
	t          *prefix.Tree
	label      int
	kappa      float64
	width      float32
	directions f32.Matrix // axes × dim; empty if the cells would be too wide to help
	cells      map[cell][]int32
	placed     int           // how many of the nodes are in their cells; the others wait until they are looked for
	nodes      []prefix.Node // in the order of their coming; -1 where one was removed
	removed    int
	unit       f32.Matrix // their directions
}

// A look is room for comparing one direction with an index.
type look struct {
	state  []float32
	cosine []float32
	found  []int32
}

func newLook(t *prefix.Tree) *look { return &look{state: f32.Slice(t.State.Cols)} }

// cosines returns those of the state with some rows.
func (l *look) cosines(rows f32.Matrix) []float32 {
	l.cosine = slices.Grow(l.cosine[:0], rows.Rows)[:rows.Rows]
	f32.Dots(l.cosine, rows, l.state)
	return l.cosine
}

type cell [axes]int16

func newIndex(t *prefix.Tree, kappa float64, label int) *index {
	x := &index{t: t, label: label, kappa: kappa, unit: f32.New(0, t.State.Cols), cells: map[cell][]int32{}}
	// A little wider than need be, for the rounding of cosines and projections.
	x.width = float32(math.Sqrt(2*kappa)) + 1e-3
	if x.width < 0.5 {
		x.directions = spread(t.State)
	}
	return x
}

// spread returns directions in which the states differ much: between states far
// from each other, found one after another.
func spread(states f32.Matrix) f32.Matrix {
	sample := f32.Unit(states.View(0, min(states.Rows, 2000)))
	nearest := make([]float32, sample.Rows) // the greatest cosine with a landmark so far
	cosine := make([]float32, sample.Rows)
	landmark := 0
	directions := f32.New(axes, states.Cols)
	for a := range axes {
		f32.Dots(cosine, sample, sample.Row(landmark))
		farthest := 0
		for i, c := range cosine {
			if a == 0 || c > nearest[i] {
				nearest[i] = c
			}
			if nearest[i] < nearest[farthest] {
				farthest = i
			}
		}
		copy(directions.Row(a), sample.Row(farthest))
		f32.Axpy(directions.Row(a), -1, sample.Row(landmark))
		landmark = farthest
	}
	f32.Normalize(directions)
	return directions
}

// few is how many nodes are compared with at once rather than looked up.
const few = 64

// place puts what came since the last time into its cells, if there is enough to look up.
func (x *index) place() {
	if x.directions.Rows == 0 || len(x.nodes) <= few {
		return
	}
	for ; x.placed < len(x.nodes); x.placed++ {
		c := x.cellOf(x.unit.Row(x.placed))
		x.cells[c] = append(x.cells[c], int32(x.placed))
	}
}

// similar returns where in x.nodes those are whose cosine with a state is over 1 - kappa,
// in the order of their coming; all of them or, if only the first is asked for, that
// and perhaps others. All nodes must be in their places.
func (x *index) similar(l *look, first bool) []int32 {
	l.found = l.found[:0]
	if x.directions.Rows == 0 || len(x.nodes) <= few {
		for i, c := range l.cosines(x.unit) {
			if c > threshold(x.kappa) && x.nodes[i] >= 0 {
				l.found = append(l.found, int32(i))
			}
		}
		return l.found
	}
	home := x.cellOf(l.state)
	for a := range int16(3 * 3 * 3) {
		near := cell{home[0] + a%3 - 1, home[1] + a/3%3 - 1, home[2] + a/9 - 1}
		for _, i := range x.cells[near] {
			if last := len(l.found) - 1; first && last >= 0 && i > l.found[last] {
				break // the rest of the cell came even later
			}
			if x.nodes[i] >= 0 && f32.Dot(x.unit.Row(int(i)), l.state) > threshold(x.kappa) {
				l.found = append(l.found, i)
			}
		}
	}
	slices.Sort(l.found)
	return l.found
}

// firstFrom returns where the first node is that is similar to n and came as number from or later, or -1.
func (x *index) firstFrom(n prefix.Node, from int) int32 {
	if from == len(x.nodes) {
		return -1
	}
	l := newLook(x.t)
	direction(l.state, x.t, n)
	for i, c := range l.cosines(x.unit.View(from, len(x.nodes))) {
		if c > threshold(x.kappa) {
			return int32(from + i)
		}
	}
	return -1
}

func (x *index) add(n prefix.Node) {
	state := f32.Slice(x.t.State.Cols)
	direction(state, x.t, n)
	x.addState(n, state)
}

// addState adds a node whose direction is known.
func (x *index) addState(n prefix.Node, state []float32) {
	if x.removed > len(x.nodes)/2 {
		x.compact()
	}
	x.nodes = append(x.nodes, n)
	x.unit.Append(state)
}

// remove removes the node at place i of x.nodes. The others stay where they are until
// more than half were removed.
func (x *index) remove(i int32) {
	x.nodes[i] = -1
	x.removed++
}

func (x *index) compact() {
	nodes := x.nodes
	x.nodes, x.unit.Rows = nodes[:0], 0
	x.removed, x.placed = 0, 0
	clear(x.cells)
	for _, n := range nodes {
		if n >= 0 {
			x.add(n)
		}
	}
}

func (x *index) cellOf(state []float32) cell {
	var projection [axes]float32
	f32.Dots(projection[:], x.directions, state)
	var c cell
	for a, p := range projection {
		c[a] = int16(math.Floor(float64(p / x.width)))
	}
	return c
}
