package study

import (
	"fmt"
	"io"
	"slices"

	"quotient/extract"
	"quotient/internal/text"
	"quotient/learn/explore"
)

// Tell writes the study for people: first the answer, and how far to trust it, then how it
// was found.
func (s *Study) Tell(w io.Writer) {
	switch {
	case s.Result.Automaton != nil:
		text.Automaton(w, s.Result.Automaton)
	case s.Result.Counter != nil:
		text.Counter(w, s.Result.Counter.Automaton)
	default:
		fmt.Fprintln(w, text.Strong(w, fmt.Sprintf("a weighted automaton of %s", text.Plural(s.States, "state"))))
	}
	if s.Target != nil {
		fmt.Fprintln(w, text.Verdict(w, s.Target.Equal, s.Target.String()))
	}
	if s.FiniteUpTo != nil {
		fmt.Fprintf(w, "for comparison: finite automata of %s are right on all words up to length %d at most\n",
			text.Plural(s.States, "state"), *s.FiniteUpTo)
	}
	fmt.Fprintln(w)
	if s.Agreement != nil {
		s.Agreement.Tell(w, s.Method)
	} else {
		fmt.Fprintln(w, "agreement with the network: not known")
	}
	s.Data.tell(w)
	if s.Explored != nil {
		tellCounterexamples(w, s.Examples)
	}
	s.tellAsked(w)
	for _, note := range s.Notes {
		fmt.Fprintf(w, "warning: %s\n", note)
	}
	for _, warning := range s.Warnings {
		fmt.Fprintf(w, "note: %s\n", warning)
	}
	fmt.Fprintln(w)
	s.tellHow(w)
}

// tellHow says who was asked, and how the automaton was found.
func (s *Study) tellHow(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n", s.Model, s.Network)
	fmt.Fprintf(w, "read as: %s\n", s.Reading)
	if s.Chosen != "" {
		fmt.Fprintf(w, "method %s: %s\n", s.Method, s.Chosen)
	}
	switch {
	case s.Explored != nil:
		s.Explored.tell(w, s.States)
	case s.Queries != nil:
		s.tellQueries(w)
	case s.Result.Counter != nil:
		s.tellCounter(w)
	default:
		s.tellSample(w)
	}
}

// tellAsked says what was asked where words have their price, and what came between.
func (s *Study) tellAsked(w io.Writer) {
	if s.budget > 0 {
		fmt.Fprintf(w, "asked: %s of a budget of %d, evaluation included\n", text.Plural(s.Asked, "word"), s.budget)
	} else if s.metered() {
		fmt.Fprintf(w, "asked: %s, evaluation included\n", text.Plural(s.Asked, "word"))
	}
	if s.Interrupted {
		fmt.Fprintln(w, "interrupted: this is the best automaton until then")
	}
	if s.Failure != "" {
		fmt.Fprintf(w, "error: %s\n", s.Failure)
	}
}

// tellSample says where the automaton comes from if words were sampled.
func (s *Study) tellSample(w io.Writer) {
	fmt.Fprintf(w, "sample: %d words of length %d, %d of them %s\n", s.Strings, s.Length, s.Valid, s.WordsFrom)
	fmt.Fprintf(w, "prefix tree of %s, merged to %s (%s", text.Plural(s.TreeNodes, "node"), text.Plural(s.MergedStates, "state"), s.Method)
	if s.Kappa > 0 {
		fmt.Fprintf(w, ", kappa %.3g", s.Kappa)
	}
	fmt.Fprintln(w, ")")
	if s.Why != "" {
		fmt.Fprintf(w, "kappa %.3g %s\n", s.Kappa, s.Why)
	}
}

// tellQueries says what a learner asked for.
func (s *Study) tellQueries(w io.Writer) {
	q := s.Queries
	fmt.Fprintf(w, "%s asked the network for %s", s.Method, text.Plural(q.Membership, "word"))
	if q.Equivalence > 0 {
		fmt.Fprintf(w, " (%d more times for one of them), and tested %s on %s", q.CacheHits,
			text.Plural(q.Equivalence, "hypothesis", "hypotheses"), text.Plural(q.TestWords, "word"))
	}
	fmt.Fprintln(w)
	if x := s.Result.Spectral; x != nil {
		fmt.Fprintf(w, "a weighted automaton of rank %d: %s\n%s\n", x.Rank, x.Why, x.Note)
	}
}

// tellCounter says which counter was found.
func (s *Study) tellCounter(w io.Writer) {
	if s.Counter == "none" {
		fmt.Fprintf(w, "no counter is needed: over %d prefixes, a finite automaton does\n", s.Prefixes)
		return
	}
	fmt.Fprintf(w, "counter %s: over %d prefixes, a linear function of the network's state explains %.2f%% of it\n",
		s.Counter, s.Prefixes, 100**s.Explained)
}

