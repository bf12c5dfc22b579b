package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/language"
	"quotient/learn/labeled"
	"quotient/learn/passive"
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
		if *asJSON && to.asked() && to.stdout() {
			return usagef("--json and the automaton both want standard output; add -o FILE")
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
		l := learning{File: args[0], Method: o.Method}
		if err := l.read(cmd, in, *heldOut, *test, *seed); err != nil {
			return err
		}
		if err := l.run(cmd, o, *target); err != nil {
			return err
		}
		if to.asked() {
			if err := to.write(cmd.OutOrStdout(), l.res.Automaton.NFA()); err != nil {
				return err
			}
		}
		switch {
		case *asJSON:
			return printJSON(cmd.OutOrStdout(), l)
		case to.asked() && to.stdout():
			return nil
		}
		l.tell(cmd.OutOrStdout())
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

// A learning is what learn prints, as text or as JSON.
type learning struct {
	File      string         `json:"file"`
	Method    passive.Method `json:"method"`
	Alpha     float64        `json:"alpha,omitempty"` // of rpni-star
	Accepted  int            `json:"accepted"`        // training words that are
	Stats     passive.Stats  `json:"stats"`
	States    int            `json:"states"`
	Training  score          `json:"training"`
	Test      *score         `json:"test,omitempty"`
	TestWords string         `json:"test_words,omitempty"` // where they come from
	Target    *targetCheck   `json:"target,omitempty"`
	Seconds   float64        `json:"seconds"`
	Automaton codec.JSON     `json:"automaton"`

	train, test *labeled.Set
	res         *passive.Result
}

// A score says on how many words an automaton agrees with their labels.
type score struct {
	Agree int `json:"agree"`
	Words int `json:"words"`
}

func (s score) String() string {
	if s.Words == 0 {
		return "none has a label"
	}
	return fmt.Sprintf("%d of %d right (%s)", s.Agree, s.Words, percent(float64(s.Agree)/float64(s.Words)))
}

// read reads the words to learn from and those to test with.
func (l *learning) read(cmd *cobra.Command, in labeled.Options, heldOut float64, test string, seed uint64) error {
	all, err := readWords(cmd, l.File, in)
	if err != nil {
		return err
	}
	if len(all.Words) == 0 {
		return fmt.Errorf("%s: there is no word in it; every line has one and its label, as in abab,1", l.File)
	}
	if !slices.Contains(all.Labels, labeled.Accept) && !slices.Contains(all.Labels, labeled.Reject) {
		return fmt.Errorf("%s: no word has a label; write 1 behind those of the language and 0 behind others", l.File)
	}
	l.train = all
	switch {
	case heldOut > 0:
		n := int(float64(len(all.Words)) * (1 - heldOut))
		order := rand.New(rand.NewPCG(seed, 0)).Perm(len(all.Words))
		slices.Sort(order[:n])
		l.train, l.test = all.Subset(order).Split(n)
		l.TestWords = "held-out words"
		if n == 0 {
			return fmt.Errorf("--held-out %g leaves no word to learn from: %s has %d", heldOut, l.File, len(all.Words))
		}
	case test != "":
		in.Symbols = all.Alphabet.Names()
		l.test, err = readWords(cmd, test, in)
		l.TestWords = "words of " + test
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

// run learns, tests and compares with the target.
func (l *learning) run(cmd *cobra.Command, o passive.Options, target string) error {
	begin := time.Now()
	var targetDFA *automaton.DFA
	if target != "" {
		loaded, err := language.Load(language.Options{Symbols: l.train.Alphabet.Names()}, target)
		if err != nil {
			return err
		}
		targetDFA = loaded[0]
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	if errs := cmd.ErrOrStderr(); isTerminal(errs) {
		line, clear := statusLine(errs)
		defer clear()
		o.Progress = func(p passive.Progress) { line("%s, %d more to merge or keep", plural(p.Red, "state"), p.Blue) }
	}
	res, err := passive.Learn(ctx, l.train, o)
	if err != nil {
		return err
	}
	l.res, l.Stats, l.States = res, res.Stats, res.Automaton.Len()
	l.Automaton = codec.JSON{NFA: res.Automaton.NFA()}
	if o.Method == passive.RPNIStar {
		l.Alpha = o.Alpha
	}
	for _, label := range l.train.Labels {
		if label == labeled.Accept {
			l.Accepted++
		}
	}
	l.Training.Agree, l.Training.Words = l.train.Agree(res.Automaton)
	if l.test != nil {
		over, err := res.Automaton.WithAlphabet(l.test.Alphabet)
		if err != nil {
			return err
		}
		l.Test = &score{}
		l.Test.Agree, l.Test.Words = l.test.Agree(over)
	}
	if targetDFA != nil {
		if l.Target, err = compareWithTarget(target, targetDFA, res.Automaton); err != nil {
			return err
		}
	}
	l.Seconds = time.Since(begin).Seconds()
	return nil
}

// tell prints the result for people.
func (l *learning) tell(w io.Writer) {
	s := l.Stats
	fmt.Fprintf(w, "%s: %s with a label, %d of them accepted\n", l.File, plural(s.Words, "word"), l.Accepted)
	fmt.Fprintf(w, "prefix tree of %s, merged to %s (%s): %s tried, %d made\n", plural(s.Nodes, "node"),
		plural(1+s.Promoted, "state"), l.Method, plural(s.Tried, "merge"), s.Merged)
	if s.Contradictory > 0 {
		fmt.Fprintf(w, "note: %s both accepted and rejected; what is said more often counts\n", isAre(s.Contradictory, "word"))
	}
	fmt.Fprintln(w)
	show(w, l.res.Automaton)
	fmt.Fprintln(w)
	fmt.Fprintf(w, "training words: %s\n", l.Training)
	if l.Test != nil {
		fmt.Fprintf(w, "%s: %s\n", l.TestWords, l.Test)
	}
	if l.Target != nil {
		fmt.Fprintln(w, l.Target)
	}
}

func isAre(n int, what string) string {
	if n == 1 {
		return plural(n, what) + " is"
	}
	return plural(n, what) + " are"
}
