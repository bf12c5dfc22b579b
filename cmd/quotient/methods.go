package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"quotient/extract"
	"quotient/faith"
	"quotient/language"
	"quotient/model"
	"quotient/prefix"
	"quotient/report"
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

--report FILE.html writes one page with the table, a chart, and the smallest automaton
among those that are exact or, without a target, agree on most words.`,
		Example: `  quotient methods zoo:tomita4 --target tomita4
  quotient methods zoo:tomita3 --methods fold,ttt,edsm
  quotient methods zoo:tomita3 --target tomita3 --report methods.html
  quotient methods net.onnx --csv > methods.csv`,
		Args: exactly("MODEL"),
	}
	f := cmd.Flags()
	networks := networkFlags(cmd)
	elsewhereFlags(cmd, networks)
	c := extract.Contest{}
	names := f.StringSlice("methods", nil, "methods to run, as fold,ttt (default: all)")
	target := f.String("target", "", "language to compare the answers with")
	f.Uint64Var(&c.Options.Seed, "seed", 1, "seed of all random words")
	f.IntVar(&c.Words, "words", 1000, "words that judge the automata, at least")
	f.DurationVar(&c.Time, "time", time.Minute, "time for each method")
	page := f.String("report", "", "file for a report as one HTML page: the methods, and the best automaton")
	asCSV := f.Bool("csv", false, "print CSV")
	asJSON := jsonFlag(cmd)
	cmd.RegisterFlagCompletionFunc("methods", cobra.FixedCompletions(methodList(), cobra.ShellCompDirectiveNoFileComp))

	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *asCSV && *asJSON {
			return usagef("--csv and --json say the same in two ways: leave one out")
		}
		if c.Words < 1 {
			return usagef("--words %d: it must be at least 1", c.Words)
		}
		if c.Time <= 0 {
			return usagef("--time %v: it must be over 0", c.Time)
		}
		for _, name := range *names {
			if !slices.Contains(extract.Methods, extract.Method(name)) {
				return usagef("no method is called %q; there are %s", name, strings.Join(methodList(), ", "))
			}
			c.Methods = append(c.Methods, extract.Method(name))
		}
		m, err := openModel(cmd, args, networks)
		if err != nil {
			return err
		}
		defer m.Close()
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		if *target != "" {
			d, err := language.LoadUpTo(language.Options{Symbols: m.Net.Alphabet().Names()}, countingLength, *target)
			if err != nil {
				return err
			}
			if c.Target, err = d.WithAlphabet(m.Net.Alphabet()); err != nil {
				return fmt.Errorf("%s does not fit the network: %w", *target, err)
			}
		}
		if errs := cmd.ErrOrStderr(); isTerminal(errs) {
			c.Tell = func(m extract.Method) { fmt.Fprintf(errs, "\r\x1b[K%s …", m) }
			defer fmt.Fprint(errs, "\r\x1b[K")
		}
		entries, err := c.Run(ctx, m.Net)
		if err != nil {
			return err
		}
		if *page != "" {
			if err := reportMethods(cmd, args, m, entries, *target, *page); err != nil {
				return err
			}
		}
		switch {
		case *asJSON:
			return printJSON(cmd.OutOrStdout(), entries)
		case *asCSV:
			return writeMethodsCSV(cmd.OutOrStdout(), entries)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", m.Name, m)
		fmt.Fprintln(cmd.OutOrStdout(), methodsTable(entries))
		for _, e := range entries {
			if e.Result == nil {
				continue
			}
			notes := e.Result.Warnings
			if x := e.Result.Explored; x != nil && x.Stopped != "" {
				notes = append(notes, "the search ended because "+x.Stopped)
			}
			if len(notes) > 0 {
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", e.Method, strings.Join(notes, "; "))
			}
		}
		return nil
	}
	return cmd
}

func methodList() []string {
	names := make([]string, len(extract.Methods))
	for i, m := range extract.Methods {
		names[i] = string(m)
	}
	return names
}

func methodsTable(entries []extract.Entry) string {
	t := plainTable("method", "states", "agreement", "target", "membership", "cache hits", "equivalence", "seconds", "")
	count := func(n int) string {
		if n == 0 {
			return "·"
		}
		return strconv.Itoa(n)
	}
	for _, e := range entries {
		if e.Error != nil {
			t.AppendRow(table.Row{e.Method, "·", "·", "·", "·", "·", "·", fmt.Sprintf("%.2f", e.Seconds), shorten(*e.Error, 120)})
			continue
		}
		equal, note := "·", ""
		switch {
		case e.Equal == nil:
		case *e.Equal:
			equal = "exact"
		default:
			equal = "differs"
		}
		if e.Result.Automaton == nil {
			note = "no finite automaton"
		}
		t.AppendRow(table.Row{
			e.Method, e.States, percent(e.Accuracy), equal, count(e.Membership), count(e.CacheHits), count(e.Equivalence),
			fmt.Sprintf("%.2f", e.Seconds), note,
		})
	}
	return t.Render()
}

// reportMethods writes an HTML page about the methods and the best automaton.
func reportMethods(cmd *cobra.Command, args []string, m *model.Model, entries []extract.Entry, target, path string) error {
	best := extract.Winner(entries)
	if best == nil {
		return fmt.Errorf("%s: no method found a finite automaton to report on", m.Name)
	}
	d := best.Result.Automaton
	rep, err := faith.Check(cmd.Context(), m.Net, d, prefix.FromAutomaton(d), faith.Options{Known: best.Result.Exceptions}, rand.New(rand.NewPCG(best.Result.Options.Seed, 100)))
	if err != nil {
		return err
	}
	if cmd.Context().Err() != nil {
		return context.Cause(cmd.Context()) // a model that runs elsewhere has failed
	}
	page := report.Report{
		Model: m.Name, Network: m.String(), Command: commandLine(cmd, args), Version: buildVersion().String(),
		Result: best.Result, Agreement: rep, Methods: entries,
	}
	if best.Equal != nil {
		page.Target = map[bool]string{true: "exactly ", false: "another one than "}[*best.Equal] + target
	}
	return writeFile(path, cmd.OutOrStdout(), func(w io.Writer) error { return report.Write(w, page) })
}

// writeMethodsCSV writes a line for each method, under the names that JSON has too.
func writeMethodsCSV(w io.Writer, entries []extract.Entry) error {
	out := csv.NewWriter(w)
	out.Write([]string{"method", "states", "accuracy", "equal", "membership_queries", "equivalence_queries", "seconds", "error"})
	for _, e := range entries {
		equal, failed := "", ""
		if e.Equal != nil {
			equal = strconv.FormatBool(*e.Equal)
		}
		if e.Error != nil {
			failed = *e.Error
		}
		out.Write([]string{
			string(e.Method), strconv.Itoa(e.States), strconv.FormatFloat(e.Accuracy, 'f', -1, 64), equal,
			strconv.Itoa(e.Membership), strconv.Itoa(e.Equivalence), strconv.FormatFloat(e.Seconds, 'f', 3, 64), failed,
		})
	}
	out.Flush()
	return out.Error()
}
