// Package explore finds the automaton of a network whose alphabet or state space is
// too large for a sample of words: it follows the network's states from the empty
// word by every symbol, groups them by evidence, and refines the groups wherever
// network and automaton are found to disagree.
//
// The hypothesis is a discrimination tree over representatives, states of the
// network with a word that leads there; see learner. Doubts about it come, in this
// order, from all short words, from random words, from words that the hypothesis
// accepts and rejects, and from exploring: network and hypothesis are followed
// side by side, and states that are dissimilar though the hypothesis takes them for
// one are looked at closely. Similarity decides where to look, answers decide what
// is one state; so no threshold has to be right.
//
// Not every disagreement deserves a state: networks err on words unlike any they
// were trained on, and an automaton that follows them there grows without end. The
// result is the smallest automaton that agrees with the network on a stated
// distribution of words: lengths uniform, half of the words uniform, a quarter
// accepted and a quarter rejected by the automaton. Rare differences are weighed by
// counting, not by waiting for them; see contrast. Words outside of it where the
// network departs from the automaton are findings, and are listed.
//
// A seed fixes the result. Time only ever stops the search, and the result says so.
package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"quotient/automaton"
	"quotient/prefix"
	"quotient/word"
)

// Options say where to look and when to stop. Zero values stand for the defaults.
type Options struct {
	Seed      uint64
	Kappa     float64       // states whose cosine is over 1-Kappa are not told apart; 0: ever smaller ones are tried
	Low, High int           // lengths of the words of the stated distribution; 0 to 30
	Tolerance float64       // the share of the distribution that a state must be worth; 0.00002
	MaxStates int           // 500
	Time      time.Duration // 30 s
	Pursue    bool          // spend states on every disagreement, however far from the distribution

	Known []*automaton.DFA // automata, minimal, that may be the answer as well
}

func (o Options) orDefaults() Options {
	if o.High == 0 {
		o.High = max(30, o.Low)
	}
	if o.Tolerance == 0 {
		o.Tolerance = 2e-5
	}
	if o.MaxStates == 0 {
		o.MaxStates = 500
	}
	if o.Time == 0 {
		o.Time = 30 * time.Second
	}
	return o
}

// A Result is an automaton and what was learned on the way.
type Result struct {
	Options         Options        // as they were used
	Automaton       *automaton.DFA // minimal
	Representatives int            // opened on the way
	Source          string         // what led to the automaton, in words
	Tradeoff        []Point        // the best automaton met of each size, by size; errors fall
	Findings        []Finding      // words on which the network leaves the automaton, shortest first
	Stopped         string         // why the search ended early, in words; empty if nothing was left to doubt
}

// A Point says how far an automaton of some size is from the network.
type Point struct {
	States    int            `json:"states"`
	Error     float64        `json:"error"` // share of the words drawn
	Automaton *automaton.DFA `json:"-"`     // minimal
}

// A Finding is a word on which network and automaton disagree.
type Finding struct {
	Word      word.Word
	Network   bool // the network's answer; the automaton's is the other
	Automaton bool
}

// Kappas are the thresholds of exploration, tried in this order.
var kappas = []float64{0.5, 0.2, 0.1, 0.05, 0.02, 0.01}

const (
	shortWords   = 20_000 // all words up to a length are tried, if they are no more than this
	uniformWords = 1000
	drawnWords   = 200 // a round, from the hypothesis and from its complement each
	weighed      = 200 // words that decide between two automata
	pairs        = 20_000
	atOnce       = 4 // splits before all evidence is looked at again
)

// Run explores a network.
func Run(ctx context.Context, r prefix.Recognizer, o Options) (*Result, error) {
	s := &search{
		ctx: ctx, r: r, o: o.orDefaults(),
		rng:   rand.New(rand.NewPCG(o.Seed, 1)),
		begin: time.Now(),
	}
	if s.o.Low < 0 || s.o.High < s.o.Low {
		return nil, fmt.Errorf("no word has a length from %d to %d", s.o.Low, s.o.High)
	}
	s.short = newShort(r, shortWords)
	s.pool.add(r, s.uniform(uniformWords))
	for _, d := range o.Known {
		s.consider(d, "a sample that was folded")
	}
	if err := s.refine(newLearner(r)); err != nil {
		return nil, err
	}
	return s.result()
}

