package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quotient/extract"
	"quotient/prefix"
	"quotient/report"
)

// report writes the extraction as an HTML page. Where merging has a kappa, it is swept
// once more for the strip.
func (x *extraction) report(ctx context.Context, path string, stdout io.Writer, net prefix.Oracle, o extract.Options, command string) error {
	if x.res.Automaton == nil {
		return fmt.Errorf("%s: there is no finite automaton to report on", x.Model)
	}
	content := report.Report{
		Model: x.Model, Network: x.Network, Command: command, Version: buildVersion().String(),
		Result: x.res, Agreement: x.Agreement.Report,
	}
	if x.Target != nil {
		content.Target = "exactly " + x.Target.Name
		if !x.Target.Equal {
			does := "rejects"
			if x.Target.Accepts {
				does = "accepts"
			}
			content.Target = "another one than " + x.Target.Name + ", which " + does + " " + shorten(*x.Target.Witness, 60)
		}
	}
	if r, ok := net.(prefix.Recognizer); ok && len(x.res.Log) > 0 {
		o.Method = x.res.Options.Method
		var err error
		if content.Trials, err = extract.Sweep(ctx, r, o, nil); err != nil {
			return err
		}
	}
	return writeFile(path, stdout, func(w io.Writer) error { return report.Write(w, content) })
}

// commandLine returns the command as it was given, without where its output goes.
func commandLine(cmd *cobra.Command, args []string) string {
	words := strings.Fields(cmd.CommandPath())
	for _, a := range args {
		words = append(words, report.Quote(a))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "report", "output", "to", "json", "csv", "plot":
			return
		}
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		words = append(words, "--"+f.Name+"="+report.Quote(value))
	})
	return strings.Join(words, " ")
}
