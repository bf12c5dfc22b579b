package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quotient/draw/paint"
	"quotient/internal/text"
	"quotient/language"
	"quotient/oracle"
	"quotient/paper"
	"quotient/rnn"
	"quotient/sweep/plan"
	"quotient/sweep/queue"
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
  figures   write the figures to a folder: report.html, SVG (or PDF and PNG: --pictures), and CSV with the data
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
  quotient reproduce figures --pictures pdf,png
  quotient reproduce all --models reproduction/networks --seed 2`,
		Args:      exactly("table1, figures or all"),
		ValidArgs: []string{paper.Table1, paper.Figures, paper.All},
	}
	f := reproduction{at: natsFlags(cmd), asJSON: jsonFlag(cmd)}
	cmd.Flags().StringVarP(&f.folder, "output", "o", "", "folder to write to (default: reproduction; table1 writes only if this is given)")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the first sample, and of training")
	cmd.Flags().IntVar(&f.threads, "threads", 0, "threads to use (default: one for every core)")
	cmd.Flags().StringVar(&f.preset, "train", "", "train the networks first: paper or quick")
	cmd.Flags().Lookup("train").NoOptDefVal = "paper"
	cmd.Flags().StringVar(&f.models, "models", "", "folder with a training run for each language (default: the bundled networks)")
	cmd.Flags().StringSliceVar(&f.pictures, "pictures", []string{"svg"}, "formats of the figures: svg, pdf, png, or several of them")
	cmd.MarkFlagDirname("output")
	cmd.MarkFlagDirname("models")
	cmd.RegisterFlagCompletionFunc("pictures", cobra.FixedCompletions(paint.Formats, cobra.ShellCompDirectiveNoFileComp))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		what := args[0]
		switch {
		case !slices.Contains(cmd.ValidArgs, what):
			return usagef("%q cannot be reproduced; table1, figures and all can", what)
		case slices.ContainsFunc(f.pictures, func(name string) bool { return !slices.Contains(paint.Formats, name) }) || len(f.pictures) == 0:
			return usagef("--pictures %s: there are %s", strings.Join(f.pictures, ","), strings.Join(paint.Formats, ", "))
		case f.threads < 0:
			return usagef("--threads %d: how many?", f.threads)
		case f.preset != "" && f.models != "":
			return usagef("--train makes networks, --models takes those that are there; choose one")
		case f.folder == "" && (what != paper.Table1 || f.preset != ""):
			f.folder = "reproduction"
		}
		if info, err := os.Stat(f.folder); err == nil && !info.IsDir() {
			return usagef("-o %s: it is a file, not a folder", f.folder)
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		return f.run(ctx, cmd, what)
	}
	return cmd
}

// A reproduction is what its flags say, and the networks that it is about.
type reproduction struct {
	seed                   uint64
	threads                int
	folder, preset, models string
	pictures               []string
	at                     *queue.Server
	asJSON                 *bool
	runs                   map[string]*train.Run // by language
}

// run trains networks, if it is asked to, measures, and writes or prints what came of it.
func (f *reproduction) run(ctx context.Context, cmd *cobra.Command, what string) error {
	if f.preset != "" {
		f.models = filepath.Join(f.folder, "networks")
		if err := f.train(ctx, cmd.ErrOrStderr()); err != nil {
			return err
		}
	}
	nets, err := f.networks()
	if err != nil {
		return err
	}
	begin := time.Now()
	r, err := paper.Reproduce(ctx, what, nets, f.seed, func(ctx context.Context, list []plan.Want) ([]*plan.Outcome, error) {
		return f.measure(ctx, list, cmd.ErrOrStderr())
	})
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted; no report was written")
	}
	if err != nil {
		return err
	}
	var files []string
	if f.folder != "" {
		if files, err = f.write(r); err != nil {
			return fmt.Errorf("%w; make room there, or choose another folder", err)
		}
	}
	return f.tell(cmd.OutOrStdout(), r, files, time.Since(begin))
}

// write writes all files to the folder, which it makes.
func (f *reproduction) write(r *paper.Reproduction) (names []string, err error) {
	if err := os.MkdirAll(f.folder, 0o777); err != nil {
		return nil, err
	}
	for name, content := range r.Files() {
		as := []string{name} // a figure has the same name in every format
		if base, found := strings.CutSuffix(name, ".svg"); found {
			as = nil
			for _, format := range f.pictures {
				as = append(as, base+"."+format)
			}
		}
		for _, name := range as {
			if err := writePicture(filepath.Join(f.folder, name), nil, content); err != nil {
				return nil, err
			}
		}
		names = append(names, as...)
	}
	return names, nil
}

// tell prints the table, if there is one, and where the files are.
func (f *reproduction) tell(w io.Writer, r *paper.Reproduction, files []string, elapsed time.Duration) error {
	if *f.asJSON {
		out := struct {
			Networks  string      `json:"networks"`
			Seed      uint64      `json:"seed"`
			Rows      []paper.Row `json:"rows,omitempty"`
			SameKappa []paper.Row `json:"fold_at_the_same_kappa,omitempty"`
			Folder    string      `json:"folder,omitempty"`
			Files     []string    `json:"files,omitempty"`
			Seconds   float64     `json:"seconds"`
		}{Networks: r.Source, Seed: r.Seed, Folder: f.folder, Files: files, Seconds: elapsed.Seconds()}
		if r.Table != nil {
			out.Rows, out.SameKappa = r.Table.Rows, r.Table.SameKappa
		}
		return printJSON(w, out)
	}
	if r.Table != nil {
		r.Table.Tell(w)
	}
	if f.folder != "" {
		fmt.Fprintf(w, "%s in %s; begin with %s\n", text.Plural(len(files), "file"), f.folder, filepath.Join(f.folder, "report.html"))
	}
	_, err := fmt.Fprintf(w, "%.1f seconds, with %s\n", elapsed.Seconds(), r.Source)
	return err
}

// networks opens the runs in a folder, or the bundled ones if there is no folder.
func (f *reproduction) networks() (paper.Networks, error) {
	nets := paper.Networks{Source: "the bundled networks"}
	if f.models != "" {
		nets.Source = "the networks in " + f.models
		if _, err := os.Stat(f.models); err != nil {
			return nets, fmt.Errorf("--models %s: there is no such folder", f.models)
		}
	}
	f.runs = map[string]*train.Run{}
	for i, l := range paper.Languages {
		run, err := openRun(f.models, l)
		if err != nil {
			return nets, err
		}
		f.runs[l] = run
		// What is compared over the epochs must be there for all.
		if i == 0 {
			nets.Epochs = run.Kept()
		}
		nets.Epochs = slices.DeleteFunc(nets.Epochs, func(e int) bool { return !slices.Contains(run.Kept(), e) })
	}
	if len(nets.Epochs) == 0 {
		return nets, fmt.Errorf("%s: there is no epoch after which all languages have a network", f.models)
	}
	nets.Open = func(language string, epoch int) (oracle.Stepper, error) {
		n, _, err := f.runs[language].Network(epoch)
		if err != nil {
			return nil, err
		}
		return rnn.NewRunner(n, f.threads), nil
	}
	return nets, nil
}

// measure runs extractions as a sweep, with a worker here on a store that is removed
// afterwards, or with those of a cluster.
func (f *reproduction) measure(ctx context.Context, list []plan.Want, errs io.Writer) ([]*plan.Outcome, error) {
	for i := range list {
		w := &list[i]
		run := f.runs[w.Model]
		if run.Settings.Language != w.Model { // which is the same by another name
			w.Extract.Target = w.Model
		}
		w.Model = run.Name()
	}
	folder, err := os.MkdirTemp("", "quotient-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	var o queue.Options
	if !fromEnvironment(f.at) {
		o.Worker = &queue.Worker{Slots: f.threads}
	}
	store, err := openStore(ctx, *f.at, folder, errs)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	s := openSweep{Store: store, file: plan.List("reproduce", list)}
	status, err := runShown(ctx, s, o, errs)
	if err != nil {
		return nil, err
	}
	if len(status.Failures) > 0 {
		first := status.Failures[0]
		return nil, fmt.Errorf("%s failed: %s", first.Task, first.FirstLine())
	}
	outcomes := make([]*plan.Outcome, 0, len(list))
	for r, err := range store.Results(ctx, s.file) {
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, r.Outcome)
	}
	return outcomes, nil
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

// train trains a network for every language, or goes on where it was interrupted.
func (f *reproduction) train(ctx context.Context, errs io.Writer) error {
	settings, ok := map[string]train.Settings{"paper": train.Paper, "quick": train.Quick}[f.preset]
	if !ok {
		return usagef("--train=%s: there are paper and quick", f.preset)
	}
	settings.Seed = f.seed
	for _, l := range paper.Languages {
		settings.Language = l
		d, err := language.Load(language.Options{}, l)
		if err != nil {
			return err
		}
		run, err := train.OpenOrCreate(filepath.Join(f.models, l), settings, d[0])
		if err != nil {
			return err
		}
		if run.Done() {
			continue
		}
		p := newProgress(errs, errs, run, false)
		if err := p.train(ctx, f.threads, "the same command goes on from there"); err != nil {
			return err
		}
	}
	return nil
}
