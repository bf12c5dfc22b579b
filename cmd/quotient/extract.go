package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/extract"
	"quotient/faith"
	"quotient/language"
	"quotient/learn/active"
	"quotient/merge"
	"quotient/prefix"
	"quotient/weighted"
)

func newExtract() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "extract MODEL",
		Short: "Extract an automaton from a network",
		Long: `Extract an automaton from a network, and say how far the two agree.

` + modelHelp + `

` + elsewhereHelp + `

By default the method is fold for alphabets of at most two symbols, if fresh words
agree with its automaton, and explore otherwise; the output says which, and why.

  --method explore  the network's states are followed from the empty word by every symbol,
                    and grouped by evidence: answers after more symbols. Words on which
                    network and automaton disagree split groups until the smallest automaton
                    is found that agrees on words of --lengths 0-30: half of them uniform, a
                    quarter accepted by the automaton, a quarter rejected. Other words where
                    the network departs from it are listed; --pursue spends states on
                    them too. --max-states and --time bound the search, and --plot FILE.svg
                    draws error against states.

Four methods merge the nodes of a prefix tree, that of the network's states over a
sample of words, if they have the same answer and similar states:

  --method fold     merges are carried down until the automaton is deterministic, and
                    undone if two answers clash: every prefix in the sample keeps its
                    answer
  --method union    the paper's text: transitions are united, then determinized
  --method keep     the paper's code: of two conflicting transitions one is kept
  --method kmeans   the paper's baseline: clusters of states

Others look at the network's answers alone, so they serve networks that show no states:

  --method ttt      words are asked for one after the other, and each hypothesis is tested
                    until no word of difference is found; --equivalence says where to
                    look, and --lengths, --max-states and --time bound that
  --method lstar    the same with a table in place of a tree; it asks for more words
  --method edsm     a sample of words is labeled by the network, and their prefix tree is
                    merged by the labels; the merge for which most labels speak comes first
  --method rpni     likewise; the first merge that is possible is made
  --method rpni-star  likewise; some labels may be wrong
  --method spectral a weighted automaton from the network's probabilities ('quotient
                    weights' tells more), and from that a finite one, if there is one

One method is for networks that count, as LSTMs can:

  --method counter  a counter is looked for in a linear projection of the state, and what
                    it does not explain is merged. The answer is an automaton with a
                    counter; -o writes .json and .svg

States count as similar if their cosine is over 1-kappa. With --kappa auto, several
are tried, and the one whose automaton agrees best with the network on fresh words
is taken; --kappa-sweep shows them all.

Half of the sample's words are uniform, half are words that the network accepts, found
by exploring it. --words-from LANGUAGE takes valid words from a language instead, as
the paper does. --target LANGUAGE only checks the answer.`,
		Example: `  quotient extract zoo:tomita5
  quotient extract zoo:tomita4 --method union --kappa 0.01 --words-from tomita4 --target tomita4
  quotient extract runs/tomita3-elman-1 -o tomita3.svg
  quotient extract net.safetensors --symbols a,b --bos 2 --json
  quotient extract zoo:tomita2 --kappa-sweep
  quotient extract zoo:anbn-lstm --method counter --target anbn`,
		Args: exactly("MODEL"),
	}
	f := cmd.Flags()
	networks := networkFlags(cmd)
	elsewhereFlags(cmd, networks)
	var o extract.Options
	method := f.String("method", string(extract.Best), "auto, "+strings.Join(methodList(), ", "))
	kappa := f.String("kappa", "auto", "states merge if their cosine is over 1-kappa; a number in (0, 2], or auto")
	order := f.String("order", string(merge.Breadth), "order in which states are enumerated: breadth, depth, reverse or random")
	f.IntVar(&o.Strings, "strings", 0, "words in the sample (default 300; 1000 for rpni, edsm and rpni-star)")
	f.IntVar(&o.Length, "length", 0, "length of the words (default 10; up to 15 for rpni, edsm and rpni-star)")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the sample")
	f.IntVar(&o.Limit, "limit", 20_000, "most states when determinizing")
	f.IntVar(&o.Clusters, "clusters", 20, "clusters of k-means")
	f.IntVar(&o.Rank, "rank", 0, "states of the weighted automaton of spectral (default: chosen on words held out)")
	equivalence := f.String("equivalence", string(active.Auto), "how lstar and ttt look for words of difference: auto, sample, walks or states")
	from := f.String("words-from", "", "language that valid words are drawn from (default: words that the network accepts)")
	target := f.String("target", "", "language to compare the answer with; it never feeds the sample")
	f.IntVar(&o.Explore.MaxStates, "max-states", 200, "most states that explore, lstar and ttt may open")
	f.DurationVar(&o.Explore.Time, "time", 30*time.Second, "time after which explore, lstar and ttt stop")
	f.BoolVar(&o.Explore.Pursue, "pursue", false, "let explore spend states on every disagreement, not only on likely words")
	lengths := f.String("lengths", "0-30", "lengths of the words on which explore must agree, as LOW-HIGH; lstar and ttt test with words up to HIGH")
	plot := f.String("plot", "", "file for a plot of error against states, as SVG (explore)")
	out := f.String("report", "", "file for a report as one HTML page: the automaton, the certificate, the states, the settings")
	sweep := f.Bool("kappa-sweep", false, "show states and agreement over kappa, and where the plateau lies")
	to, asJSON := outputFlags(cmd), jsonFlag(cmd)

	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *asJSON && to.asked() && to.stdout() {
			return usagef("--json and the automaton both want standard output; add -o FILE")
		}
		for _, name := range []string{"kappa", "target", "output", "to", "report"} {
			if *sweep && f.Changed(name) {
				return usagef("--kappa-sweep shows many automata and ends in none: leave --%s out", name)
			}
		}
		for _, name := range []string{"strings", "length", "limit", "clusters", "max-states", "rank"} {
			if n, _ := f.GetInt(name); f.Changed(name) && n < 1 {
				return usagef("--%s %d: it must be at least 1", name, n)
			}
		}
		o.Method, o.Order = extract.Method(*method), merge.Order(*order)
		if o.Method == extract.Best && (*sweep || f.Changed("strings") || f.Changed("length") || f.Changed("order") || f.Changed("words-from")) {
			o.Method = extract.Fold // what was said of the sample is meant
		}
		if o.Equivalence = active.Equivalence(*equivalence); !slices.Contains(active.Equivalences, o.Equivalence) {
			return usagef("--equivalence %s: it is auto, sample, walks or states", *equivalence)
		}
		if err := checkMeant(f, o.Method); err != nil {
			return err
		}
		var err error
		if o.Kappa, err = parseKappa(*kappa); err != nil {
			return usageError{err}
		}
		if o.Explore.Low, o.Explore.High, err = parseLengths(*lengths); err != nil {
			return usageError{err}
		}
		if o.Explore.Time <= 0 {
			return usagef("--time %v: it must be more than nothing", o.Explore.Time)
		}
		if to.asked() {
			if _, err := to.encoder(); err != nil {
				return err
			}
		}
		m, err := openModel(cmd, args, networks)
		if err != nil {
			return err
		}
		defer m.Close()
		if m.Stateless != "" && o.Method != extract.Best && !o.Method.BlackBox() {
			return fmt.Errorf("%s: method %s looks at states, but %s; --method ttt needs only the network's answers", m.Name, o.Method, m.Stateless)
		}
		if o.Method == extract.Counter {
			return extractCounter(cmd, m, m.Net.(prefix.Recognizer), o.Seed, *target, to, *asJSON)
		}
		if o.Sampler, err = wordsFrom(m.Net, *from); err != nil {
			return err
		}
		if *sweep {
			return sweepKappa(cmd, m.Net.(prefix.Recognizer), o, *asJSON)
		}
		x := extraction{Model: m.Name, Network: m.String()}
		if err := x.run(cmd, m.Net, o, *target); err != nil {
			return err
		}
		if to.asked() {
			if x.res.Automaton == nil {
				return fmt.Errorf("%s: the weighted automaton is no finite one; 'quotient weights' writes it", m.Name)
			}
			if err := to.write(cmd.OutOrStdout(), x.res.Automaton.NFA()); err != nil {
				return err
			}
		}
		if *plot != "" {
			if err := x.plot(*plot, cmd.OutOrStdout()); err != nil {
				return err
			}
		}
		if *out != "" {
			if err := x.report(cmd.Context(), *out, cmd.OutOrStdout(), m.Net, o, commandLine(cmd, args)); err != nil {
				return err
			}
		}
		switch {
		case *asJSON:
			return printJSON(cmd.OutOrStdout(), x)
		case to.asked() && to.stdout():
			return nil
		}
		x.tell(cmd.OutOrStdout())
		return nil
	}
	return cmd
}

