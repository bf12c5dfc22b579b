package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"quotient/internal/processor"
	"quotient/internal/text"
	"quotient/learn/labeled"
	"quotient/learn/passive"
	"quotient/learn/stochastic"
	"quotient/study"
)

func newLearn() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "learn FILE",
		Short: "Learn an automaton from words, labeled or not",
		Long: `Learn an automaton from a file of labeled words, - for standard input.

The words form a prefix tree, whose nodes are merged as long as no label is
contradicted, or not by too many:

  --method auto        edsm, or edsm-star if it looks as if labels were wrong (the default)
  --method edsm        the merge for which most labels speak is made first
  --method rpni        the first merge that is possible is made; faster, and needs more words
  --method edsm-star   as edsm, but some labels may be wrong: what speaks for a merge is
                       weighed against what speaks against it, and the automaton is mended
                       and made smaller by all words at the end
  --method rpni-star   as rpni, but some labels may be wrong: a merge is made unless the
                       share of wrong labels grows significantly, at the level --alpha,
                       which words that are held out choose if it is not given

From words without labels, a probabilistic automaton is learned that says how likely
each word is:

  --method alergia     two states are one unless what follows them differs significantly, at
                       the level --epsilon; the default, 0.05, is AALpy's, whose automaton it
                       is; --chain keeps states apart that different symbols lead to, which
                       makes AALpy's Markov chain
  --method mdi         two states are one if that makes the words less likely by at most
                       --alpha nats a word for each state that is saved; if it is not given,
                       words that are held out choose it

With --held-out or --test, these are put beside n-grams by their perplexity, and --target is
another probabilistic automaton.

With --teacher there is no file: a perfect teacher knows the automaton, answers whether it
accepts a word, and shows a shortest word on which a hypothesis differs. What counts is how
much is asked: queries, their symbols, and hypotheses.

  --method ttt         few queries, and short ones (the default)
  --method lstar       a table of answers, with one more column for every counterexample
  --method kv          a tree of suffixes, as counterexamples bring them

--methods all, or --folds alone, compares methods by cross-validation: the words are dealt
into --folds, and each method learns from all but one of them and is judged by that one, in
turn. Ctrl-C ends it with the methods that were done until then.

The file is in one of these formats, compressed with gzip or not; the beginning tells
which, or --format does. The line "read as" says what was found:

  csv         a word and its label on each line, as in abab,1; a first line may name the
              columns, as in word,label or text,target; tabs and semicolons separate as
              well as commas
  abbadingo   numbers, as in the competition: how many words and symbols there are, then
              for each word its label, its length and its symbols
  jsonl       a JSON object a line, as 'quotient sample --json' prints them
  json        one list of such objects, or of pairs such as ["abab",1]
  plain       a word a line behind + or -, as 'quotient sample' prints them

Labels are 1 or 0, 1 or -1, true or false, + or -, accept or reject, positive or negative,
pos or neg, yes or no. Symbols are single characters, or names with spaces between them.
A column that numbers the lines is passed over, and so are lines at the beginning that begin
with #, where they can be nothing else.

With --held-out or --test, the automaton is also tried on words that it has not been
learned from. --target LANGUAGE only checks the answer.`,
		Example: `  quotient learn words.csv
  quotient learn words.csv --held-out 0.2 --target tomita4 -o automaton.svg
  quotient learn train.a --test test.a --method rpni --json
  quotient learn words.csv.gz --methods all --folds 5
  quotient sample tomita4 --mix half --length 0-12 -n 500 | quotient learn - --target tomita4
  quotient learn words.txt --method alergia --held-out 0.2 -o model.json
  quotient learn --teacher tomita5 --method lstar --json`,
	}
	x := &learning{}
	x.flags(cmd)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if x.teacher != "" {
			return exactly()(cmd, args)
		}
		return exactly("FILE")(cmd, args)
	}
	cmd.RunE = x.run
	return cmd
}

