package merge

import (
	"slices"

	"quotient/f32"
	"quotient/prefix"
)

// A Policy says whether two nodes may merge.
type Policy func(t *prefix.Tree, i, j prefix.Node) bool

// Consistent lets nodes with the same label merge.
func Consistent(t *prefix.Tree, i, j prefix.Node) bool { return t.Accept[i] == t.Accept[j] }

// Similar lets nodes merge if the cosine of their states is over 1 - kappa.
func Similar(kappa float64) Policy {
	return func(t *prefix.Tree, i, j prefix.Node) bool {
		return cosine(t, i, j) > threshold(kappa)
	}
}

// cosine returns that of the states of two nodes.
func cosine(t *prefix.Tree, i, j prefix.Node) float32 {
	unit := f32.Unit(t.State.Gather([]int{int(i), int(j)}))
	return f32.Dot(unit.Row(0), unit.Row(1))
}

// All lets nodes merge if all policies do. The paper's is
// All(Consistent, Similar(kappa)).
func All(policies ...Policy) Policy {
	return func(t *prefix.Tree, i, j prefix.Node) bool {
		for _, p := range policies {
			if !p(t, i, j) {
				return false
			}
		}
		return true
	}
}

// LogBy goes through the nodes in the given order and merges each into the first
// earlier one that was not given up itself and that the policy allows: the plain
// loop over pairs, for any policy. [ClusterLog] is its fast equal for the paper's.
func LogBy(t *prefix.Tree, may Policy, order []prefix.Node) []Step {
	var log []Step
	var kept []prefix.Node
	for _, n := range order {
		i := slices.IndexFunc(kept, func(m prefix.Node) bool { return may(t, m, n) })
		if i < 0 {
			kept = append(kept, n)
			continue
		}
		log = append(log, Step{Into: kept[i], From: n})
	}
	return log
}
