package explore

import (
	"slices"

	"quotient/automaton"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// A jury is words that judge the automata of a trade-off: kinds of them, and what each counts of the whole.
type jury []kind

type kind struct {
	oracle.Set
	counts float64
}

// Error returns the share of words, as they count, on which an automaton errs. If there are none, nothing speaks for it.
func (j jury) Error(d *automaton.DFA) float64 {
	if len(j) == 0 {
		return 1
	}
	sum := 0.0
	for _, k := range j {
		sum += k.counts * k.Set.Error(d)
	}
	return sum
}

// jury returns answers for words of the distribution of the best automaton or, if there are words of the user's, for these and for more words like them: as
// many as there is time for, or in haste those that are known.
func (s *search) jury() jury {
	known := s.pool.Whole()
	if len(known.Words) == 0 {
		known = s.court.uniform.Set
	}
	if s.hasty && len(known.Words) > 0 {
		return oneKind(known)
	}
	if len(s.o.Data) == 0 {
		return oneKind(orElse(s.answered(s.words(s.q.AtMost(2000, 0.5))), known))
	}
	like := s.q.AtMost(judged, 0.1) / 2
	if s.approximated { // many automata differ by little
		like *= 4
	}
	own := s.answered(s.o.Data[:s.q.AtMost(len(s.o.Data), 0.3)])
	made := s.answered(slices.Concat(sample.Alike(s.best, s.o.Data, like, s.rng), sample.Chained(s.o.Data, like, s.rng)))
	return asOften(orElse(own, known), made)
}

// answered returns words with the network's answers, as far as there is time.
func (s *search) answered(words []word.Word) (set oracle.Set) {
	const first = 16 // words that are asked about before any more are
	for n := first; len(words) > 0; n *= 2 {
		part := s.q.Label(words[:min(n, len(words))])
		if s.q.Err() != nil {
			break
		}
		set.Words, set.Accept = append(set.Words, part.Words...), append(set.Accept, part.Accept...)
		words = words[len(part.Words):]
	}
	return set
}

func orElse(set, other oracle.Set) oracle.Set {
	if len(set.Words) == 0 {
		return other
	}
	return set
}

// oneKind returns a jury of one kind of words.
func oneKind(set oracle.Set) jury {
	if len(set.Words) == 0 {
		return nil
	}
	return jury{{set, 1}}
}

// asOften returns a jury of words of the user's and of words that were made of them, in which either answer of the network counts as much as among the user's own:
// what is made of words often gets the answer that few of them have.
func asOften(own, made oracle.Set) (j jury) {
	for _, answer := range []bool{true, false} {
		words := own.With(answer)
		if share := float64(len(words)) / float64(len(own.Words)); share > 0 {
			words = append(words, made.With(answer)...)
			j = append(j, kind{oracle.Set{Words: words, Accept: slices.Repeat([]bool{answer}, len(words))}, share})
		}
	}
	return j
}
