package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quotient/extract"
	"quotient/internal/text"
	"quotient/model"
	"quotient/report"
	"quotient/study"
)

func newMethods() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "methods MODEL",
		Short: "Put all methods of extraction side by side on one network",
		Long: `Extract an automaton from a network by every method there is, and print one table:
how many states each finds, on how many words it agrees with the network, whether it is
exactly the language of --target, how many words and hypotheses it asked the network
about, and how long it took.

` + modelHelp + `

` + elsewhereHelp + `

All automata are judged on the same words. Each of them contributes as many: half of
them uniform, a quarter that it accepts and a quarter that it rejects, of lengths up to
50. Methods that merge states ask about the prefixes in their sample; what equivalence
queries try is not counted, and words asked for again are cache hits. explore keeps no
answers, so it counts them again. 'quotient extract --method' tells more about each.

--budget WORDS bounds all that is asked. A quarter of it at most is for the words that judge, and every
method has an equal part of the rest.

--data FILE leads every method, and the table says on how many of the words held out of it
the two agree.

Ctrl-C ends it with the methods that have found something until then.

--report FILE.html writes one page with the table, a chart, and the smallest automaton
among those that are exact or, without a target, agree on most words.`,
		Example: `  quotient methods zoo:tomita4 --target tomita4
  quotient methods zoo:tomita3 --methods fold,ttt,edsm
  quotient methods zoo:tomita3 --target tomita3 --report methods.html
  quotient methods net.onnx --csv > methods.csv`,
		Args: exactly("MODEL"),
	}
	x := contest{networks: networkFlags(cmd)}
	elsewhereFlags(cmd, x.networks)
	weightsFlag(cmd, x.networks)
	f := cmd.Flags()
	f.StringSliceVar(&x.Methods, "methods", nil, "methods to run, as fold,ttt (default: all)")
	f.StringVar(&x.Options.Target, "target", "", "language to compare the answers with")
	f.StringVar(&x.Options.Data, "data", "", extract.FindSetting("data").Doc)
	f.IntVar(&x.Options.Budget, "budget", 0, "words that the network may be asked about by all methods together, a quarter of them at most to judge (default: as many as it takes)")
	f.Uint64Var(&x.Options.Seed, "seed", extract.DefaultSeed, "seed of all random words")
	f.IntVar(&x.Words, "words", 1000, "words that judge the automata, at least")
	f.DurationVar(&x.Time, "time", time.Minute, "time for each method")
	x.report.flags(cmd, "file for a report as one HTML page: the methods, and the best automaton")
	f.BoolVar(&x.asCSV, "csv", false, "print CSV")
	x.asJSON = jsonFlag(cmd)
	cmd.RegisterFlagCompletionFunc("methods", cobra.FixedCompletions(extract.Names()[1:], cobra.ShellCompDirectiveNoFileComp))
	cmd.RunE = x.run
	return cmd
}

// A contest is what the flags of methods ask for.
type contest struct {
	study.Contest
	networks *model.Options
	report   page
	asCSV    bool
	asJSON   *bool
}

func (x *contest) check() error {
	switch {
	case x.asCSV && *x.asJSON:
		return usagef("--csv and --json say the same in two ways: leave one out")
	case x.Options.Budget < 0:
		return usagef("--budget %d: it must not be negative", x.Options.Budget)
	case x.Words < 1:
		return usagef("--words %d: it must be at least 1", x.Words)
	case x.Time <= 0:
		return usagef("--time %v: it must be over 0", x.Time)
	}
	for _, name := range x.Methods {
		if _, err := extract.Find(name); err != nil && !forecasts(name) {
			return usageError{err}
		}
	}
	return x.report.check()
}

func (x *contest) run(cmd *cobra.Command, args []string) error {
	if err := x.check(); err != nil {
		return err
	}
	if err := readData(cmd, &x.Options.Options); err != nil {
		return err
	}
	m, err := openModel(cmd, args, x.networks)
	if err != nil {
		return err
	}
	defer m.Close()
	clear := func() {}
	if errs := cmd.ErrOrStderr(); text.IsTerminal(errs) {
		x.Tell = func(method string) { text.Live(errs, method+" …") }
		clear = func() { text.Erase(errs) }
	}
	if m.Predicts() {
		return x.predictors(cmd, args, m, clear)
	}
	stop, release := interruptible(cmd.Context())
	defer release()
	x.Options.Stop = stop
	entries, err := x.Run(cmd.Context(), m)
	clear()
	if errors.Is(err, study.ErrInterrupted) {
		err = interrupted{err}
	}
	if err != nil {
		return err
	}
	if err := x.write(cmd, args, m, entries); err != nil || stop.Err() == nil {
		return err
	}
	return interrupted{fmt.Errorf("it was interrupted; %s found something until then", text.Plural(len(entries), "method"))}
}

