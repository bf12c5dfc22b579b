package explore

import (
	"cmp"
	"fmt"
	"slices"

	"quotient/automaton"
	"quotient/sample"
	"quotient/word"
)

// worst returns the splits to make: of every target the transition that most doubts
// blame, with the shortest suffix, and of the targets those with most doubts.
func worst(l *learner, blames []blame) []blame {
	votes := map[int32]int{} // by transition
	for _, b := range blames {
		votes[b.transition]++
	}
	slices.SortStableFunc(blames, func(a, b blame) int {
		return cmp.Or(votes[b.transition]-votes[a.transition], len(a.suffix)-len(b.suffix), int(a.transition-b.transition))
	})
	var list []blame
	split := map[int32]bool{} // targets
	for _, b := range blames {
		if to := l.next[b.transition]; !split[to] && len(list) < atOnce {
			split[to] = true
			list = append(list, b)
		}
	}
	return list
}

// doubt returns words on which the network leaves the hypothesis, or may, and says
// where they come from. Words of the distribution come first, so that the first
// states are those that matter most.
func (s *search) doubt(l *learner, d *automaton.DFA) (string, []doubt) {
	s.away = false
	s.tested++
	if wrong := s.pool.Mistakes(d); len(wrong) > 0 {
		return "random words", whole(s.symbols.reduce(wrong))
	}
	for _, from := range sample.BothShares(d, s.o.High) {
		s.ask(from.Words(drawnWords, s.o.Low, s.o.High, s.rng))
	}
	if wrong := s.pool.Mistakes(d); len(wrong) > 0 {
		return "words that the hypothesis accepts or rejects", whole(s.symbols.reduce(wrong))
	}
	if wrong, _ := s.short.Mistakes(l.reduced(), doubts); len(wrong) > 0 {
		return "short words", whole(wrong)
	}
	if !s.more {
		s.more = true
		s.ask(s.uniform(moreWords))
		if wrong := s.pool.Mistakes(d); len(wrong) > 0 {
			return "random words", whole(s.symbols.reduce(wrong))
		}
	}
	s.away = true
	thresholds := kappas
	if s.o.Kappa > 0 {
		thresholds = []float64{s.o.Kappa}
	}
	for _, kappa := range thresholds {
		if !s.goes() {
			break
		}
		if found := l.explore(kappa, s.q.AtMost(exploreLimit(l), 0.1/float64(l.k))); len(found) > 0 {
			return fmt.Sprintf("exploring at kappa %g", kappa), found[:min(len(found), doubts)]
		}
	}
	if s.o.Pursue {
		return "walks far from the distribution", whole(s.symbols.reduce(s.q.LabelPaths(s.far(d)).Mistakes(d)))
	}
	return "", nil
}

// whole makes doubts of words of classes.
func whole(words []word.Word) []doubt {
	list := make([]doubt, min(len(words), doubts))
	for i := range list {
		list[i].x = words[i]
	}
	return list
}

// exploreLimit bounds the states that an exploration keeps, so that it takes well
// under a second.
func exploreLimit(l *learner) int {
	steps := 20_000 * 200 / max(200, l.q.Dim())
	return min(1000, max(50, steps/l.k))
}
