package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quotient/internal/text"
	"quotient/sweep/plan"
	"quotient/sweep/queue"
	"quotient/sweep/results"
)

func newSweep() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Run grids of trainings and extractions, here or on many machines",
		Long: `Run all combinations of settings that a file lists: which networks are trained, or
taken, and how automata are extracted from them. docs/sweeps.md describes the file.

  name: noise
  train:
    language: [tomita1, tomita5]
    cell: [elman, gru]
    seed: {from: 1, to: 3}
  extract:
    method: [fold, keep]
    kappa: [0.01, auto]
    seed: {from: 1, to: 5}

Every result is kept under a hash of all that determines it. So a sweep can be stopped and
killed at any moment and goes on where it was, and a file that was changed computes only
what is new.

Without --nats everything happens on this machine, and results are kept in a folder that is
named like the file. With --nats URL, the work waits on a NATS server with JetStream for
'quotient worker' on any number of machines; see docs/cluster.md.`,
		Example: `  quotient sweep example > study.yaml
  quotient sweep plan study.yaml
  quotient sweep run study.yaml
  quotient sweep results study.yaml --group-by method,kappa`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSweepExample(), newSweepPlan(), newSweepRun(), newSweepStatus(), newSweepResults(), newSweepClean())
	return cmd
}

func newSweepExample() *cobra.Command {
	names := plan.Examples()
	return &cobra.Command{
		Use:   "example [NAME]",
		Short: "Print a sweep file to begin with",
		Long: `Print a sweep file that comes with the program, to be changed as one likes:

  small        a few seconds; says what a file may hold (the default)
  paper        the table and the figures of Merrill and Tsilivis (2022)
  paper-study  the same with networks that are trained first, for five seeds`,
		Example: `  quotient sweep example > study.yaml
  quotient sweep example paper > paper.yaml`,
		Args:      atMost("NAME"),
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			name := append(args, "small")[0]
			data, ok := plan.Example(name)
			if !ok {
				return usagef("no example is called %q; there are %s", name, strings.Join(names, ", "))
			}
			_, err := text.Raw(cmd.OutOrStdout()).Write(data)
			return err
		},
	}
}

// natsVariable holds the address of a server, for those who keep passwords from
// command lines.
const natsVariable = "QUOTIENT_NATS"

// natsFlags adds the flags that say where the server is.
func natsFlags(cmd *cobra.Command) *queue.Server {
	at := &queue.Server{}
	f := cmd.Flags()
	f.StringVar(&at.URL, "nats", "", "address of a NATS server, or several with commas (default: $"+natsVariable+")")
	f.StringVar(&at.Creds, "creds", "", "file with the credentials for it")
	f.StringVar(&at.CA, "tls-ca", "", "file with the certificates that its own is checked with")
	f.StringVar(&at.Cert, "tls-cert", "", "file with our certificate")
	f.StringVar(&at.Key, "tls-key", "", "file with the key of our certificate")
	f.IntVar(&at.Replicas, "replicas", 0, "copies that a cluster keeps (default: 3 in a cluster, 1 elsewhere)")
	return at
}

// fromEnvironment completes the flags, and reports whether there is a server.
func fromEnvironment(at *queue.Server) bool {
	if at.URL == "" {
		at.URL = os.Getenv(natsVariable)
	}
	return at.URL != ""
}

// openStore opens the store on a server, whose troubles are told as they come, or in a
// folder if there is none.
func openStore(ctx context.Context, at queue.Server, folder string, errs io.Writer) (*queue.Store, error) {
	if at.URL == "" {
		return queue.Embedded(ctx, folder)
	}
	at.Log = func(message string) { fmt.Fprintf(errs, "quotient: %s\n", message) }
	return queue.Connect(ctx, at)
}

// A sweepPlace is what every command about a sweep needs: where its results are.
type sweepPlace struct {
	at     *queue.Server
	folder *string
}

func sweepFlags(cmd *cobra.Command) sweepPlace {
	p := sweepPlace{natsFlags(cmd), cmd.Flags().StringP("output", "o", "", "folder for results, without --nats (default: FILE without its extension)")}
	cmd.MarkFlagDirname("output")
	return p
}

// of returns the folder of a file's results, or none if there is a server.
func (p sweepPlace) of(path string) string {
	switch {
	case fromEnvironment(p.at):
		return ""
	case *p.folder != "":
		return *p.folder
	}
	return strings.TrimSuffix(path, filepath.Ext(path))
}

// An openSweep is a file and its store.
type openSweep struct {
	*queue.Store
	file   *plan.File
	folder string // of the store; none if it is on a server
}

