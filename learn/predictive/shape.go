package predictive

import (
	"fmt"
	"slices"

	"quotient/oracle"
	"quotient/sample"
	"quotient/worth"
)

// result chooses an automaton, and gives it its last shape.
func (s *search) result(method string, o Options) *Result {
	res := &Result{Method: method, Tradeoff: s.points(), Warnings: s.warnings}
	i, why := choose(res.Tradeoff, o)
	res.Why = why
	p := &res.Tradeoff[i]
	p.Chosen = true
	t, trees := s.t, []*Tree{s.t, s.held}
	if p.States <= enough && o.more(s.q) && !s.stop() {
		x := s.speakMore(o.Seed)
		if s.q.Err() != nil {
			return nil
		}
		if trees = append(trees, x); !s.stop() {
			t = x
		}
	}
	if method == refining && p.States <= enough {
		p.table = s.shaped(t, *p)
	}
	m := newMachine(t, p.table)
	p.Divergence = m.divergence(s.held)
	res.Automaton = m.automaton()
	cut := 0
	for _, x := range trees {
		res.Words, res.Prefixes, cut = res.Words+int(x.Weight[0]), res.Prefixes+x.Len(), cut+x.Cut
	}
	if len(s.linear) > 0 {
		x := s.linearOf(p.States)
		res.Linear, res.LinearDivergence = x.a, x.divergence
	}
	s.warn(res, p, o, cut)
	return res
}

// willing is the share of the divergence on the words held out that may be lost for transitions that scouts
// lead elsewhere. These are taken so rarely that such words hardly judge them.
const willing = 0.02

// shaped returns the table of an automaton in its last shape: of what all searches came to at its size,
// polished on a tree of more words, the one that is best on the words held out. Which search ends up nearest
// is not known before. That one is settled, and scouts lead its rare transitions.
func (s *search) shaped(t *Tree, p Point) []int32 {
	best, table := p.Divergence*(1+coarse), p.table
	take := func(next []int32) {
		m := newMachine(t, slices.Clone(next))
		m.polish(polishing{rounds: 10, targets: 8, stop: s.stop}, newDiary(m))
		fine := newMachine(t, compact(m.next, m.k))
		if d := fine.divergence(s.held); d <= best {
			best, table = d, fine.next
		}
	}
	for _, rival := range s.rivals[p.States] {
		take(rival)
	}
	if s.stop() {
		return table
	}
	take(s.settle(newMachine(t.withoutScouts(), slices.Clone(table))).next)
	m := newMachine(t, slices.Clone(table))
	m.lead(s.stop)
	if m = newMachine(t, compact(m.next, m.k)); m.divergence(s.held) <= best*(1+willing) {
		return m.next
	}
	return table
}

// Sizes of the sample that gives an automaton its last shape: as many times the words, and scouts that
// go further. What the network predicts right behind a rare symbol may be like one state, and what it
// predicts later like another.
const (
	moreTimes   = 3
	moreScouts  = 20_000 // nodes that they lead to
	moreFurther = 4
)

// more reports whether an automaton gets its last shape on more words.
func (o Options) more(q *oracle.Inquiry) bool {
	return o.Budget == 0 && o.States <= enough && !q.Metered()
}

// speakMore returns a tree of more words. Which transitions to try takes few of them, which to take many:
// where a transition is rare, a few words lead it astray.
func (s *search) speakMore(seed uint64) *Tree {
	x := s.spoken
	x.Words, x.Prefixes = moreTimes*x.Words, moreTimes*x.Prefixes
	x.Scouts, x.Further = moreScouts/s.q.Alphabet().Len(), moreFurther
	return Speak(s.q, x, sample.Rand(seed, sample.Words))
}

// warn says what one should know of a result.
func (s *search) warn(res *Result, p *Point, o Options, cut int) {
	say := func(format string, values ...any) {
		res.Warnings = append(res.Warnings, fmt.Sprintf(format, values...))
	}
	if cut > 0 {
		say("of the %d words that the network spoke %d had not ended after %d symbols, or after %d prefixes in all, and were cut", res.Words, cut, longest, mostPrefixes)
	}
	if s.spoken.Power != 1 {
		say("what the network speaks is unlike the given words: these are likeliest with its probabilities to the power of %.2g, and words for the extraction were spoken so", s.spoken.Power)
	}
	if o.Error > 0 && p.Divergence > o.Error {
		say("no automaton was met with a divergence of at most %g; this one has the least, %.2g", o.Error, p.Divergence)
	}
	if o.States > 0 && p.States > o.States {
		say("no automaton of at most %d states was met; the smallest has %d", o.States, p.States)
	}
}

// negligible is a divergence, in nats a symbol, that no state is worth to lower: to tell the two
// apart took words of some thousand symbols.
const negligible = 3e-4

// choose returns which of some automata to take, and why.
func choose(points []Point, o Options) (int, string) {
	best := 0
	for i, p := range points {
		if o.Error > 0 && p.Divergence <= o.Error {
			return i, fmt.Sprintf("it is the smallest with a divergence of at most %g nats a symbol", o.Error)
		}
		if p.Divergence < points[best].Divergence && (o.States == 0 || p.States <= o.States) {
			best = i
		}
	}
	switch {
	case o.Error > 0:
		return best, "its divergence is the least"
	case o.States > 0:
		return best, fmt.Sprintf("it has the least divergence with at most %d states", o.States)
	}
	curve := make([]worth.Score, len(points))
	for i, p := range points {
		curve[i] = worth.Score{Error: max(p.Divergence, negligible), States: p.States}
	}
	i, share := worth.Doubling(curve)
	return i, fmt.Sprintf("twice as many states would leave more than %.0f%% of its divergence, and fewer do not", 100*share)
}
