package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"quotient/draw"
	"quotient/sweep"
)

func newSweepPlan() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan FILE",
		Short: "Show how much there is to do, what is done, and how long the rest takes",
		Long: `Show how many networks a sweep trains and how many automata it extracts, what of it is
there already, and how long the rest takes. Times are estimated from the results that are
there, of whatever sweep; --measure trains for a moment to find out about networks of which
none was trained yet.

--cores tells how long it takes on so many cores. A network is trained by one core, so that
beyond some number more of them do not help.`,
		Example: `  quotient sweep plan study.yaml
  quotient sweep plan study.yaml --measure --cores 2,64,1024`,
		Args: exactly("FILE"),
	}
	place := sweepFlags(cmd)
	cores := cmd.Flags().IntSlice("cores", nil, "numbers of cores to estimate for (default: those of this machine)")
	measure := cmd.Flags().Bool("measure", false, "train for a moment where nothing was measured yet")
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(*cores) == 0 {
			*cores = []int{runtime.GOMAXPROCS(0)}
		}
		for _, n := range *cores {
			if n < 1 {
				return usagef("--cores %d: how many?", n)
			}
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		file, store, _, err := place.open(ctx, cmd.ErrOrStderr(), args[0])
		if err != nil {
			return err
		}
		defer store.Close()
		plan, err := store.Plan(ctx, file, *measure)
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(cmd.OutOrStdout(), plan)
		}
		tellPlan(cmd.OutOrStdout(), file.Name, plan, *cores)
		return nil
	}
	return cmd
}

func tellPlan(w io.Writer, name string, p sweep.Plan, cores []int) {
	fmt.Fprintf(w, "%s: %s to train, %s\n", name, plural(p.Train.Total, "network"), plural(p.Extract.Total, "extraction"))
	line := func(what string, p sweep.Progress) {
		if p.Total > 0 {
			fmt.Fprintf(w, "  %-11s  %d done, %d failed, %d left\n", what, p.Done, p.Failed, p.Left())
		}
	}
	line("networks", p.Train)
	line("extractions", p.Extract)
	if p.Train.Left()+p.Extract.Left() == 0 {
		return
	}
	if p.Seconds > 0 {
		fmt.Fprintf(w, "by %s, the rest takes %s of one core\n", plural(p.Measured, "measurement"), minutes(seconds(p.Seconds)))
		for _, n := range cores {
			fmt.Fprintf(w, "  on %-12s %s\n", plural(n, "core"), minutes(seconds(p.On(n))))
		}
	}
	for _, kind := range p.Unknown {
		fmt.Fprintf(w, "nothing was measured yet of: %s\n", kind)
	}
}

func seconds(x float64) time.Duration { return time.Duration(x * float64(time.Second)) }

func newSweepStatus() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status FILE",
		Short: "Show how far a sweep is",
		Long: `Show how far a sweep is and what failed, as whoever runs it last said. With --nats this
works from anywhere, and lists the workers, too.`,
		Example: `  quotient sweep status study.yaml
  quotient sweep status study.yaml --nats nats://10.0.0.7 --json`,
		Args: exactly("FILE"),
	}
	place := sweepFlags(cmd)
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		file, err := sweep.Open(args[0])
		if err != nil {
			return err
		}
		var status sweep.Status
		var workers []sweep.Presence
		if fromEnvironment(place.at); place.at.URL == "" {
			folder := place.folderOf(args[0])
			if status, err = sweep.ReadStatus(os.DirFS(folder), file.Name); err != nil {
				return fmt.Errorf("%s: the sweep was not run yet: %w", folder, err)
			}
		} else {
			store, err := connect(cmd.Context(), *place.at, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			defer store.Close()
			var found bool
			if status, found, err = store.Status(cmd.Context(), file.Name); err != nil {
				return err
			}
			if !found {
				return fmt.Errorf("%s: the sweep was not run yet on %s", file.Name, place.at)
			}
			if workers, err = store.Workers(cmd.Context()); err != nil {
				return err
			}
		}
		if *asJSON {
			return printJSON(cmd.OutOrStdout(), struct {
				sweep.Status
				Present []sweep.Presence `json:"present,omitempty"`
			}{status, workers})
		}
		tellStatus(cmd.OutOrStdout(), status)
		if len(workers) > 0 {
			t := plainTable("worker", "version", "running", "done", "tokens/s")
			for _, p := range workers {
				t.AppendRow(table.Row{p.Worker, p.Version, fmt.Sprintf("%d/%d", p.Running, p.Slots), p.Done, short(p.TokensPerSecond)})
			}
			fmt.Fprintln(cmd.OutOrStdout(), t.Render())
		}
		return nil
	}
	return cmd
}

