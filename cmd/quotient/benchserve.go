package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"quotient/web"
)

func newBenchServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Measure how fast the page's server answers many clients",
		Long: `Measure how fast the server of 'quotient serve' answers clients that all move kappa at
once, each as fast as answers come. Every answer is an automaton with its drawing.

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
		if *asJSON {
			return printJSON(cmd.OutOrStdout(), b)
		}
		out := cmd.OutOrStdout()
		fmt.Fprintf(out, "%s, %.0f seconds: %s, %s\n", plural(b.Clients, "client"), b.Seconds, plural(b.Answers, "answer"), plural(b.Errors, "error"))
		if b.First != "" {
			fmt.Fprintf(out, "the first error: %s\n", b.First)
		}
		fmt.Fprintf(out, "median %.0f ms, 95%% within %.0f ms, the slowest %.0f ms\n", b.Median, b.P95, b.Greatest)
		const mega = 1e6
		_, err = fmt.Fprintf(out, "memory: %.1f MB before, %.1f MB right after, %.1f MB once idle\n",
			float64(b.Before)/mega, float64(b.After)/mega, float64(b.Idle)/mega)
		return err
	}
	return cmd
}
