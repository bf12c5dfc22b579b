package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quotient/automaton/codec"
	"quotient/language"
	"quotient/probabilistic"
)

func newConvert() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert an automaton to another format",
		Long: `Convert an automaton to another format, by default those of the extensions. The
automaton stays as it is: nondeterministic ones remain so where the format allows.
OUT may be - for standard output.

` + formatHelp() + `

` + probabilisticHelp + `
With --threshold, OUT is an ordinary automaton of what is likely: the words whose every symbol
and whose end has at least that probability. Formats of probabilistic automata:
` + probabilisticFormats(),
		Example: `  quotient convert tomita5 tomita5.dot
  quotient convert learned.dot tomita.mata --from aalpy
  quotient convert 'regex:(ab)*' - --to python
  quotient convert model.json model.att
  quotient convert model.json likely.dot --threshold 0.01`,
		Args: exactly("IN", "OUT"),
	}
	options := loadFlags(cmd)
	to := &destination{}
	formatFlag(cmd, to)
	chance := probabilisticFlag(cmd, options)
	threshold := cmd.Flags().Float64("threshold", -1, "of a probabilistic automaton: keep what has at least this probability")
	cmd.Flags().Lookup("threshold").DefValue = ""
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		to.path, to.limit = args[1], options.Limit
		p, err := chance.load(cmd, args[0])
		if err == nil {
			err = checkThreshold(cmd, *threshold, p)
		}
		if err != nil {
			return err
		}
		if p != nil {
			return to.writeProbabilistic(cmd.OutOrStdout(), p, *threshold)
		}
		if _, err := to.encoder(); err != nil {
			return err
		}
		n, err := language.LoadNFA(*options, args[0])
		if err != nil {
			return err
		}
		return to.write(cmd.OutOrStdout(), n)
	}
	return cmd
}

// formatHelp lists the formats for the help text.
func formatHelp() string {
	var b strings.Builder
	b.WriteString("Formats:\n")
	for _, f := range codec.Formats() {
		fmt.Fprintf(&b, "  %-8s %-14s %s\n", f.Name, strings.Join(f.Extensions, " "), f.Doc)
	}
	fmt.Fprintf(&b, "  %-8s %-14s %s", "svg", ".svg", "a picture, as 'quotient draw' makes it; also pdf (.pdf) and png (.png); write-only")
	return b.String()
}

// probabilisticFormats lists those of probabilistic automata.
func probabilisticFormats() string {
	var b strings.Builder
	for _, f := range probabilistic.Formats() {
		fmt.Fprintf(&b, "  %-9s %s\n", f.Name, f.Doc)
	}
	b.WriteString("  weights   a weighted automaton (docs/weights-json.md), whose values are the probabilities; write-only\n")
	b.WriteString("  svg       a picture, also pdf and png; write-only")
	return b.String()
}
