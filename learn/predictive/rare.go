package predictive

import (
	"math"

	"quotient/internal/parallel"
)

// How many standard errors make a difference that is no accident, and one that is hardly any.
const (
	sure   = 3
	likely = 2
)

// A tally is of what single words lose by one state in place of another.
type tally struct{ words, sum, squares float64 }

func (t *tally) add(x float64) {
	t.words++
	t.sum += x
	t.squares += x * x
}

// clearly reports whether the words lose, by so many standard errors.
func (t *tally) clearly(errors float64) bool {
	if t.words < 2 {
		return t.sum > 0
	}
	mean := t.sum / t.words
	return mean > errors*math.Sqrt(max(0, t.squares/t.words-mean*mean)/(t.words-1))
}

// lead lets transitions that words hardly take lead where the network goes. What words there are may have come to
// a transition only because the network is not where the automaton is, for it says the rare symbol there; scouts try
// it wherever the network is. So where scouts lose clearly less by another state, and words do not clearly lose by it,
// the transition leads there.
func (m *machine) lead(stop func() bool) {
	logs, nodes := m.logs(), make([][]int32, m.k)
	for q := range int32(m.states()) {
		if stop() {
			return
		}
		m.behind(q, nodes)
		to := make([]int32, m.k)
		parallel.Do(0, m.k, func(s int) {
			to[s] = m.scouted(m.next[int(q)*m.k+s], nodes[s], logs)
		})
		copy(m.next[int(q)*m.k:], to)
	}
}

// scouted returns the state that scouts show to be behind a transition to some nodes: the old one unless another is
// clearly better.
func (m *machine) scouted(old int32, nodes []int32, logs []float64) int32 {
	before := make([]float64, len(nodes))
	for i, n := range nodes {
		before[i] = m.below(n, old, logs)
	}
	best, least := old, 0.0
	for q := range int32(m.states()) {
		if q == old {
			continue
		}
		var scouts, words tally
		for i, n := range nodes {
			more := m.below(n, q, logs) - before[i]
			if m.t.Scout[n] {
				scouts.add(-more / m.t.Weight[n])
			} else {
				words.add(more)
			}
		}
		if -scouts.sum < least && scouts.clearly(sure) && !words.clearly(likely) {
			best, least = q, -scouts.sum
		}
	}
	return best
}

// below returns what the words at a node lose from there on if it is in a state.
func (m *machine) below(n, q int32, logs []float64) float64 {
	width, loss := m.k+1, 0.0
	at := make([]int32, m.t.end[n]-n)
	for i := n; i < m.t.end[n]; i++ {
		at[i-n] = q
		if i > n {
			at[i-n] = m.next[int(at[m.t.Parent[i]-n])*m.k+int(m.t.On[i])]
		}
		loss += m.t.Weight[i] * crossEntropy(m.t.Next[i], logs[int(at[i-n])*width:][:width])
	}
	return loss
}
