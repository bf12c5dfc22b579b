package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"quotient/internal/text"
	"quotient/rnn/backprop"
	"quotient/sweep/queue"
	"quotient/web"
)

func newBench() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Measure how fast the program is on this machine",
		Example: "  quotient bench train\n  quotient bench serve",
		Args:    exactly(),
		RunE:    func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBenchTrain(), newBenchServe(), newBenchSweep(), newBenchExtract(), newBenchAutomata(), newBenchLearn(), newBenchWords(), newBenchFormats(),
		newBenchKMeans(), newBenchFiles(), newBenchNetwork(), newBenchTree())
	return cmd
}

func newBenchTrain() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Measure training against what the cores can do at most",
		Long: `Measure how many tokens a second networks are trained on, and what share that is of
the most that the cores can do, the rate of fused multiply-adds on registers. Only
the operations that the recurrent matrix needs are counted: 60,000 a token for an
Elman network with 100 units, three times as many for a GRU, four for an LSTM.

Everything is measured in turns, many times, and the best of each counts. Other
programs that are running lower the figures all the same.`,
		Example: `  quotient bench train
  quotient bench train --threads 1,2,4 --json`,
		Args: exactly(),
	}
	asJSON := jsonFlag(cmd)
	var o backprop.BenchOptions
	cmd.Flags().IntVar(&o.Batch, "batch", 64, "strings of a step")
	cmd.Flags().IntVar(&o.Hidden, "hidden", 100, "units of the layer")
	cmd.Flags().IntVar(&o.Length, "length", 100, "length of the strings")
	cmd.Flags().IntVar(&o.Rounds, "rounds", 30, "how often each is measured")
	cmd.Flags().IntSliceVar(&o.Threads, "threads", []int{1, 2}, "numbers of threads")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, n := range append([]int{o.Batch, o.Hidden, o.Length, o.Rounds}, o.Threads...) {
			if n < 1 {
				return usagef("%d: all figures must be at least 1", n)
			}
		}
		b, err := backprop.Benchmark(cmd.Context(), o)
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(cmd.OutOrStdout(), b)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "peak of one core: %.1f GFLOP/s (%s); batch %d, hidden %d, length %d\n",
			b.PeakGFLOPS, b.ISA, o.Batch, b.Hidden, b.Length)
		t := text.Table("cell", "threads", "tokens/s", "share of peak")
		for _, r := range b.Results {
			t.AppendRow(text.Row{r.Cell, r.Threads, text.Short(r.TokensPerSecond), fmt.Sprintf("%.0f%%", 100*r.ShareOfPeak)})
		}
		return text.Print(cmd.OutOrStdout(), t)
	}
	return cmd
}

func newBenchSweep() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Measure what it costs to hand out tasks of a sweep",
		Long: `Run a sweep of tasks that compute nothing, with the server inside the program, and print how
long it took and how much memory the program had at most. What is stored is removed again.`,
		Example: `  quotient bench sweep
  quotient bench sweep --tasks 1000 --each 10ms --json`,
		Args: exactly(),
	}
	asJSON := jsonFlag(cmd)
	tasks := cmd.Flags().Int("tasks", 10_000, "number of tasks")
	each := cmd.Flags().Duration("each", time.Millisecond, "how long a task takes by itself")
	slots := cmd.Flags().Int("slots", 2, "tasks at a time")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *tasks < 1 || *tasks > 1_000_000 || *slots < 1 || *each < 0 {
			return usagef("there must be a task and a slot, and at most a million tasks")
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		folder, err := os.MkdirTemp("", "quotient-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		b, err := queue.Benchmark(ctx, folder, *tasks, *each, *slots)
		if err != nil {
			return err
		}
		return answer(cmd, *asJSON, b, func(w io.Writer) {
			fmt.Fprintf(w, "%s of %v, %d at a time: %.1f seconds, %.0f MB of memory\n",
				text.Plural(b.Tasks, "task"), *each, b.Slots, b.Seconds, float64(b.Memory)/1e6)
		})
	}
	return cmd
}

func newBenchServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Measure how fast the page's server answers many clients",
		Long: `Measure how fast the server of 'quotient serve' answers clients that all move kappa at
once, each as fast as answers come, on one bundled network after the other. Every answer is
an automaton with its drawing; a single client is what one person at the page notices.

Memory is what is in use once all garbage is collected: before the first question,
right after the last, and once what the server keeps to save time has been idle.`,
		Example: `  quotient bench serve
  quotient bench serve --clients 4 --seconds 5 --json`,
		Args: exactly(),
	}
	clients := cmd.Flags().Int("clients", 16, "clients that ask at once")
	seconds := cmd.Flags().Float64("seconds", 30, "how long they ask")
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *clients < 1 || !(*seconds > 0) {
			return usagef("%d clients and %g seconds: both must be more than nothing", *clients, *seconds)
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		b, err := web.Benchmark(ctx, web.BenchOptions{Clients: *clients, Time: time.Duration(*seconds * float64(time.Second))})
		if err != nil {
			return err
		}
		return answer(cmd, *asJSON, b, func(w io.Writer) {
			fmt.Fprintf(w, "%s, %.0f seconds: %s, %s\n", text.Plural(b.Clients, "client"), b.Seconds, text.Plural(b.Answers, "answer"), text.Plural(b.Errors, "error"))
			if b.First != "" {
				fmt.Fprintf(w, "the first error: %s\n", b.First)
			}
			fmt.Fprintf(w, "median %.0f ms, 95%% within %.0f ms, the slowest %.0f ms; %.0f ms of processor time each\n", b.Median, b.P95, b.Greatest, b.CPU)
			const mega = 1e6
			fmt.Fprintf(w, "memory: %.1f MB before, %.1f MB right after, %.1f MB once idle\n",
				float64(b.Before)/mega, float64(b.After)/mega, float64(b.Idle)/mega)
		})
	}
	return cmd
}
