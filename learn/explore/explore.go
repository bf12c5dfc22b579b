// Package explore finds the automaton of a network whose alphabet or state space is
// too large for a sample of words: it follows the network's states from the empty
// word by every symbol, groups them by evidence, and refines the groups wherever
// network and automaton are found to disagree.
//
// The hypothesis is a discrimination tree over representatives, states of the
// network with a word that leads there; see learner. Doubts about it come, in this
// order, from random words, from words that the hypothesis accepts and rejects, from
// all short words, and from exploring: network and hypothesis are followed side by
// side, and states that are dissimilar though the hypothesis takes them for
// one are looked at closely. Similarity decides where to look, answers decide what
// is one state; so no threshold has to be right.
//
// Not every disagreement deserves a state: networks err on words unlike any they
// were trained on, and an automaton that follows them there grows without end. The
// result is the smallest automaton that agrees with the network on a stated
// distribution of words: lengths uniform, half of the words uniform, a quarter
// accepted and a quarter rejected by the automaton. Rare differences are weighed by
// counting, not by waiting for them; see contrast. Words outside of it where the
// network departs from the automaton are counterexamples, and are listed.
//
// A hypothesis that was told of too much has too many states. What held-out words cannot tell
// apart is merged again; see court.
//
// Where no automaton of few states is right, one is looked for that errs least; see
// partition.
//
// A seed fixes the result. The search is bounded by what the network reads; time, if there is
// a limit, only ever stops it, and the result says so.
package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"quotient/automaton"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
	"quotient/worth"
)

// Options say where to look and when to stop. Zero values stand for the defaults.
type Options struct {
	Seed      uint64
	Kappa     float64       // states whose cosine is over 1-Kappa are not told apart; 0: ever smaller ones are tried
	Low, High int           // lengths of the words of the stated distribution; 0 to 30
	Tolerance float64       // the share of the distribution that a state must be worth; 0.00001
	MaxStates int           // 200
	Work      int           // symbols that the network may read; 200 million by the numbers of a state, of which there are at least 100
	Time      time.Duration // after which the search stops; 0: never
	States    int           // of the trade-off, the best of at most so many states; 0: see Run
	Error     float64       // of the trade-off, the smallest that errs on at most this share of words; 0: see Run
	Pursue    bool          // spend states on every disagreement, however far from the distribution

	Known []*automaton.DFA // automata, minimal, that may be the answer as well
	Data  []word.Word      // words of the user's, all different: what the network is used on, and should be understood on

	// Tell, if it is not nil, is told now and then how many states the best automaton
	// so far has, and about how many words the network was asked.
	Tell func(states, words int) `json:"-"`
}

func (o Options) orDefaults(dim int) Options {
	o.High = cmp.Or(o.High, max(30, o.Low))
	o.Tolerance = cmp.Or(o.Tolerance, worth.Explore.State)
	o.MaxStates = cmp.Or(o.MaxStates, 200)
	o.Work = cmp.Or(o.Work, 200_000_000/max(100, dim))
	return o
}

// A Result is an automaton and what was learned on the way.
type Result struct {
	Options         Options          // as they were used
	Automaton       *automaton.DFA   // minimal
	Representatives int              // opened on the way
	Source          string           // what led to the automaton, in words
	Tradeoff        []Point          // the best automaton met of each size, by size; errors fall, but for that which was chosen
	Judges          Judges           // the words that judged all automata
	Focused         bool             // whether words of the rare answer that automata led to have judged, also the trade-off
	Counterexamples []Counterexample // words on which the network leaves the automaton, shortest first
	Stopped         string           // why the search ended early, in words; empty if nothing was left to doubt
	Asked           int              // words asked about to tell states apart; no answer is kept, so some were asked for twice
	Hypotheses      int              // that were searched for words of difference; what these searches ask is not counted
}

// A Point says how far an automaton of some size is from the network.
type Point struct {
	States    int            `json:"states"`
	Error     float64        `json:"error"` // share of the words, half of them uniform, half words that it or the best one accepts and rejects, whichever is more; or, see Focused, half words of the rare answer; or of words like the user's
	Chosen    bool           `json:"chosen,omitempty"`
	Automaton *automaton.DFA `json:"-"` // minimal
}

