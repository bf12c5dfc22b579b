package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quotient/automaton/codec"
	"quotient/language"
)

func newConvert() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert an automaton to another format",
		Long: `Convert an automaton to another format, by default those of the extensions. The
automaton stays as it is: nondeterministic ones remain so where the format allows.
OUT may be - for standard output.

` + formatHelp(),
		Example: `  quotient convert tomita5 tomita5.dot
  quotient convert learned.dot tomita.mata --from aalpy
  quotient convert 'regex:(ab)*' - --to python`,
		Args: exactly("IN", "OUT"),
	}
	options := loadFlags(cmd)
	to := &destination{}
	formatFlag(cmd, to)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		to.path, to.limit = args[1], options.Limit
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
	fmt.Fprintf(&b, "  %-8s %-14s %s", "svg", ".svg", "a picture, as 'quotient draw' makes it; write-only")
	return b.String()
}