func newSweepResults() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "results FILE",
		Short: "Show or export the results of a sweep",
		Long: `Show the results of a sweep that are there, as a table of the settings that vary and of
--columns. With --group-by, rows with the same settings are put together, and there is the
median with the quartiles of each column; of yes and no there is the share of yes.

--csv, --jsonl and --parquet write all columns of all rows, or the groups. --training is about the epochs of
training in place of extractions. --plot X,Y draws the median of Y over X with a band between
the quartiles, and a line for each group. --tensorboard writes event files, a folder for each
network and for each way to extract, over epochs.`,
		Example: `  quotient sweep results study.yaml
  quotient sweep results study.yaml --group-by method,kappa --columns states,exact
  quotient sweep results study.yaml --plot strings,accuracy --group-by method --svg plot.svg
  quotient sweep results study.yaml --parquet results.parquet`,
		Args: exactly("FILE"),
	}
	place := sweepFlags(cmd)
	f := cmd.Flags()
	by := f.StringSlice("group-by", nil, "columns whose values make a group, as method,kappa")
	metrics := f.StringSlice("columns", nil, "columns to show (default: accuracy,states,exact; of training loss,dev_string_accuracy,long_string_accuracy)")
	training := f.Bool("training", false, "the epochs of training in place of extractions")
	plot := f.String("plot", "", "columns to draw, as X,Y")
	svg := f.String("svg", "", "file for the drawing (default: X-Y.svg)")
	asCSV := f.Bool("csv", false, "print CSV")
	asLines := f.Bool("jsonl", false, "print JSON, one row a line")
	parquet := f.String("parquet", "", "file to write as Parquet")
	board := f.String("tensorboard", "", "folder to write TensorBoard's event files to")
	cmd.MarkFlagsMutuallyExclusive("csv", "jsonl")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *svg != "" && *plot == "" {
			return usagef("--svg %s: --plot says what to draw", *svg)
		}
		var taken []string // flags that want standard output
		for _, f := range []struct {
			name  string
			wants bool
		}{{"svg", *svg == "-"}, {"parquet", *parquet == "-"}, {"csv", *asCSV}, {"jsonl", *asLines}} {
			if f.wants {
				taken = append(taken, f.name)
			}
		}
		if len(taken) > 1 {
			return usagef("--%s and --%s both want standard output", taken[0], taken[1])
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		file, store, _, err := place.open(ctx, cmd.ErrOrStderr(), args[0])
		if err != nil {
			return err
		}
		defer store.Close()
		columns, rows := sweep.Columns, store.Rows(ctx, file)
		shown := []string{"accuracy", "states", "exact"}
		if *training {
			columns, rows = sweep.TrainColumns, store.TrainRows(ctx, file)
			shown = []string{"loss", "dev_string_accuracy", "long_string_accuracy"}
		}
		if len(*metrics) > 0 {
			shown = *metrics
		}
		if _, err := sweep.Places(columns, append(slices.Clone(*by), shown...)); err != nil {
			return usageError{err}
		}
		out, tell := cmd.OutOrStdout(), cmd.OutOrStdout()
		if *svg == "-" || *parquet == "-" {
			tell = cmd.ErrOrStderr()
		}
		wrote := false
		if *plot != "" {
			wrote = true
			name, err := writePlot(out, rows, columns, *plot, *svg, *by)
			if err != nil {
				return err
			}
			tellWrote(tell, name)
		}
		if len(*by) > 0 && (*parquet != "" || *asCSV || *asLines) {
			groups, err := sweep.GroupBy(rows, columns, *by, shown)
			if err != nil {
				return err
			}
			if columns, rows, err = sweep.Summary(groups, columns, *by, shown); err != nil {
				return err
			}
		}
		if *parquet != "" {
			wrote = true
			if err := writeFile(*parquet, out, func(w io.Writer) error { return sweep.WriteParquet(w, columns, rows) }); err != nil {
				return err
			}
			tellWrote(tell, *parquet)
		}
		if *board != "" {
			wrote = true
			n, err := store.WriteTensorBoard(ctx, file, *board)
			if err != nil {
				return err
			}
			fmt.Fprintf(tell, "wrote %s below %s\n", plural(n, "event file"), *board)
		}
		switch {
		case *asCSV:
			return writeRowsCSV(out, columns, rows)
		case *asLines:
			return writeRowsJSON(out, columns, rows)
		case wrote:
			return nil
		case len(*by) > 0:
			return tellGroups(out, rows, columns, *by, shown)
		}
		return tellRows(out, file, rows, columns, shown, *training)
	}
	return cmd
}

