package extract

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"quotient/automaton"
	"quotient/language"
	"quotient/learn/explore"
	"quotient/learn/spectral"
	"quotient/learn/tally"
	"quotient/merge"
	"quotient/oracle"
	"quotient/prefix"
	"quotient/sample"
	"quotient/word"
)

// A Result is an automaton and how it came about.
type Result struct {
	Options      Options // as they were used, defaults filled in and kappa chosen
	Words        string  // where those of the sample come from, in words; empty: the method found its own
	Sample       sample.Sample
	Tree         *prefix.Tree
	Log          []merge.Step   // what was merged; none for k-means
	Merged       *automaton.DFA // before minimization, reachable states only
	MergedStates int            // reachable states after merging, before any determinizing
	Automaton    *automaton.DFA // minimal; nil if what was extracted is no finite automaton: see Acceptor
	Saturation   Saturation
	Trials       []Trial // of kappa, if it was chosen by evidence
	Why          string  // it was chosen, in words
	Chosen       string  // why the method was, in words, if that was left open
	Warnings     []string
	Data         *Data          // words of the user's; nil: none
	Used         string         // what the method did with the seeds among them, in words; empty: nothing
	Source       *sample.Source // of words that show whether network and automaton agree
	Times        Times

	Suggests string // a method that would do better, as far as is known; a warning says why

	Counterexamples []word.Word // that a search met and left, shortest first
	Queries         *Queries    // of a learner
	Explored        *explore.Result
	Spectral        *spectral.Result
	Counter         *tally.Result
	Unrolled        *automaton.DFA // what stands in for an automaton with a counter on words up to CountingLength
}

// Times says how long the parts took, in seconds.
type Times struct {
	Sample   float64 `json:"sample"` // finding words, exploring the network if need be
	Tree     float64 `json:"tree"`   // running the network over them
	Merge    float64 `json:"merge"`  // merging, for every kappa tried
	Minimize float64 `json:"minimize"`
	Explore  float64 `json:"explore"` // all of it, by the method of that name
	Learn    float64 `json:"learn"`   // all of it, by a learner
}

// lap returns the seconds since the time, which it sets to now.
func lap(since *time.Time) float64 {
	begin := *since
	*since = time.Now()
	return since.Sub(begin).Seconds()
}

// Queries count what a learner asked of the network.
type Queries struct {
	Membership  int `json:"membership_queries"`  // distinct words that it asked for
	CacheHits   int `json:"cache_hits"`          // times that it asked for one of them again
	Equivalence int `json:"equivalence_queries"` // hypotheses that were put to the test
	TestWords   int `json:"test_words"`          // words that those tests asked for
}

// Run extracts an automaton from a network. If the inquiry ends, why it did is the error; the
// result is then what the method had found until that, if it is one that has something.
// When searches are to stop, or the budget is spent, what they have found is the result.
func Run(q *oracle.Inquiry, o Options) (*Result, error) {
	m, err := Find(o.Normal().Method)
	if err != nil {
		return nil, err
	}
	if o, err = o.ready(q); err != nil {
		return nil, err
	}
	if m.NeedsStates() && !q.ShowsStates() {
		return nil, fmt.Errorf("method %s looks at the network's states, and it shows none; %s", m.Name, Instead())
	}
	if q.Left() < following && !m.NeedsStates() {
		q = q.Blind() // every prefix would have its price
	}
	var res *Result
	for longest := -1; longest != q.Longest(); { // again if it turns out that words were too long
		longest = q.Longest()
		res, err = m.Run(q, o.within(longest))
	}
	if ended := q.Err(); ended != nil { // whatever it led to
		if spent := (*oracle.BudgetError)(nil); errors.As(ended, &spent) {
			ended = fmt.Errorf("%w before there is an automaton; %s makes do with fewer words than most, and a larger budget allows for more", ended, TTT)
		}
		err = ended
	}
	if res == nil {
		return nil, err
	}
	if o.data != nil {
		res.Data, res.Warnings = o.data, append(slices.Clone(o.data.Warnings), res.Warnings...)
	}
	if !q.ReadsEmpty() {
		res.leaveOpen()
	}
	return res, err
}