// Judges are words that judge all automata alike; beside them each is judged by words that it
// accepts and rejects itself.
type Judges struct {
	Accepted int `json:"accepted"` // by the network
	Rejected int `json:"rejected"`
}

// A Counterexample is a word on which network and automaton disagree.
type Counterexample struct {
	Word      word.Word
	Network   bool // the network's answer; the automaton's is the other
	Automaton bool
}

// MostData is how many of the user's words may raise doubts. All of them judge.
const MostData = 5000

// kappas are the thresholds of exploration, tried in this order.
var kappas = []float64{0.5, 0.2, 0.1, 0.05, 0.02, 0.01}

const (
	shortWords   = 20_000  // all words up to a length are tried, if they are no more than this,
	shortLength  = 100     // and no longer than this
	uniformWords = 1000    // asked about at the start
	moreWords    = 5000    // once these raise no doubt
	drawnWords   = 200     // a round, from the hypothesis and from its complement each
	doubts       = 64      // that are looked into at a time
	atOnce       = 4       // splits before all evidence is looked at again
	weighed      = 200     // words that decide between two automata,
	freshWords   = 1000    // and how many of each kind where the two are too large to compare
	heldWords    = 4000    // words that decide between approximations
	always       = 50      // times as often right as wrong
	rare         = 20      // times the tolerance that a state must be worth on the distribution it makes itself
	pairs        = 200_000 // of states, times symbols, that comparing two automata may follow
	weighedAlone = 32      // states up to which an automaton is weighed after every split even if answers are rare; it takes long
)

// Run explores a network. It is an error if the context is canceled; the result is then the best
// until that. If the budget is spent before there is an automaton, there is no result; a budget that is
// spent later is no error.
func Run(q *oracle.Inquiry, o Options) (*Result, error) {
	o = o.orDefaults(q.Dim())
	if o.Low < 0 || o.High < o.Low {
		return nil, fmt.Errorf("no word has a length from %d to %d", o.Low, o.High)
	}
	if q.Alphabet().Len() == 0 {
		return nil, errors.New("an alphabet without symbols leaves nothing to explore")
	}
	closing, free := lasting(q, o.Time)
	defer free()
	timed, cancel := q.Search(o.Time)
	defer cancel()
	c := newCourt(timed, o)
	y := c.alike()
	var s *search
	for searches := 0; ; searches++ {
		above, ok := c.threshold(searches)
		if !ok || searches > 0 && !s.goes() {
			break
		}
		s = newSearch(timed.Above(above), o, c, y).after(s)
		first := closing
		if searches == 0 {
			first = q
		}
		s.run(first.Above(above))
	}
	if spent := (*oracle.BudgetError)(nil); errors.As(q.Err(), &spent) {
		return nil, q.Err()
	}
	if !s.goes() {
		s.stop = s.spent()
	}
	c.focus(timed, y, s.asked)
	s.conclude(closing)
	return s.result(), q.Err()
}

// grace is what choosing among automata, and saying how good they are, may take when the time is spent.
const grace = time.Second

// lasting returns an inquiry that goes on after the time of a search, if there is a limit, but not for long: a model
// elsewhere whose states are wide takes a minute for what closes a search. If it spends the budget, there is an automaton
// all the same.
func lasting(q *oracle.Inquiry, limit time.Duration) (*oracle.Inquiry, context.CancelFunc) {
	if limit == 0 {
		return q.Alone()
	}
	ctx, free := context.WithTimeoutCause(q.Context(), limit+grace, &oracle.TimeError{Time: limit})
	closing, done := q.Under(ctx).Alone()
	return closing, func() { done(); free() }
}

