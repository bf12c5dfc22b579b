package extract

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"quotient/automaton"
	"quotient/prefix"
	"quotient/word"
)

// A Contest puts methods side by side on one network. Zero values stand for the
// defaults.
type Contest struct {
	Methods []Method       // all of them
	Options Options        // of every method; Method itself does not count
	Target  *automaton.DFA // the language to compare with, over the network's alphabet; nil: none is known
	Words   int            // that judge the automata, at least; 1,000
	Time    time.Duration  // for each method; 0: no limit
	Tell    func(Method)   // called before each method, if not nil
}

// An Entry is what one method made of the network.
type Entry struct {
	Method      Method  `json:"method"`
	States      int     `json:"states"`
	Accuracy    float64 `json:"accuracy"`            // the share of the words on which the network gives the same answer
	Equal       *bool   `json:"equal"`               // whether it is exactly the target; nil if none is known
	Membership  int     `json:"membership_queries"`  // words that the method asked for; distinct ones, but for Explore, which keeps no answers
	Equivalence int     `json:"equivalence_queries"` // hypotheses that were put to the test
	Seconds     float64 `json:"seconds"`
	Error       *string `json:"error"` // why there is no automaton; nil if there is one

	CacheHits int     `json:"-"` // times that it asked for one of those words again
	Result    *Result `json:"-"` // nil if there is an error
}

// Winner returns the smallest finite automaton among the best: those that are exactly
// the target, or if none is, those that agree with the network on most words. Of equals
// it is the first. It returns nil if no method found any.
func Winner(entries []Entry) *Entry {
	exact := func(e *Entry) int {
		if e.Equal != nil && *e.Equal {
			return 1
		}
		return 0
	}
	var best *Entry
	for i := range entries {
		e := &entries[i]
		if e.Result == nil || e.Result.Automaton == nil {
			continue
		}
		if best == nil || cmp.Or(
			cmp.Compare(exact(e), exact(best)),
			cmp.Compare(e.Accuracy, best.Accuracy),
			cmp.Compare(best.States, e.States),
		) > 0 {
			best = e
		}
	}
	return best
}

// streamContest is the stream of random numbers for the words that judge.
const streamContest = streamObject + 1

// longest is the length of the longest words that judge.
const longest = 50

// Run runs all methods. A method that fails has an error in its entry; Run itself
// returns one only if the context ends.
//
// All automata are judged on the same words, to which each finite one contributes the
// same number: half of them uniform, a quarter that it accepts and a quarter that it
// rejects, of lengths up to 50. So an automaton that misses something rare meets the
// words of one that does not.
func (c Contest) Run(ctx context.Context, net prefix.Oracle) ([]Entry, error) {
	methods := c.Methods
	if len(methods) == 0 {
		methods = Methods
	}
	entries := make([]Entry, len(methods))
	for i, m := range methods {
		if c.Tell != nil {
			c.Tell(m)
		}
		entries[i] = c.enter(ctx, net, m)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return entries, c.judge(ctx, net, entries)
}

// enter runs one method.
func (c Contest) enter(ctx context.Context, net prefix.Oracle, m Method) Entry {
	e := Entry{Method: m}
	if c.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Time, fmt.Errorf("it takes more than %v", c.Time))
		defer cancel()
	}
	o := c.Options
	o.Method = m
	if o.Explore.Time == 0 {
		o.Explore.Time = c.Time * 3 / 4 // what searches until then has something to show, and time to choose it
	}
	begin := time.Now()
	res, err := Run(ctx, net, o)
	e.Seconds = time.Since(begin).Seconds()
	if err != nil {
		text := err.Error()
		e.Error = &text
		return e
	}
	e.Result, e.States = res, res.States()
	switch {
	case res.Queries != nil:
		e.Membership, e.Equivalence, e.CacheHits = res.Queries.Membership, res.Queries.Equivalence, res.Queries.CacheHits
	case res.Tree != nil:
		e.Membership = res.Tree.Len()
	case res.Counter != nil:
		e.Membership = res.Counter.Prefixes
	case res.Explored != nil:
		e.Membership, e.Equivalence = res.Explored.Asked, res.Explored.Hypotheses
	}
	return e
}

// judge fills in how far the automata agree with the network and with the target.
func (c Contest) judge(ctx context.Context, net prefix.Oracle, entries []Entry) error {
	words, err := c.draw(entries)
	if err != nil || len(words) == 0 {
		return err
	}
	labels := prefix.Accepts(net, words)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for i := range entries {
		e := &entries[i]
		if e.Result == nil {
			continue
		}
		agree, a := 0, e.Result.Acceptor()
		for j, w := range words {
			if a.Accepts(w) == labels[j] {
				agree++
			}
		}
		e.Accuracy = float64(agree) / float64(len(words))
		if c.Target != nil {
			equal := c.hits(e.Result)
			e.Equal = &equal
		}
	}
	return nil
}

// counted is the length up to which automata that count are compared with the target.
const counted = 500

// hits reports whether a result is exactly the target: if it counts, on all words up to
// a length; if it is a weighted automaton without a finite one, never.
func (c Contest) hits(res *Result) bool {
	d := res.Automaton
	if d == nil && res.Counter != nil {
		d, _ = res.Counter.Automaton.DFA(counted, automaton.DefaultLimit)
	}
	if d == nil {
		return false
	}
	w, differ := automaton.Distinguish(d, c.Target)
	return !differ || res.Automaton == nil && len(w) > counted
}

// draw returns the words that judge.
func (c Contest) draw(entries []Entry) ([]word.Word, error) {
	var found []*Result
	for _, e := range entries {
		if e.Result != nil {
			found = append(found, e.Result)
		}
	}
	n := c.Words
	if n == 0 {
		n = 1000
	}
	rng := newRand(c.Options.Seed, streamContest)
	var words []word.Word
	for _, res := range found {
		s := res.Sampler
		if res.Automaton != nil {
			s = prefix.FromAutomaton(res.Automaton)
		}
		drawn, err := s.Draw((n+len(found)-1)/len(found), 0, longest, rng)
		if err != nil {
			return nil, err
		}
		words = append(words, drawn.Words...)
	}
	return words, nil
}
