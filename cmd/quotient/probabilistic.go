package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"quotient/draw"
	"quotient/draw/paint"
	"quotient/internal/text"
	"quotient/language"
	"quotient/learn/labeled"
	"quotient/probabilistic"
	"quotient/sample"
	"quotient/weighted"
	"quotient/word"
)

const probabilisticHelp = `A probabilistic automaton is recognized by its file, in our JSON
(docs/probabilistic-json.md) or DOT; --probabilistic reads AT&T's format, whose weights are
negative logarithms, and AALpy's, with --from aalpy.`

// A chance is what the flags say about probabilistic automata.
type chance struct {
	options *language.Options
	forced  bool
}

// probabilisticFlag adds --probabilistic.
func probabilisticFlag(cmd *cobra.Command, o *language.Options) *chance {
	c := &chance{options: o}
	cmd.Flags().BoolVar(&c.forced, "probabilistic", false, "automaton files are probabilistic; JSON and DOT of ours say so themselves")
	return c
}

// load returns the probabilistic automaton of a name, or nil if it names something else. What
// was read of standard input is put back then.
func (c *chance) load(cmd *cobra.Command, name string) (*probabilistic.Automaton, error) {
	in, shown, ok, err := c.open(name)
	if err != nil || !ok {
		return nil, err
	}
	defer in.Close()
	format, path := c.options.From, name
	if name == "-" && format == "" {
		path = "-.json"
	}
	f, err := probabilistic.FormatOf(format, path)
	if err != nil {
		return nil, err
	}
	a, note, err := f.Read(in, shown)
	if err != nil {
		return nil, err
	}
	if note != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "quotient: %s: %s\n", shown, note)
	}
	if len(c.options.Symbols) == 0 {
		return a, nil
	}
	wider, err := word.NewAlphabet(c.options.Symbols...)
	if err == nil {
		wider, err = wider.Union(a.Alphabet)
	}
	if err != nil {
		return nil, err
	}
	return a.WithAlphabet(wider)
}

// open opens a file, or standard input, and reports whether it holds a probabilistic
// automaton.
func (c *chance) open(name string) (in io.ReadCloser, shown string, ok bool, err error) {
	if name == "-" {
		b := bufio.NewReader(c.options.Stdin)
		c.options.Stdin = b
		head, _ := b.Peek(b.Size())
		return io.NopCloser(b), "standard input", c.forced || probabilistic.Recognize(head), nil
	}
	ext := strings.ToLower(filepath.Ext(name))
	if !c.forced && ext != ".json" && ext != ".dot" && ext != ".gv" {
		return nil, "", false, nil
	}
	head := make([]byte, 4096)
	f, err := os.Open(name)
	if err != nil {
		if c.forced {
			return nil, "", false, err
		}
		return nil, "", false, nil // whoever reads it otherwise says so
	}
	n, _ := io.ReadFull(f, head)
	if _, err = f.Seek(0, io.SeekStart); err == nil && (c.forced || probabilistic.Recognize(head[:n])) {
		return f, name, true, nil
	}
	f.Close()
	if err != nil && !c.forced { // no regular file
		err = nil
	}
	return nil, "", false, err
}

// writeProbabilistic writes a probabilistic automaton or, with a threshold, the automaton of
// what is likely.
func (d *destination) writeProbabilistic(stdout io.Writer, a *probabilistic.Automaton, threshold float64) error {
	if threshold >= 0 {
		return d.write(stdout, a.DFA(threshold).NFA())
	}
	encode, err := d.probabilisticEncoder()
	if err != nil {
		return err
	}
	return writeFile(d.path, stdout, func(w io.Writer) error { return encode(w, a) })
}

func (d *destination) probabilisticEncoder() (func(io.Writer, *probabilistic.Automaton) error, error) {
	format, path := d.format, d.path
	switch {
	case paint.FormatOf(format, path) != "":
		return func(w io.Writer, a *probabilistic.Automaton) error {
			return paint.As(paint.FormatOf(format, path), w, func(w io.Writer) error { return draw.Probabilistic(w, a, draw.Options{}) })
		}, nil
	case format == "weights":
		return func(w io.Writer, a *probabilistic.Automaton) error {
			x, err := a.Weighted()
			if err != nil {
				return err
			}
			return weighted.Write(w, x)
		}, nil
	case d.stdout() && format == "":
		format = "json"
	}
	f, err := probabilistic.FormatOf(format, path)
	if err != nil {
		return nil, usageError{fmt.Errorf("%w, svg, pdf, png and weights", err)}
	}
	return f.Write, nil
}

