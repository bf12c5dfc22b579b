package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quotient/draw"
	"quotient/internal/text"
	"quotient/sweep/plan"
	"quotient/sweep/queue"
	"quotient/sweep/results"
)

func newSweepPlan() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan FILE",
		Short: "Show how much there is to do, what is done, and how long the rest takes",
		Long: `Show how many networks a sweep trains and how many automata it extracts, what of it is
there already, and how long the rest takes. Times are estimated from the results that are
there, of whatever sweep. Of what was never done here, figures that come with the program
stand in, scaled by a short training that says how fast this machine is; --measure trains for
a moment each kind of network of which none was trained yet.

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
		if n := slices.Min(*cores); n < 1 {
			return usagef("--cores %d: how many?", n)
		}
		tell := func(name string, e queue.Estimate, err error) error {
			if err != nil {
				return err
			}
			return answer(cmd, *asJSON, e, func(w io.Writer) { tellEstimate(w, name, e, *cores) })
		}
		if folder := place.of(args[0]); folder != "" && !isThere(folder) { // and it is not made for that
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			file, err := plan.Open(args[0])
			if err != nil {
				return err
			}
			e, err := queue.EstimateFirst(ctx, file, *measure)
			return tell(file.Name, e, err)
		}
		return place.open(cmd, args[0], func(ctx context.Context, s openSweep) error {
			e, err := s.Estimate(ctx, s.file, *measure)
			return tell(s.file.Name, e, err)
		})
	}
	return cmd
}

func tellEstimate(w io.Writer, name string, e queue.Estimate, cores []int) {
	fmt.Fprintf(w, "%s: %s to train, %s\n", name, text.Plural(e.Train.Total, "network"), text.Plural(e.Extract.Total, "extraction"))
	line := func(what string, p queue.Progress) {
		if p.Total > 0 {
			fmt.Fprintf(w, "  %-11s  %d done, %d failed, %d left\n", what, p.Done, p.Failed, p.Left())
		}
	}
	line("networks", e.Train)
	line("extractions", e.Extract)
	if e.Train.Left()+e.Extract.Left() == 0 {
		return
	}
	if e.Seconds > 0 {
		by := []string{}
		if e.Measured > 0 {
			by = append(by, text.Plural(e.Measured, "measurement"))
		}
		if e.Speed > 0 {
			by = append(by, fmt.Sprintf("the figures of a machine of which this one has %.2g times the speed", e.Speed))
		}
		fmt.Fprintf(w, "by %s, the rest takes %s of one core\n", strings.Join(by, " and "), text.Minutes(seconds(e.Seconds)))
		for _, n := range cores {
			fmt.Fprintf(w, "  on %-12s %s\n", text.Plural(n, "core"), text.Minutes(seconds(e.On(n))))
		}
	}
	for _, kind := range e.Unknown {
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
		file, err := plan.Open(args[0])
		if err != nil {
			return err
		}
		var status queue.Status
		var workers []queue.Presence
		if folder := place.of(args[0]); folder != "" {
			if status, err = queue.ReadStatus(os.DirFS(folder), file.Name); errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%s: the sweep was not run yet", folder)
			}
		} else {
			status, workers, err = statusElsewhere(cmd, *place.at, file.Name)
		}
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(cmd.OutOrStdout(), struct {
				queue.Status
				Present []queue.Presence `json:"present,omitempty"`
			}{status, workers})
		}
		tellStatus(cmd.OutOrStdout(), status)
		for _, name := range file.Changed(status.Data) {
			fmt.Fprintf(cmd.OutOrStdout(), "%s has changed since; sweep run goes by what stands in it now\n", name)
		}
		if len(workers) > 0 {
			t := text.Table("worker", "version", "running", "done", "tokens/s")
			for _, p := range workers {
				t.AppendRow(text.Row{p.Worker, p.Version, fmt.Sprintf("%d/%d", p.Running, p.Slots), p.Done, text.Short(p.TokensPerSecond)})
			}
			text.Print(cmd.OutOrStdout(), t)
		}
		return nil
	}
	return cmd
}

// statusElsewhere asks a server how far a sweep is, and who works there.
func statusElsewhere(cmd *cobra.Command, at queue.Server, name string) (status queue.Status, workers []queue.Presence, err error) {
	store, err := openStore(cmd.Context(), at, "", cmd.ErrOrStderr())
	if err != nil {
		return status, nil, err
	}
	defer store.Close()
	status, found, err := store.Status(cmd.Context(), name)
	if err == nil && !found {
		err = fmt.Errorf("%s: the sweep was not run yet on %s", name, at)
	}
	if err == nil {
		workers, err = store.Workers(cmd.Context())
	}
	return status, workers, err
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
network and for each way to extract, over epochs. --sheet writes what the page of quotient serve
shows of a sweep, and sweep run does so by itself. --studies prints what a sweep with study: true
kept of every extraction.`,
		Example: `  quotient sweep results study.yaml
  quotient sweep results study.yaml --group-by method,kappa --columns states,exact
  quotient sweep results study.yaml --plot strings,accuracy --group-by method --svg plot.svg
  quotient sweep results study.yaml --parquet results.parquet`,
		Args: exactly("FILE"),
	}
	place := sweepFlags(cmd)
	var f resultsFlags
	f.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(); err != nil {
			return err
		}
		f.taken = len(wantStdout(cmd, args)) > 0
		return place.open(cmd, args[0], func(ctx context.Context, s openSweep) error {
			if err := s.recall(ctx, cmd.ErrOrStderr()); err != nil {
				return err
			}
			return f.run(ctx, cmd, s)
		})
	}
	return cmd
}

