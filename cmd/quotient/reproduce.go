package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"quotient/language"
	"quotient/paper"
	"quotient/rnn"
	"quotient/sweep"
	"quotient/train"
	"quotient/zoo"
)

func newReproduce() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reproduce table1|figures|all",
		Short: "Reproduce the paper's tables and figures",
		Long: `Reproduce the tables and figures of Merrill and Tsilivis (2022), "Extracting Finite
Automata from RNNs Using State Merging", with the published numbers beside ours.

  table1    print Table 1: all seven Tomita languages, by every method
  figures   write the figures to a folder: report.html, SVG, and CSV with the data
  all       write both to a folder

The networks are the bundled ones. --train trains new ones first, in the folder
"networks" of the output, with the recipe of the paper, which takes long; if it is
interrupted, the same command goes on. --train=quick takes a shorter recipe.
--models takes networks that were trained before: a folder with a run for each
language, as --train makes it.

The extractions are a sweep (see 'quotient sweep --help'): --nats hands them to the workers
of a cluster.`,
		Example: `  quotient reproduce table1
  quotient reproduce table1 --json
  quotient reproduce all -o reproduction
  quotient reproduce all --models reproduction/networks --seed 2`,
		Args:      exactly("table1, figures or all"),
		ValidArgs: []string{paper.Table1, paper.Figures, paper.All},
	}
	f := cmd.Flags()
	var o paper.Options
	folder := f.StringP("output", "o", "", "folder to write to (default: reproduction; table1 writes only if this is given)")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the first sample, and of training")
	f.IntVar(&o.Threads, "threads", 0, "threads to use (default: one for every core)")
	preset := f.String("train", "", "train the networks first: paper or quick")
	f.Lookup("train").NoOptDefVal = "paper"
	models := f.String("models", "", "folder with a training run for each language (default: the bundled networks)")
	cmd.MarkFlagDirname("output")
	cmd.MarkFlagDirname("models")
	at := natsFlags(cmd)
	asJSON := jsonFlag(cmd)

	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		what := args[0]
		if !slices.Contains(cmd.ValidArgs, what) {
			return usagef("%q cannot be reproduced; table1, figures and all can", what)
		}
		if o.Threads < 0 {
			return usagef("--threads %d: how many?", o.Threads)
		}
		if *preset != "" && *models != "" {
			return usagef("--train makes networks, --models takes those that are there; choose one")
		}
		to := *folder
		if to == "" && (what != paper.Table1 || *preset != "") {
			to = "reproduction"
		}
		if info, err := os.Stat(to); err == nil && !info.IsDir() {
			return usagef("-o %s: it is a file, not a folder", to)
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		errs := cmd.ErrOrStderr()
		if *preset != "" {
			*models = filepath.Join(to, "networks")
			if err := trainAll(ctx, errs, *models, *preset, o); err != nil {
				return err
			}
		}
		nets, runs, err := networks(*models)
		if err != nil {
			return err
		}
		fromEnvironment(at)
		store, close, err := reproductionStore(ctx, *at, cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		defer close()
		o.Run = func(ctx context.Context, cases []paper.Case, progress func(done, total int)) (paper.Results, error) {
			return runCases(ctx, store, runs, cases, o, at.URL == "", progress)
		}
		begin := time.Now()
		clear := showProgress(errs, &o)
		r, err := paper.Reproduce(ctx, what, nets, o)
		clear()
		if errors.Is(err, context.Canceled) {
			return errors.New("interrupted; no report was written")
		}
		if err != nil {
			return err
		}
		var files []string
		if to != "" {
			if files, err = r.Write(to); err != nil {
				return err
			}
		}
		return tellReproduction(cmd.OutOrStdout(), r, to, files, time.Since(begin), *asJSON)
	}
	return cmd
}

// tellReproduction prints the table, if there is one, and where the files are.
func tellReproduction(w io.Writer, r *paper.Reproduction, folder string, files []string, elapsed time.Duration, asJSON bool) error {
	if asJSON {
		out := struct {
			Networks  string      `json:"networks"`
			Seed      uint64      `json:"seed"`
			Rows      []paper.Row `json:"rows,omitempty"`
			SameKappa []paper.Row `json:"fold_at_the_same_kappa,omitempty"`
			Folder    string      `json:"folder,omitempty"`
			Files     []string    `json:"files,omitempty"`
			Seconds   float64     `json:"seconds"`
		}{Networks: r.Source, Seed: r.Seed, Folder: folder, Files: files, Seconds: elapsed.Seconds()}
		if r.Table != nil {
			out.Rows, out.SameKappa = r.Table.Rows, r.Table.SameKappa
		}
		return printJSON(w, out)
	}
	if r.Table != nil {
		fmt.Fprintln(w, r.Table.Text())
	}
	if folder != "" {
		fmt.Fprintf(w, "%s in %s; begin with %s\n", plural(len(files), "file"), folder, filepath.Join(folder, "report.html"))
	}
	_, err := fmt.Fprintf(w, "%.1f seconds, with %s\n", elapsed.Seconds(), r.Source)
	return err
}

// showProgress shows on errs how far the measurements are, and returns a function
// that ends that. Without a terminal there is a line every ten seconds.
func showProgress(errs io.Writer, o *paper.Options) (end func()) {
	live := isTerminal(errs)
	pause := 10 * time.Second
	if live {
		pause = 100 * time.Millisecond
	}
	next := time.Now().Add(pause)
	o.Progress = func(done, total int) {
		if time.Now().Before(next) {
			return
		}
		next = time.Now().Add(pause)
		if live {
			fmt.Fprintf(errs, "\r%s %d of %d extractions\x1b[K", bar(done, total, 30), done, total)
		} else {
			fmt.Fprintf(errs, "%d of %d extractions\n", done, total)
		}
	}
	return func() {
		if live {
			fmt.Fprint(errs, "\r\x1b[K")
		}
	}
}

