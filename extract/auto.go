package extract

import (
	"fmt"
	"slices"
	"time"

	"quotient/learn/explore"
	"quotient/oracle"
	"quotient/sample"
	"quotient/word"
)

// few is up to how many symbols a sample of some hundred words says enough for
// merging to be tried: all words up to length 13 can then judge the result.
const few = 2

// veryWide is from how many numbers on the states of a network elsewhere are left alone: following them, it would be asked
// for some thousand.
const veryWide = 8192

// choosing chooses the method. Over few symbols it folds a sample, and lets fresh words
// judge the result; otherwise, or if they object, it explores. A network without states is
// asked.
func choosing(q *oracle.Inquiry, o Options) (*Result, error) {
	sized := o.States > 0 || o.Error > 0
	if sized && !q.ShowsStates() {
		name := "states"
		if o.States == 0 {
			name = "error"
		}
		return nil, fmt.Errorf("the setting %s chooses among automata that %s meets by following a network's states, and this one shows no states", name, Explore)
	}
	if o.Pursue && q.ShowsStates() {
		return chosen(q, o, Explore, "every disagreement is to be pursued")
	}
	if sized {
		return chosen(q, o, Explore, "a size or a share of errors is asked for, which takes a choice of automata")
	}
	if !q.ShowsStates() {
		why := "the network shows no states, only answers"
		if q.Left() < following {
			why = fmt.Sprintf("a budget of %d words is too small to follow states", o.Budget)
		}
		return chosen(q, o, TTT, why)
	}
	if q.Metered() && q.Dim() > veryWide {
		return chosen(q.Blind(), o, TTT, fmt.Sprintf("states of %d numbers take longer to tell than answers do, and a network elsewhere is asked for these alone", q.Dim()))
	}
	if o.WordsFrom != "" {
		return chosen(q, o, Fold, "words come from a language, and so the states of a sample are merged")
	}
	fold := o
	fold.Method = Fold
	fold = fold.Normal()
	if k := q.Alphabet().Len(); k > few {
		return chosen(q, o, Explore, fmt.Sprintf("a sample of %d words says too little about %d symbols", fold.Strings, k))
	}
	begin := time.Now()
	timed, free := q.Search(o.Time / 2) // the other half is for exploring
	defer free()
	res, why, err := folded(timed, o, fold)
	switch {
	case q.Err() != nil:
		return nil, q.Err()
	case timed.Err() != nil:
		why, err = fmt.Sprintf("there is no time to fold a sample: %v", timed.Err()), nil
	case err == nil && why == "":
		return res, nil
	}
	if err != nil {
		return nil, err
	}
	if res != nil {
		o.known = append(o.known, res.Automaton)
	}
	if o.Time > 0 {
		o.Time = max(time.Millisecond, (o.Time - time.Since(begin)).Truncate(time.Millisecond))
	}
	return chosen(q, o, Explore, why)
}

// folded folds a sample, and says why that is not good enough if it is not.
func folded(q *oracle.Inquiry, o, fold Options) (res *Result, why string, err error) {
	p, err := prepared(q, fold)
	if err != nil {
		return nil, fmt.Sprintf("there is no sample to fold: %v", err), nil
	}
	if res, err = p.At(q, o.Kappa); err != nil {
		return nil, "", err
	}
	if o.Kappa != ChosenKappa {
		res.Chosen = "kappa is given, and so the states of a sample are merged"
		return res, "", nil
	}
	fresh, err := sample.FromAutomaton(res.Automaton).Draw(q, 4000, 0, 30, sample.Rand(o.Seed, sample.Objects))
	if err != nil {
		return nil, "", err
	}
	words := slices.Concat(word.UpTo(q.Alphabet().Len(), shortWords), fresh.Words)
	if wrong := len(words) - q.Label(words).Agree(res.Automaton); wrong > 0 {
		return res, fmt.Sprintf(
			"a sample of %d words is too small: the automaton that folding it gives disagrees with the network on %d of %d short or fresh words",
			fold.Strings, wrong, len(words)), nil
	}
	res.Chosen = fmt.Sprintf("the automaton agrees with the network on all of %d short or fresh words", len(words))
	return res, "", nil
}

// shortWords is how many short words may object to a folded automaton.
const shortWords = 20_000

// chosen runs a method that was chosen, and says why.
func chosen(q *oracle.Inquiry, o Options, name, why string) (*Result, error) {
	o.Method = name
	m, err := Find(name)
	if err != nil {
		return nil, err
	}
	res, err := m.Run(q, o.Normal())
	if res != nil {
		res.Chosen = why
	}
	return res, err
}

// doubting says what a search did with some words of the user's. A budget, the clock or the user may have ended it before all of them
// raised doubts, or before any was asked about: then no word judged automata, and at most the trade-off was measured by them.
func doubting(q *oracle.Inquiry, o Options, found *explore.Result, words int) string {
	if j := found.Judges; j.Accepted+j.Rejected == 0 {
		return "none leads the search, which ended before"
	}
	upTo := ""
	if o.Budget > 0 || found.Stopped != "" && (o.Time > 0 || q.Stopped() != nil) {
		upTo = "up to "
	}
	return fmt.Sprintf("%s%d raise doubts, and all of them judge", upTo, min(words, explore.MostData))
}

// exploring wraps the result of package explore.
func exploring(q *oracle.Inquiry, o Options) (*Result, error) {
	clock := time.Now()
	found, err := explore.Run(q, explore.Options{
		Seed: o.Seed, Kappa: o.Kappa, Low: o.Low, High: o.High, MaxStates: max(o.MaxStates, o.States), Work: o.Work, Time: o.Time, Pursue: o.Pursue,
		States: o.States, Error: o.Error,
		Known: o.known, Data: o.data.Lead(), Tell: o.Tell,
	})
	if found == nil {
		return nil, err
	}
	res := &Result{Options: o, Explored: found}
	res.found(found.Automaton)
	res.MergedStates = found.Representatives
	if n := found.Automaton.Len(); o.States > 0 && n > o.States {
		res.Warnings = append(res.Warnings, fmt.Sprintf("no automaton of at most %d states was met; the smallest has %d", o.States, n))
	}
	if least := found.Tradeoff[len(found.Tradeoff)-1].Error; o.Error > 0 && least > o.Error {
		res.Warnings = append(res.Warnings, fmt.Sprintf("no automaton was met that errs on at most %.6g%% of the words; this one errs on the fewest, %.2g%%", 100*o.Error, 100*least))
	}
	if n := len(o.data.Lead()); n > 0 {
		res.Used = doubting(q, o, found, n)
	}
	if hint, ok := countsInstead(q, o, found.Automaton, clock); ok {
		res.Suggests = Counter
		res.Warnings = append(res.Warnings, hint)
	}
	for _, c := range found.Counterexamples {
		res.Counterexamples = append(res.Counterexamples, c.Word)
	}
	res.Times.Explore = lap(&clock)
	return res, err
}
