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
	"quotient/extract"
	"quotient/language"
	"quotient/model"
	"quotient/prefix"
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
	f := cmd.Flags()
	networks := networkFlags(cmd)
	other := f.String("compare", "", "automaton to compare with")
	length := f.Int("length", comparedLength, "length up to which words are compared")
	network := f.String("network", "", "network to compare with")
	to := &destination{}
	f.StringVarP(&to.path, "output", "o", "", "file to write: .json for the automaton, .svg for a picture")
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *length < 0 {
			return usagef("--length %d: it must be 0 or more", *length)
		}
		encode, err := counterEncoder(to)
		if err != nil {
			return err
		}
		a, err := loadCounter(args[0], nil)
		if err != nil {
			return err
		}
		out := cmd.OutOrStdout()
		if to.asked() {
			if err := writeFile(to.path, out, func(w io.Writer) error { return encode(w, a) }); err != nil {
				return err
			}
		}
		x := counterRun{Name: args[0], States: a.Len(), Automaton: a}
		if x.Words, err = runCounter(a, args[1:]); err != nil {
			return err
		}
		if *other != "" {
			b, err := loadCounter(*other, a.Alphabet)
			if err != nil {
				return err
			}
			if x.Compared, err = compareCounters(*other, b, a, *length); err != nil {
				return err
			}
		}
		if *network != "" {
			m, err := model.Open(cmd.Context(), *network, *networks)
			if err != nil {
				return err
			}
			r, ok := m.Net.(prefix.Recognizer)
			if !ok {
				return fmt.Errorf("%s: the search for disagreements follows states, but %s", *network, m.Stateless)
			}
			if x.Network, err = checkCounter(cmd.Context(), r, a, 1); err != nil {
				return err
			}
		}
		switch {
		case *asJSON:
			err = printJSON(out, x)
		case !(to.asked() && to.stdout()):
			x.tell(out)
		}
		if err == nil && x.Compared != nil && !x.Compared.Equal {
			return errDiffer
		}
		return err
	}
	return cmd
}

// A counterRun is what counter prints.
type counterRun struct {
	Name      string             `json:"name"`
	States    int                `json:"states"`
	Words     []counterWord      `json:"words,omitempty"`
	Compared  *countTarget       `json:"compared,omitempty"`
	Network   *agreement         `json:"network,omitempty"`
	Automaton *counter.Automaton `json:"automaton"`
}

type counterWord struct {
	Word    string `json:"word"`
	Accept  bool   `json:"accept"`
	State   string `json:"state"`
	Counter int    `json:"counter"`
}

// loadCounter returns an automaton by name. If the alphabet is given, it must be that
// of the automaton.
func loadCounter(name string, over *word.Alphabet) (*counter.Automaton, error) {
	a, err := openCounter(name, over)
	if err != nil {
		return nil, err
	}
	if over != nil && !a.Alphabet.Equal(over) {
		return nil, fmt.Errorf("%s is over %s, and not over %s", name, a.Alphabet, over)
	}
	return a, nil
}

func openCounter(name string, over *word.Alphabet) (*counter.Automaton, error) {
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
	for _, text := range texts {
		w, err := a.Alphabet.Parse(text)
		if err != nil {
			return nil, err
		}
		c := a.Run(w)
		list = append(list, counterWord{a.Alphabet.Format(w), a.AcceptsAt(c), stateName(c.State), c.Counter})
	}
	return list, nil
}

// compareCounters says on which word a differs from the named automaton.
func compareCounters(name string, goal, a *counter.Automaton, length int) (*countTarget, error) {
	w, differ, err := counter.Distinguish(goal, a, length)
	if err != nil {
		return nil, err
	}
	t := &countTarget{Name: name, UpTo: length, Equal: !differ}
	if differ {
		text := a.Alphabet.Format(w)
		t.Witness, t.Accepts = &text, goal.Accepts(w)
	}
	return t, nil
}

// tell prints what was asked for, or else the automaton.
func (x *counterRun) tell(w io.Writer) {
	if x.Words == nil && x.Compared == nil && x.Network == nil {
		fmt.Fprintf(w, "%s: %s over %s\n%s\n", x.Name, plural(x.States, "state"), x.Automaton.Alphabet, counterTable(x.Automaton))
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
		does := "rejects"
		if t.Accepts {
			does = "accepts"
		}
		fmt.Fprintf(w, "%s and %s: different languages; a shortest word of difference, which %s %s: %s\n", x.Name, t.Name, t.Name, does, *t.Witness)
	}
	if x.Network != nil {
		x.Network.tell(w, extract.Counter)
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
	case "svg":
		return func(w io.Writer, a *counter.Automaton) error { return draw.Counter(w, a, draw.Options{}) }, nil
	}
	return nil, usagef("counter automata are written as json and svg, not as %s", format)
}
