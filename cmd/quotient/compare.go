package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"quotient/automaton"
	"quotient/internal/text"
	"quotient/language"
)

func newCompare() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Decide whether two automata accept the same language",
		Long: `Decide whether two automata accept the same language.

If they do, it says so and exits with 0. If not, it prints a shortest word that
one of them accepts and the other does not, and exits with 1.

Regular expressions are read over the symbols of both sides, so that '.', '[^a]'
and '~' mean what one expects. A symbol that only one side has counts as one that
the other never accepts.

Two probabilistic automata are compared as distributions of words: by the divergence of
Kullback and Leibler in both directions, exact; by total variation, or bounds of it where
that takes too long; and by the words and prefixes where they differ most.
` + probabilisticHelp,
		Example: `  quotient compare tomita4 'regex:~(.*aaa.*)'
  quotient compare mine.dot theirs.att
  quotient minimize mine.dot --to json | quotient compare - theirs.att`,
		Args: exactly("A", "B"),
	}
	options, asJSON := loadFlags(cmd), jsonFlag(cmd)
	chance := probabilisticFlag(cmd, options)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if args[0] == "-" && args[1] == "-" {
			return usagef("only one of the two can be standard input")
		}
		if a, b, err := chance.comparePair(cmd, args); err != nil || a != nil {
			if err != nil {
				return err
			}
			return compareProbabilistic(cmd, args, a, b, *asJSON)
		}
		d, err := language.Load(*options, args...)
		if err != nil {
			return err
		}
		c := newComparison(args, d)
		if *asJSON { // nobody else waits for that
			c.A.States, c.B.States = automaton.Minimize(d[0]).Len(), automaton.Minimize(d[1]).Len()
		}
		if err = answer(cmd, *asJSON, c, c.tell); err == nil && !c.Equal {
			return errDiffer
		}
		return err
	}
	return cmd
}

// A comparison is what compare prints, as text or as JSON.
type comparison struct {
	Equal   bool     `json:"equal"`
	A       side     `json:"a"`
	B       side     `json:"b"`
	Witness *string  `json:"witness"`                   // a shortest word of difference; null if equal
	Symbols []string `json:"witness_symbols,omitempty"` // the same, a name at a time
}

type side struct {
	Name    string `json:"name"`
	States  int    `json:"states"`            // of the minimal automaton
	Accepts *bool  `json:"accepts,omitempty"` // the witness
}

func newComparison(names []string, d []*automaton.DFA) comparison {
	c := comparison{Equal: true, A: side{Name: names[0]}, B: side{Name: names[1]}}
	if w, differ := automaton.Distinguish(d[0], d[1]); differ {
		c.Equal = false
		text := d[0].Alphabet.Format(w)
		c.Witness = &text
		c.Symbols = make([]string, len(w))
		for i, s := range w {
			c.Symbols[i] = d[0].Alphabet.Name(s)
		}
		inA, inB := d[0].Accepts(w), d[1].Accepts(w)
		c.A.Accepts, c.B.Accepts = &inA, &inB
	}
	return c
}

func (c comparison) tell(w io.Writer) {
	if c.Equal {
		fmt.Fprintln(w, text.Verdict(w, true, "same language"))
		return
	}
	yes, no := c.A, c.B
	if !*c.A.Accepts {
		yes, no = no, yes
	}
	fmt.Fprintln(w, text.Verdict(w, false, "different languages"))
	fmt.Fprintf(w, "a shortest word of difference: %s\naccepted by %s, rejected by %s\n", text.Strong(w, *c.Witness), text.Shorten(yes.Name, longName), text.Shorten(no.Name, longName))
}

// longName is how much is shown of an expression that is a language's name.
const longName = 200