// meant says which methods a flag is for, where it is not for all.
var meant = map[string]string{
	"kappa":       "auto fold union keep explore",
	"kappa-sweep": "fold union keep",
	"order":       "fold union keep kmeans",
	"strings":     "fold union keep kmeans rpni edsm rpni-star",
	"length":      "fold union keep kmeans rpni edsm rpni-star",
	"words-from":  "fold union keep kmeans rpni edsm rpni-star",
	"limit":       "auto fold union keep",
	"clusters":    "kmeans",
	"rank":        "spectral",
	"equivalence": "lstar ttt",
	"lengths":     "auto explore lstar ttt",
	"max-states":  "auto explore lstar ttt",
	"time":        "auto explore lstar ttt",
	"pursue":      "auto explore",
	"plot":        "auto explore",
	"report":      "auto fold union keep kmeans explore lstar ttt rpni edsm rpni-star spectral",
}

// checkMeant refuses flags that would change nothing.
func checkMeant(f *pflag.FlagSet, m extract.Method) error {
	if m != extract.Best && !slices.Contains(extract.Methods, m) {
		return usagef("no method is called %q; there are auto, %s", m, strings.Join(methodList(), ", "))
	}
	var err error
	f.Visit(func(flag *pflag.Flag) {
		if methods, some := meant[flag.Name]; err == nil && some && !slices.Contains(strings.Fields(methods), string(m)) {
			err = usagef("--%s changes nothing with --method %s; it is for %s", flag.Name, m, strings.Join(strings.Fields(methods), ", "))
		}
	})
	return err
}

// wordsFrom returns a sampler for the named language, or nil if there is no name.
func wordsFrom(net prefix.Oracle, name string) (*prefix.Sampler, error) {
	if name == "" {
		return nil, nil
	}
	r, ok := net.(prefix.Recognizer)
	if !ok {
		return nil, fmt.Errorf("--words-from %s: the network shows no states, and its words are not sampled", name)
	}
	d, err := language.LoadUpTo(language.Options{Symbols: r.Alphabet().Names()}, countingLength, name)
	if err != nil {
		return nil, err
	}
	return prefix.FromLanguage(r, name, d)
}

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