// recall lets results be found for which files of words are needed that are not there any more, or are others now.
func (s openSweep) recall(ctx context.Context, errs io.Writer) error {
	status, _, err := s.Status(ctx, s.file.Name)
	if err != nil {
		return err
	}
	gone, changed, err := s.file.Recall(status.Data)
	for _, name := range gone {
		fmt.Fprintf(errs, "quotient: there is no file %s; these are the results with what stood in it when the sweep was run last\n", name)
	}
	for _, name := range changed {
		fmt.Fprintf(errs, "quotient: %s has changed since the sweep was run last; these are the results with what stood in it then\n", name)
	}
	return err
}

// resultsFlags are the flags of sweep results.
type resultsFlags struct {
	by, columns               []string
	training, csv, jsonl      bool
	studies                   bool
	plot, svg, parquet, board string
	sheet                     string
	taken                     bool // standard output is, by what was asked for
}

// add defines the flags.
func (f *resultsFlags) add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringSliceVar(&f.by, "group-by", nil, "columns whose values make a group, as method,kappa")
	s.StringSliceVar(&f.columns, "columns", nil, "columns to show (default: accuracy,states,exact; of language models divergence,states,top; of training loss,dev_string_accuracy,long_string_accuracy)")
	s.BoolVar(&f.training, "training", false, "the epochs of training in place of extractions")
	s.StringVar(&f.plot, "plot", "", "columns to draw, as X,Y")
	s.StringVar(&f.svg, "svg", "", "file for the drawing (default: X-Y.svg)")
	s.BoolVar(&f.csv, "csv", false, "print CSV")
	s.BoolVar(&f.jsonl, "jsonl", false, "print JSON, one row a line")
	s.BoolVar(&f.studies, "studies", false, "print the whole studies that were kept, as JSON, one a line")
	s.StringVar(&f.parquet, "parquet", "", "file to write as Parquet")
	s.StringVar(&f.sheet, "sheet", "", "file to write for the page, as runs/study.sheet.jsonl: rows and automata")
	s.StringVar(&f.board, "tensorboard", "", "folder to write TensorBoard's event files to")
	cmd.MarkFlagsMutuallyExclusive("csv", "jsonl", "studies")
}

// check refuses flags that make no sense together, and sets defaults.
func (f *resultsFlags) check() error {
	x, y, two := strings.Cut(f.plot, ",")
	switch {
	case f.svg != "" && f.plot == "":
		return usagef("--svg %s: --plot says what to draw", f.svg)
	case f.plot != "" && !two:
		return usagef("--plot %s: it takes two columns, as strings,accuracy", f.plot)
	case f.svg == "":
		f.svg = x + "-" + y + ".svg"
	}
	if len(f.columns) == 0 {
		f.columns = []string{"accuracy", "states", "exact"}
		if f.training {
			f.columns = []string{"loss", "dev_string_accuracy", "long_string_accuracy"}
		}
	}
	return nil
}