// networks opens the runs in a folder, or the bundled ones if there is no folder.
func networks(folder string) (paper.Networks, map[string]*train.Run, error) {
	nets := paper.Networks{Source: "the bundled networks"}
	if folder != "" {
		nets.Source = "the networks in " + folder
		if _, err := os.Stat(folder); err != nil {
			return nets, nil, fmt.Errorf("--models %s: there is no such folder", folder)
		}
	}
	runs := map[string]*train.Run{}
	for i, l := range paper.Languages {
		run, err := openRun(folder, l)
		if err != nil {
			return nets, nil, err
		}
		runs[l] = run
		// What is compared over the epochs must be there for all.
		if i == 0 {
			nets.Epochs = run.Kept()
		}
		nets.Epochs = slices.DeleteFunc(nets.Epochs, func(e int) bool { return !slices.Contains(run.Kept(), e) })
	}
	if len(nets.Epochs) == 0 {
		return nets, nil, fmt.Errorf("%s: there is no epoch after which all languages have a network", folder)
	}
	nets.Open = func(language string, epoch int) (paper.Network, error) {
		n, _, err := runs[language].Network(epoch)
		if err != nil {
			return paper.Network{}, err
		}
		// One thread each: many networks are run side by side.
		return paper.Network{Recognizer: rnn.NewRunner(n, 1), Norm: n.Norm()}, nil
	}
	return nets, runs, nil
}

// reproductionStore opens the store that a reproduction runs on: a server elsewhere, or
// one in the program that leaves nothing behind.
func reproductionStore(ctx context.Context, at sweep.Server, errs io.Writer) (*sweep.Store, func(), error) {
	if at.URL != "" {
		s, err := connect(ctx, at, errs)
		if err != nil {
			return nil, nil, err
		}
		return s, s.Close, nil
	}
	folder, err := os.MkdirTemp("", "quotient-")
	if err != nil {
		return nil, nil, err
	}
	s, err := sweep.Embedded(ctx, folder)
	if err != nil {
		os.RemoveAll(folder)
		return nil, nil, err
	}
	return s, func() {
		s.Close()
		os.RemoveAll(folder)
	}, nil
}

// runCases runs cases of the paper as a sweep, with a worker here or with those of a
// cluster.
func runCases(ctx context.Context, store *sweep.Store, runs map[string]*train.Run, cases []paper.Case, o paper.Options, here bool, progress func(done, total int)) (paper.Results, error) {
	type place struct {
		language string
		epoch    int
	}
	models := map[place]*sweep.Model{}
	tasks := make([]sweep.Task, len(cases))
	for i, c := range cases {
		at := place{c.Language, c.Epoch}
		if models[at] == nil {
			n, _, err := runs[c.Language].Network(c.Epoch)
			if err != nil {
				return nil, err
			}
			m, data, err := sweep.NewModel(c.Language, c.Language, n)
			if err == nil {
				err = store.PutModel(ctx, m.Digest, data)
			}
			if err != nil {
				return nil, err
			}
			models[at] = &m
		}
		x := c.Extraction(o.Seed)
		tasks[i] = sweep.Task{Version: sweep.Version(), Model: models[at], Extract: &x}
	}
	so := sweep.Options{Tell: func(s sweep.Status) {
		if progress != nil {
			progress(s.Extract.Done, s.Extract.Total)
		}
	}}
	if here {
		working, stop := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- (&sweep.Worker{Slots: o.Threads}).Run(working, store) }()
		defer func() {
			stop()
			<-ended
		}()
	}
	list, status, err := store.Do(ctx, "reproduce", tasks, so)
	if err != nil {
		return nil, err
	}
	results := paper.Results{}
	for i, r := range list {
		if r == nil {
			return nil, fmt.Errorf("%s failed: %s", tasks[i], sweep.FirstLine(status.Failures[0].Error))
		}
		results[cases[i]] = paper.NewOutcome(r.Outcome)
	}
	return results, nil
}

// openRun opens the run that is named like a language, and is about it.
func openRun(folder, name string) (*train.Run, error) {
	if folder == "" {
		_, info, err := zoo.Open(name)
		return info.Run, err
	}
	run, err := train.Open(filepath.Join(folder, name))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("--models %s: there is no folder %s in it; it takes a run for each language, named like it", folder, name)
	}
	if err != nil {
		return nil, err
	}
	return run, about(run, name, language.Options{})
}

// trainAll trains a network for every language, or goes on where it was
// interrupted.
func trainAll(ctx context.Context, errs io.Writer, folder, preset string, o paper.Options) error {
	settings, ok := map[string]train.Settings{"paper": train.Paper, "quick": train.Quick}[preset]
	if !ok {
		return usagef("--train=%s: there are paper and quick", preset)
	}
	settings.Seed = o.Seed
	for _, l := range paper.Languages {
		settings.Language = l
		d, err := language.Load(language.Options{}, l)
		if err != nil {
			return err
		}
		run, err := train.OpenOrCreate(filepath.Join(folder, l), settings, d[0])
		if err != nil {
			return err
		}
		if run.Done() {
			continue
		}
		p := newProgress(errs, errs, run, false)
		if err := p.train(ctx, o.Threads, "the same command goes on from there"); err != nil {
			return err
		}
	}
	return nil
}