// A search is one run: the evidence, and the best automaton so far.
type search struct {
	q       *oracle.Inquiry // which ends when the time is spent
	o       Options
	court   *court
	symbols *symbols // which are alike
	rng     *rand.Rand
	short   oracle.Short
	pool    oracle.Paths     // the words that were asked about
	data    oracle.Set       // the user's words
	met     []*automaton.DFA // all hypotheses, minimal
	best    *automaton.DFA   // of them
	source  string           // what led to it
	learner *learner         // whose hypothesis it is; nil if it is none's
	opened  int              // representatives
	tested  int              // hypotheses
	asked   *int             // questions about states
	since   int              // splits since the best was found
	doubts  []word.Word
	away    bool // whether the last doubts were about words that the distribution did not bring
	more    bool // whether the pool has got more uniform words
	stop    string

	approximated bool // whether that was tried
	hasty        bool // whether nothing more is to be asked
	late         bool // whether the time is spent
}

func newSearch(q *oracle.Inquiry, o Options, c *court, y *symbols) *search {
	return &search{q: q, o: o, court: c, symbols: y, rng: sample.Rand(o.Seed, sample.Exploring), asked: new(int)}
}

// after goes on counting where an earlier search has stopped, if there was one.
func (s *search) after(before *search) *search {
	if before != nil {
		s.opened, s.tested, s.asked = before.opened, before.tested, before.asked
	}
	return s
}

// run searches. A first hypothesis there is, whatever the time: it is asked of an inquiry that
// does not end with it.
func (s *search) run(untimed *oracle.Inquiry) {
	first := newLearner(untimed, s.symbols)
	*s.asked += *first.asked
	first.q, first.asked = s.symbols.over(s.q), s.asked
	s.short = first.q.Short(s.q.AtMost(shortWords, 0.1), shortLength, nil)
	s.ask(s.uniform(uniformWords))
	if s.court.bests != nil { // the network's own answers have led to nothing that is right
		s.ask(slices.Concat(s.court.seek(), s.court.gleaned))
	}
	s.ask(s.o.Data[:min(len(s.o.Data), MostData)])
	s.data = s.q.Label(s.o.Data)
	for _, d := range s.o.Known {
		if d.Len() <= s.o.MaxStates { // a larger one may know the user's words by heart
			s.consider(d, nil, "a sample that was folded")
		}
	}
	s.refine(first)
	for l := s.retry(); l != nil; l = s.retry() {
		s.refine(l)
	}
	s.court.hear(s)
}

// refine looks for doubts about a hypothesis, and splits until there are none or
// the budget is spent.
func (s *search) refine(l *learner) {
	s.since, s.stop = 0, ""
	s.consider(automaton.Minimize(l.dfa()), l, "the first answers")
	for s.goOn(l) {
		source, found := s.doubt(l, l.dfa())
		for _, d := range found {
			s.doubts = append(s.doubts, s.symbols.speak(slices.Concat(d.x, d.v)))
		}
		splits := worst(l, l.blame(found))
		splits = splits[:min(len(splits), s.o.MaxStates-len(l.access))]
		for i, b := range splits {
			l.split(b)
			s.since++
			if d := automaton.Minimize(l.dfa()); s.court.rare.known && len(l.access) > weighedAlone && i < len(splits)-1 {
				s.met = append(s.met, d)
			} else {
				s.consider(d, l, source)
			}
		}
		if len(splits) == 0 {
			break
		}
		s.ask(s.court.glean(l))
		if len(l.access) >= manyStates {
			s.approximate(l.asked)
		}
		if s.court.bloated(l) {
			s.stop = "a much smaller automaton does as well"
			break
		}
	}
	s.approximate(l.asked)
	s.opened = max(s.opened, len(l.access))
}

// retry goes back to the hypothesis that made the best automaton, and tries every
// word on which the network departs from it, shortest first, on its own: what one
// word needs must not be judged together with the states that others waste. It
// returns the first hypothesis that is better, or nil if there is none, or none is found by
// a quarter of the work so far: unless words are all that may lead to a rare answer.
func (s *search) retry() *learner {
	if s.learner == nil || s.o.Pursue {
		return nil
	}
	most := s.q.Steps() / 4 * 5
	if s.court.rare.known && s.court.rare.found < few {
		most = s.o.Work
	}
	for _, f := range s.counterexamples(retries) {
		if !s.goes() || s.q.Steps() > most {
			break
		}
		l, w := s.learner.clone(), s.symbols.reduced(f.Word)
		for len(l.access) < s.o.MaxStates && s.q.Steps() <= most && l.accept[l.run(w)] != f.Network && l.refine(w, nil) {
		}
		if s.consider(automaton.Minimize(l.dfa()), l, "a single word") {
			return l
		}
	}
	return nil
}

