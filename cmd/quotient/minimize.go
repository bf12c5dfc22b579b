package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/internal/text"
	"quotient/language"
	"quotient/probabilistic"
)

func newMinimize() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "minimize IN",
		Short: "Find the smallest automaton for a language",
		Long: `Find the smallest deterministic automaton for a language. Its states are numbered
breadth first, so two automata for one language over one alphabet come out the
same. The dead state is not counted.

Of a probabilistic automaton, states are united that predict alike, now and after every
continuation: their probabilities differ by at most --tolerance.
` + probabilisticHelp + `

Without -o and --to, the result is printed for reading.`,
		Example: `  quotient minimize 'regex:(a|b)*abb'
  quotient minimize big.att -o small.att
  quotient minimize tomita3 --to dot
  quotient minimize model.json --tolerance 0.01`,
		Args: exactly("IN"),
	}
	options, to, asJSON := loadFlags(cmd), outputFlags(cmd), jsonFlag(cmd)
	chance := probabilisticFlag(cmd, options)
	tolerance := cmd.Flags().Float64("tolerance", defaultTolerance, "of a probabilistic automaton: by how much probabilities of one state may differ")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := chance.load(cmd, args[0])
		switch {
		case err != nil:
			return err
		case p == nil && cmd.Flags().Changed("tolerance"):
			return usagef("--tolerance is for probabilistic automata")
		case !(*tolerance >= 0):
			return usagef("--tolerance %g: it must be 0 or more", *tolerance)
		case p != nil && *asJSON:
			m := probabilistic.Minimize(p, *tolerance)
			return printJSON(cmd.OutOrStdout(), minimizedProbabilistic{args[0], p.Len(), m.Len(), m})
		case p != nil:
			return minimizeProbabilistic(cmd, p, *tolerance, to)
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

// defaultTolerance is what rounding makes of equal probabilities at most.
const defaultTolerance = 1e-9

type minimizedProbabilistic struct {
	Name      string                   `json:"name"`
	Before    int                      `json:"states_before"`
	States    int                      `json:"states"`
	Automaton *probabilistic.Automaton `json:"automaton"`
}

type minimized struct {
	Name      string     `json:"name"`
	Before    int        `json:"states_before"` // once deterministic
	States    int        `json:"states"`
	Automaton codec.JSON `json:"automaton"`
}
