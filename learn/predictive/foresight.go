package predictive

import (
	"math"
	"slices"

	"quotient/internal/parallel"
)

// A foresight is an automaton that may begin anywhere after each prefix, as if it knew the network's mind,
// but has to go on from there by its transitions for some symbols. An automaton that begins at the start
// alone can do no better.
type foresight struct {
	t    *Tree
	k    int
	next []int32     // states × symbols
	logs [][]float64 // of what it predicts in each state

	behind [][]float32 // nodes × states, by numbers of symbols: what is lost up to so many behind a node
	at     []int32     // where it had best begin at each node
	loss   float64     // of all nodes, if it does
}

// foresee returns a foresight of some symbols.
func foresee(t *Tree, next []int32, logs [][]float64, ahead int) *foresight {
	f := &foresight{t: t, k: t.Alphabet.Len(), next: next, logs: logs, behind: make([][]float32, ahead+1), at: make([]int32, t.Len())}
	f.look()
	f.begin()
	return f
}

// look finds out what is lost at each node and behind it, from each state.
func (f *foresight) look() {
	n := len(f.logs)
	here := make([]float32, f.t.Len()*n)
	parallel.Stretches(f.t.Len(), stretch, func(from, to int) {
		for i := from; i < to; i++ {
			own := Entropy(f.t.Next[i])
			for q, logs := range f.logs {
				here[i*n+q] = float32(f.t.Weight[i] * (crossEntropy(f.t.Next[i], logs) - own))
			}
		}
	})
	f.behind[0] = here
	for j := 1; j < len(f.behind); j++ {
		f.behind[j] = slices.Clone(here)
		for i := 1; i < f.t.Len(); i++ {
			above, below := f.behind[j][int(f.t.Parent[i])*n:][:n], f.behind[j-1][i*n:][:n]
			for q := range above {
				above[q] += below[f.next[q*f.k+int(f.t.On[i])]]
			}
		}
	}
}

// begin finds the state to begin with at each node. What is so near to the root that it is not reached
// from as many nodes as everything else counts as much, with the root as the node to begin at.
func (f *foresight) begin() {
	n, all := len(f.logs), f.behind[len(f.behind)-1]
	root := make([]float32, n)
	for _, losses := range f.behind {
		for q := range root {
			root[q] += losses[q]
		}
	}
	for i := range f.at {
		losses := all[i*n:][:n]
		if i == 0 {
			losses = root
		}
		least := slices.Min(losses)
		f.at[i] = int32(slices.Index(losses, least))
		f.loss += float64(least) / float64(len(f.behind))
	}
}

// improved returns the foresight whose predictions and transitions are those that serve this one best.
func (f *foresight) improved() *foresight {
	n, t, most := len(f.logs), f.t, len(f.behind)
	sum, after := sums(n, f.k+1), sums(len(f.next), n) // after: what each target of a transition loses
	at := f.at                                         // where it is at each node after so many symbols; -1: none is so many behind another
	for j := range most {
		then := slices.Repeat([]int32{-1}, t.Len())
		for i, q := range at {
			if q < 0 {
				continue
			}
			weight := t.Weight[i]
			if i == 0 || j > 0 && f.first(i, j) {
				weight *= float64(most - j)
			}
			add(sum[q], t.Next[i], weight)
		}
		for i := 1; i < t.Len() && j+1 < most; i++ {
			if q := at[t.Parent[i]]; q >= 0 {
				e := int(q)*f.k + int(t.On[i])
				then[i] = f.next[e]
				for to, x := range f.behind[most-2-j][i*n:][:n] {
					after[e][to] += float64(x)
				}
			}
		}
		at = then
	}
	return foresee(t, best(f.next, after), logarithmsOf(sum), most-1)
}

// first reports whether a node is so many symbols behind the root.
func (f *foresight) first(i, symbols int) bool {
	for ; symbols > 0 && i > 0; symbols-- {
		i = int(f.t.Parent[i])
	}
	return i == 0 && symbols == 0
}

// best returns a table with the targets that lose least, the old ones if others lose as much.
func best(next []int32, losses [][]float64) []int32 {
	next = slices.Clone(next)
	for e, loss := range losses {
		for to, x := range loss {
			if x < loss[next[e]] {
				next[e] = int32(to)
			}
		}
	}
	return next
}

func logarithmsOf(sums [][]float64) [][]float64 {
	logs := make([][]float64, len(sums))
	for q, sum := range sums {
		logs[q] = logarithms(sum)
	}
	return logs
}

// least improves a foresight as long as that helps, and returns what it loses.
func (f *foresight) least() float64 {
	least := math.Inf(1)
	for range 50 {
		if f.loss > least*(1-1e-3) {
			break
		}
		least = f.loss
		f = f.improved()
	}
	return min(least, f.loss)
}
