package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"quotient/counter"
	"quotient/draw"
	"quotient/draw/paint"
	"quotient/extract"
	"quotient/internal/text"
	"quotient/language"
	"quotient/model"
	"quotient/study"
	"quotient/word"
)

func newCounter() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "counter AUTOMATON [WORD...]",
		Short: "Run, compare and draw automata with a counter",
		Long: `Run, compare and draw automata with a counter, such as 'quotient extract --method
counter' finds. AUTOMATON is a file (docs/counter-json.md is the format), anbn or dyck1,
or the name of a regular language, whose automaton leaves its counter alone.

Words are run: + stands before those that are accepted, and behind them the state and
the counter to which they lead. --compare OTHER compares two automata on all words up
to --length: they are run side by side, so the words may be more than could be tried
one by one. --network MODEL tells how far a network agrees.`,
		Example: `  quotient counter anbn aabb aab
  quotient extract zoo:anbn-lstm --method counter -o counter.json
  quotient counter counter.json --compare anbn --length 2000
  quotient counter dyck1 -o dyck1.svg
  quotient counter dyck1 --network zoo:dyck1-lstm`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("missing AUTOMATON")
			}
			return nil
		},
	}
	x := counterFlags{networks: networkFlags(cmd), to: &destination{}}
	f := cmd.Flags()
	f.StringVar(&x.other, "compare", "", "automaton to compare with")
	f.IntVar(&x.length, "length", 1000, "length up to which words are compared")
	f.StringVar(&x.network, "network", "", "network to compare with")
	f.StringVarP(&x.to.path, "output", "o", "", "file to write: .json for the automaton, .svg, .pdf or .png for a picture")
	x.asJSON = jsonFlag(cmd)
	cmd.RunE = x.run
	return cmd
}

// counterFlags are the flags of counter.
type counterFlags struct {
	networks       *model.Options
	other, network string
	length         int
	to             *destination
	asJSON         *bool
}

func (f *counterFlags) run(cmd *cobra.Command, args []string) error {
	if f.length < 0 {
		return usagef("--length %d: it must be 0 or more", f.length)
	}
	encode, err := counterEncoder(f.to)
	if err != nil {
		return err
	}
	a, err := loadCounter(args[0], nil)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if f.to.asked() {
		if err := writeFile(f.to.path, out, func(w io.Writer) error { return encode(w, a) }); err != nil {
			return err
		}
	}
	x := counterRun{Name: args[0], States: a.Len(), Automaton: a}
	if x.Words, err = runCounter(a, args[1:]); err != nil {
		return err
	}
	if f.other != "" {
		b, err := loadCounter(f.other, a.Alphabet)
		if err != nil {
			return err
		}
		if x.Compared, err = study.CompareCounters(f.other, b, a, f.length); err != nil {
			return err
		}
	}
	if f.network != "" {
		m, err := model.Open(cmd.Context(), f.network, *f.networks)
		if err != nil {
			return err
		}
		if x.Network, err = study.CheckCounter(cmd.Context(), m, a, extract.DefaultSeed); err != nil {
			return err
		}
	}
	switch {
	case *f.asJSON:
		err = printJSON(out, x)
	case !(f.to.asked() && f.to.stdout()):
		x.tell(out)
	}
	if err == nil && x.Compared != nil && !x.Compared.Equal {
		return errDiffer
	}
	return err
}

// A counterRun is what counter prints.
type counterRun struct {
	Name      string             `json:"name"`
	States    int                `json:"states"`
	Words     []counterWord      `json:"words,omitempty"`
	Compared  *study.Target      `json:"compared,omitempty"`
	Network   *study.Agreement   `json:"network,omitempty"`
	Automaton *counter.Automaton `json:"automaton"`
}

type counterWord struct {
	Word    string `json:"word"`
	Accept  bool   `json:"accept"`
	State   string `json:"state"`
	Counter int    `json:"counter"`
}

// loadCounter returns an automaton by name, read over an alphabet if one is given.
func loadCounter(name string, over *word.Alphabet) (*counter.Automaton, error) {
	if c, ok := language.FindCounting(name); ok {
		return c.Automaton, nil
	}
	if strings.EqualFold(filepath.Ext(name), ".json") {
		data, err := readSome(name, counter.MaxSize+1)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(data, []byte(`"quotient-counter"`)) {
			return counter.Read(bytes.NewReader(data), name)
		}
	}
	var o language.Options
	if over != nil {
		o.Symbols = over.Names()
	}
	loaded, err := language.Load(o, name)
	if err != nil {
		return nil, err
	}
	return counter.FromDFA(loaded[0]), nil
}

// readSome reads at most n bytes of a file.
func readSome(name string, n int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, n))
}

func runCounter(a *counter.Automaton, texts []string) ([]counterWord, error) {
	var list []counterWord
	for _, spelled := range texts {
		w, err := a.Alphabet.Parse(spelled)
		if err != nil {
			return nil, err
		}
		c := a.Run(w)
		list = append(list, counterWord{a.Alphabet.Format(w), a.AcceptsAt(c), text.State(c.State), c.Counter})
	}
	return list, nil
}

// tell prints what was asked for, or else the automaton.
func (x *counterRun) tell(w io.Writer) {
	if x.Words == nil && x.Compared == nil && x.Network == nil {
		fmt.Fprintf(w, "%s: ", x.Name)
		text.Counter(w, x.Automaton)
	}
	for _, word := range x.Words {
		sign := '-'
		if word.Accept {
			sign = '+'
		}
		fmt.Fprintf(w, "%c %s  %s, counter %d\n", sign, word.Word, word.State, word.Counter)
	}
	if t := x.Compared; t != nil && t.Equal {
		fmt.Fprintf(w, "%s and %s: the same on all words up to length %d\n", x.Name, t.Name, t.UpTo)
	} else if t != nil {
		fmt.Fprintf(w, "%s and %s: different languages; a shortest word of difference, which %s %s: %s\n",
			x.Name, t.Name, t.Name, text.Accepts(t.Accepts), *t.Witness)
	}
	if x.Network != nil {
		x.Network.Tell(w, extract.Counter)
	}
}

// counterEncoder settles the format of a counter automaton.
func counterEncoder(to *destination) (func(io.Writer, *counter.Automaton) error, error) {
	format := to.format
	if format == "" {
		format = strings.TrimPrefix(strings.ToLower(filepath.Ext(to.path)), ".")
	}
	switch format {
	case "", "json":
		return counter.Write, nil
	case "svg", "pdf", "png":
		return func(w io.Writer, a *counter.Automaton) error {
			return paint.As(format, w, func(w io.Writer) error { return draw.Counter(w, a, draw.Options{}) })
		}, nil
	}
	return nil, usagef("counter automata are written as json, svg, pdf and png, not as %s", format)
}
