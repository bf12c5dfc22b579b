package stochastic

import "math"

// An mdi merges a blue node into the first red one for which the divergence of the words
// from the automaton grows by less than what the saved states are worth.
//
// The divergence of the prefix tree from an automaton whose probabilities are shares of what
// was counted is a difference of log likelihoods, and each state has its part in it: Σ c log
// c over what may follow, less n log n. So what a merge costs is a sum over the pairs of
// nodes that it puts together.
type mdi struct {
	worth float64 // of a saved state, in nats over all words
	cost  float64 // of the current attempt
	saved int
}

func (x *mdi) merge(f *folding, blue int32) bool {
	f.met = func(a, b int32) {
		x.saved++
		x.cost += f.loss(a, b)
	}
	for _, r := range f.red {
		f.stats.Tried++
		x.cost, x.saved = 0, 0
		f.fold(r, blue)
		if x.cost < x.worth*float64(x.saved) {
			return true
		}
		f.undo()
	}
	return false
}

// loss returns by how much the log likelihood falls if b is merged into a.
func (f *folding) loss(a, b int32) float64 {
	sum := together(f.end[a], f.end[b]) - together(f.total[a], f.total[b])
	for c := f.head[b]; c != none; c = f.sibling[c] {
		for d := f.head[a]; d != none; d = f.sibling[d] {
			if f.nodes[c].on == f.nodes[d].on {
				sum += together(f.passed[d], f.passed[c])
				break
			}
		}
	}
	return sum
}

// together returns i log i + j log j - (i+j) log (i+j), which is never over 0.
func together(i, j int32) float64 {
	if i == 0 || j == 0 {
		return 0
	}
	x, y := float64(i), float64(j)
	return x*math.Log(x/(x+y)) + y*math.Log(y/(x+y))
}