// open opens a sweep for a command, until that is done or the user wants to stop.
func (p sweepPlace) open(cmd *cobra.Command, path string, command func(context.Context, openSweep) error) error {
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	f, err := plan.Open(path)
	if err != nil {
		return err
	}
	folder := p.of(path)
	if folder == "" && *p.folder != "" {
		return usagef("-o %s: results are kept on the server that --nats names", *p.folder)
	}
	if folder != "" && !isThere(folder) { // and it is not made for a file that cannot be done
		if err := f.Check(ctx); err != nil {
			return err
		}
	}
	s, err := openStore(ctx, *p.at, folder, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer s.Close()
	return command(ctx, openSweep{s, f, folder})
}

func newSweepRun() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a sweep, or go on with it",
		Long: `Run a sweep until there is a result for every task. It may be interrupted or killed at any
moment; the same command goes on from there.

Without --nats, as many tasks run at a time as there are cores (--slots). With --nats, tasks
are handed to the workers, and --slots of them run here, none by default.

A task that fails three times is set aside and shown, and the sweep goes on; --retry tries
such tasks again. The exit status is 2 if any task failed.`,
		Example: `  quotient sweep run study.yaml
  quotient sweep run study.yaml --nats nats://10.0.0.7
  quotient sweep run study.yaml --retry`,
		Args: exactly("FILE"),
	}
	place := sweepFlags(cmd)
	slots := cmd.Flags().Int("slots", 0, "tasks that run here at a time (default: one for every core; none with --nats)")
	retry := cmd.Flags().Bool("retry", false, "try again what was set aside")
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *slots < 0 {
			return usagef("--slots %d: how many?", *slots)
		}
		return place.open(cmd, args[0], func(ctx context.Context, s openSweep) error {
			o := queue.Options{Retry: *retry, Folder: s.folder}
			if *slots > 0 || s.folder != "" {
				o.Worker = &queue.Worker{Slots: *slots, Scratch: s.folder}
			}
			status, err := runShown(ctx, s, o, cmd.ErrOrStderr())
			if errors.Is(err, context.Canceled) && ctx.Err() != nil {
				return fmt.Errorf("interrupted; everything is saved: the same command goes on from there (%s)", counts(status))
			}
			if err == nil {
				_, _, err = s.file.Recall(status.Data)
			}
			if err == nil {
				err = s.writeSheet(ctx)
			}
			if err != nil {
				return err
			}
			err = answer(cmd, *asJSON, status, func(w io.Writer) { tellStatus(w, status) })
			if n := status.Train.Failed + status.Extract.Failed; n > 0 && err == nil {
				return fmt.Errorf("%s failed; --retry tries again", text.Plural(n, "task"))
			}
			return err
		})
	}
	return cmd
}

// writeSheet writes what the page shows of the sweep beside its store.
func (s openSweep) writeSheet(ctx context.Context) error {
	if s.folder == "" {
		return nil
	}
	name := filepath.Join(s.folder, s.file.Name+results.SheetSuffix)
	return writeFile(name, nil, func(w io.Writer) error { return results.WriteSheet(w, s.file, s.Results(ctx, s.file)) })
}

// runShown runs a sweep and shows how far it is: on a terminal as a line that moves,
// elsewhere as a line every half minute.
func runShown(ctx context.Context, s openSweep, o queue.Options, errs io.Writer) (queue.Status, error) {
	const every = 30 * time.Second
	next, live := time.Now().Add(every), text.IsTerminal(errs)
	if live {
		defer text.Erase(errs)
	}
	o.Tell = func(s queue.Status) {
		switch {
		case live:
			all := s.Train.Total + s.Extract.Total
			done := all - s.Train.Left() - s.Extract.Left()
			text.Live(errs, text.Bar(done, max(all, 1), 6)+" "+liveLine(s))
		case time.Now().After(next):
			next = time.Now().Add(every)
			fmt.Fprintln(errs, liveLine(s))
		}
	}
	return s.Run(ctx, s.file, o)
}

// liveLine says in a line how far a sweep is, the most important first: it is cut where
// the terminal ends.
func liveLine(s queue.Status) string {
	parts := []string{counts(s)}
	if s.SecondsLeft >= 0 && s.State == queue.Running {
		parts = append(parts, text.Minutes(seconds(s.SecondsLeft))+" left")
	}
	parts = append(parts, fmt.Sprintf("%d running on %s", s.Running, text.Plural(s.Workers, "worker")))
	if s.Workers == 0 && s.Others > 0 {
		parts = append(parts, fmt.Sprintf("%s of another version", text.Plural(s.Others, "worker")))
	}
	if s.Tokens > 0 {
		parts = append(parts, text.Short(s.Tokens)+" tokens/s")
	}
	return strings.Join(parts, ", ")
}

// counts says how many tasks are done, and how many are not.
func counts(s queue.Status) string {
	var parts []string
	if s.Train.Total > 0 {
		parts = append(parts, fmt.Sprintf("%d/%d networks", s.Train.Done, s.Train.Total))
	}
	if s.Extract.Total > 0 {
		parts = append(parts, fmt.Sprintf("%d/%d extractions", s.Extract.Done, s.Extract.Total))
	}
	if n := s.Train.Failed + s.Extract.Failed; n > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", n))
	}
	return strings.Join(parts, ", ")
}

// tellStatus prints how far a sweep is, and what failed.
func tellStatus(w io.Writer, s queue.Status) {
	fmt.Fprintf(w, "%s: %s; %s\n", s.Name, s.State, counts(s))
	if n := s.Train.Reused + s.Extract.Reused; n > 0 {
		fmt.Fprintf(w, "%s were there already\n", text.Plural(n, "result"))
	}
	if s.State == queue.Running {
		fmt.Fprintln(w, liveLine(s))
	}
	if s.Extract.Blocked > 0 {
		fmt.Fprintf(w, "%s cannot be done, because their network could not be trained\n", text.Plural(s.Extract.Blocked, "extraction"))
	}
	for _, f := range s.Failures {
		fmt.Fprintf(w, "set aside after %s: %s: %s\n", text.Plural(f.Count, "failure"), f.Task, f.FirstLine())
	}
}
