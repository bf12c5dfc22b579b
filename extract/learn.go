package extract

import (
	"fmt"
	"slices"
	"time"

	"quotient/automaton"
	"quotient/counter"
	"quotient/internal/text"
	"quotient/learn/active"
	"quotient/learn/labeled"
	"quotient/learn/passive"
	"quotient/learn/spectral"
	"quotient/learn/tally"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// askActively runs L* or TTT.
func askActively(q *oracle.Inquiry, o Options) (*Result, error) {
	clock := time.Now()
	res := &Result{Options: o}
	first := q.Readable(o.data.Lead())
	if o.source != nil {
		drawn, err := o.source.Draw(q, q.AtMost(languageWords, 1./8), 0, o.High, sample.Rand(o.Seed, sample.Words))
		if err != nil {
			return nil, err
		}
		res.Sample, res.Words = drawn, o.source.About
		first = slices.Concat(first, q.Readable(drawn.Words))
	}
	learned, err := active.Learn(q, active.Options{
		Method: active.Method(o.Method), Equivalence: o.Equivalence, Seed: o.Seed, Length: o.High,
		States: o.MaxStates, Work: o.Work, Time: waiting(q, o), Data: first,
		Progress: func(states int, s active.Stats) { res.tell(states, s.MembershipQueries+s.TestWords) },
	})
	if learned == nil {
		return nil, err
	}
	s := learned.Stats
	res.Queries = &Queries{s.MembershipQueries, s.CacheHits, s.EquivalenceQueries, s.TestWords}
	res.Counterexamples = learned.Counterexamples
	if n := len(o.data.Lead()); n > 0 {
		res.Used = fmt.Sprintf("%d are the first to be tried against every hypothesis", learned.Tried)
		if learned.Tried == 0 {
			res.Used = unasked
		}
	}
	if !learned.Complete {
		res.Warnings = append(res.Warnings, learned.Why)
	}
	res.found(learned.Automaton)
	res.Times.Learn = lap(&clock)
	return res, err
}

// unasked is what a method did with words that it came to no question about.
const unasked = "none is used: the search ended before the network was asked about them"

// waiting returns after which time a learner stops, 0 for never. What is asked of a network that
// runs elsewhere, whose speed nobody knows, is bounded by a budget or by the clock; any other
// by the symbols that it reads, so that the result is the same on every machine.
func waiting(q *oracle.Inquiry, o Options) time.Duration {
	if o.Time == 0 && o.Budget == 0 && q.Metered() {
		return 30 * time.Second
	}
	return o.Time
}

// languageWords is how many words, half of them of a language, a learner is given to try first.
const languageWords = 300

// learnFromWords lets the network label words, and learns from these alone.
func learnFromWords(q *oracle.Inquiry, o Options) (*Result, error) {
	clock := time.Now()
	res := &Result{Options: o}
	if err := o.fits(q.Alphabet().Len(), 0); err != nil {
		return nil, err
	}
	words, err := res.draw(q)
	if err != nil {
		return nil, err
	}
	if seeds := o.data.Lead(); len(seeds) > 0 {
		seeds = q.Readable(seeds[:q.AtMost(len(seeds), 0.5)])
		words = append(words, seeds...)
		res.Used = fmt.Sprintf("%d are labeled by the network and learned from, beside the sample", len(seeds))
		if near := around(q, words, seeds); len(near) > 0 {
			words = append(words, near...)
			res.Used += fmt.Sprintf(", which has next to no accepted word, and %d words that differ from them in one place", len(near))
		}
	}
	set := &labeled.Set{Alphabet: q.Alphabet()}
	words = q.Readable(words)
	for i, accept := range q.Accepts(words) {
		set.Add(words[i], labeled.Of(accept))
	}
	if err := q.Err(); err != nil {
		return nil, err
	}
	learned, err := passive.Learn(q.Context(), set, passive.Options{
		Method: passive.Method(o.Method), Progress: func(p passive.Progress) { res.tell(p.Red, len(words)) },
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(words, slices.Compare[word.Word])
	res.Queries = &Queries{Membership: len(slices.CompactFunc(words, slices.Equal[word.Word]))}
	res.found(learned.Automaton)
	res.Times.Learn = lap(&clock)
	return res, nil
}

// around returns words that differ in one place from seeds that the network accepts, and their
// prefixes and suffixes, if it accepts next to none of the others: what is beside rare words tells more
// about them than any sample does.
func around(q *oracle.Inquiry, words, seeds []word.Word) []word.Word {
	sampled := len(words) - len(seeds)
	if 100*q.Label(words[:sampled]).Accepted() > sampled {
		return nil
	}
	most := q.AtMost(sampled, 0.5)
	var near []word.Word
	k := q.Alphabet().Len()
	for i, accept := range q.Accepts(seeds) {
		w := seeds[i]
		for at := 0; accept && at < len(w); at++ {
			near = append(near, w[:at], w[at+1:], slices.Delete(slices.Clone(w), at, at+1))
			for s := range k {
				if x := slices.Clone(w); x[at] != word.Symbol(s) {
					x[at] = word.Symbol(s)
					near = append(near, x)
				}
			}
		}
	}
	slices.SortFunc(near, word.Compare)
	near = slices.CompactFunc(near, slices.Equal[word.Word])
	return near[:min(len(near), most)]
}

// draw returns the words for passive learners, with lengths up to Options.Length:
// half of them accepted by the network, the others uniform. A network that shows no
// states cannot be explored for words that it accepts; there, half are the shortest
// words of all.
func (r *Result) draw(q *oracle.Inquiry) ([]word.Word, error) {
	o, rng := r.Options, sample.Rand(r.Options.Seed, sample.Words)
	o.Strings = q.AtMost(o.Strings, 0.5)
	source := o.source
	if q.ShowsStates() && source == nil {
		var err error
		if source, err = sample.FromNetwork(q, o.Length, sample.Rand(o.Seed, sample.Guide)); err != nil {
			return nil, err
		}
	}
	if source != nil {
		drawn, err := source.Draw(q, o.Strings, 0, o.Length, rng)
		r.Sample, r.Words = drawn, source.About
		return slices.Clone(drawn.Words), err
	}
	r.Words = "the shortest words of all"
	k := q.Alphabet().Len()
	words := word.Shortest(k, o.Strings/2)
	r.Sample.Words = append(words, sample.UniformWords(o.Strings-len(words), k, 0, o.Length, rng)...)
	return slices.Clone(r.Sample.Words), nil
}

// learnSpectrum learns a weighted automaton.
func learnSpectrum(q *oracle.Inquiry, o Options) (*Result, error) {
	clock := time.Now()
	learned, err := spectral.Learn(q, spectral.Options{Seed: o.Seed, Rank: o.Rank, Data: o.data.Lead(), Tell: o.Tell})
	if err != nil {
		return nil, err
	}
	res := &Result{Options: o, Queries: &Queries{Membership: learned.Queries}, Spectral: learned}
	if n := len(o.data.Lead()); n > 0 {
		res.Used = fmt.Sprintf("half are among the words that make the basis, half among those that choose the rank, up to %d each", spectral.MostData)
	}
	if learned.DFA != nil {
		res.found(learned.DFA)
	} else {
		res.Warnings = append(res.Warnings, learned.Note)
		res.MergedStates = learned.Rank
		res.Source = sample.FromAutomaton(everything(q.Alphabet()))
	}
	res.Times.Learn = lap(&clock)
	return res, nil
}

// findCounter looks for a counter automaton.
func findCounter(q *oracle.Inquiry, o Options) (*Result, error) {
	clock := time.Now()
	learned, err := tally.Extract(q, tally.Options{Seed: o.Seed, Data: o.data.Lead()})
	if err != nil {
		return nil, err
	}
	res := &Result{Options: o, Counter: learned}
	if n := len(o.data.Lead()); n > 0 {
		res.Used = fmt.Sprintf("%d are among the words that judge automata, and those that are answered wrongly are learned from", min(n, tally.MostData))
	}
	if learned.Automaton.Counts() {
		res.MergedStates, res.Unrolled = learned.Automaton.Len(), unrolled(learned.Automaton)
	} else {
		res.found(learned.Automaton.Finite())
		res.Unrolled = res.Automaton
	}
	if res.Source, err = sample.FromLanguage("the automaton", res.Unrolled, q.Alphabet()); err != nil {
		return nil, err
	}
	res.Times.Learn = lap(&clock)
	return res, nil
}

const (
	countedStates  = 8 // of an automaton, from which on a counter is looked for,
	countedSymbols = 8 // over at most so many symbols: there are three counters for each
)

// countsInstead says that a counter does with few states what an automaton does with many, if
// that is so. Whoever asks for a finite automaton of a network that counts gets it, up to some
// depth, and should know. It is looked for until the time is spent, since the search began.
func countsInstead(q *oracle.Inquiry, o Options, d *automaton.DFA, begin time.Time) (string, bool) {
	if d.Len() < countedStates || q.Alphabet().Len() > countedSymbols || q.Left() < following || q.Stopped() != nil {
		return "", false
	}
	left := o.Time - time.Since(begin)
	if o.Time > 0 && left <= 0 {
		return "", false
	}
	search, free := q.Search(max(0, left)) // which may spend the budget: there is an automaton
	defer free()
	found, err := tally.Extract(search, tally.Options{Seed: o.Seed, Rounds: 1, Least: 0.99, States: d.Len() / 2})
	if err != nil || !found.Automaton.Counts() {
		return "", false
	}
	t := found.Trials[0]
	return fmt.Sprintf("this network counts: an automaton of %s with the counter %s says what it says on %d of %d words near its language; the method %s finds it",
		text.Plural(found.Automaton.Len(), "state"), found.Counter.Name(q.Alphabet()), t.Agree, t.Words, Counter), true
}

// unrolled returns a finite automaton that agrees with a counter automaton on words
// as long as those that agreement is checked on, or shorter if that takes too many
// states.
func unrolled(a *counter.Automaton) *automaton.DFA {
	for length := CountingLength; length > 0; length /= 2 {
		if d, err := a.DFA(length, automaton.DefaultLimit); err == nil {
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
