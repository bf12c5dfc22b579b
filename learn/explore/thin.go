package explore

import (
	"math"

	"quotient/automaton"
	"quotient/learn/redirect"
	"quotient/oracle"
	"quotient/worth"
)

const (
	thinning     = 20_000     // words by which states are given up, and as many others that say what goes wrong then;
	thinningWork = 0.2        // of the work of a search that reading them may take
	dearer       = math.Sqrt2 // times the price of a state, from one automaton of a chain to the next
)

// thin takes what is left of the best automaton when ever more states are given up, if that shows what the network was
// trained on: fresh words judge, see [worth.Bend]. Its transitions lead elsewhere where that puts more right. It reports whether there is such an automaton.
func (s *search) thin() bool {
	n := s.q.AtMost(min(thinning, int(thinningWork*float64(s.o.Work))/(1+(s.o.Low+s.o.High)/2)), 0.1)
	paths, judges := s.q.LabelPaths(s.told(n)), s.telling(n)
	if n == 0 || s.q.Err() != nil {
		return false
	}
	chain, curve := s.thinned(paths.Whole(), judges)
	chosen := chain[worth.Bend(curve)]
	if s.q.Err() != nil || chosen == s.best {
		return false
	}
	led := automaton.Minimize(redirect.Run(chosen, paths, s.rng, func() bool { return s.q.Err() != nil }))
	if judges.Error(led) <= judges.Error(chosen) {
		chosen = led
	}
	s.met = append(s.met, chain...)
	s.best, s.source = chosen, "states that were given up as hardly any word needs them"
	return true
}

// thinned returns the best automaton and what is left of it when states are given up, for an ever higher price, and what goes wrong then by words
// that judge: up to where that is too much, or is all words of a kind.
func (s *search) thinned(words, judges oracle.Set) (chain []*automaton.DFA, curve []worth.Score) {
	add := func(d *automaton.DFA) {
		one := 1 / float64(len(judges.Words)) // word more goes wrong: none has no logarithm
		chain, curve = append(chain, d), append(curve, worth.Score{Error: judges.Error(d) + one, States: d.Len()})
	}
	add(s.best)
	for price := worth.Doubtful.State; price < 1 && !worth.Lost(curve); price *= dearer {
		last := chain[len(chain)-1]
		m := s.court.pruning(last, []evidence{{Set: words}})
		m.May = price
		d := m.Run()
		if s.q.Err() != nil || d.Len() == 0 || s.losesKind(d) {
			break
		}
		if d.Len() < last.Len() {
			add(d)
		}
	}
	return chain, curve
}
