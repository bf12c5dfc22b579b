package explore

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"quotient/automaton"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
	"quotient/worth"
)

// conclude takes the automaton that the court chooses, of all that were met. If the time is
// spent, that has been heard so far which searches chose; if there is nothing left to judge by, or no time to,
// the first of these.
func (s *search) conclude(closing *oracle.Inquiry) {
	c := s.court
	ended := s.q.Err()
	s.q, c.q = closing, closing
	if s.late = ended != nil; s.late {
		c.heard, c.chosen, c.focused = c.bests, nil, false
		clear(c.own) // what was judged when the time was spent
	}
	var spent *oracle.BudgetError
	s.hasty = closing.Stopped() != nil || errors.As(ended, &spent)
	if !s.hasty && !s.o.Pursue {
		s.met = c.heard
		d := c.choose()
		if s.hasty = closing.Err() != nil; !s.hasty && d != s.best {
			s.best, s.source = d, "states that were merged"
			if c.focused {
				s.source = "groups of the states after words to which automata give the rare answer"
			}
		}
	}
	if s.hasty {
		s.best = c.bests[0] // of the first search, that by the network's own answers
	}
}

// result judges all hypotheses on fresh words, and lists what was found outside.
func (s *search) result() *Result {
	judges := s.jury()
	points := falling(s.measured(s.met, judges), nil)
	before := len(s.met)
	if !s.court.focused { // there, size was weighed
		s.prefer(points[len(points)-1])
		s.spare()
		points = append(points, s.measured(s.met[before:], judges)...)
	}
	points = s.front(points, judges)
	if s.o.States > 0 || s.o.Error > 0 {
		s.pick(points)
	}
	for i := range points {
		points[i].Chosen = points[i].Automaton == s.best
	}
	return &Result{
		Options: s.o, Automaton: s.best, Source: s.source, Representatives: s.opened, Stopped: s.stop,
		Tradeoff: points, Judges: s.court.judges(), Focused: s.court.focused, Counterexamples: s.counterexamples(listed, s.known()...), Hypotheses: s.tested, Asked: *s.asked,
	}
}

// pick takes what the options ask for of the trade-off, whose errors fall with the states.
func (s *search) pick(points []Point) {
	i := len(points) - 1
	for s.o.States > 0 && i > 0 && points[i].States > s.o.States {
		i--
	}
	for s.o.States == 0 && i > 0 && points[i-1].Error <= s.o.Error {
		i--
	}
	if s.best != points[i].Automaton {
		s.best, s.source = points[i].Automaton, "the trade-off of errors and states"
	}
}

// prefer takes the last point of the trade-off where no automaton is right, if it is smaller than the best: on
// fresh words, drawn as the best one wants them, none errs less. Of that, states are given up which the words
// that it accepts and rejects itself, and uniform ones, can do without: others say that it is wrong anyway.
func (s *search) prefer(p Point) {
	if p.Error <= clean || p.States >= s.best.Len() || s.o.Pursue || len(s.o.Data) > 0 {
		return
	}
	s.best, s.source = p.Automaton, "the trade-off of errors and states"
	if s.hasty {
		return
	}
	own := s.court.ownOf(s.best)
	errs := mean(own, s.best)
	if errs > nearlyClean { // what is mostly wrong about its own words could give up all of them
		return
	}
	if small, right := s.court.shrink(s.best, append(own, s.court.uniform), max(clean, errs)); right {
		s.best = small[len(small)-1]
	}
}

const (
	judged = 8000 // words say whether states may be spared
	lost   = 0.5  // share of a kind of words that must not go wrong for it
)

// spare takes a smaller automaton for the best if its errors and states cost less, where doubts are left: one that was met, or what is left
// of it when states are given up. Fresh words judge.
func (s *search) spare() {
	final := s.court.converged && len(s.o.Data) == 0
	if s.o.Pursue || final || s.hasty || s.late || s.q.Metered() || s.q.AtMost(judged, 0.1) < judged {
		return
	}
	if s.thin() {
		return
	}
	judges := s.telling(judged)
	s.cheaper(s.met, judges)
	for before := s.best.Len() + 1; s.best.Len() < before; {
		before = s.best.Len()
		m := s.court.pruning(s.best, []evidence{{Set: s.telling(judged / 4)}})
		var left []*automaton.DFA
		m.Step = func() { left = append(left, m.Left()) }
		m.Run()
		s.cheaper(left, judges)
	}
}

// telling returns answers for n fresh words that tell whether the states of the best automaton are worth having: words of its distribution or, with words
// of the user's, uniform ones and words like those. What the automaton itself accepts may then be words that nobody has ever thought of.
func (s *search) telling(n int) oracle.Set { return s.q.Label(s.told(n)) }

