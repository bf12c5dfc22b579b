package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quotient/internal/text"
)

// colorFlag adds --color, which settles the colors of screens as soon as it is read, and
// makes paragraphs of help as wide as the terminal.
func colorFlag(root *cobra.Command, screens ...*text.Screen) {
	root.PersistentFlags().Var(&colors{screens: screens}, "color", "color the output: auto, always or never")
	root.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(colorNames, cobra.ShellCompDirectiveNoFileComp))
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if width := text.Width(cmd.OutOrStdout()); width > 0 {
			cmd.Long = text.Reflow(cmd.Long, min(width, 88))
		}
		help(cmd, args)
	})
}

var colorNames = []string{"auto", "always", "never"}

// colors is the value of --color.
type colors struct {
	name    string
	screens []*text.Screen
}

func (c *colors) String() string {
	if c.name == "" {
		return "auto"
	}
	return c.name
}

func (c *colors) Type() string { return "when" }

func (c *colors) Set(name string) error {
	if !slices.Contains(colorNames, name) {
		return usagef("it is one of %s", strings.Join(colorNames, ", "))
	}
	for _, s := range c.screens {
		if c.name = name; name != "auto" {
			s.SetColor(name == "always")
		}
	}
	return nil
}
