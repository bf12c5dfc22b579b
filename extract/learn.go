package extract

import (
	"context"
	"fmt"
	"slices"
	"time"

	"quotient/automaton"
	"quotient/counter"
	"quotient/learn/active"
	"quotient/learn/labeled"
	"quotient/learn/passive"
	"quotient/learn/spectral"
	"quotient/learn/tally"
	"quotient/prefix"
	"quotient/word"
)

// Methods that learn from the network's answers instead of merging its states.
const (
	LStar    = Method(active.LStar)
	TTT      = Method(active.TTT)
	RPNI     = Method(passive.RPNI)
	EDSM     = Method(passive.EDSM)
	RPNIStar = Method(passive.RPNIStar)
	Spectral = Method("spectral")
	Counter  = Method("counter")
)

// Queries count what a learner asked of the network.
type Queries struct {
	Membership  int `json:"membership_queries"`  // distinct words that it asked for
	CacheHits   int `json:"cache_hits"`          // times that it asked for one of them again
	Equivalence int `json:"equivalence_queries"` // hypotheses that were put to the test
	TestWords   int `json:"test_words"`          // words that those tests asked for
}

// BlackBox reports whether a method needs no states of the network.
func (m Method) BlackBox() bool {
	return slices.Contains([]Method{LStar, TTT, RPNI, EDSM, RPNIStar, Spectral}, m)
}

// learn runs one of the methods of this file. It asks for as many words as Options
// say, or as the method wants.
func learn(ctx context.Context, net prefix.Oracle, o Options) (*Result, error) {
	clock := time.Now()
	res := &Result{Options: o}
	run := askActively
	switch o.Method {
	case RPNI, EDSM, RPNIStar:
		run = learnFromWords
	case Spectral:
		run = learnSpectrum
	case Counter:
		run = findCounter
	}
	if err := run(ctx, net, res); err != nil {
		return nil, err
	}
	res.Times.Learn = lap(&clock)
	return res, nil
}

// found fills in an automaton that was learned.
func (r *Result) found(d *automaton.DFA) {
	r.Automaton, r.Merged, r.MergedStates = d, d, d.Len()
	r.Sampler = prefix.FromAutomaton(d)
}

// tell says how far learning is, if anybody wants to know.
func (r *Result) tell(states, words int) {
	if r.Options.Tell != nil {
		r.Options.Tell(states, words)
	}
}

// askActively runs L* or TTT.
func askActively(ctx context.Context, net prefix.Oracle, res *Result) error {
	o := res.Options
	learned, err := active.Learn(ctx, net, active.Options{
		Method: active.Method(o.Method), Equivalence: o.Equivalence, Seed: o.Seed, Length: o.Explore.High, States: o.Explore.MaxStates, Time: o.Explore.Time,
		Progress: func(states int, s active.Stats) { res.tell(states, s.MembershipQueries+s.TestWords) },
	})
	if err != nil {
		return err
	}
	s := learned.Stats
	res.Queries = &Queries{s.MembershipQueries, s.CacheHits, s.EquivalenceQueries, s.TestWords}
	res.Exceptions = learned.Exceptions
	if !learned.Complete {
		res.Warnings = append(res.Warnings, learned.Why)
	}
	res.found(learned.Automaton)
	return nil
}

