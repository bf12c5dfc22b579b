package explore

import (
	"quotient/f32"
	"quotient/prefix"
	"quotient/word"
)

// A tree tells states of the network apart by their answers after suffixes: a
// discrimination tree, after Kearns and Vazirani, "An Introduction to
// Computational Learning Theory" (1994). States that give the same answers on the
// way down are one group, and any two groups are told apart by a suffix.
type tree struct {
	r     prefix.Recognizer
	nodes []node
	leaf  []int32 // node of each group
	asked *int    // questions to the network: a state and a suffix; clones share the count
}

// A node of the tree is inner, with a suffix and what answering no and yes leads
// to, or the leaf of a group.
type node struct {
	suffix word.Word
	child  [2]int32 // nodes; 0 is none, since the root is nobody's child
	parent int32    // -1 for the root
	group  int32    // of a leaf; -1 for an inner node
}

// step returns the states that symbols lead to from some rows of states.
func step(r prefix.Recognizer, states f32.Matrix, rows []int, on []word.Symbol) f32.Matrix {
	m := f32.New(len(rows), states.Cols)
	for i, row := range rows {
		copy(m.Row(i), states.Row(row))
	}
	r.Step(m, m, on)
	return m
}

// sift returns for every state of the network the group at whose leaf it arrives,
// or -1 if its answer was never met before.
func (t *tree) sift(states f32.Matrix) []int32 {
	at := make([]int32, states.Rows)
	group := make([]int32, states.Rows)
	rows := make([]int, states.Rows)
	for i := range rows {
		rows[i] = i
	}
	for len(rows) > 0 {
		suffixes := make([]word.Word, len(rows))
		for j, i := range rows {
			suffixes[j] = t.nodes[at[i]].suffix
		}
		keep := 0
		for j, answer := range t.ask(states, rows, suffixes) {
			i := rows[j]
			at[i] = t.nodes[at[i]].child[side(answer)]
			switch {
			case at[i] == 0:
				group[i] = -1
			case t.nodes[at[i]].group >= 0:
				group[i] = t.nodes[at[i]].group
			default:
				rows[keep] = i
				keep++
			}
		}
		rows = rows[:keep]
	}
	return group
}

// ask returns the network's answer, for each of some rows of states, after one
// more suffix.
func (t *tree) ask(states f32.Matrix, rows []int, suffixes []word.Word) []bool {
	*t.asked += len(rows)
	answers := make([]bool, len(rows))
	const batch = 1024 // rows that are run together, to bound the memory
	for from := 0; from < len(rows); from += batch {
		to := min(from+batch, len(rows))
		m := f32.New(to-from, states.Cols)
		for i, row := range rows[from:to] {
			copy(m.Row(i), states.Row(row))
		}
		run(t.r, answers[from:to], m, suffixes[from:to])
	}
	return answers
}

// run steps all rows of m through their suffixes side by side, and notes the
// answers as each comes to its end.
func run(r prefix.Recognizer, answers []bool, m f32.Matrix, suffixes []word.Word) {
	running := make([]int, m.Rows) // which suffix each row belongs to
	for i := range running {
		running[i] = i
	}
	on := make([]word.Symbol, m.Rows)
	score := make([]float32, m.Rows)
	for depth := 0; len(running) > 0; depth++ {
		// Rows that are at their end move behind the others.
		keep := 0
		for row, i := range running {
			if depth == len(suffixes[i]) {
				continue
			}
			if keep != row {
				swap(m.Row(keep), m.Row(row))
				running[keep], running[row] = running[row], running[keep]
			}
			on[keep] = suffixes[i][depth]
			keep++
		}
		if ended := m.View(keep, len(running)); ended.Rows > 0 {
			r.Score(score[:ended.Rows], ended)
			for j, i := range running[keep:] {
				answers[i] = score[j] > 0.5
			}
		}
		running = running[:keep]
		if keep > 0 {
			level := m.View(0, keep)
			r.Step(level, level, on[:keep])
		}
	}
}

func swap(x, y []float32) {
	for i := range x {
		x[i], y[i] = y[i], x[i]
	}
}

// apart returns the suffix that tells two groups apart.
func (t *tree) apart(p, q int32) word.Word {
	above := map[int32]bool{}
	for n := t.leaf[p]; n >= 0; n = t.nodes[n].parent {
		above[n] = true
	}
	n := t.leaf[q]
	for !above[n] {
		n = t.nodes[n].parent
	}
	return t.nodes[n].suffix
}
