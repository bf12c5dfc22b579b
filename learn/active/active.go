// Package active learns an automaton by asking a network: whether it accepts a word
// (membership queries), and whether it agrees with a hypothesis (equivalence queries).
//
// The learners are that of Kearns and Vazirani ("An Introduction to Computational Learning
// Theory", 1994), L* (Angluin, "Learning regular sets from queries and
// counterexamples", 1987) with the treatment of counterexamples by Rivest and Schapire
// ("Inference of finite automata using homing sequences", 1993), which all use, and TTT (Isberner,
// Howar and Steffen, "The TTT algorithm: a redundancy-free approach to active automata
// learning", 2014). If equivalence queries are answered truly, all end with exactly
// the network's language.
//
// A network cannot answer equivalence queries, so words of difference are searched for:
// among all short words, in random samples of the size that Angluin's PAC bound asks
// for, by a random W-method, and in an abstraction of the network's states (Weiss,
// Goldberg and Yahav, "Extracting automata from recurrent neural networks using queries
// and counterexamples", 2018).
//
// Networks err on rare words, and a learner that follows every error grows without
// end. See [Result] for what is returned then.
package active

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

// A Method is a learner.
type Method string

const (
	LStar Method = "lstar"
	TTT   Method = "ttt"
	KV    Method = "kv"
)

// Methods are all there are, the default first.
var Methods = []Method{TTT, LStar, KV}

// An Equivalence says how to look for words on which network and hypothesis differ. All
// begin with all short words.
type Equivalence string

const (
	Auto   Equivalence = "auto"   // all that apply to the network, one after the other
	Sample Equivalence = "sample" // random words, as many as a PAC bound asks for
	Walks  Equivalence = "walks"  // a random W-method
	States Equivalence = "states" // an abstraction of the network's states, which it must show
)

// Equivalences are all there are, the default first.
var Equivalences = []Equivalence{Auto, Sample, Walks, States}

// Options say how to learn. Zero values stand for the defaults.
type Options struct {
	Method      Method      // TTT
	Equivalence Equivalence // Auto
	Length      int         // of the longest words that equivalence queries draw; 30
	Epsilon     float64     // of the PAC bound: the share of words that may be wrong; 0.002
	Delta       float64     // one less its confidence; 0.01
	Tolerance   float64     // the share of words that a far smaller automaton may get wrong; 0.01
	Short       int         // all words up to a length are asked first, if they are no more than this; 2,000
	Walks       int         // words of a random W-method, at least; 1,000
	Steps       int         // of the network, in one search through an abstraction; 50,000
	Seed        uint64      // of all random words
	Data        []word.Word // words of the user's, on which every hypothesis is tried first; the network is asked about them once

	// Budgets. Once one is spent, learning ends with the best hypothesis so far.
	States  int           // of a hypothesis; 1,000
	Queries int           // words that the network is asked, those of tests included; 1,000,000
	Work    int           // symbols that the network may read; 2 billion by the numbers of a state, of which there are at least 100
	Time    time.Duration // 0: no limit

	// Progress, if not nil, is called with the size of every hypothesis.
	Progress func(states int, s Stats)

	// Judge, if not nil, answers equivalence queries: a person, or someone who knows
	// the language. It returns a word on which hypothesis and network differ. The hypothesis
	// is minimal, and its states are in the order in which they were found. It is the judge's
	// until it returns, and changes afterwards.
	Judge func(ctx context.Context, h *automaton.DFA) (w word.Word, found bool)

	// Sure says that the judge is never wrong: so the network is not asked about its words.
	Sure bool
}

func (o Options) orDefaults(q *oracle.Inquiry) Options {
	dim := 100
	if q.ShowsStates() {
		dim = max(dim, q.Dim())
	}
	o.Method = cmp.Or(o.Method, TTT)
	o.Equivalence = cmp.Or(o.Equivalence, Auto)
	o.Length = cmp.Or(o.Length, 30)
	o.Epsilon = cmp.Or(o.Epsilon, 0.002)
	o.Delta = cmp.Or(o.Delta, 0.01)
	o.Tolerance = cmp.Or(o.Tolerance, worth.Queries.Once)
	o.Short = cmp.Or(o.Short, 2000)
	o.Walks = cmp.Or(o.Walks, 1000)
	o.Steps = cmp.Or(o.Steps, 50_000)
	o.States = cmp.Or(o.States, 1000)
	o.Queries = cmp.Or(o.Queries, 1_000_000)
	o.Work = cmp.Or(o.Work, 2_000_000_000/dim)
	return o
}

