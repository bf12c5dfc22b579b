package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quotient/internal/bench"
	"quotient/internal/text"
)

func newBenchAutomata() *cobra.Command {
	var families []string
	for _, f := range bench.Families {
		families = append(families, fmt.Sprintf("  %-14s %s", f.Name, f.Doc))
	}
	cmd := &cobra.Command{
		Use:   "automata",
		Short: "Measure minimizing and comparing of large automata",
		Long: `Measure the processor time of minimizing automata of several families, and of comparing a
random automaton with itself, its states shuffled. The families:

` + strings.Join(families, "\n") + `

With --write the automata are left in a folder, in AT&T's format, so that other programs can be
given them too; bench/table.py does that.`,
		Example: `  quotient bench automata --states 10000
  quotient bench automata --families cycle,counter --states 100000,1000000 --json`,
		Args: exactly(),
	}
	var o bench.AutomataOptions
	cmd.Flags().StringSliceVar(&o.Families, "families", nil, "families to measure (default all)")
	cmd.Flags().IntSliceVar(&o.States, "states", []int{100_000, 1_000_000}, "numbers of states")
	return benchSection(cmd, &o.Rounds, &o.Folder, func(cmd *cobra.Command) ([]bench.Figure, error) {
		for _, n := range o.States {
			if n < 10 || n > 10_000_000 {
				return nil, usagef("%d states: there must be 10 to ten million", n)
			}
		}
		return bench.Automata(cmd.Context(), o)
	})
}

func newBenchLearn() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "learn",
		Short: "Measure learners with a perfect teacher",
		Long: `Measure the processor time of TTT, L* and the learner of Kearns and Vazirani on random
automata that a perfect teacher knows, and count what they ask. What the teacher takes to find words
of difference is left out.`,
		Example: `  quotient bench learn --states 50,200 --symbols 2
  quotient bench learn --json`,
		Args: exactly(),
	}
	var o bench.LearnOptions
	cmd.Flags().IntSliceVar(&o.States, "states", []int{50, 200, 1000}, "numbers of states")
	cmd.Flags().IntSliceVar(&o.Symbols, "symbols", []int{2, 10, 64}, "numbers of symbols")
	return benchSection(cmd, &o.Rounds, &o.Folder, func(cmd *cobra.Command) ([]bench.Figure, error) {
		for _, n := range append(o.States, o.Symbols...) {
			if n < 1 || n > 100_000 {
				return nil, usagef("%d: numbers of states and symbols are 1 to 100,000", n)
			}
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		return bench.Learn(ctx, o)
	})
}

func newBenchWords() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "words",
		Short: "Measure learning from labeled words",
		Long: `Measure the processor time of RPNI and EDSM on random words that a random automaton over two
symbols labels, from words in memory to a minimal automaton, and how many of 10,000 fresh words the
result gets right.`,
		Example: `  quotient bench words --methods rpni --words 10000,50000
  quotient bench words --methods edsm --states 50,200 --words 10000 --json`,
		Args: exactly(),
	}
	var o bench.WordsOptions
	cmd.Flags().StringSliceVar(&o.Methods, "methods", []string{"rpni", "edsm"}, "methods to measure")
	cmd.Flags().IntSliceVar(&o.States, "states", []int{50}, "states of the automata that label the words")
	cmd.Flags().IntSliceVar(&o.Words, "words", []int{10_000, 50_000}, "numbers of words")
	cmd.Flags().IntVar(&o.Length, "length", 25, "length of the longest words")
	return benchSection(cmd, &o.Rounds, &o.Folder, func(cmd *cobra.Command) ([]bench.Figure, error) {
		for _, n := range slices.Concat(o.States, o.Words, []int{o.Length}) {
			if n < 1 || n > 10_000_000 {
				return nil, usagef("%d: states, words and lengths are 1 to ten million", n)
			}
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		return bench.Words(ctx, o)
	})
}

func newBenchFormats() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "formats",
		Short: "Measure reading and writing of large automata",
		Long: `Measure the processor time of writing a random automaton over two symbols, and of reading it
again, in memory. With json comes what Go's encoding/json alone takes for the same document.`,
		Example: `  quotient bench formats --states 100000
  quotient bench formats --formats json,att,mata --json`,
		Args: exactly(),
	}
	var o bench.FormatsOptions
	cmd.Flags().StringSliceVar(&o.Formats, "formats", []string{"json", "att"}, "formats to measure")
	cmd.Flags().IntSliceVar(&o.States, "states", []int{1_000_000}, "numbers of states")
	return benchSection(cmd, &o.Rounds, nil, func(cmd *cobra.Command) ([]bench.Figure, error) {
		for _, n := range o.States {
			if n < 10 || n > 10_000_000 {
				return nil, usagef("%d states: there must be 10 to ten million", n)
			}
		}
		return bench.Formats(cmd.Context(), o)
	})
}

// benchSection completes a command that prints figures of automata. Some have inputs to write to a folder.
func benchSection(cmd *cobra.Command, rounds *int, folder *string, measure func(*cobra.Command) ([]bench.Figure, error)) *cobra.Command {
	return benchTable(cmd, rounds, folder, measure, func(w io.Writer, figures []bench.Figure) {
		t := text.Table("work", "input", "size", "states", "processor time", "queries")
		for _, f := range figures {
			t.AppendRow(text.Row{f.Work, f.Input, f.Size, f.States, spent(f.Seconds), f.Queries})
		}
		text.Print(w, t)
	})
}

// benchTable completes a command that prints figures as tell does. There may be no inputs to leave anywhere.
func benchTable(cmd *cobra.Command, rounds *int, folder *string,
	measure func(*cobra.Command) ([]bench.Figure, error), tell func(io.Writer, []bench.Figure),
) *cobra.Command {
	asJSON := jsonFlag(cmd)
	cmd.Flags().IntVar(rounds, "rounds", 5, "how often each is measured; the least time counts")
	if folder != nil {
		cmd.Flags().StringVar(folder, "write", "", "leave the inputs in this `folder`")
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *rounds < 1 {
			return usagef("%d rounds: there must be at least one", *rounds)
		}
		figures, err := measure(cmd)
		if err != nil {
			return err
		}
		return answer(cmd, *asJSON, figures, func(w io.Writer) { tell(w, figures) })
	}
	return cmd
}
