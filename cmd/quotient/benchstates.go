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
		text.Print(w, t)
	})
}

func newBenchFiles() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "files [FILE...]",
		Short: "Measure reading of large files of weights",
		Long: `Measure the processor time and the memory of reading .safetensors files and .pt files of
PyTorch, up to where every number is known to be finite. Without a FILE, a .safetensors file is
made and read; with --write it is only made, for other programs to read and to convert.

Memory is what the program had at most, less what it had before: of several files, only that of
the first tells much.`,
		Example: `  quotient bench files --megabytes 20
  quotient bench files weights.pt --json`,
	}
	var o bench.FilesOptions
	megabytes := cmd.Flags().Int("megabytes", 200, "size of the file that is made")
	measure := func(cmd *cobra.Command) ([]bench.Figure, error) {
		if *megabytes < 1 || *megabytes > 1000 {
			return nil, usagef("%d megabytes: there must be 1 to 1,000", *megabytes)
		}
		o.Bytes, o.Files = *megabytes*1_000_000, cmd.Flags().Args()
		return bench.Files(cmd.Context(), o)
	}
	return benchTable(cmd, &o.Rounds, &o.Folder, measure, tellMemory)
}

func newBenchNetwork() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "network",
		Short: "Measure one step of a large network",
		Long:  "Measure the processor time of one step of many states of an LSTM with random weights.",
		Example: `  quotient bench network --units 64 --states 256
  quotient bench network --json`,
		Args: exactly(),
	}
	var o bench.NetworkOptions
	cmd.Flags().IntVar(&o.Units, "units", 1024, "units of a layer")
	cmd.Flags().IntVar(&o.Layers, "layers", 3, "layers")
	cmd.Flags().IntVar(&o.Symbols, "symbols", 64, "symbols of the alphabet")
	cmd.Flags().IntVar(&o.States, "states", 4096, "states that step at once")
	cmd.Flags().IntVar(&o.Threads, "threads", 2, "threads")
	measure := func(cmd *cobra.Command) ([]bench.Figure, error) {
		for _, n := range []int{o.Units, o.Layers, o.Symbols, o.States, o.Threads} {
			if n < 1 || n > 100_000 {
				return nil, usagef("%d: all figures are 1 to 100,000", n)
			}
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		return bench.Network(ctx, o)
	}
	return benchTable(cmd, &o.Rounds, nil, measure, tellMemory)
}

func newBenchTree() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tree",
		Short: "Measure merging of a large prefix tree, and its memory",
		Long: `Measure the processor time of merging the states of a large prefix tree of the bundled network
for Tomita 4, by two rules, and what the program had of memory at most, as a multiple of the
states' own bytes. A tree of 4,250,000 nodes takes over two gigabytes.`,
		Example: `  quotient bench tree --nodes 100000
  quotient bench tree --nodes 4250000 --rounds 1 --json`,
		Args: exactly(),
	}
	var o bench.TreeOptions
	cmd.Flags().IntSliceVar(&o.Nodes, "nodes", []int{1_000_000}, "numbers of nodes")
	measure := func(cmd *cobra.Command) ([]bench.Figure, error) {
		for _, n := range o.Nodes {
			if n < 1 || n > 10_000_000 {
				return nil, usagef("%d nodes: there must be 1 to ten million", n)
			}
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		return bench.Trees(ctx, o)
	}
	return benchTable(cmd, &o.Rounds, nil, measure, tellMemory)
}

// tellMemory prints figures with what they took of memory: a tree's as a multiple of its states.
func tellMemory(w io.Writer, figures []bench.Figure) {
	t := text.Table("work", "input", "size", "processor time", "memory", "")
	for _, f := range figures {
		memory, times := "", ""
		if f.Memory > 0 {
			memory, times = fmt.Sprintf("%.0f MB", float64(f.Memory)/1e6), fmt.Sprintf("%.2f times the file", float64(f.Memory)/float64(f.Size))
		}
		if f.Of > 0 {
			times = fmt.Sprintf("%.2f times the states", float64(f.Memory)/float64(f.Of))
		}
		t.AppendRow(text.Row{f.Work, f.Input, f.Size, spent(f.Seconds), memory, times})
	}
	text.Print(w, t)
}

// spent returns seconds as they are shown.
func spent(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(10 * time.Microsecond)
}
