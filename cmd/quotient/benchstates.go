package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quotient/internal/bench"
	"quotient/internal/text"
)

func newBenchKMeans() *cobra.Command {
	var clouds []string
	for _, c := range bench.Clouds {
		clouds = append(clouds, fmt.Sprintf("  %-14s %s", c.Name, c.Doc))
	}
	cmd := &cobra.Command{
		Use:   "kmeans",
		Short: "Measure clustering of many states",
		Long: `Measure the processor time of finding 20 clusters of points with 100 numbers each, an
iteration's, and how far the points are from their clusters' centers. The points:

` + strings.Join(clouds, "\n") + `

With --write the points are left in a folder, as .npy files; bench/table.py gives them to
scikit-learn.`,
		Example: `  quotient bench kmeans --points 100000 --starts 1
  quotient bench kmeans --inputs states --json`,
		Args: exactly(),
	}
	var o bench.KMeansOptions
	cmd.Flags().StringSliceVar(&o.Inputs, "inputs", nil, "points to cluster (default all)")
	cmd.Flags().IntSliceVar(&o.Points, "points", []int{100_000, 1_000_000}, "numbers of points")
	cmd.Flags().IntSliceVar(&o.Starts, "starts", []int{1, 10}, "starts, the best of which counts")
	cmd.Flags().IntSliceVar(&o.Threads, "threads", []int{1, 2}, "numbers of threads")
	measure := func(cmd *cobra.Command) ([]bench.Figure, error) {
		for _, n := range append(append(o.Starts, o.Threads...), o.Points...) {
			if n < 1 || n > 10_000_000 {
				return nil, usagef("%d: all figures are 1 to ten million", n)
			}
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		return bench.KMeans(ctx, o)
	}
	return benchTable(cmd, &o.Rounds, &o.Folder, measure, func(w io.Writer, figures []bench.Figure) {
		t := text.Table("points", "number", "starts", "threads", "processor time", "seeds'", "iterations", "each", "inertia")
		for _, f := range figures {
			t.AppendRow(text.Row{f.Input, f.Size, f.Starts, f.Threads, spent(f.Seconds), spent(f.Seeding), f.Iterations, spent(f.Each), fmt.Sprintf("%.6g", f.Inertia)})
		}
		fmt.Fprintln(w, t.Render())
	})
}

// spent returns seconds as they are shown.
func spent(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(10 * time.Microsecond)
}
