package explore

import (
	"slices"

	"quotient/automaton"
	"quotient/learn/prune"
	"quotient/sample"
	"quotient/word"
)

// shrink merges states of an automaton as long as evidence gets no worse. The evidence is words of
// the court, words of the smaller automaton itself, and those on which it is surely worse than
// the larger one. All that were met on the way are returned, and whether the last of them is right on
// its own words, but for a share that may go wrong, and no worse than d.
func (c *court) shrink(d *automaton.DFA, kinds []evidence, may float64) (found []*automaton.DFA, right bool) {
	kinds = slices.Clone(kinds)
	probes := c.probes(d)
	for range rounds {
		m := c.pruning(d, kinds)
		m.Probe(probes.Set)
		small := m.Run()
		found = append(found, small)
		if small.Len() >= d.Len() {
			break
		}
		if own := c.ownOf(small); mean(own, small) > may {
			kinds = append(kinds, own...)
			continue
		}
		worse, words := c.worse(small, d)
		if !worse {
			return found, true
		}
		kinds = append(kinds, words...)
	}
	return found, false
}

// pruning returns a pruning of d by words of several kinds.
func (c *court) pruning(d *automaton.DFA, kinds []evidence) *prune.Pruning {
	m := prune.New(d)
	m.Stop = func() bool { return c.q.Err() != nil }
	for _, e := range kinds {
		m.Add(e.Set)
	}
	return m
}

// probes returns words that visit every state of an automaton, and go on from there at random.
func (c *court) probes(d *automaton.DFA) evidence {
	var words []word.Word
	for _, access := range d.AccessWords(1) {
		for range c.q.AtMost(probing, 0.0001) {
			tail := sample.UniformWords(1, d.Alphabet.Len(), 0, max(0, c.o.High-len(access)), c.rng)[0]
			words = append(words, slices.Concat(access, tail))
		}
	}
	return c.label(words)
}

// shrunk does so by the words that judge all automata. If both answers are common, and d errs, then the network does so at random, and
// what is left of d may err as much.
func (c *court) shrunk(d *automaton.DFA) (found []*automaton.DFA, right bool) {
	may := clean
	if !c.rare.known {
		may = max(clean, mean(c.ownOf(d), d))
	}
	return c.shrink(d, c.common, may)
}

const (
	rounds  = 8 // after which no more evidence is asked for
	probing = 8 // words that probe a state
)