func (o Options) check(q *oracle.Inquiry) error {
	if !slices.Contains(Methods, o.Method) {
		return fmt.Errorf("no learner is called %q; there are %v", o.Method, Methods)
	}
	switch o.Equivalence {
	case Auto, Sample, Walks:
	case States:
		if !q.ShowsStates() {
			return errors.New("the network hides its states, so they cannot be searched; ask for another kind of equivalence query")
		}
	default:
		return fmt.Errorf("no equivalence query is called %q; there are %v", o.Equivalence, Equivalences)
	}
	if !(o.Epsilon > 0 && o.Epsilon < 1 && o.Delta > 0 && o.Delta < 1 && o.Tolerance > 0 && o.Tolerance < 1) {
		return fmt.Errorf("epsilon %v, delta %v and tolerance %v: all lie between 0 and 1", o.Epsilon, o.Delta, o.Tolerance)
	}
	if min(o.Length, o.Short, o.Walks, o.Steps, o.States, o.Queries, o.Work) < 1 || o.Time < 0 {
		return errors.New("lengths, numbers of words and budgets must be at least 1")
	}
	return nil
}

// Stats count what learning took.
type Stats struct {
	MembershipQueries  int `json:"membership_queries"`  // distinct words that the learner asked for
	CacheHits          int `json:"cache_hits"`          // times that it asked for one of them again
	EquivalenceQueries int `json:"equivalence_queries"` // hypotheses that were put to the test
	TestWords          int `json:"test_words"`          // words that those tests asked for
	Symbols            int `json:"symbols"`             // that the network read for all of this
}

// A Result is an automaton and how it came about.
//
// If it is complete, the last equivalence query found no word of difference, and every
// answer that the network gave to the learner is the automaton's. If not, Why says what
// came between: a budget was spent, and the automaton is the last hypothesis; or the
// learner grew and grew by following the network's rare errors, and the automaton is an
// earlier hypothesis, far smaller, that is wrong on no more than the tolerated share of
// words. Counterexamples are words that show the difference.
type Result struct {
	Automaton       *automaton.DFA // minimal
	Complete        bool
	Why             string
	Counterexamples []word.Word // shortest first, not more than 20
	Stats           Stats
	Tried           int // words of Options.Data on which hypotheses were tried
}

// A learner holds a hypothesis: states with access words, the first that of the empty
// word, and transitions between them. It lets the memory watch as many words as are needed for
// this: if the hypothesis, closed, gets all of them right, it is right about all words that were asked.
type learner interface {
	close() error // finds all targets
	split(q int, s word.Symbol, suffix word.Word) error
	guess() *hypothesis
	access(q int) word.Word
	node(q int) int32          // of the access word, in the memory
	recall(q int, w word.Word) // puts the word behind a state into the memory if it was asked
	discriminators() []word.Word
}

// Learn learns the language of a network. It returns an error if the context ends, if
// the network fails, or if a budget is spent before there is a first hypothesis; with it, the
// best hypothesis until then, if there is one.
func Learn(q *oracle.Inquiry, o Options) (*Result, error) {
	o = o.orDefaults(q)
	if err := o.check(q); err != nil {
		return nil, err
	}
	o.Short, o.Walks = q.AtMost(o.Short, 1./8), q.AtMost(o.Walks, 1./8)
	limited, cancel := q.Search(o.Time)
	defer cancel()
	res := &Result{}
	m := newMemory(limited, &o, &res.Stats)
	r := &run{m: m, o: o, res: res, test: newTester(limited, o, &res.Stats), judging: sample.Rand(o.Seed, sample.Candidates)}
	if o.Method == LStar {
		r.learner = newTable(m)
	} else {
		r.learner = newTTT(m, o.Method == KV)
	}
	r.follow = newFollower(m, r.learner.guess())
	err := r.learn()
	if err != nil {
		err = r.rescue(q, limited.Err(), err)
	}
	if res.Automaton == nil {
		return nil, err
	}
	res.Counterexamples, res.Tried = r.counterexamples(res.Automaton), len(r.test.data.Words)
	return res, err
}

// rescue concludes with the best hypothesis when something has ended learning: the search, or a
// budget of its own. If the inquiry itself has ended, that remains an error.
func (r *run) rescue(q *oracle.Inquiry, ended, err error) error {
	var spent *budgetError
	if ended == nil && !errors.As(err, &spent) {
		return err
	}
	r.m.q, r.test.q = q, q
	if r.last != nil && r.o.Judge != nil {
		r.last = automaton.Minimize(r.learner.guess().before())
	}
	if r.last == nil && q.Err() == nil {
		if err := r.first(); err != nil {
			return err
		}
	}
	var budget *oracle.BudgetError
	switch {
	case r.last == nil:
		return err
	case q.Stopped() != nil || errors.As(ended, &budget): // there is nothing left to judge it by
		r.res.Automaton, r.res.Why = r.last, fmt.Sprintf("learning ended early: %v", cmp.Or(ended, err))
		return q.Err()
	}
	return r.conclude(cmp.Or(ended, err).Error())
}

