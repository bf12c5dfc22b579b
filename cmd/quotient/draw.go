package main

import (
	"io"

	"github.com/spf13/cobra"

	"quotient/automaton"
	"quotient/draw"
	"quotient/language"
	"quotient/probabilistic"
)

func newDraw() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "draw IN",
		Short: "Draw an automaton as SVG, PDF or PNG",
		Long: `Draw an automaton as SVG, PDF or PNG: an arrow into the start, double circles around accepting
states, one edge for each pair of states with its symbols joined. The automaton is
drawn as it is, once deterministic; --minimize draws the smallest one instead.

Of a probabilistic automaton, edges are labeled with probabilities, and as wide as they
are probable; --minimize unites states that predict the same.
` + probabilisticHelp + `

Without -o, the picture goes to standard output as SVG.`,
		Example: `  quotient draw tomita5 -o tomita5.svg
  quotient draw 'regex:(a|b)*abb' --dead -o abb.pdf
  quotient draw learned.dot --minimize -o learned.svg`,
		Args: exactly("IN"),
	}
	options := loadFlags(cmd)
	path := cmd.Flags().StringP("output", "o", "", "file to write (default: standard output)")
	dead := cmd.Flags().Bool("dead", false, "show the dead state and the edges that lead there")
	smallest := cmd.Flags().Bool("minimize", false, "minimize first")
	chance := probabilisticFlag(cmd, options)
	title := cmd.Flags().String("title", "", "title of the picture, for tooltips and screen readers")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkPicture(*path); err != nil {
			return err
		}
		if p, err := chance.load(cmd, args[0]); err != nil || p != nil {
			if err != nil {
				return err
			}
			if *smallest {
				p = probabilistic.Minimize(p, defaultTolerance)
			}
			return writePicture(*path, cmd.OutOrStdout(), func(w io.Writer) error {
				return draw.Probabilistic(w, p, draw.Options{Title: *title})
			})
		}
		loaded, err := language.Load(*options, args[0])
		if err != nil {
			return err
		}
		d := loaded[0]
		if *smallest {
			d = automaton.Minimize(d)
		}
		return writePicture(*path, cmd.OutOrStdout(), func(w io.Writer) error {
			return draw.Automaton(w, d, draw.Options{Title: *title, ShowDead: *dead})
		})
	}
	return cmd
}
