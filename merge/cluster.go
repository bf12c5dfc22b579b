package merge

import (
	"context"
	"math"
	"slices"

	"quotient/f32"
	"quotient/prefix"
)

// ClusterLog goes through the nodes in the given order and merges each into the
// first earlier one that was not given up itself, has the same label, and whose
// cosine with it is over 1 - kappa. The tree's states must have length 1; see
// [Unit].
//
// Comparing with nodes that were kept, not with all, already saves most of the
// plain loop over pairs. An index rules out most of the kept ones as well.
func ClusterLog(ctx context.Context, t *prefix.Tree, kappa float64, order []prefix.Node) []Step {
	var log []Step
	kept := newIndices(t, kappa)
	for _, n := range order {
		if ctx.Err() != nil {
			break
		}
		k := kept.of(n)
		if similar := k.similar(n, true); len(similar) > 0 {
			log = append(log, Step{Into: k.nodes[similar[0]], From: n})
		} else {
			k.add(n)
		}
	}
	return log
}

// ReleasedLog goes through the nodes in the given order and merges into each, one
// after the other, all earlier ones that were not given up, have its label, and
// whose cosine with it is over 1 - kappa, as the code does that the paper's authors
// released. So the later one stays, with its own state, and may be given up in turn.
// The tree's states must have length 1; see [Unit].
//
// No two nodes that stand are similar, so they are few, and the index of [ClusterLog]
// finds them: BenchmarkMerge takes 50 ms for 100,000 nodes and 0.6 s for a million.
func ReleasedLog(ctx context.Context, t *prefix.Tree, kappa float64, order []prefix.Node) []Step {
	var log []Step
	standing := newIndices(t, kappa)
	for _, n := range order {
		if ctx.Err() != nil {
			break
		}
		x := standing.of(n)
		for _, i := range x.similar(n, false) {
			log = append(log, Step{Into: n, From: x.nodes[i]})
			x.remove(i)
		}
		x.add(n)
	}
	return log
}

// indices are two, of nodes that the network rejects and of those that it accepts.
type indices [2]*index

func newIndices(t *prefix.Tree, kappa float64) indices {
	return indices{newIndex(t, kappa), newIndex(t, kappa)}
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
	kappa      float64
	width      float32
	directions f32.Matrix // axes × dim; empty if the cells would be too wide to help
	cells      map[cell][]int32
	placed     int           // how many of the nodes are in their cells; the others wait until they are looked for
	nodes      []prefix.Node // in the order of their coming; -1 where one was removed
	removed    int
	unit       f32.Matrix // their states
	cosine     []float32
	found      []int32
}

type cell [axes]int16

func newIndex(t *prefix.Tree, kappa float64) *index {
	x := &index{t: t, kappa: kappa, unit: f32.New(0, t.State.Cols), cells: map[cell][]int32{}}
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
	sample := states.View(0, min(states.Rows, 2000))
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

// similar returns where in x.nodes those are whose cosine with n is over 1 - kappa,
// in the order of their coming; all of them or, if only the first is asked for, that
// and perhaps others.
func (x *index) similar(n prefix.Node, first bool) []int32 {
	state := x.t.State.Row(int(n))
	x.found = x.found[:0]
	if x.directions.Rows == 0 || len(x.nodes) <= few {
		f32.Dots(x.cosine, x.unit, state)
		for i, c := range x.cosine {
			if c > threshold(x.kappa) && x.nodes[i] >= 0 {
				x.found = append(x.found, int32(i))
			}
		}
		return x.found
	}
	for ; x.placed < len(x.nodes); x.placed++ {
		c := x.cellOf(x.unit.Row(x.placed))
		x.cells[c] = append(x.cells[c], int32(x.placed))
	}
	home := x.cellOf(state)
	for a := range int16(3 * 3 * 3) {
		near := cell{home[0] + a%3 - 1, home[1] + a/3%3 - 1, home[2] + a/9 - 1}
		for _, i := range x.cells[near] {
			if last := len(x.found) - 1; first && last >= 0 && i > x.found[last] {
				break // the rest of the cell came even later
			}
			if x.nodes[i] >= 0 && f32.Dot(x.unit.Row(int(i)), state) > threshold(x.kappa) {
				x.found = append(x.found, i)
			}
		}
	}
	slices.Sort(x.found)
	return x.found
}

func (x *index) add(n prefix.Node) {
	if x.removed > len(x.nodes)/2 {
		x.compact()
	}
	x.nodes = append(x.nodes, n)
	x.unit.Append(x.t.State.Row(int(n)))
	x.cosine = append(x.cosine, 0)
}

// remove removes the node at place i of x.nodes. The others stay where they are until
// more than half were removed.
func (x *index) remove(i int32) {
	x.nodes[i] = -1
	x.removed++
}

func (x *index) compact() {
	nodes := x.nodes
	x.nodes, x.cosine, x.unit.Rows = nodes[:0], x.cosine[:0], 0
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
