package explore

import (
	"slices"

	"quotient/automaton"
	"quotient/learn/redirect"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
	"quotient/worth"
)

const (
	manyStates = 64 // of a hypothesis that still errs, before the network is approximated

	groupedStates  = 1_000_000 // of the network that are grouped, and at most
	groupedNumbers = 64 << 20  // numbers in them, to bound the memory;
	groupedSquares = 16 << 30  // the same with the square of their numbers, as what a step takes grows,
	groupedLeast   = 30_000    // but not fewer for that;
	groupedWork    = 14        // times the work of a search that grouping them may take: it is long where only long words tell states apart

	leadingEach  = 1200       // prefixes that lead each transition elsewhere,
	leadingMost  = 16_000_000 // and all, to bound the memory;
	leadingWork  = 8          // times the work of a search that reading them may take
	leadingAlike = 1_000_000  // of these, prefixes of words that cross once: there are not so many different ones, and more would be learned by heart
)

// approximate looks for automata that err little where none is right, once and
// unless the best one hardly errs on the words of the pool, or on uniform ones. They are judged by words
// held out, so that the best of them is known when the time is spent. What this takes has a bound of its own,
// whatever work is left.
func (s *search) approximate(asked *int) {
	if s.approximated || s.o.Pursue || s.q.Err() != nil || s.q.Left() < groupedStates ||
		len(s.pool.Mistakes(s.best)) <= len(s.pool.Words)/200 || s.court.rare.known && s.court.uniform.Error(s.best) <= clean {
		return
	}
	s.approximated = true
	held := s.q.LabelPaths(s.words(heldWords))
	like := s.q.Label(slices.Concat(s.o.Data, sample.Alike(s.best, s.o.Data, 2*heldWords, s.rng), sample.Chained(s.o.Data, 2*heldWords, s.rng)))
	price := worth.Price{State: s.o.Tolerance}
	cost := func(d *automaton.DFA) float64 {
		e := held.Error(d)
		if len(like.Words) > 0 { // what the user's words say counts before the stated distribution
			e = (e + 4*like.Error(d)) / 5
		}
		return price.Cost(worth.Score{Error: e, States: d.Len()})
	}
	least := cost(s.best)
	consider := func(d *automaton.DFA, source string) {
		if s.q.Err() != nil {
			return
		}
		s.met = append(s.met, d)
		if c := cost(d); c < least {
			least = c
			s.adopt(d, nil, source)
		}
	}
	grown := s.groups(asked, func(d *automaton.DFA) { consider(d, "groups of the states after random words") })
	s.led(grown, func(d *automaton.DFA) {
		consider(d, "groups of the states after random words, and what leads best from one to another")
	})
}

// groups tells of automata whose states are groups of the network's, ever more of them, and returns them.
func (s *search) groups(asked *int, tell func(*automaton.DFA)) []*automaton.DFA {
	var list []*automaton.DFA
	p := newPartition(s.q, s.symbols, s.grouped(), asked)
	most := s.q.Steps() + groupedWork*s.o.Work
	for grown := true; grown; {
		next := p.transitions()
		d := automaton.Minimize(s.symbols.tell(p.automaton(p.group[0], next)))
		if s.q.Err() != nil {
			break
		}
		tell(d)
		list = append(list, d)
		grown = s.q.Steps() < most && p.grow(next, s.o.MaxStates)
	}
	return list
}

// led tells of what becomes of the largest automaton of a list, of one of half its size, and so on, and of the largest that options allow for, if their
// transitions lead where that puts most answers right: the votes of groups look one step ahead.
func (s *search) led(list []*automaton.DFA, tell func(*automaton.DFA)) {
	if len(list) == 0 || s.q.Err() != nil || s.q.Metered() {
		return
	}
	largest := list[len(list)-1]
	all := s.q.LabelPaths(s.leading(largest))
	most := largest.Len()
	allowed := s.o.States
	for _, d := range slices.Backward(list) {
		if d.Len() > max(most, allowed) || d.Len() == 1 {
			continue
		}
		if d.Len() <= allowed {
			allowed = 0
		}
		if d.Len() <= most {
			most = d.Len() / 2
		}
		d = redirect.Run(d, some(all, d.Len(), largest.Len()), s.rng, func() bool { return s.q.Err() != nil })
		tell(automaton.Minimize(d))
	}
}

// some returns a share of words.
func some(all oracle.Paths, of, in int) oracle.Paths {
	var p oracle.Paths
	for i := range all.Words {
		if i*of/in != (i+1)*of/in {
			p.Words, p.Labels = append(p.Words, all.Words[i]), append(p.Labels, all.Labels[i])
		}
	}
	return p
}

// leading returns words by which the transitions of an automaton are led elsewhere: uniform ones and words that it accepts and rejects; with words of the
// user's, mostly words like those.
func (s *search) leading(d *automaton.DFA) []word.Word {
	prefixes := s.q.AtMost(min(leadingMost, leadingEach*d.Len()*d.Alphabet.Len(), leadingWork*s.o.Work), 0.1)
	of := func(share float64, length int) int { return int(share*float64(prefixes)) / (1 + length) }
	drawn := func(share float64) []word.Word {
		n := of(share, (s.o.Low+s.o.High)/2)
		return slices.Concat(s.uniform(n/2), s.both(d, n/4))
	}
	if len(s.o.Data) == 0 {
		return drawn(1)
	}
	mean := letters(s.o.Data) / len(s.o.Data)
	alike := min(0.3, leadingAlike/float64(prefixes))
	return slices.Concat(drawn(0.1), sample.Alike(d, s.o.Data, of(alike, mean), s.rng), sample.Chained(s.o.Data, of(0.9-alike, mean), s.rng))
}

// letters returns how many symbols words have together.
func letters(words []word.Word) int {
	n := 0
	for _, w := range words {
		n += len(w)
	}
	return n
}

// grouped returns words whose states are grouped, as many as there is room for: the user's, words like those, and words of the
// distribution of the best automaton.
func (s *search) grouped() []word.Word {
	dim := max(1, s.q.Dim())
	room := min(groupedStates, groupedNumbers/dim, max(groupedLeast, groupedSquares/(dim*dim)))
	words := s.o.Data[:min(len(s.o.Data), MostData)]
	if len(words) > 0 {
		like := room / 2 * len(words) / (1 + letters(words))
		words = slices.Concat(words, sample.Alike(s.best, s.o.Data, like/2, s.rng), sample.Chained(s.o.Data, like/2, s.rng))
		room /= 2
	}
	return slices.Concat(words, s.words(max(100, room/(1+(s.o.Low+s.o.High)/2))))
}