// minimizeProbabilistic unites states that predict alike.
func minimizeProbabilistic(cmd *cobra.Command, a *probabilistic.Automaton, tolerance float64, to *destination) error {
	m := probabilistic.Minimize(a, tolerance)
	if !to.asked() {
		text.Probabilistic(cmd.OutOrStdout(), m)
		return nil
	}
	if err := to.writeProbabilistic(cmd.OutOrStdout(), m, -1); err != nil || to.stdout() {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s, of %d, written to %s\n", text.Plural(m.Len(), "state"), a.Len(), to.path)
	return nil
}

// A probableWord is what sample prints of a probabilistic automaton with --json.
type probableWord struct {
	Word    string   `json:"word"`
	Symbols []string `json:"symbols"`
	LogProb float64  `json:"log_probability"`
}

// sampleProbabilistic draws words, or lists the most probable ones.
func sampleProbabilistic(cmd *cobra.Command, a *probabilistic.Automaton, n int, seed uint64) error {
	first, _ := cmd.Flags().GetBool("first")
	asJSON, _ := cmd.Flags().GetBool("json")
	format, _ := cmd.Flags().GetString("format")
	words, err := probableWords(a, n, seed, first)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(text.Raw(cmd.OutOrStdout()))
	if cmd.Flags().Changed("format") {
		set := &labeled.Set{Alphabet: a.Alphabet, Words: words, Labels: make([]labeled.Label, len(words))}
		if err := labeled.Write(out, set, labeled.Format(format)); err != nil {
			return err
		}
		return out.Flush()
	}
	for _, w := range words {
		if !asJSON {
			fmt.Fprintln(out, a.Alphabet.Format(w))
			continue
		}
		p := probableWord{Word: a.Alphabet.Format(w), Symbols: []string{}, LogProb: a.LogProb(w)}
		for _, s := range w {
			p.Symbols = append(p.Symbols, a.Alphabet.Name(s))
		}
		if err := jsonEncoder(out).Encode(p); err != nil {
			return err
		}
	}
	return out.Flush()
}

func probableWords(a *probabilistic.Automaton, n int, seed uint64, first bool) ([]word.Word, error) {
	var words []word.Word
	if first {
		for _, l := range a.MostProbable(n) {
			words = append(words, l.Word)
		}
		return words, nil
	}
	s, err := probabilistic.NewSampler(a)
	if err != nil {
		return nil, err
	}
	rng := sample.Rand(seed, sample.Listing)
	for range n {
		w, err := s.Draw(rng)
		if err != nil {
			return nil, err
		}
		words = append(words, w)
	}
	return words, nil
}

// comparePair loads two automata to compare if either is probabilistic.
func (c *chance) comparePair(cmd *cobra.Command, names []string) (a, b *probabilistic.Automaton, err error) {
	if a, err = c.load(cmd, names[0]); err != nil {
		return nil, nil, err
	}
	if b, err = c.load(cmd, names[1]); err != nil || a == nil && b == nil {
		return nil, nil, err
	}
	if a == nil || b == nil {
		known, other := names[0], names[1]
		if a == nil {
			known, other = other, known
		}
		return nil, nil, usagef("%s is probabilistic and %s is not; 'quotient convert %s likely.json --threshold 0.01' makes an automaton of what is likely", known, other, known)
	}
	common, err := a.Alphabet.Union(b.Alphabet)
	if err != nil {
		return nil, nil, err
	}
	if a, err = a.WithAlphabet(common); err == nil {
		b, err = b.WithAlphabet(common)
	}
	return a, b, err
}

// A distance is what compare prints of two probabilistic automata.
type distance struct {
	Equal  bool                 `json:"equal"`
	A      probableSide         `json:"a"`
	B      probableSide         `json:"b"`
	Total  probabilistic.Bounds `json:"total_variation"` // of the distributions of words
	Words  []differingWord      `json:"words"`           // those whose probabilities differ most
	Sure   bool                 `json:"words_complete"`  // whether none differs more
	Places []differingPrefix    `json:"prefixes"`        // the shortest after which much differs
}

// A probableSide is one of two automata, and how far the other is from it.
type probableSide struct {
	Name      string   `json:"name"`
	States    int      `json:"states"`
	Symbols   float64  `json:"symbols"`       // of a word on average, its end included
	KL        *float64 `json:"kl"`            // of the other from this one, nats a word; null: infinite
	PerSymbol *float64 `json:"kl_per_symbol"` // nats a symbol
	Variation float64  `json:"variation"`     // mean total variation of the next symbol, on its words
	Witness   *string  `json:"witness"`       // a shortest word that the other has not; null if KL is finite
}

type differingWord struct {
	Word string  `json:"word"`
	A    float64 `json:"a"`
	B    float64 `json:"b"`
}

type differingPrefix struct {
	Prefix    string  `json:"prefix"`
	Variation float64 `json:"variation"` // of what follows
}

// How close two distributions are compared, and how much is shown of them.
const (
	sameDistribution = 1e-9    // total variation up to which two are the same
	variationGap     = 1e-6    // of its bounds
	variationWork    = 1 << 18 // prefixes
	shownDifferences = 5
)

func compareProbabilistic(cmd *cobra.Command, names []string, a, b *probabilistic.Automaton, asJSON bool) error {
	x := distance{A: probableSide{Name: names[0], States: a.Len()}, B: probableSide{Name: names[1], States: b.Len()}}
	err := x.A.from(a, b)
	if err == nil {
		err = x.B.from(b, a)
	}
	if err == nil {
		x.Total, err = probabilistic.TotalVariation(a, b, variationGap, variationWork)
	}
	if err != nil {
		return err
	}
	x.Equal = x.Total.High <= sameDistribution
	if !x.Equal {
		if err := x.differences(a, b); err != nil {
			return err
		}
	}
	if err := answer(cmd, asJSON, x, x.tell); err != nil || x.Equal {
		return err
	}
	return errDiffer
}

// from fills in how far the other automaton is from this one.
func (s *probableSide) from(a, other *probabilistic.Automaton) error {
	d, err := probabilistic.Diverge(a, other)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	s.Symbols, s.Variation = d.Symbols, d.Variation
	if math.IsInf(d.KL, 1) {
		witness := a.Alphabet.Format(d.Witness)
		s.Witness = &witness
	} else {
		s.KL, s.PerSymbol = &d.KL, &d.PerSymbol
	}
	return nil
}

// differences fills in where the two differ.
func (x *distance) differences(a, b *probabilistic.Automaton) error {
	words, sure := probabilistic.MostDifferent(a, b, shownDifferences)
	x.Sure = sure
	for _, l := range words {
		x.Words = append(x.Words, differingWord{a.Alphabet.Format(l.Word), math.Exp(l.P), math.Exp(l.Q)})
	}
	places, err := probabilistic.Part(a, b, shownDifferences)
	for _, p := range places {
		x.Places = append(x.Places, differingPrefix{a.Alphabet.Format(p.Prefix), p.Variation})
	}
	return err
}

func (x distance) tell(w io.Writer) {
	if x.Equal {
		fmt.Fprintln(w, "same distribution of words")
		return
	}
	fmt.Fprintln(w, "different distributions of words")
	for _, s := range []struct{ of, from probableSide }{{x.B, x.A}, {x.A, x.B}} {
		if s.from.KL == nil {
			fmt.Fprintf(w, "divergence of %s from %s: infinite; a shortest word that only %s has: %s\n", s.of.Name, s.from.Name, s.from.Name, text.Shorten(*s.from.Witness, 60))
		} else {
			fmt.Fprintf(w, "divergence of %s from %s: %.4g nats a word, %.4g a symbol\n", s.of.Name, s.from.Name, *s.from.KL, *s.from.PerSymbol)
		}
	}
	if x.Total.High-x.Total.Low <= 2*variationGap {
		fmt.Fprintf(w, "total variation: %.6f\n", x.Total.High)
	} else {
		fmt.Fprintf(w, "total variation: between %.4f and %.4f\n", x.Total.Low, x.Total.High)
	}
	fmt.Fprintf(w, "of the next symbol, on average: %.4g on words of %s, %.4g on words of %s\n", x.A.Variation, x.A.Name, x.B.Variation, x.B.Name)
	t := text.Table("word", x.A.Name, x.B.Name)
	for _, d := range x.Words {
		t.AppendRow(text.Row{text.Shorten(d.Word, 60), fmt.Sprintf("%.4g", d.A), fmt.Sprintf("%.4g", d.B)})
	}
	fmt.Fprintf(w, "\nwords whose probabilities differ most%s\n", map[bool]string{false: ", of those that were tried"}[x.Sure])
	text.Print(w, t)
	t = text.Table("prefix", "variation of what follows")
	for _, p := range x.Places {
		t.AppendRow(text.Row{text.Shorten(p.Prefix, 60), fmt.Sprintf("%.4g", p.Variation)})
	}
	fmt.Fprintln(w, "\nshortest prefixes after which much differs")
	text.Print(w, t)
}

// checkThreshold refuses a threshold where it means nothing. A negative one is none.
func checkThreshold(cmd *cobra.Command, threshold float64, a *probabilistic.Automaton) error {
	switch {
	case !cmd.Flags().Changed("threshold"):
		return nil
	case a == nil:
		return usagef("--threshold is for probabilistic automata")
	case !(threshold >= 0 && threshold <= 1):
		return usagef("--threshold %g: it is a probability, from 0 to 1", threshold)
	}
	return nil
}