// A learning is what the flags of learn ask for.
type learning struct {
	o       passive.Options
	words   stochastic.Options // of words without labels
	in      labeled.Options
	method  string
	methods []string
	folds   int
	format  string
	heldOut share
	test    string
	seed    uint64
	target  string
	teacher string // an automaton to learn by queries
	to      *destination
	asJSON  *bool
}

func (x *learning) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&x.method, "method", string(passive.Auto), "auto, edsm, rpni, edsm-star or rpni-star; alergia or mdi for words without labels; ttt, lstar or kv with a teacher")
	f.StringSliceVar(&x.methods, "methods", nil, "methods to compare by cross-validation, as edsm,rpni, or all")
	f.IntVar(&x.folds, "folds", 5, "parts of the words for cross-validation; without --methods, all methods are compared")
	f.Float64Var(&x.o.Alpha, "alpha", 0, "significance level of rpni-star, or nats a word for a state of mdi (default: chosen by held-out words)")
	f.Float64Var(&x.words.Epsilon, "epsilon", stochastic.DefaultEpsilon, "significance level of alergia, over 0 and up to 2; a smaller one merges more")
	f.BoolVar(&x.words.Chain, "chain", false, "of alergia: keep states apart that different symbols lead to")
	f.StringVar(&x.format, "format", "", "format of the words: csv, abbadingo, jsonl, json or plain (default: by the first line)")
	f.StringSliceVar(&x.in.Symbols, "symbols", nil, "symbols that come first in the alphabet; in abbadingo, names for 0, 1 and so on")
	f.Var(&x.heldOut, "held-out", "share of the words to keep for a test, as 0.2 or 20%")
	f.StringVar(&x.test, "test", "", "file of labeled words to test with")
	f.Uint64Var(&x.seed, "seed", 1, "seed of the choice of held-out words and of folds")
	f.StringVar(&x.target, "target", "", "language to compare the answer with")
	f.StringVar(&x.teacher, "teacher", "", "`automaton` to learn by queries: ttt, lstar or kv")
	x.to, x.asJSON = outputFlags(cmd), jsonFlag(cmd)
	names := []string{string(passive.Auto)}
	for _, m := range passive.Methods {
		names = append(names, string(m))
	}
	cmd.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(append(names, "alergia", "mdi", "ttt", "lstar", "kv"), cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("methods", cobra.FixedCompletions(append(names, "all"), cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(wordFormats(), cobra.ShellCompDirectiveNoFileComp))
}

// check finds what is wrong with the flags before a file is read.
func (x *learning) check(changed func(string) bool) error {
	compares := len(x.methods) > 0 || changed("folds")
	switch {
	case !(x.heldOut >= 0 && x.heldOut < 1):
		return usagef("--held-out %g: it is a share of the words, at least 0 and under 1", x.heldOut)
	case x.heldOut > 0 && x.test != "":
		return usagef("--held-out and --test both say what to test with: leave one out")
	case compares && changed("method"):
		return usagef("--method is for learning, --methods for comparing: leave one out")
	case compares && (changed("held-out") || x.test != "" || x.target != "" || x.to.asked()):
		return usagef("--methods compares by folds and keeps no automaton: leave out --held-out, --test, --target, -o and --to")
	case compares && x.folds < 2:
		return usagef("--folds %d: there must be at least 2", x.folds)
	case changed("alpha") && !compares && x.method != string(passive.RPNIStar) && x.method != string(stochastic.MDI):
		return usagef("--alpha is for --method rpni-star and mdi alone")
	case changed("alpha") && !x.fromWords() && !(x.o.Alpha > 0 && x.o.Alpha < 0.5):
		return usagef("--alpha %g: it must be over 0 and under 0.5", x.o.Alpha)
	}
	if err := x.checkWords(changed); err != nil {
		return err
	}
	if x.to.asked() && !x.fromWords() {
		if _, err := x.to.encoder(); err != nil {
			return err
		}
	}
	return nil
}

func (x *learning) run(cmd *cobra.Command, args []string) error {
	if x.teacher != "" {
		return x.runTaught(cmd)
	}
	if err := x.check(cmd.Flags().Changed); err != nil {
		return err
	}
	x.o.Method, x.in.Format = passive.Method(x.method), labeled.Format(x.format)
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	if len(x.methods) > 0 || cmd.Flags().Changed("folds") {
		return x.compare(ctx, cmd, args[0])
	}
	if x.fromWords() {
		return x.runWords(ctx, cmd, args[0])
	}
	l := study.Learning{File: args[0], Method: x.o.Method, Seed: x.seed}
	busy := processor.Time()
	if err := x.read(cmd, &l); err != nil {
		return err
	}
	l.Read = (processor.Time() - busy).Seconds()
	clear := func() {}
	if errs := cmd.ErrOrStderr(); text.IsTerminal(errs) {
		var line func(format string, args ...any)
		line, clear = text.StatusLine(errs)
		x.o.Progress = func(p passive.Progress) { line("%s, %d more to merge or keep", text.Plural(p.Red, "state"), p.Blue) }
	}
	err := l.Run(ctx, x.o, x.target)
	clear()
	if err != nil {
		return unfinished(ctx, err)
	}
	out := cmd.OutOrStdout()
	if x.to.asked() {
		if err := x.to.write(out, l.Result.Automaton.NFA()); err != nil {
			return err
		}
	}
	switch {
	case *x.asJSON:
		return printJSON(out, l)
	case !(x.to.asked() && x.to.stdout()):
		l.Tell(out)
	}
	return nil
}

// unfinished is the error of learning that came to no end: the user's interrupt, if there was one.
func unfinished(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return interrupted{errors.New("it was interrupted before there was an automaton")}
	}
	return err
}