// following is how large a budget must be for states to be followed, where that is not
// asked for: then all prefixes of a word are asked about.
const following = 30_000

// within returns the options with lengths that the network reads.
func (o Options) within(longest int) Options {
	o.Length, o.High = min(o.Length, longest), min(o.High, longest)
	o.Low = min(o.Low, o.High)
	return o
}

// leaveOpen lets the empty word be accepted or not, whichever takes fewer states, where the
// network cannot be asked about it.
func (r *Result) leaveOpen() {
	if r.Automaton == nil || r.Unrolled != nil {
		return
	}
	r.Warnings = append(r.Warnings, "the network cannot be asked about the empty word: what the automaton says of it means nothing")
	d := r.Automaton
	other := automaton.NewDFA(d.Alphabet, d.Len()+1)
	copy(other.Table, d.Table)
	copy(other.Accept, d.Accept)
	other.Start = automaton.State(d.Len() + 1)
	other.Accept[other.Start] = !d.Accept[d.Start]
	for s := range d.Alphabet.Len() {
		other.SetNext(other.Start, word.Symbol(s), d.Next(d.Start, word.Symbol(s)))
	}
	if other = automaton.Minimize(other); other.Len() < d.Len() {
		r.Automaton = other
	}
}

// Instead says which methods serve a network without states.
func Instead() string {
	return fmt.Sprintf("the methods %s and %s need only its answers", TTT, LStar)
}

// CountingLength is the length up to which a counting language stands in for itself as a
// finite automaton.
const CountingLength = 500

// LoadLanguage returns the automaton of a language over an alphabet that may have more
// symbols, as one gives it for words to draw or to compare with.
func LoadLanguage(name string, over *word.Alphabet) (*automaton.DFA, error) {
	return language.LoadUpTo(language.Options{Symbols: over.Names()}, CountingLength, name)
}

// ready returns normal options that have been checked, with the user's words and the language
// of valid words.
func (o Options) ready(q *oracle.Inquiry) (Options, error) {
	o = o.Normal()
	err := o.check(q.Alphabet().Len())
	if err == nil && o.Data != "" && o.data == nil {
		o.data, err = ReadData(o, q.Alphabet(), q.Reads)
	}
	if err != nil || o.WordsFrom == "" || o.source != nil {
		return o, err
	}
	d, err := LoadLanguage(o.WordsFrom, q.Alphabet())
	if err == nil {
		o.source, err = sample.FromLanguage(o.WordsFrom, d, q.Alphabet())
	}
	return o, err
}

// Acceptor returns what was extracted, whatever its kind.
func (r *Result) Acceptor() oracle.Acceptor {
	switch {
	case r.Automaton != nil:
		return r.Automaton
	case r.Counter != nil:
		return r.Counter.Automaton
	}
	return r.Spectral.Automaton
}

// States returns the number of states of what was extracted.
func (r *Result) States() int { return r.Acceptor().(interface{ Len() int }).Len() }

// UsedKappa returns the kappa by which states were merged, or 0 if none were.
func (r *Result) UsedKappa() float64 {
	if m, _ := Find(r.Options.Method); m.Reads("kappa") && r.Tree != nil {
		return r.Options.Kappa
	}
	return 0
}

// found fills in an automaton that was learned.
func (r *Result) found(d *automaton.DFA) {
	r.Automaton, r.Merged, r.MergedStates = d, d, d.Len()
	r.Source = sample.FromAutomaton(d)
}

// tell says how far learning is, if anybody wants to know.
func (r *Result) tell(states, words int) {
	if r.Options.Tell != nil {
		r.Options.Tell(states, words)
	}
}