// write writes what was asked for.
func (x *contest) write(cmd *cobra.Command, args []string, m *model.Model, entries []study.Entry) error {
	out := cmd.OutOrStdout()
	if x.report.path != "" {
		best := study.Winner(entries)
		if best == nil {
			return fmt.Errorf("%s: no method found a finite automaton to report on", m.Name)
		}
		if err := best.Study.Certify(cmd.Context()); err != nil {
			return err
		}
		page := report.Report{Study: best.Study, Version: buildVersion().String(), Methods: entries, Command: x.report.command(commandLine(cmd, args))}
		if err := writeFile(x.report.path, out, page.Write); err != nil {
			return err
		}
	}
	switch {
	case *x.asJSON:
		return printJSON(out, entries)
	case x.asCSV:
		return writeMethodsCSV(out, entries)
	case len(wantStdout(cmd, args)) == 0:
		tellMethods(out, m, entries)
	}
	return nil
}

// tellMethods prints the table and what there is to say about its rows.
func tellMethods(w io.Writer, m *model.Model, entries []study.Entry) {
	t := text.Table("method", "states", "agreement", "target", "membership", "cache hits", "equivalence", "seconds", "")
	for _, e := range entries {
		row := text.Row{}
		for _, cell := range e.Cells() {
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	text.Print(w, t)
	for _, line := range study.Lines(entries) {
		fmt.Fprintln(w, line)
	}
	for _, note := range m.Notes {
		fmt.Fprintf(w, "warning: %s\n", note)
	}
	fmt.Fprintf(w, "\n%s: %s\nread as: %s\n", m.Name, m, m.Reading())
}

// writeMethodsCSV writes a line for each method, under the names that JSON has too.
func writeMethodsCSV(w io.Writer, entries []study.Entry) error {
	out := csv.NewWriter(text.Raw(w))
	data := slices.ContainsFunc(entries, func(e study.Entry) bool { return e.Words != nil })
	out.Write(columnsOf(data))
	for _, e := range entries {
		out.Write(methodRow(e, data))
	}
	out.Flush()
	return out.Error()
}

// columnsOf names the columns; some are about words of the user's.
func columnsOf(data bool) []string {
	header := []string{"method", "states", "accuracy", "equal", "membership_queries", "equivalence_queries", "seconds", "error"}
	if data {
		header = append(header, "data_accuracy", "held_out", "left_out", "network_accuracy", "read_as")
	}
	return append(header, "warnings", "interrupted")
}

func methodRow(e study.Entry, data bool) []string {
	equal, failed := "", ""
	if e.Equal != nil {
		equal = strconv.FormatBool(*e.Equal)
	}
	if e.Error != nil {
		failed = *e.Error
	}
	share := func(x *float64) string {
		if x == nil {
			return ""
		}
		return strconv.FormatFloat(*x, 'f', -1, 64)
	}
	row := []string{
		e.Method, strconv.Itoa(e.States), share(&e.Accuracy), equal,
		strconv.Itoa(e.Membership), strconv.Itoa(e.Equivalence), strconv.FormatFloat(e.Seconds, 'f', 3, 64), failed,
	}
	switch d := e.Words; {
	case d != nil:
		row = append(row, share(e.Data), strconv.Itoa(d.HeldOut), strconv.Itoa(d.LeftOut), share(d.Network), d.Reading.String())
	case data:
		row = append(row, "", "", "", "", "")
	}
	return append(row, strings.Join(e.Remarks(), "; "), strconv.FormatBool(e.Interrupted))
}

// commandLine returns the command as it was given, without where its output goes.
func commandLine(cmd *cobra.Command, args []string) string {
	words := strings.Fields(cmd.CommandPath())
	for _, a := range args {
		words = append(words, text.Quote(a))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "report", "json", "csv":
			return
		}
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		words = append(words, "--"+f.Name+"="+text.Quote(value))
	})
	return strings.Join(words, " ")
}