// A search is one run: the evidence, and the best automaton so far.
type search struct {
	ctx    context.Context
	r      prefix.Recognizer
	o      Options
	rng    *rand.Rand
	begin  time.Time
	short  short
	pool   pool
	met    []*automaton.DFA // all hypotheses, minimal
	best   *automaton.DFA   // of them
	source string           // what led to it
	opened int              // representatives
	since  int              // splits since the best was found
	doubts []word.Word
	stop   string
}

// refine looks for doubts about a hypothesis, the most reliable first, and
// splits until there are none or the budget is spent.
func (s *search) refine(l *learner) error {
	defer func() { s.opened += len(l.access) }()
	s.consider(automaton.Minimize(l.dfa()), "the first answers")
	for s.goOn(l) {
		d := l.dfa()
		source, doubts := s.doubt(l, d)
		if len(doubts) == 0 {
			break
		}
		n := len(l.access)
		for _, x := range doubts {
			before := len(l.access)
			s.settle(l, x)
			if len(l.access) > before {
				s.since += len(l.access) - before
				s.consider(automaton.Minimize(l.dfa()), source)
			}
			if len(l.access) >= n+atOnce {
				break
			}
		}
		if len(l.access) == n {
			break // only doubts that the evidence itself resolves
		}
	}
	return context.Cause(s.ctx)
}

// goOn reports whether there is budget left.
func (s *search) goOn(l *learner) bool {
	patience := 30 + 2*s.best.Len()
	switch {
	case s.ctx.Err() != nil:
	case len(l.access) > s.o.MaxStates:
		s.stop = fmt.Sprintf("the limit of %d states is reached", s.o.MaxStates)
	case time.Since(s.begin) > s.o.Time:
		s.stop = fmt.Sprintf("the time of %v is spent", s.o.Time)
	case s.since > patience && !s.o.Pursue:
		s.stop = fmt.Sprintf("%d more states brought no gain", s.since)
	default:
		return true
	}
	return false
}

// doubt returns words on which the network may leave the hypothesis, and says
// where they come from.
func (s *search) doubt(l *learner, d *automaton.DFA) (string, []doubt) {
	whole := func(words []word.Word) []doubt {
		doubts := make([]doubt, len(words))
		for i, w := range words {
			doubts[i].x = w
		}
		return doubts
	}
	if wrong := s.short.disagreements(d, atOnce); len(wrong) > 0 {
		return "short words", whole(wrong)
	}
	if wrong := s.pool.disagreements(d); len(wrong) > 0 {
		return "random words", whole(wrong)
	}
	s.pool.add(s.r, s.drawn(d, drawnWords))
	s.pool.add(s.r, s.drawn(automaton.Complement(d), drawnWords))
	if wrong := s.pool.disagreements(d); len(wrong) > 0 {
		return "words of the hypothesis and its complement", whole(wrong)
	}
	for _, kappa := range kappas {
		if s.o.Kappa > 0 {
			kappa = s.o.Kappa
		}
		if doubts := l.explore(kappa, exploreLimit(l.k)); len(doubts) > 0 {
			return fmt.Sprintf("exploring at kappa %g", kappa), doubts
		}
		if s.o.Kappa > 0 {
			break
		}
	}
	return "", nil
}

// exploreLimit bounds the states that an exploration keeps, so that it takes well
// under a second.
func exploreLimit(symbols int) int { return min(1000, max(100, 20_000/max(1, symbols))) }

// settle splits until the hypothesis answers as the network does.
func (s *search) settle(l *learner, x doubt) {
	w := append(x.x[:len(x.x):len(x.x)], x.v...)
	s.doubts = append(s.doubts, w)
	if len(x.v) > 0 {
		l.refine(x.x, x.v)
		return
	}
	for range len(w) + 1 {
		if l.accept[l.run(w)] == ask(s.r, l.state, []int{0}, []word.Word{w})[0] || !l.refine(w, nil) {
			return
		}
	}
}

// run returns the representative that a word leads to.
func (l *learner) run(w word.Word) int {
	at := 0
	for _, s := range w {
		at = int(l.next[at*l.k+int(s)])
	}
	return at
}

// consider weighs an automaton against the best so far.
func (s *search) consider(d *automaton.DFA, source string) {
	s.met = append(s.met, d)
	if s.best == nil || s.o.Pursue || s.better(d) {
		s.best, s.source, s.since = d, source, 0
	}
}

