package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/extract"
	"quotient/faith"
	"quotient/language"
	"quotient/prefix"
	"quotient/weighted"
)

// An extraction is what extract prints, as text or as JSON.
type extraction struct {
	Model        string              `json:"model"`
	Network      string              `json:"network"`
	Method       extract.Method      `json:"method"`
	Chosen       string              `json:"chosen,omitempty"` // why this method was, if it was left open
	Kappa        float64             `json:"kappa"`            // 0 where there is none
	Why          string              `json:"why,omitempty"`
	Strings      int                 `json:"strings"`
	Length       int                 `json:"length"`
	Seed         uint64              `json:"seed"`
	WordsFrom    string              `json:"words_from"`
	TreeNodes    int                 `json:"tree_nodes"`
	MergedStates int                 `json:"merged_states"`
	States       int                 `json:"states"`
	Saturation   extract.Saturation  `json:"saturation"`
	Trials       []extract.Trial     `json:"trials,omitempty"`
	Agreement    agreement           `json:"agreement"`
	Explored     *explored           `json:"explored,omitempty"` // of the method explore
	Target       *targetCheck        `json:"target,omitempty"`
	Warnings     []string            `json:"warnings,omitempty"`
	Seconds      float64             `json:"seconds"`
	Times        extract.Times       `json:"times"`              // the parts of the extraction, in seconds
	Queries      *extract.Queries    `json:"queries,omitempty"`  // of a learner
	Weighted     *weighted.Automaton `json:"weighted,omitempty"` // of the method spectral
	Automaton    *codec.JSON         `json:"automaton"`          // null if none is finite

	res *extract.Result
}

type agreement struct {
	*faith.Report
	Shortest *string `json:"shortest_disagreement"` // null if none was found
}

type targetCheck struct {
	Name    string  `json:"name"`
	Equal   bool    `json:"equal"`
	Witness *string `json:"witness"` // a shortest word of difference, null if equal
	Accepts bool    `json:"target_accepts_witness"`
}

// run extracts, checks the agreement and compares with the target.
func (x *extraction) run(cmd *cobra.Command, net prefix.Oracle, o extract.Options, target string) error {
	begin := time.Now()
	var targetDFA *automaton.DFA
	if target != "" {
		var err error
		if targetDFA, err = language.LoadUpTo(language.Options{Symbols: net.Alphabet().Names()}, countingLength, target); err != nil {
			return err
		}
	}
	if errs := cmd.ErrOrStderr(); isTerminal(errs) {
		line, clear := statusLine(errs)
		defer clear()
		o.Tell = func(states, words int) { line("%s, %s asked about", plural(states, "state"), plural(words, "word")) }
	}
	res, err := extract.Run(cmd.Context(), net, o)
	if err != nil {
		return err
	}
	// The words of the report have no part in the extraction.
	words := faith.Options{Known: res.Exceptions}
	if res.Explored != nil {
		words.Low, words.High = res.Options.Explore.Low, res.Options.Explore.High
		words.Search = min(5000, max(500, 40_000/net.Alphabet().Len())) // exploring has searched already
	}
	rep, err := faith.Check(cmd.Context(), net, res.Acceptor(), res.Sampler, words, rand.New(rand.NewPCG(o.Seed, 100)))
	if err != nil {
		return err
	}
	if cmd.Context().Err() != nil {
		return context.Cause(cmd.Context()) // a model that runs elsewhere has failed
	}
	x.res = res
	x.Method, x.Chosen, x.Why = res.Options.Method, res.Chosen, res.Why
	if x.Method != extract.KMeans {
		x.Kappa = res.Options.Kappa
	}
	x.Strings, x.Length, x.Seed = res.Options.Strings, res.Options.Length, o.Seed
	x.WordsFrom = res.Sampler.Source
	x.MergedStates, x.States, x.Queries = res.MergedStates, res.States(), res.Queries
	switch {
	case res.Explored != nil:
		x.Explored = newExplored(res.Explored, net.Alphabet())
	case res.Tree != nil:
		x.TreeNodes = res.Tree.Len()
	case res.Spectral != nil:
		x.Weighted = res.Spectral.Automaton
	}
	x.Saturation, x.Trials, x.Warnings, x.Times = res.Saturation, res.Trials, res.Warnings, res.Times
	x.Agreement = agreement{Report: rep}
	if rep.Found {
		text := net.Alphabet().Format(rep.Shortest)
		x.Agreement.Shortest = &text
	}
	if targetDFA != nil && res.Automaton != nil {
		if x.Target, err = compareWithTarget(target, targetDFA, res.Automaton); err != nil {
			return err
		}
	}
	if res.Automaton != nil {
		x.Automaton = &codec.JSON{NFA: res.Automaton.NFA()}
	}
	if cmd.Context().Err() != nil {
		return context.Cause(cmd.Context())
	}
	x.Seconds = time.Since(begin).Seconds()
	return nil
}

