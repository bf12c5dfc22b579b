package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quotient/extract"
	"quotient/language"
	"quotient/learn/active"
	"quotient/merge"
	"quotient/model"
	"quotient/prefix"
)

func newExtract() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "extract MODEL",
		Short: "Extract an automaton from a network",
		Long:  extractHelp,
		Example: `  quotient extract zoo:tomita5
  quotient extract zoo:tomita4 --method union --kappa 0.01 --words-from tomita4 --target tomita4
  quotient extract runs/tomita3-elman-1 -o tomita3.svg
  quotient extract net.safetensors --symbols a,b --bos 2 --json
  quotient extract zoo:tomita2 --kappa-sweep
  quotient extract zoo:anbn-lstm --method counter --target anbn`,
		Args: exactly("MODEL"),
	}
	f := extractFlags{FlagSet: cmd.Flags(), networks: networkFlags(cmd)}
	elsewhereFlags(cmd, f.networks)
	f.add()
	f.to, f.asJSON = outputFlags(cmd), jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(); err != nil {
			return err
		}
		return f.run(cmd, args)
	}
	return cmd
}

// extractFlags are the flags of extract.
type extractFlags struct {
	*pflag.FlagSet
	o        extract.Options
	networks *model.Options
	to       *destination
	asJSON   *bool
	sweep    bool

	method, kappa, order, equivalence, lengths string // as they are written
	from, target                               string // languages
	plot, report                               string // files
}

// add defines the flags.
func (f *extractFlags) add() {
	o := &f.o
	f.StringVar(&f.method, "method", string(extract.Best), "auto, "+strings.Join(methodList(), ", "))
	f.StringVar(&f.kappa, "kappa", "auto", "states merge if their cosine is over 1-kappa; a number in (0, 2], or auto")
	f.StringVar(&f.order, "order", "", "order in which states are enumerated: released, first, breadth, depth, reverse or random (default released for union and keep, breadth otherwise)")
	f.IntVar(&o.Strings, "strings", 0, "words in the sample (default 300; 1000 for rpni, edsm and rpni-star)")
	f.IntVar(&o.Length, "length", 0, "length of the words (default 10; up to 15 for rpni, edsm and rpni-star)")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the sample")
	f.IntVar(&o.Limit, "limit", 20_000, "most states when determinizing")
	f.IntVar(&o.Clusters, "clusters", 20, "clusters of k-means")
	f.IntVar(&o.Rank, "rank", 0, "states of the weighted automaton of spectral (default: chosen on words held out)")
	f.StringVar(&f.equivalence, "equivalence", string(active.Auto), "how lstar and ttt look for words of difference: auto, sample, walks or states")
	f.StringVar(&f.from, "words-from", "", "language that valid words are drawn from (default: words that the network accepts)")
	f.StringVar(&f.target, "target", "", "language to compare the answer with; it never feeds the sample")
	f.IntVar(&o.Explore.MaxStates, "max-states", 200, "most states that explore, lstar and ttt may open")
	f.DurationVar(&o.Explore.Time, "time", 30*time.Second, "time after which explore, lstar and ttt stop")
	f.BoolVar(&o.Explore.Pursue, "pursue", false, "let explore spend states on every disagreement, not only on likely words")
	f.StringVar(&f.lengths, "lengths", "0-30", "lengths of the words on which explore must agree, as LOW-HIGH; lstar and ttt test with words up to HIGH")
	f.StringVar(&f.plot, "plot", "", "file for a plot of error against states, as SVG (explore)")
	f.StringVar(&f.report, "report", "", "file for a report as one HTML page: the automaton, the certificate, the states, the settings")
	f.BoolVar(&f.sweep, "kappa-sweep", false, "show states and agreement over kappa, and where the plateau lies")
}

// check refuses flags that make no sense, alone or together, and reads those that are
// more than a number into the options.
func (f *extractFlags) check() (err error) {
	if *f.asJSON && f.to.asked() && f.to.stdout() {
		return usagef("--json and the automaton both want standard output; add -o FILE")
	}
	for _, name := range []string{"kappa", "target", "output", "to", "report"} {
		if f.sweep && f.Changed(name) {
			return usagef("--kappa-sweep shows many automata and ends in none: leave --%s out", name)
		}
	}
	for _, name := range []string{"strings", "length", "limit", "clusters", "max-states", "rank"} {
		if n, _ := f.GetInt(name); f.Changed(name) && n < 1 {
			return usagef("--%s %d: it must be at least 1", name, n)
		}
	}
	o := &f.o
	o.Method, o.Order = extract.Method(f.method), merge.Order(f.order)
	if o.Method == extract.Best && (f.sweep || slices.ContainsFunc([]string{"strings", "length", "order", "words-from"}, f.Changed)) {
		o.Method = extract.Fold // what was said of the sample is meant
	}
	if o.Equivalence = active.Equivalence(f.equivalence); !slices.Contains(active.Equivalences, o.Equivalence) {
		return usagef("--equivalence %s: it is auto, sample, walks or states", f.equivalence)
	}
	if err := checkMeant(f.FlagSet, o.Method); err != nil {
		return err
	}
	if o.Kappa, err = parseKappa(f.kappa); err != nil {
		return usageError{err}
	}
	if o.Explore.Low, o.Explore.High, err = parseLengths(f.lengths); err != nil {
		return usageError{err}
	}
	if o.Explore.Time <= 0 {
		return usagef("--time %v: it must be more than nothing", o.Explore.Time)
	}
	if f.to.asked() {
		_, err = f.to.encoder()
	}
	return err
}

// run extracts and prints.
func (f *extractFlags) run(cmd *cobra.Command, args []string) error {
	m, err := openModel(cmd, args, f.networks)
	if err != nil {
		return err
	}
	defer m.Close()
	o := f.o
	if m.Stateless != "" && o.Method != extract.Best && !o.Method.BlackBox() {
		return fmt.Errorf("%s: method %s looks at states, but %s; --method ttt needs only the network's answers", m.Name, o.Method, m.Stateless)
	}
	if o.Method == extract.Counter {
		return extractCounter(cmd, m, m.Net.(prefix.Recognizer), o.Seed, f.target, f.to, *f.asJSON)
	}
	if o.Sampler, err = wordsFrom(m.Net, f.from); err != nil {
		return err
	}
	if f.sweep {
		return sweepKappa(cmd, m.Net.(prefix.Recognizer), o, *f.asJSON)
	}
	x := extraction{Model: m.Name, Network: m.String()}
	if err := x.run(cmd, m.Net, o, f.target); err != nil {
		return err
	}
	if f.to.asked() {
		if x.res.Automaton == nil {
			return fmt.Errorf("%s: the weighted automaton is no finite one; 'quotient weights' writes it", m.Name)
		}
		if err := f.to.write(cmd.OutOrStdout(), x.res.Automaton.NFA()); err != nil {
			return err
		}
	}
	if f.plot != "" {
		if err := x.plot(f.plot, cmd.OutOrStdout()); err != nil {
			return err
		}
	}
	if f.report != "" {
		if err := x.report(cmd.Context(), f.report, cmd.OutOrStdout(), m.Net, o, commandLine(cmd, args)); err != nil {
			return err
		}
	}
	switch {
	case *f.asJSON:
		return printJSON(cmd.OutOrStdout(), x)
	case f.to.asked() && f.to.stdout():
		return nil
	}
	x.tell(cmd.OutOrStdout())
	return nil
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

// extractHelp explains the methods.
const extractHelp = `Extract an automaton from a network, and say how far the two agree.

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
the paper does. --target LANGUAGE only checks the answer.`
