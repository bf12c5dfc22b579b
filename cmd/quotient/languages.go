package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"quotient/automaton/codec"
	"quotient/automaton/regex"
	"quotient/counter"
	"quotient/internal/text"
	"quotient/language"
)

func newLanguages() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "languages",
		Short: "List the languages that have names",
		Long: `List the languages that come with the program, with the number of states of the
minimal automaton (the dead state not counted) and a regular expression. The last two
are not regular; 'train', 'sample', 'counter' and 'extract --target' take them.`,
		Example: `  quotient languages
  quotient languages --json`,
		Args: exactly(),
	}
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		list, err := listLanguages()
		if err != nil {
			return err
		}
		return answer(cmd, *asJSON, list, func(w io.Writer) {
			t := text.Table("name", "states", "words", "expression")
			for _, l := range list {
				if l.Counter != nil {
					l.Expression = "not regular: a counter beside the states"
				}
				t.AppendRow(text.Row{l.Name, l.States, l.Note, l.Expression})
			}
			text.Print(w, t)
			fmt.Fprintln(w, "\nBesides, regex:EXPRESSION and automaton files are languages; 'quotient --help' says how.")
		})
	}
	return cmd
}

type listed struct {
	Name       string     `json:"name"`
	Note       string     `json:"definition"`
	States     int        `json:"states"`
	Expression string     `json:"expression"` // empty if it is not regular
	Automaton  codec.JSON `json:"automaton"`  // null then

	Counter *counter.Automaton `json:"counter,omitempty"` // and this instead
}

func listLanguages() ([]listed, error) {
	var list []listed
	for _, l := range language.Builtin() {
		d := l.DFA()
		e, err := regex.FromDFA(d, regex.DefaultLength)
		if err != nil {
			return nil, err
		}
		list = append(list, listed{Name: l.Name, Note: l.Note, States: d.Len(), Expression: e.String(), Automaton: codec.JSON{NFA: d.NFA()}})
	}
	for _, l := range language.CountingLanguages() {
		list = append(list, listed{Name: l.Name, Note: l.Note, States: l.Automaton.Len(), Counter: l.Automaton})
	}
	return list, nil
}