// compare puts methods side by side.
func (x *learning) compare(ctx context.Context, cmd *cobra.Command, file string) error {
	methods := passive.Methods
	if len(x.methods) > 0 && !slices.Equal(x.methods, []string{"all"}) {
		methods = nil
		for _, name := range x.methods {
			m := passive.Method(name)
			if m != passive.Auto && !slices.Contains(passive.Methods, m) {
				return usagef("no method is called %q; there are auto, edsm, rpni, edsm-star and rpni-star, or all", name)
			}
			methods = append(methods, m)
		}
	}
	set, err := readWords(cmd, file, x.in)
	if err != nil {
		return err
	}
	c := study.CrossValidation{File: file, Folds: x.folds, Seed: x.seed, Set: set}
	if err := c.Run(ctx, methods, x.o); err != nil {
		if ctx.Err() != nil {
			err = interrupted{errors.New("it was interrupted before a method was done")}
		}
		return err
	}
	if !*x.asJSON {
		c.Tell(cmd.OutOrStdout())
	} else if err := printJSON(cmd.OutOrStdout(), c); err != nil {
		return err
	}
	if c.Interrupted {
		return interrupted{fmt.Errorf("it was interrupted; %s done until then", text.Plural(len(c.Methods), "method was", "methods were"))}
	}
	return nil
}

func wordFormats() []string {
	var names []string
	for _, f := range labeled.Formats {
		names = append(names, string(f))
	}
	return names
}

// read reads the words to learn from and those to test with.
func (x *learning) read(cmd *cobra.Command, l *study.Learning) error {
	all, err := readWords(cmd, l.File, x.in)
	if err != nil {
		return err
	}
	if l.Train = all; x.heldOut > 0 {
		return l.HoldOut(float64(x.heldOut))
	}
	if x.test != "" {
		in := x.in
		in.Symbols = all.Alphabet.Names()
		l.TestWords = "words of " + x.test
		l.Held, err = readWords(cmd, x.test, in)
	}
	return err
}

func readWords(cmd *cobra.Command, name string, in labeled.Options) (*labeled.Set, error) {
	if name == "-" {
		return labeled.Read(cmd.InOrStdin(), "standard input", in)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return labeled.Read(file, name, in)
}