// run writes what was asked for, or prints a table.
func (f *resultsFlags) run(ctx context.Context, cmd *cobra.Command, s openSweep) error {
	found := s.Results(ctx, s.file)
	t := results.Extractions(s.file, found)
	if f.training {
		t = results.Trainings(s.file, found)
	}
	if !f.training && s.file.Predicts() && !cmd.Flags().Changed("columns") {
		f.columns = []string{"divergence", "states", "top"}
	}
	if _, err := t.Places(slices.Concat(f.by, f.columns)); err != nil {
		return usageError{err}
	}
	out, tell := cmd.OutOrStdout(), cmd.OutOrStdout()
	if f.taken {
		tell = cmd.ErrOrStderr()
	}
	write := func(name string, content func(io.Writer) error) error {
		err := writePicture(name, out, content)
		if err == nil && name != "-" {
			fmt.Fprintf(tell, "wrote %s\n", name)
		}
		return err
	}
	if f.plot != "" {
		if err := write(f.svg, func(w io.Writer) error { return f.draw(w, t) }); err != nil {
			return err
		}
	}
	if len(f.by) > 0 && (f.parquet != "" || f.csv || f.jsonl) {
		var err error
		if t, err = t.Summary(f.by, f.columns); err != nil {
			return err
		}
	}
	sheet := func(w io.Writer) error { return results.WriteSheet(w, s.file, found) }
	if err := errors.Join(asked(f.parquet, t.WriteParquet, write), asked(f.sheet, sheet, write)); err != nil {
		return err
	}
	if f.board != "" {
		n, err := results.WriteTensorBoard(f.board, s.file, found)
		if err != nil {
			return err
		}
		fmt.Fprintf(tell, "wrote %s below %s\n", text.Plural(n, "event file"), f.board)
	}
	switch {
	case f.csv:
		return t.WriteCSV(text.Raw(out))
	case f.jsonl:
		return t.WriteJSON(text.Raw(out))
	case f.studies:
		return results.WriteStudies(text.Raw(out), found)
	case f.plot+f.parquet+f.sheet+f.board != "":
		return nil
	case len(f.by) > 0:
		return f.tellGroups(out, t)
	}
	return f.tellRows(out, t)
}

// asked writes a file if it has a name.
func asked(name string, content func(io.Writer) error, write func(string, func(io.Writer) error) error) error {
	if name == "" {
		return nil
	}
	return write(name, content)
}

// draw draws the plot.
func (f *resultsFlags) draw(w io.Writer, t results.Table) error {
	x, y, _ := strings.Cut(f.plot, ",")
	p, err := t.Plot(x, y, f.by)
	if err != nil {
		return err
	}
	return draw.Plots(w, draw.Figure{Title: p.Title, Columns: 1, Plots: []draw.Plot{p}})
}

// tellGroups prints a line for each group.
func (f *resultsFlags) tellGroups(w io.Writer, t results.Table) error {
	groups, err := t.GroupBy(f.by, f.columns)
	if err != nil {
		return err
	}
	out := text.Table(slices.Concat(f.by, []string{"n"}, f.columns)...)
	for _, g := range groups {
		var row text.Row
		for i, v := range g.By {
			row = append(row, results.Show(f.by[i], v))
		}
		row = append(row, g.Rows)
		for _, q := range g.Metrics {
			row = append(row, q.String())
		}
		out.AppendRow(row)
	}
	return text.Print(w, out)
}

// tellRows prints a line for each row: the settings that vary, and some columns.
func (f *resultsFlags) tellRows(w io.Writer, t results.Table) error {
	names := slices.Concat(t.Varying, f.columns)
	at, err := t.Places(names)
	if err != nil {
		return err
	}
	out := text.Table(names...)
	for row, err := range t.Rows {
		if err != nil {
			return err
		}
		var cells text.Row
		for k, i := range at {
			cells = append(cells, results.Show(names[k], row[i]))
		}
		out.AppendRow(cells)
	}
	if out.Length() > 1 {
		return text.Print(w, out)
	}
	_, err = fmt.Fprintln(w, "there are no results yet")
	return err
}
