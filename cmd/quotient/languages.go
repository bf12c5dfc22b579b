package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"quotient/automaton/codec"
	"quotient/automaton/regex"
	"quotient/language"
)

func newLanguages() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "languages",
		Short: "List the languages that have names",
		Long: `List the languages that come with the program, with the number of states of the
minimal automaton (the dead state not counted) and a regular expression.`,
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
		if *asJSON {
			return printJSON(cmd.OutOrStdout(), list)
		}
		t := plainTable("name", "states", "words", "expression")
		for _, l := range list {
			t.AppendRow(table.Row{l.Name, l.States, l.Note, l.Expression})
		}
		fmt.Fprintln(cmd.OutOrStdout(), t.Render())
		fmt.Fprintln(cmd.OutOrStdout(), "\nBesides, regex:EXPRESSION and automaton files are languages; 'quotient --help' says how.")
		return nil
	}
	return cmd
}

type listed struct {
	Name       string     `json:"name"`
	Note       string     `json:"definition"`
	States     int        `json:"states"`
	Expression string     `json:"expression"`
	Automaton  codec.JSON `json:"automaton"`
}

func listLanguages() ([]listed, error) {
	var list []listed
	for _, l := range language.Builtin() {
		d := l.DFA()
		e, err := regex.FromDFA(d, regex.DefaultLength)
		if err != nil {
			return nil, err
		}
		list = append(list, listed{l.Name, l.Note, d.Len(), e.String(), codec.JSON{NFA: d.NFA()}})
	}
	return list, nil
}
