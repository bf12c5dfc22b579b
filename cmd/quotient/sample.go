package main

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"quotient/automaton"
	"quotient/internal/text"
	"quotient/language"
	"quotient/learn/labeled"
	"quotient/sample"
	"quotient/word"
)

func newSample() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sample LANGUAGE",
		Short: "Draw words from a language",
		Long: `Draw words at random, one a line: + before those in the language, - before others.

  --mix valid     uniformly among the words of the language of that length
  --mix uniform   uniformly among all words of that length
  --mix half      the two in turn, as the paper draws its words

Where a language has no word of a length, uniform words stand in, and a warning
says so. With --first, the words are not drawn: they are the first ones of the
language, shorter before longer.

With --json, one record a line: the word, its symbols, whether it is in the
language, and the same for all its prefixes, the empty one first. With --format csv
or abbadingo, a file of labeled words. 'quotient learn' reads all of these.

From a probabilistic automaton words are drawn with their probabilities, and printed
without a sign; with --first, the most probable ones are listed. --json has the logarithm
of the probability.
` + probabilisticHelp,
		Example: `  quotient sample tomita3 -n 5 --length 20
  quotient sample tomita7 --mix half --length 0-50 --seed 7 --json
  quotient sample tomita4 --mix half --length 0-15 -n 1000 --format csv
  quotient sample 'regex:(a|bc)*' --first -n 20
  quotient sample model.json -n 1000 > words.txt`,
		Args: exactly("LANGUAGE"),
	}
	options, asJSON := loadFlags(cmd), jsonFlag(cmd)
	n := cmd.Flags().IntP("number", "n", 10, "how many words")
	lengths := cmd.Flags().String("length", "10", "length of the words, or a range as in 0-50")
	mix := cmd.Flags().String("mix", string(sample.Valid), "which words: valid, uniform or half")
	seed := cmd.Flags().Uint64("seed", 1, "seed of the random numbers")
	first := cmd.Flags().Bool("first", false, "list the first words of the language instead")
	format := cmd.Flags().String("format", string(labeled.Plain), "format of the words: plain, csv, abbadingo or jsonl")
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(wordFormats(), cobra.ShellCompDirectiveNoFileComp))
	chance := probabilisticFlag(cmd, options)
	cmd.RegisterFlagCompletionFunc("mix", cobra.FixedCompletions([]string{"valid", "uniform", "half"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *n < 0 {
			return usagef("-n %d: how many words?", *n)
		}
		if *first && (cmd.Flags().Changed("length") || cmd.Flags().Changed("mix")) {
			return usagef("--first lists words of every length, all of them valid: leave --length and --mix out")
		}
		if !slices.Contains(labeled.Formats, labeled.Format(*format)) {
			return usagef("no format of words is called %q; there are plain, csv, abbadingo and jsonl", *format)
		}
		if *asJSON && cmd.Flags().Changed("format") {
			return usagef("--json and --format both say how to print: leave one out")
		}
		if p, err := chance.load(cmd, args[0]); err != nil || p != nil {
			switch {
			case err != nil:
				return err
			case cmd.Flags().Changed("length") || cmd.Flags().Changed("mix"):
				return usagef("%s is probabilistic: its words have the lengths and the mix that it says; leave --length and --mix out", args[0])
			}
			return sampleProbabilistic(cmd, p, *n, *seed)
		}
		low, high, err := parseRange(*lengths)
		if err != nil {
			return usageError{err}
		}
		longest := high
		if *first {
			longest = 2 * min(*n, sample.MaxLength) // a counting language has a word of every other length at least
		}
		loaded, err := language.LoadUpTo(*options, longest, args[0])
		if err != nil {
			return err
		}
		d := automaton.Minimize(loaded)
		p := printer{out: bufio.NewWriter(text.Raw(cmd.OutOrStdout())), d: d, json: *asJSON}
		if *format != string(labeled.Plain) {
			p.file = &labeled.Set{Alphabet: d.Alphabet}
		}
		if *first {
			for w := range d.Words() {
				if p.printed == *n {
					break
				}
				if err := p.print(w); err != nil {
					return err
				}
			}
			return p.finish(labeled.Format(*format))
		}
		s, err := sample.NewMixed(d, sample.Mix(*mix), low, high)
		if limit := (*automaton.LimitError)(nil); errors.As(err, &limit) {
			return fmt.Errorf("%w; a smaller --length needs less", err)
		}
		if err != nil {
			return usageError{err}
		}
		if missing := s.Missing(); len(missing) > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "quotient: %s has no word of length %s; uniform words stand in\n",
				args[0], joinInts(missing))
		}
		r := sample.Rand(*seed, sample.Listing)
		for i := range *n {
			if err := p.print(s.Draw(i, r)); err != nil {
				return err
			}
		}
		return p.finish(labeled.Format(*format))
	}
	return cmd
}

// parseRange reads "10" or "0-50".
func parseRange(text string) (low, high int, err error) {
	from, to, isRange := strings.Cut(text, "-")
	if !isRange {
		to = from
	}
	low, errLow := strconv.Atoi(from)
	high, errHigh := strconv.Atoi(to)
	if errLow != nil || errHigh != nil || low < 0 || high < low || high > sample.MaxLength {
		return 0, 0, fmt.Errorf("--length %s: a length such as 10, or a range such as 0-50, is needed, up to %d", text, sample.MaxLength)
	}
	return low, high, nil
}

func joinInts(list []int) string {
	const shown = 8
	var parts []string
	for _, n := range list[:min(len(list), shown)] {
		parts = append(parts, strconv.Itoa(n))
	}
	text := strings.Join(parts, ", ")
	if len(list) > shown {
		text += fmt.Sprintf(" and %d others", len(list)-shown)
	}
	return text
}

// A printer prints words with their labels.
type printer struct {
	out     *bufio.Writer
	d       *automaton.DFA
	json    bool
	file    *labeled.Set // what will be printed at the end, together; nil: words are printed at once
	printed int
}

type sampled struct {
	Word     string   `json:"word"`
	Symbols  []string `json:"symbols"`
	Accept   bool     `json:"accept"`
	Prefixes []bool   `json:"prefixes"`
}

func (p *printer) print(w word.Word) error {
	p.printed++
	if p.file != nil {
		p.file.Add(w, labeled.Of(p.d.Accepts(w)))
		return nil
	}
	if !p.json {
		sign := '-'
		if p.d.Accepts(w) {
			sign = '+'
		}
		_, err := fmt.Fprintf(p.out, "%c %s\n", sign, p.d.Alphabet.Format(w))
		return err
	}
	s := sampled{Word: p.d.Alphabet.Format(w), Symbols: []string{}, Prefixes: make([]bool, len(w)+1)}
	for _, x := range w {
		s.Symbols = append(s.Symbols, p.d.Alphabet.Name(x))
	}
	p.d.Labels(s.Prefixes, w)
	s.Accept = s.Prefixes[len(w)]
	return jsonEncoder(p.out).Encode(s)
}

// finish prints what has not been printed yet.
func (p *printer) finish(f labeled.Format) error {
	if p.file != nil {
		if err := labeled.Write(p.out, p.file, f); err != nil {
			return err
		}
	}
	return p.out.Flush()
}