// learnFromWords lets the network label words, and learns from these alone.
func learnFromWords(ctx context.Context, net prefix.Oracle, res *Result) error {
	words, err := res.draw(net)
	if err != nil {
		return err
	}
	set := &labeled.Set{Alphabet: net.Alphabet()}
	for i, accept := range prefix.Accepts(net, words) {
		set.Add(words[i], labeled.Of(accept))
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	learned, err := passive.Learn(ctx, set, passive.Options{
		Method: passive.Method(res.Options.Method), Progress: func(p passive.Progress) { res.tell(p.Red, len(words)) },
	})
	if err != nil {
		return err
	}
	slices.SortFunc(words, slices.Compare[word.Word])
	res.Queries = &Queries{Membership: len(slices.CompactFunc(words, slices.Equal[word.Word]))}
	res.found(learned.Automaton)
	return nil
}

// draw returns the words for passive learners, with lengths up to Options.Length:
// half of them accepted by the network, the others uniform. A network that shows no
// states cannot be explored for words that it accepts; there, half are the shortest
// words of all.
func (r *Result) draw(net prefix.Oracle) ([]word.Word, error) {
	o, rng := r.Options, newRand(r.Options.Seed, streamSample)
	sampler := o.Sampler
	if s, ok := net.(prefix.Recognizer); ok && sampler == nil {
		var err error
		if sampler, err = prefix.FromNetwork(s, o.Length, newRand(o.Seed, streamGuide)); err != nil {
			return nil, err
		}
	}
	if sampler != nil {
		sample, err := sampler.Draw(o.Strings, 0, o.Length, rng)
		r.Sample = sample
		return sample.Words, err
	}
	k := net.Alphabet().Len()
	words := word.Shortest(k, o.Strings/2)
	for len(words) < o.Strings {
		w := make(word.Word, rng.IntN(o.Length+1))
		for i := range w {
			w[i] = word.Symbol(rng.IntN(k))
		}
		words = append(words, w)
	}
	r.Sample.Words = words
	return slices.Clone(words), nil
}

// learnSpectrum learns a weighted automaton.
func learnSpectrum(ctx context.Context, net prefix.Oracle, res *Result) error {
	o := res.Options
	learned, err := spectral.Learn(ctx, net, spectral.Options{Seed: o.Seed, Rank: o.Rank, Tell: o.Tell})
	if err != nil {
		return err
	}
	res.Queries = &Queries{Membership: learned.Queries}
	res.Spectral = learned
	if learned.DFA != nil {
		res.found(learned.DFA)
		return nil
	}
	res.Warnings = append(res.Warnings, learned.Note)
	res.MergedStates = learned.Rank
	res.Sampler = prefix.FromAutomaton(everything(net.Alphabet()))
	return nil
}

// findCounter looks for a counter automaton.
func findCounter(ctx context.Context, net prefix.Oracle, res *Result) error {
	learned, err := tally.Extract(ctx, net.(prefix.Recognizer), tally.Options{Seed: res.Options.Seed})
	if err != nil {
		return err
	}
	res.Counter = learned
	if !learned.Automaton.Counts() {
		res.found(learned.Automaton.Finite())
		return nil
	}
	res.MergedStates = learned.Automaton.Len()
	res.Sampler = prefix.FromAutomaton(unrolled(learned.Automaton, res.Options))
	return nil
}

// unrolled returns a finite automaton that agrees with a counter automaton on words
// as long as those that agreement is checked on, or shorter if that takes too many
// states.
func unrolled(a *counter.Automaton, o Options) *automaton.DFA {
	for length := 50; length > 0; length /= 2 {
		if d, err := a.DFA(length, o.Limit); err == nil {
			return d
		}
	}
	return everything(a.Alphabet)
}

// everything returns the automaton of all words.
func everything(a *word.Alphabet) *automaton.DFA {
	d := automaton.NewDFA(a, 1)
	d.Accept[1] = true
	for s := range a.Len() {
		d.SetNext(1, word.Symbol(s), 1)
	}
	return d
}

// Acceptor returns what was extracted, whatever its kind.
func (r *Result) Acceptor() interface{ Accepts(w word.Word) bool } {
	switch {
	case r.Automaton != nil:
		return r.Automaton
	case r.Counter != nil:
		return r.Counter.Automaton
	}
	return r.Spectral.Automaton
}

// States returns the number of states of what was extracted.
func (r *Result) States() int {
	switch {
	case r.Automaton != nil:
		return r.Automaton.Len()
	case r.Counter != nil:
		return r.Counter.Automaton.Len()
	}
	return r.Spectral.Automaton.Len()
}

// refuse says why a method cannot be used with a network.
func refuse(m Method) error {
	return fmt.Errorf("method %s looks at the network's states, and it shows none; %s and %s need only its answers", m, TTT, LStar)
}
