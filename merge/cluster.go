package merge

import (
	"math"

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
func ClusterLog(t *prefix.Tree, kappa float64, order []prefix.Node) []Step {
	var log []Step
	kept := [2]*index{newIndex(t, kappa), newIndex(t, kappa)} // by label
	for _, n := range order {
		k := kept[0]
		if t.Accept[n] {
			k = kept[1]
		}
		if into := k.first(n); into >= 0 {
			log = append(log, Step{Into: into, From: n})
		} else {
			k.add(n)
		}
	}
	return log
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
	nodes      []prefix.Node // in the order of their coming
	unit       f32.Matrix    // their states
	cosine     []float32
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

// first returns the first node added whose cosine with n is over 1 - kappa, or -1.
func (x *index) first(n prefix.Node) prefix.Node {
	state := x.t.State.Row(int(n))
	if x.directions.Rows == 0 || len(x.nodes) <= few {
		f32.Dots(x.cosine, x.unit, state)
		for i, c := range x.cosine {
			if c > threshold(x.kappa) {
				return x.nodes[i]
			}
		}
		return -1
	}
	best := int32(len(x.nodes))
	home := x.cellOf(state)
	for a := range int16(3 * 3 * 3) {
		near := cell{home[0] + a%3 - 1, home[1] + a/3%3 - 1, home[2] + a/9 - 1}
		for _, i := range x.cells[near] {
			if i >= best {
				break // the rest of the cell came even later
			}
			if f32.Dot(x.unit.Row(int(i)), state) > threshold(x.kappa) {
				best = i
			}
		}
	}
	if int(best) == len(x.nodes) {
		return -1
	}
	return x.nodes[best]
}

func (x *index) add(n prefix.Node) {
	state := x.t.State.Row(int(n))
	if x.directions.Rows > 0 {
		c := x.cellOf(state)
		x.cells[c] = append(x.cells[c], int32(len(x.nodes)))
	}
	x.nodes = append(x.nodes, n)
	x.unit.Append(state)
	x.cosine = append(x.cosine, 0)
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