// tellWrote says that a file was written, unless it is standard output.
func tellWrote(w io.Writer, name string) {
	if name != "-" {
		fmt.Fprintf(w, "wrote %s\n", name)
	}
}

func writePlot(out io.Writer, rows iter.Seq2[sweep.Row, error], columns []sweep.Column, axes, name string, by []string) (string, error) {
	x, y, ok := strings.Cut(axes, ",")
	if !ok {
		return "", usagef("--plot %s: it takes two columns, as strings,accuracy", axes)
	}
	p, err := sweep.Plot(rows, columns, x, y, by)
	if err != nil {
		return "", err
	}
	if name == "" {
		name = x + "-" + y + ".svg"
	}
	return name, writeFile(name, out, func(w io.Writer) error {
		return draw.Plots(w, draw.Figure{Title: p.Title, Columns: 1, Plots: []draw.Plot{p}})
	})
}

func writeRowsCSV(w io.Writer, columns []sweep.Column, rows iter.Seq2[sweep.Row, error]) error {
	out := csv.NewWriter(w)
	record := make([]string, len(columns))
	for i, c := range columns {
		record[i] = c.Name
	}
	out.Write(record)
	for row, err := range rows {
		if err != nil {
			return err
		}
		for i, v := range row {
			switch v := v.(type) {
			case nil:
				record[i] = ""
			case float64:
				record[i] = strconv.FormatFloat(v, 'g', -1, 64)
			default:
				record[i] = fmt.Sprint(v)
			}
		}
		out.Write(record)
	}
	out.Flush()
	return out.Error()
}

// writeRowsJSON writes objects whose fields are in the order of the columns.
func writeRowsJSON(w io.Writer, columns []sweep.Column, rows iter.Seq2[sweep.Row, error]) error {
	for row, err := range rows {
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n", sweep.EncodeRow(columns, row)); err != nil {
			return err
		}
	}
	return nil
}

// tellGroups prints a line for each group.
func tellGroups(w io.Writer, rows iter.Seq2[sweep.Row, error], columns []sweep.Column, by, metrics []string) error {
	groups, err := sweep.GroupBy(rows, columns, by, metrics)
	if err != nil {
		return err
	}
	var head []any
	for _, name := range by {
		head = append(head, name)
	}
	head = append(head, "n")
	for _, name := range metrics {
		head = append(head, name)
	}
	t := plainTable(head...)
	for _, g := range groups {
		var row table.Row
		for i, v := range g.By {
			row = append(row, sweep.Show(by[i], v))
		}
		row = append(row, g.Rows)
		for i, q := range g.Metrics {
			row = append(row, showQuartiles(columns, metrics[i], q))
		}
		t.AppendRow(row)
	}
	_, err = fmt.Fprintln(w, t.Render())
	return err
}

func showQuartiles(columns []sweep.Column, name string, q sweep.Quartiles) string {
	switch {
	case math.IsNaN(q.Median):
		return "·"
	case sweep.IsBool(columns, name):
		return fmt.Sprintf("%.0f/%d", q.Mean*float64(q.N), q.N)
	case q.Low == q.High:
		return fmt.Sprintf("%.6g", q.Median)
	}
	return fmt.Sprintf("%.6g (%.6g to %.6g)", q.Median, q.Low, q.High)
}

// tellRows prints a line for each row: the settings that vary, and some columns.
func tellRows(w io.Writer, file *sweep.File, rows iter.Seq2[sweep.Row, error], columns []sweep.Column, metrics []string, training bool) error {
	names := file.Varying()
	if training {
		names = append(file.VaryingTraining(), "epoch")
	}
	names = append(names, metrics...)
	at, err := sweep.Places(columns, names)
	if err != nil {
		return usageError{err}
	}
	var head []any
	for _, n := range names {
		head = append(head, n)
	}
	t := plainTable(head...)
	n := 0
	for row, err := range rows {
		if err != nil {
			return err
		}
		n++
		var cells table.Row
		for k, i := range at {
			cells = append(cells, sweep.Show(names[k], row[i]))
		}
		t.AppendRow(cells)
	}
	if n == 0 {
		_, err = fmt.Fprintln(w, "there are no results yet")
		return err
	}
	_, err = fmt.Fprintln(w, t.Render())
	return err
}
