package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Whoever adds a flag that names a file says whether it is read or written.
func TestFilesAreKnown(t *testing.T) {
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			about, _, _ := strings.Cut(strings.TrimPrefix(f.Usage, "JSON "), " ")
			if about == "file" && f.Value.Type() == "string" && !slices.Contains(slices.Concat(readingFlags, writingFlags), f.Name) {
				t.Errorf("%s --%s: is the file read, or written?", cmd.CommandPath(), f.Name)
			}
		})
		for _, c := range cmd.Commands() {
			look(c)
		}
	}
	look(newRoot())
}