// better reports whether d is the better automaton. Each is judged on its own
// distribution, as far as the two differ. Every state that d has more must earn
// the tolerance, and it may lose as much for every state that it has less.
func (s *search) better(d *automaton.DFA) bool {
	best, loss := s.loss(s.best, d)
	if !best {
		right, wrong := s.pool.sides(s.best, d)
		return right > wrong
	}
	_, cost := s.loss(d, s.best)
	states := d.Len() - s.best.Len()
	gain := loss - cost - s.o.Tolerance*float64(states)
	return gain > 0 && (states != 0 || gain > s.o.Tolerance)
}

// loss returns how large a share of the distribution of d is where the other
// automaton is right and d is wrong. It reports false if they are too large to
// compare.
func (s *search) loss(d, other *automaton.DFA) (bool, float64) {
	c := newContrast(other, d, s.o.Low, s.o.High, pairs)
	if c == nil {
		return false, 0
	}
	if c.mass == 0 {
		return true, 0
	}
	words := make([]word.Word, weighed)
	for i := range words {
		words[i] = c.draw(s.rng)
	}
	wrong := 0
	for i, answer := range prefix.Accepts(s.r, words) {
		if d.Accepts(words[i]) != answer {
			wrong++
		}
	}
	return true, c.mass * float64(wrong) / weighed
}

// sides counts the words that b gets right and a does not, and the other way round.
func (p *pool) sides(a, b *automaton.DFA) (right, wrong int) {
	for i, w := range p.words {
		label := p.labels[i][len(w)]
		switch x, y := a.Accepts(w) == label, b.Accepts(w) == label; {
		case y && !x:
			right++
		case x && !y:
			wrong++
		}
	}
	return right, wrong
}

func (s *search) uniform(n int) []word.Word {
	words := make([]word.Word, n)
	for i := range words {
		words[i] = make(word.Word, s.length())
		for j := range words[i] {
			words[i][j] = word.Symbol(s.rng.IntN(s.r.Alphabet().Len()))
		}
	}
	return words
}

func (s *search) length() int { return s.o.Low + s.rng.IntN(s.o.High-s.o.Low+1) }

// drawn returns words that the automaton accepts, as far as there are any.
func (s *search) drawn(d *automaton.DFA, n int) []word.Word {
	sampler, err := automaton.NewSampler(d, s.o.High)
	if err != nil {
		return nil
	}
	var words []word.Word
	for range n {
		w := make(word.Word, s.length())
		if sampler.Draw(w, s.rng) {
			words = append(words, w)
		}
	}
	return words
}

// result judges all hypotheses on fresh words, and lists what was found outside.
func (s *search) result() (*Result, error) {
	res := &Result{Options: s.o, Automaton: s.best, Source: s.source, Representatives: s.opened, Stopped: s.stop}
	res.Tradeoff = s.tradeoff()
	res.Findings = s.findings()
	return res, context.Cause(s.ctx)
}

// tradeoff measures the hypotheses on words of the distribution of the best, and
// keeps those that no smaller one equals.
func (s *search) tradeoff() []Point {
	var p pool
	p.add(s.r, s.uniform(1000))
	p.add(s.r, s.drawn(s.best, 500))
	p.add(s.r, s.drawn(automaton.Complement(s.best), 500))
	var points []Point
	for _, d := range s.met {
		wrong := 0
		for i, w := range p.words {
			if d.Accepts(w) != p.labels[i][len(w)] {
				wrong++
			}
		}
		points = append(points, Point{d.Len(), float64(wrong) / float64(len(p.words)), d})
	}
	slices.SortStableFunc(points, func(a, b Point) int {
		switch {
		case a.States != b.States:
			return a.States - b.States
		case a.Error < b.Error:
			return -1
		case a.Error > b.Error:
			return 1
		}
		return 0
	})
	keep := points[:0]
	for _, x := range points {
		if len(keep) == 0 || x.Error < keep[len(keep)-1].Error {
			keep = append(keep, x)
		}
	}
	return keep
}

const findings = 20 // at most as many are listed

func (s *search) findings() []Finding {
	words := s.doubts
	sortWords(words)
	words = slices.CompactFunc(words, slices.Equal[word.Word])
	var list []Finding
	for i, answer := range prefix.Accepts(s.r, words) {
		if accept := s.best.Accepts(words[i]); accept != answer && len(list) < findings {
			list = append(list, Finding{words[i], answer, accept})
		}
	}
	return list
}
