package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/internal/text"
	"quotient/language"
)

func newMinimize() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "minimize IN",
		Short: "Find the smallest automaton for a language",
		Long: `Find the smallest deterministic automaton for a language. Its states are numbered
breadth first, so two automata for one language over one alphabet come out the
same. The dead state is not counted.

Without -o and --to, the result is printed for reading.`,
		Example: `  quotient minimize 'regex:(a|b)*abb'
  quotient minimize big.att -o small.att
  quotient minimize tomita3 --to dot`,
		Args: exactly("IN"),
	}
	options, to, asJSON := loadFlags(cmd), outputFlags(cmd), jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := to.checkJSON(*asJSON); err != nil {
			return err
		}
		d, err := language.Load(*options, args[0])
		if err != nil {
			return err
		}
		m := automaton.Minimize(d[0])
		if to.asked() {
			if err := to.write(cmd.OutOrStdout(), m.NFA()); err != nil {
				return err
			}
		}
		switch {
		case *asJSON:
			return printJSON(cmd.OutOrStdout(), minimized{args[0], d[0].Len(), m.Len(), codec.JSON{NFA: m.NFA()}})
		case !to.asked():
			text.Automaton(cmd.OutOrStdout(), m)
		case !to.stdout():
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s, written to %s\n", args[0], text.Plural(m.Len(), "state"), to.path)
		}
		return nil
	}
	return cmd
}

type minimized struct {
	Name      string     `json:"name"`
	Before    int        `json:"states_before"` // once deterministic
	States    int        `json:"states"`
	Automaton codec.JSON `json:"automaton"`
}