// told returns these words.
func (s *search) told(n int) []word.Word {
	if len(s.o.Data) == 0 {
		return s.words(n)
	}
	return slices.Concat(s.uniform(n/2), sample.Alike(s.best, s.o.Data, n/2, s.rng))
}

// cheaper takes, of the automata of a list that are smaller than the best and not worse, the one whose errors and states cost least, if that is less
// than the best costs. A larger one would be taken because it was lucky with its words.
func (s *search) cheaper(list []*automaton.DFA, judges oracle.Set) {
	if s.q.Err() != nil {
		return // nobody has answered
	}
	list = slices.DeleteFunc(slices.Clone(list), func(d *automaton.DFA) bool { return d.Len() >= s.best.Len() })
	cost := func(d *automaton.DFA) float64 {
		return worth.Doubtful.Cost(worth.Score{Error: judges.Error(d), States: d.Len()})
	}
	best, least := s.best, cost(s.best)
	for i, c := range ofAll(list, cost) {
		if c < least && s.asGood(list[i], judges) {
			best, least = list[i], c
		}
	}
	if best != s.best {
		s.best, s.source = best, "the trade-off of errors and states"
	}
}

// asGood reports whether an automaton is not clearly worse than the best. Where the best is not right, the network is no automaton: the more states,
// the better, and not one word more may go wrong. And no kind of words that have led to the best may be lost: fresh words may not have those of a rare answer.
func (s *search) asGood(d *automaton.DFA, judges oracle.Set) bool {
	right, wrong := sides(judges, d, s.best)
	most := worth.Doubtful.Sure * math.Sqrt(float64(right+wrong))
	if judges.Error(s.best) > clean {
		most = 0
	}
	return float64(right-wrong) <= most && !s.losesKind(d)
}

// losesKind reports whether most of a kind of words that the best automaton gets right go wrong with another one.
func (s *search) losesKind(d *automaton.DFA) bool {
	return slices.ContainsFunc(s.court.common, func(e evidence) bool { return e.Error(d) > e.Error(s.best)+lost })
}

// measured returns automata as points of a trade-off.
func (s *search) measured(list []*automaton.DFA, judges jury) []Point {
	var points []Point
	for i, e := range ofAll(list, judges.Error) {
		points = append(points, Point{States: list[i].Len(), Error: e, Automaton: list[i]})
	}
	return points
}

// constant returns the two automata that give every word the same answer. Whoever asks for fewer states than anything takes that says something, or
// for more errors, gets the better one, and nothing worse.
func (s *search) constant(judges jury) []Point {
	none := automaton.NewDFA(s.q.Alphabet(), 0)
	all := automaton.Complement(none)
	return s.measured([]*automaton.DFA{none, all}, judges)
}

// falling returns the points whose errors fall with the states: those that no smaller one equals. Of an automaton that is to be kept the point stays.
func falling(points []Point, keep *automaton.DFA) []Point {
	slices.SortStableFunc(points, func(a, b Point) int { return cmp.Or(a.States-b.States, cmp.Compare(a.Error, b.Error)) })
	least := math.Inf(1)
	return slices.DeleteFunc(points, func(p Point) bool {
		worse := p.Error >= least && p.Automaton != keep
		least = min(least, p.Error)
		return worse
	})
}

// front measures the automata of a trade-off, and the best one with them, also as a certificate does, each by uniform words and by words that
// it accepts and rejects itself; what is worse counts. By the words of the best alone, one that claims more than the network does may seem to be right, and
// by its own words alone one that claims nothing: ∅, where hardly a word is accepted. Where claims of several automata have judged, those that the network
// confirms count as well. With
// words of the user's, these judge: what an automaton itself accepts may be nothing that anybody would write.
func (s *search) front(points []Point, judges jury) []Point {
	points = slices.DeleteFunc(points, func(p Point) bool { return p.Automaton == s.best })
	points = slices.Concat(s.measured([]*automaton.DFA{s.best}, judges), points, s.constant(judges)) // of equals the first stays
	if len(s.o.Data) == 0 && !s.hasty && !s.late && !s.q.Metered() {
		uniform := s.q.Label(s.uniform(s.q.AtMost(judging, 0.1)))
		for i, p := range points {
			own := s.q.Label(slices.Concat(s.court.drawn(p.Automaton)...))
			if s.q.Err() != nil {
				break // nobody has answered
			}
			points[i].Error = max(p.Error, (uniform.Error(p.Automaton)+own.Error(p.Automaton))/2)
			if s.court.focused { // else what claims next to nothing hardly errs
				points[i].Error = max(points[i].Error, (uniform.Error(p.Automaton)+s.court.common[1].Error(p.Automaton))/2)
			}
		}
	}
	keep := s.best
	if s.o.States > 0 || s.o.Error > 0 {
		keep = nil
	}
	return falling(points, keep)
}