// first makes a hypothesis of what is known when nothing more is to be asked: some refinements by
// words that it gets wrong take few questions, if any.
func (r *run) first() error {
	const refinements = 20
	err := r.learner.close()
	for i := 0; err == nil; i++ {
		r.last = automaton.Minimize(r.learner.guess().DFA)
		w, found := r.m.contradiction(r.last)
		if !found || i == refinements {
			return nil
		}
		var q int
		var s word.Symbol
		var suffix word.Word
		if q, s, suffix, err = analyze(r.m, r.learner, w); err == nil {
			err = r.learner.split(q, s, suffix)
		}
		if err == nil {
			err = r.learner.close()
		}
	}
	if r.last != nil {
		return nil
	}
	return err
}

// A budgetError says which budget is spent.
type budgetError struct{ what string }

func (e *budgetError) Error() string { return e.what }

// spent returns an error if the budget of queries or of states is spent.
func (o *Options) spent(s *Stats, states int) error {
	switch {
	case s.MembershipQueries+s.TestWords > o.Queries:
		return &budgetError{fmt.Sprintf("the budget of %d queries is spent", o.Queries)}
	case s.Symbols > o.Work:
		return &budgetError{fmt.Sprintf("the network has read %d symbols", o.Work)}
	case states > o.States:
		return &budgetError{fmt.Sprintf("there are more than %d states", o.States)}
	}
	return nil
}

// A run is one attempt to learn.
type run struct {
	m       *memory
	follow  *follower
	o       Options
	learner learner
	test    *tester
	res     *Result
	found   []word.Word // the counterexamples

	last       *automaton.DFA   // the minimal hypothesis of the last equivalence query; if someone else judges, it may have changed
	candidates []*automaton.DFA // all of them, without those that were judged and dropped; none if someone else judges
	judging    *rand.Rand       // of the words that judge them
}

// learn refines the hypothesis until no word of difference is found.
func (r *run) learn() error {
	if r.o.Judge == nil {
		if err := r.askShort(); err != nil {
			return err
		}
	}
	for {
		if err := r.learner.close(); err != nil {
			return err
		}
		// Where no known answer contradicts it, the hypothesis has a suffix between any two states and is minimal.
		h := r.learner.guess().DFA
		if r.o.Judge == nil {
			h = automaton.Minimize(h)
		}
		if r.o.Progress != nil {
			r.o.Progress(h.Len(), r.res.Stats)
		}
		c, share, err := r.judge(h, outgrown)
		if err != nil {
			return err
		}
		if c != nil {
			r.settle(c, share, h)
			return nil
		}
		w, found := r.follow.contradiction()
		if !found {
			if w, found, err = r.query(h); err != nil {
				return err
			}
			if !found {
				r.res.Automaton, r.res.Complete = automaton.Minimize(h), true
				return nil
			}
		}
		q, s, suffix, err := analyze(r.m, r.learner, w)
		if err != nil {
			return err
		}
		if err := r.learner.split(q, s, suffix); err != nil {
			return err
		}
	}
}

// askShort asks for all short words, so that hypotheses are compared with them for
// nothing.
func (r *run) askShort() error {
	var nodes []int32
	for _, w := range word.UpTo(r.m.q.Alphabet().Len(), r.o.Short) {
		nodes = append(nodes, r.m.node(w))
	}
	r.res.Stats.TestWords += len(nodes)
	_, err := r.m.answers(nodes, true)
	return err
}

// query asks an equivalence query.
func (r *run) query(h *automaton.DFA) (w word.Word, found bool, err error) {
	if r.last = h; r.o.Judge == nil {
		r.candidates = append(r.candidates, h)
	}
	r.res.Stats.EquivalenceQueries++
	if r.o.Judge != nil {
		w, found = r.o.Judge(r.m.q.Context(), h)
		if err = r.m.q.Err(); found && r.o.Sure {
			n := r.m.node(w)
			r.m.tell(n, !h.Accepts(w))
			r.m.watch(n)
		}
	} else {
		w, found, err = r.test.find(h, r.learner)
	}
	if found {
		r.found = append(r.found, w)
	}
	return w, found, err
}