func compareWithTarget(name string, target, d *automaton.DFA) (*targetCheck, error) {
	over, err := d.WithAlphabet(target.Alphabet)
	if err != nil {
		return nil, err
	}
	w, differ := automaton.Distinguish(target, over)
	check := &targetCheck{Name: name, Equal: !differ}
	if differ {
		text := target.Alphabet.Format(w)
		check.Witness, check.Accepts = &text, target.Accepts(w)
	}
	return check, nil
}

// tell prints the result for people.
func (x *extraction) tell(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n", x.Model, x.Network)
	if x.Chosen != "" {
		fmt.Fprintf(w, "method %s: %s\n", x.Method, x.Chosen)
	}
	switch {
	case x.Explored != nil:
		x.Explored.tell(w)
	case x.Queries != nil:
		x.tellQueries(w)
	default:
		x.tellSample(w)
	}
	for _, warning := range x.Warnings {
		fmt.Fprintf(w, "note: %s\n", warning)
	}
	fmt.Fprintln(w)
	if x.res.Automaton != nil {
		show(w, x.res.Automaton)
	} else {
		fmt.Fprintf(w, "a weighted automaton of %s\n", plural(x.States, "state"))
	}
	fmt.Fprintln(w)
	x.Agreement.tell(w, x.Method)
	if x.Explored != nil {
		x.Explored.tellFindings(w)
	}
	if x.Target != nil {
		fmt.Fprintln(w, x.Target)
	}
}

// tellQueries prints what a learner asked for.
func (x *extraction) tellQueries(w io.Writer) {
	q := x.Queries
	fmt.Fprintf(w, "%s asked the network for %s", x.Method, plural(q.Membership, "word"))
	if q.Equivalence > 0 {
		fmt.Fprintf(w, " (%d more times for one of them), and tested %s on %s", q.CacheHits,
			plural(q.Equivalence, "hypothesis", "hypotheses"), plural(q.TestWords, "word"))
	}
	fmt.Fprintln(w)
	if s := x.res.Spectral; s != nil {
		fmt.Fprintf(w, "a weighted automaton of rank %d: %s\n%s\n", s.Rank, s.Why, s.Note)
	}
}

// tellSample prints where the automaton comes from if words were sampled.
func (x *extraction) tellSample(w io.Writer) {
	fmt.Fprintf(w, "sample: %d words of length %d, %d of them %s\n", x.Strings, x.Length, x.res.Sample.Valid, x.WordsFrom)
	fmt.Fprintf(w, "prefix tree of %s, merged to %s (%s", plural(x.TreeNodes, "node"), plural(x.MergedStates, "state"), x.Method)
	if x.Kappa > 0 {
		fmt.Fprintf(w, ", kappa %.3g", x.Kappa)
	}
	fmt.Fprintln(w, ")")
	if x.Why != "" {
		fmt.Fprintf(w, "kappa %.3g %s\n", x.Kappa, x.Why)
	}
}

func (a agreement) tell(w io.Writer, method extract.Method) {
	fmt.Fprintln(w, "agreement with the network:")
	fmt.Fprintf(w, "  %d of %d words drawn at random: %s\n", a.Agree, a.Words, a.Drawn)
	fmt.Fprintf(w, "  %d of all %d words up to length %d\n", a.Exhaustive.Agree, a.Exhaustive.Words, a.Exhaustive.High)
	fmt.Fprintf(w, "  %d of %d words of length %d\n", a.Long.Agree, a.Long.Words, a.Long.High)
	if a.Shortest != nil {
		fmt.Fprintf(w, "  shortest word of disagreement found: %s\n", shorten(*a.Shortest, 100))
	} else if a.Searched > 0 {
		fmt.Fprintf(w, "  a search along %d prefixes found no disagreement\n", a.Searched)
	}
	switch {
	case a.Shortest == nil:
	case method == extract.Counter:
		fmt.Fprintln(w, "  there the network loses count, or counts what the automaton does not")
	case !method.Samples():
	case a.Agree == a.Words && a.Exhaustive.Agree == a.Exhaustive.Words:
		fmt.Fprintln(w, "  they part on long words alone: either the network loses track there, or the sample is too small")
	default:
		fmt.Fprintln(w, "  a larger sample may bring them closer: more --strings, or a greater --length")
	}
	fmt.Fprintf(w, "certificate: with confidence %g%%, the two disagree on fewer than %.2g%% of all words drawn in this way\n",
		100*a.Confidence, 100*a.Bound)
}

// shorten cuts long text in the middle.
func shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return fmt.Sprintf("%s … %s (%d characters)", string(runes[:most/2]), string(runes[len(runes)-most/2:]), len(runes))
}

func (t *targetCheck) String() string {
	if t.Equal {
		return fmt.Sprintf("target %s: exactly this language", t.Name)
	}
	does := "rejects"
	if t.Accepts {
		does = "accepts"
	}
	return fmt.Sprintf("target %s: another language; a shortest word of difference, which the target %s: %s", t.Name, does, *t.Witness)
}