// tell says how the automaton was found, and, if no automaton agrees on all words or a smaller one than the best was taken, how the
// error falls with the number of states.
func (e *Explored) tell(w io.Writer, states int) {
	fmt.Fprintf(w, "explored: %s opened; the automaton came of %s\n", text.Plural(e.Representatives, "representative"), e.Source)
	fmt.Fprintf(w, "judged by %s that the network accepts, %d that it rejects, and by what each automaton says itself\n",
		text.Plural(e.Judged.Accepted, "word"), e.Judged.Rejected)
	if e.Stopped != "" {
		fmt.Fprintf(w, "the search ended because %s\n", e.Stopped)
	}
	switch best := e.Tradeoff[len(e.Tradeoff)-1]; {
	case best.Error > 0:
		fmt.Fprintf(w, "no automaton that was found agrees with the network on all words of length %d to %d; the best of each size, and its error on %s:\n",
			e.Lengths[0], e.Lengths[1], e.Measured)
	case states < best.States:
		fmt.Fprintf(w, "the best automaton of each size, and its error on %s:\n", e.Measured)
	default:
		if p, ok := e.smaller(states); ok {
			fmt.Fprintf(w, "a much smaller automaton is nearly as good: %s wrong on %.2g%% of %s; --states %d takes it\n",
				text.Plural(p.States, "state is", "states are"), 100*p.Error, e.Measured, max(1, p.States))
		}
		return
	}
	t := text.Table("states", "error", "")
	for _, p := range e.Tradeoff {
		mark := ""
		if p.Chosen {
			mark = "← chosen"
		}
		t.AppendRow(text.Row{p.States, fmt.Sprintf("%.2f%%", 100*p.Error), mark})
	}
	text.Print(w, t)
}

// nearly is the share of words on which an automaton may err more than another and be nearly as good.
const nearly = 0.01

// smaller returns the smallest automaton of the trade-off that is nearly as good as one of so many
// states and has at most half of them, if there is one.
func (e *Explored) smaller(states int) (explore.Point, bool) {
	i := slices.IndexFunc(e.Tradeoff, func(p explore.Point) bool {
		return p.Error <= e.Tradeoff[len(e.Tradeoff)-1].Error+nearly
	})
	return e.Tradeoff[i], e.Tradeoff[i].States <= states/2
}

// tellCounterexamples lists the first words where the network departs from the automaton.
func tellCounterexamples(w io.Writer, list []Counterexample) {
	const most = 5
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(w, "counterexamples: the network departs from the automaton on words such as")
	for _, c := range list[:min(most, len(list))] {
		fmt.Fprintf(w, "  %s, which the network %s\n", text.Shorten(c.Word, 100), text.Accepts(c.Network))
	}
}

// Lines says on how many words the two agree, a kind of words a line.
func (a *Agreement) Lines() []string {
	list := []string{fmt.Sprintf("%d of %d words drawn at random: %s", a.Agree, a.Words, a.Drawn)}
	if x := a.Exhaustive; x.Words > 0 {
		but := ""
		if x.Low > 0 {
			but = ", the empty one left out"
		}
		list = append(list, fmt.Sprintf("%d of all %d words up to length %d%s", x.Agree, x.Words, x.High, but))
	}
	if x := a.Long; x.Words > 0 {
		list = append(list, fmt.Sprintf("%d of %d words of length %d", x.Agree, x.Words, x.High))
	}
	return list
}

// Tell writes the agreement for people; the method is that of the automaton.
func (a *Agreement) Tell(w io.Writer, method string) {
	fmt.Fprintln(w, "agreement with the network:")
	for _, line := range a.Lines() {
		fmt.Fprintf(w, "  %s\n", line)
	}
	if a.Shortest != nil {
		fmt.Fprintf(w, "  %s %s\n", text.Verdict(w, false, "shortest word of disagreement found:"), text.Shorten(*a.Shortest, 100))
		if advice := a.advice(method); advice != "" {
			fmt.Fprintf(w, "  %s\n", advice)
		}
	} else if a.Searched > 0 {
		fmt.Fprintf(w, "  a search along %d prefixes found no disagreement\n", a.Searched)
	}
	fmt.Fprintf(w, "%s %s\n", text.Strong(w, "certificate:"), a.Certificate())
	for _, remark := range a.Remarks {
		fmt.Fprintf(w, "warning: %s\n", remark)
	}
}

// advice says what a disagreement may mean.
func (a *Agreement) advice(method string) string {
	m, err := extract.Find(method)
	switch {
	case err != nil:
		return ""
	case m.Kind == extract.Counts:
		return "there the network loses count, or counts what the automaton does not"
	case m.Kind != extract.Merges:
		return ""
	case a.Agree == a.Words && a.Exhaustive.Agree == a.Exhaustive.Words:
		return "they part on long words alone: either the network loses track there, or the sample is too small"
	}
	return "a larger sample may bring them closer: more strings, or a greater length"
}
