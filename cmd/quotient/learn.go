package main

import (
	"os"

	"github.com/spf13/cobra"

	"quotient/internal/text"
	"quotient/learn/labeled"
	"quotient/learn/passive"
	"quotient/study"
)

func newLearn() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "learn FILE",
		Short: "Learn an automaton from labeled words",
		Long: `Learn an automaton from a file of labeled words, - for standard input.

The words form a prefix tree, whose nodes are merged as long as no label is
contradicted:

  --method edsm        the merge for which most labels speak is made first (the default)
  --method rpni        the first merge that is possible is made; faster, and needs more words
  --method rpni-star   as rpni, but some labels may be wrong: a merge is made unless the
                       share of wrong labels grows significantly, at the level --alpha

The file is in one of these formats; the first line tells which, or --format does:

  csv         a word and its label on each line, as in abab,1; a first line may name the
              columns word and label; tabs and semicolons separate as well as commas
  abbadingo   numbers, as in the competition: how many words and symbols there are, then
              for each word its label, its length and its symbols
  jsonl       a JSON object a line, as 'quotient sample --json' prints them
  plain       a word a line behind + or -, as 'quotient sample' prints them

Labels are 1 or 0, true or false, + or -, accept or reject, yes or no. Symbols are single
characters, or names with spaces between them.

With --held-out or --test, the automaton is also tried on words that it has not been
learned from. --target LANGUAGE only checks the answer.`,
		Example: `  quotient learn words.csv
  quotient learn words.csv --held-out 0.2 --target tomita4 -o automaton.svg
  quotient learn train.a --test test.a --method rpni --json
  quotient sample tomita4 --mix half --length 0-12 -n 500 | quotient learn - --target tomita4`,
		Args: exactly("FILE"),
	}
	f := cmd.Flags()
	var o passive.Options
	var in labeled.Options
	method := f.String("method", string(passive.EDSM), "edsm, rpni or rpni-star")
	f.Float64Var(&o.Alpha, "alpha", passive.DefaultAlpha, "significance level of rpni-star")
	format := f.String("format", "", "format of the words: csv, abbadingo, jsonl or plain (default: by the first line)")
	f.StringSliceVar(&in.Symbols, "symbols", nil, "symbols that come first in the alphabet; in abbadingo, names for 0, 1 and so on")
	heldOut := f.Float64("held-out", 0, "share of the words to keep for a test, as in 0.2")
	test := f.String("test", "", "file of labeled words to test with")
	seed := f.Uint64("seed", 1, "seed of the choice of held-out words")
	target := f.String("target", "", "language to compare the answer with")
	to, asJSON := outputFlags(cmd), jsonFlag(cmd)
	cmd.RegisterFlagCompletionFunc("method", cobra.FixedCompletions([]string{"edsm", "rpni", "rpni-star"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(wordFormats(), cobra.ShellCompDirectiveNoFileComp))

	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := to.checkJSON(*asJSON); err != nil {
			return err
		}
		if !(*heldOut >= 0 && *heldOut < 1) {
			return usagef("--held-out %g: it is a share of the words, at least 0 and under 1", *heldOut)
		}
		if *heldOut > 0 && *test != "" {
			return usagef("--held-out and --test both say what to test with: leave one out")
		}
		if f.Changed("alpha") && *method != string(passive.RPNIStar) {
			return usagef("--alpha is for --method rpni-star alone")
		}
		if !(o.Alpha > 0 && o.Alpha < 0.5) {
			return usagef("--alpha %g: it must be over 0 and under 0.5", o.Alpha)
		}
		if to.asked() {
			if _, err := to.encoder(); err != nil {
				return err
			}
		}
		o.Method, in.Format = passive.Method(*method), labeled.Format(*format)
		l := study.Learning{File: args[0], Method: o.Method}
		if err := readLearning(cmd, &l, in, *heldOut, *test, *seed); err != nil {
			return err
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		if errs := cmd.ErrOrStderr(); text.IsTerminal(errs) {
			line, clear := text.StatusLine(errs)
			defer clear()
			o.Progress = func(p passive.Progress) { line("%s, %d more to merge or keep", text.Plural(p.Red, "state"), p.Blue) }
		}
		if err := l.Run(ctx, o, *target); err != nil {
			return err
		}
		out := cmd.OutOrStdout()
		if to.asked() {
			if err := to.write(out, l.Result.Automaton.NFA()); err != nil {
				return err
			}
		}
		switch {
		case *asJSON:
			return printJSON(out, l)
		case !(to.asked() && to.stdout()):
			l.Tell(out)
		}
		return nil
	}
	return cmd
}

func wordFormats() []string {
	var names []string
	for _, f := range labeled.Formats {
		names = append(names, string(f))
	}
	return names
}

// readLearning reads the words to learn from and those to test with.
func readLearning(cmd *cobra.Command, l *study.Learning, in labeled.Options, heldOut float64, test string, seed uint64) error {
	all, err := readWords(cmd, l.File, in)
	if err != nil {
		return err
	}
	if l.Train = all; heldOut > 0 {
		return l.HoldOut(heldOut, seed)
	}
	if test != "" {
		in.Symbols = all.Alphabet.Names()
		l.TestWords = "words of " + test
		l.Held, err = readWords(cmd, test, in)
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
