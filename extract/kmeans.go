package extract

import (
	"math/rand/v2"

	"quotient/automaton"
	clustering "quotient/internal/kmeans"
	"quotient/oracle"
	"quotient/prefix"
	"quotient/word"
)

// kmeans is the baseline of the paper's appendix, after Wang et al. (2018): the
// states are clustered, and every cluster is a state of the automaton. Whether it
// accepts, and where a symbol leads, is decided by majority among its members,
// each prefix counted as often as it occurs in the sample.
func kmeans(q *oracle.Inquiry, t *prefix.Tree, k int, rng *rand.Rand) *automaton.DFA {
	k = min(k, t.Len())
	cluster := clustering.Run(t.State, t.Count, clustering.Options{
		Clusters: k, Starts: restarts, Iterations: iterations,
		Rand: rng, Stop: func() bool { return q.Err() != nil },
	}).Cluster

	yes := make([]int, k) // votes for acceptance less those against
	votes := make([]map[word.Symbol]map[int32]int, k)
	for c := range votes {
		votes[c] = map[word.Symbol]map[int32]int{}
	}
	for n, c := range cluster {
		if t.Accept[n] {
			yes[c] += int(t.Count[n])
		} else {
			yes[c] -= int(t.Count[n])
		}
		if n == 0 {
			continue
		}
		from := cluster[t.Parent[n]]
		if votes[from][t.On[n]] == nil {
			votes[from][t.On[n]] = map[int32]int{}
		}
		votes[from][t.On[n]][c] += int(t.Count[n])
	}

	d := automaton.NewDFA(t.Alphabet, k)
	d.Start = automaton.State(cluster[0] + 1)
	for c := range k {
		q := automaton.State(c + 1)
		d.Accept[q] = yes[c] > 0
		for s, targets := range votes[c] {
			d.SetNext(q, s, automaton.State(majority(targets)+1))
		}
	}
	return d
}

// majority returns the number with most votes, the smallest of several.
func majority(votes map[int32]int) int32 {
	best := int32(-1)
	for c, n := range votes {
		if best < 0 || n > votes[best] || n == votes[best] && c < best {
			best = c
		}
	}
	return best
}

const (
	restarts   = 10
	iterations = 300
)