// converged reports whether nothing was left to doubt.
func (s *search) converged() bool { return s.stop == "" && s.learner != nil && s.goes() }

// goes reports whether the search may go on: whether there are work and time left.
func (s *search) goes() bool { return s.q.Err() == nil && s.q.Steps() < s.o.Work }

// spent says what is.
func (s *search) spent() string {
	if s.q.Err() == nil {
		return fmt.Sprintf("the network has read %d symbols, and a search ends at %d: what begins and closes it, and approximating, are bounded by themselves", s.q.Steps(), s.o.Work)
	}
	return s.q.Err().Error()
}

// ask asks about more words, with all their prefixes, and keeps what is answered.
func (s *search) ask(words []word.Word) {
	words = s.symbols.plain(words)
	if paths := s.q.LabelPaths(words[:s.q.AtMost(len(words), 0.1/float64(1+s.o.High))]); s.q.Err() == nil {
		s.pool.Add(paths)
	}
}

// words returns n words of the distribution of the best automaton.
func (s *search) words(n int) []word.Word {
	return slices.Concat(s.uniform(n/2), s.both(s.best, n/4))
}

// goOn reports whether there is budget left.
func (s *search) goOn(l *learner) bool {
	if s.o.Tell != nil {
		s.o.Tell(s.best.Len(), *l.asked)
	}
	// On the way to an automaton of many states all before may seem worthless.
	patience := 100 + 2*s.best.Len()
	switch {
	case s.approximated && s.learner == nil: // no hypothesis has come near the approximation
		patience = 50
	case s.away:
		patience = 30 + 2*s.best.Len()
	}
	switch {
	case !s.goes():
	case len(l.access) >= s.o.MaxStates:
		s.stop = fmt.Sprintf("the limit of %d states is reached", s.o.MaxStates)
	case s.since > patience && !s.o.Pursue:
		s.stop = fmt.Sprintf("%d more states brought no gain", s.since)
	default:
		return true
	}
	return false
}

// consider weighs an automaton against the best so far, and reports whether it is
// the best now.
func (s *search) consider(d *automaton.DFA, l *learner, source string) bool {
	s.met = append(s.met, d)
	if s.best != nil && !s.o.Pursue && (s.plainlyWorse(d) || !s.better(d)) {
		return false
	}
	if s.best != nil && !s.goes() {
		return false // what speaks for it may come from a network that has halted
	}
	s.adopt(d, l, source)
	return true
}

// plainlyWorse reports whether an automaton errs on more words of the pool than the best one, which
// hardly errs: weighing the two would take far longer, and say the same.
func (s *search) plainlyWorse(d *automaton.DFA) bool {
	best := len(s.pool.Mistakes(s.best))
	return best <= len(s.pool.Words)/200 && len(s.pool.Mistakes(d)) > best
}

// adopt makes an automaton the best, with the learner whose hypothesis it is, if there
// is one.
func (s *search) adopt(d *automaton.DFA, l *learner, source string) {
	s.best, s.source, s.since, s.learner = d, source, 0, nil
	if l != nil {
		s.learner = l.clone()
	}
}

func (s *search) uniform(n int) []word.Word {
	return sample.UniformWords(n, s.q.Alphabet().Len(), s.o.Low, s.o.High, s.rng)
}

// both returns n words that the automaton accepts, and n that it rejects, as far as there are any.
func (s *search) both(d *automaton.DFA, n int) []word.Word {
	var words []word.Word
	for _, from := range sample.BothShares(d, s.o.High) {
		words = append(words, from.Words(n, s.o.Low, s.o.High, s.rng)...)
	}
	return words
}
