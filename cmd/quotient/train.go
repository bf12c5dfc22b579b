package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quotient/automaton"
	"quotient/language"
	"quotient/rnn"
	"quotient/train"
)

func newTrain() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train LANGUAGE",
		Short: "Train a network to recognize a language",
		Long: `Train a network to recognize a language: to say, after every symbol, whether the
word so far is in it. The strings are half valid ones and half uniform ones.

  --preset quick   Elman, well under a minute on two cores (the default)
  --preset paper   the recipe of Merrill and Tsilivis (2022), 22 epochs

A preset fixes all figures; each can be set by its flag. The run is a folder with
the settings, a record and the network (.safetensors, PyTorch's names) for every
epoch, and what is needed to go on. It may be interrupted or killed at any moment:
--resume continues it, and it ends with the same networks, byte for byte, as if it
had never stopped. They do not depend on the number of threads.`,
		Example: `  quotient train tomita5
  quotient train tomita4 --preset paper -o runs/t4 --seed 2
  quotient train 'regex:(ab|c)*' --cell gru --hidden 50 --json
  quotient train --resume runs/t4`,
		Args: atMost("LANGUAGE"),
	}
	options, asJSON := loadFlags(cmd), jsonFlag(cmd)
	preset := cmd.Flags().String("preset", "quick", "figures to begin with: quick or paper")
	folder := cmd.Flags().StringP("output", "o", "", "folder of the run (default: runs/LANGUAGE-CELL-SEED)")
	resume := cmd.Flags().String("resume", "", "folder of a run to continue")
	threads := cmd.Flags().Int("threads", 0, "threads to use (default: one for every core)")
	shown := train.Quick
	settingFlags(cmd.Flags(), &shown)
	cmd.MarkFlagDirname("output")
	cmd.MarkFlagDirname("resume")
	cmd.RegisterFlagCompletionFunc("preset", cobra.FixedCompletions([]string{"quick", "paper"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("cell", cobra.FixedCompletions(rnn.CellNames(), cobra.ShellCompDirectiveNoFileComp))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *threads < 0 {
			return usagef("--threads %d: how many?", *threads)
		}
		var run *train.Run
		var err error
		switch {
		case *resume != "" && *folder != "":
			return usagef("--resume names the folder already; leave out -o")
		case *resume != "":
			run, err = resumed(cmd, *resume, *preset, *options, args)
		default:
			run, err = created(cmd, *folder, *preset, *options, args)
		}
		if err != nil {
			return err
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		p := newProgress(cmd.OutOrStdout(), cmd.ErrOrStderr(), run, *asJSON)
		return p.train(ctx, *threads, fmt.Sprintf("continue with 'quotient train --resume %s'", run.Name()))
	}
	return cmd
}

// atMost is like exactly for an argument that may be left out.
func atMost(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return exactly(name)(cmd, args)
	}
}

// settingFlags adds a flag for every figure, with its present value as default.
func settingFlags(f *pflag.FlagSet, s *train.Settings) {
	f.StringVar(&s.Cell, "cell", s.Cell, "kind of network: elman, gru or lstm")
	f.IntVar(&s.Layers, "layers", s.Layers, "recurrent layers")
	f.IntVar(&s.Embedding, "embedding", s.Embedding, "size of the embedding")
	f.IntVar(&s.Hidden, "hidden", s.Hidden, "units of a layer")
	f.IntVar(&s.Epochs, "epochs", s.Epochs, "epochs at most")
	f.IntVar(&s.Patience, "patience", s.Patience, "stop once all dev and long strings have been right for this many epochs; 0: never")
	f.IntVar(&s.Batch, "batch", s.Batch, "strings of a step")
	f.StringVar((*string)(&s.Words), "words", string(s.Words), "which strings: near the language or, if empty, half valid and half uniform ones")
	f.IntVar(&s.Strings, "strings", s.Strings, "strings of an epoch")
	f.IntVar(&s.Length, "length", s.Length, "their length")
	f.IntVar(&s.DevStrings, "dev-strings", s.DevStrings, "strings of the dev set")
	f.IntVar(&s.DevLength, "dev-length", s.DevLength, "their length")
	f.IntVar(&s.LongStrings, "long-strings", s.LongStrings, "strings of the generalization set")
	f.IntVar(&s.LongLength, "long-length", s.LongLength, "their length")
	f.Float64Var(&s.Rate, "rate", s.Rate, "learning rate of AdamW")
	f.Float64Var(&s.Beta1, "beta1", s.Beta1, "decay of AdamW's mean gradient")
	f.Float64Var(&s.Beta2, "beta2", s.Beta2, "decay of AdamW's mean squared gradient")
	f.Float64Var(&s.Epsilon, "epsilon", s.Epsilon, "AdamW's epsilon")
	f.Float64Var(&s.Decay, "decay", s.Decay, "weight decay")
	f.IntVar(&s.Warmup, "warmup", s.Warmup, "steps over which the rate rises to its value")
	f.Float64Var(&s.Anneal, "anneal", s.Anneal, "share of the rate to which it falls by the last epoch; 1: it stays")
	f.Uint64Var(&s.Seed, "seed", s.Seed, "seed of the random numbers")
}

// overridden returns the settings with the flags that were given applied.
func overridden(cmd *cobra.Command, s train.Settings) train.Settings {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	settingFlags(f, &s)
	cmd.Flags().Visit(func(given *pflag.Flag) {
		if mine := f.Lookup(given.Name); mine != nil {
			mine.Value.Set(given.Value.String()) // it was parsed before
		}
	})
	if cell, err := rnn.ParseCell(s.Cell); err == nil {
		s.Cell = cell.String() // "rnn" is another name of elman
	}
	return s
}

func presetSettings(name string) (train.Settings, error) {
	switch name {
	case "quick":
		return train.Quick, nil
	case "paper":
		return train.Paper, nil
	}
	return train.Settings{}, usagef("--preset %s: there are quick and paper", name)
}

func created(cmd *cobra.Command, folder, preset string, o language.Options, args []string) (*train.Run, error) {
	if len(args) == 0 {
		return nil, usagef("missing LANGUAGE")
	}
	s, err := presetSettings(preset)
	if err != nil {
		return nil, err
	}
	if _, counts := language.FindCounting(args[0]); counts {
		if s.Words = train.Near; preset == "quick" {
			s = train.Counting
		}
	}
	s = overridden(cmd, s)
	s.Language = args[0]
	if err := s.Check(); err != nil {
		return nil, usagef("--%w", err)
	}
	d, err := language.LoadUpTo(o, s.Longest(), args[0])
	if err != nil {
		return nil, err
	}
	if folder == "" {
		folder = filepath.Join("runs", fmt.Sprintf("%s-%s-%d", folderName(args[0]), s.Cell, s.Seed))
	}
	missing, err := s.Missing(d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", args[0], err)
	}
	if len(missing) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "quotient: %s has no word of length %s; uniform words stand in\n", args[0], joinInts(missing))
	}
	run, err := train.Create(folder, s, d)
	if errors.Is(err, train.ErrExists) {
		err = fmt.Errorf("%w: continue it with --resume %s, or choose another folder with -o", err, folder)
	}
	return run, err
}

func resumed(cmd *cobra.Command, folder, preset string, o language.Options, args []string) (*train.Run, error) {
	run, err := train.Open(folder)
	if err != nil {
		return nil, err
	}
	want := run.Settings
	if cmd.Flags().Changed("preset") {
		if want, err = presetSettings(preset); err != nil {
			return nil, err
		}
		want.Language = run.Settings.Language
	}
	want = overridden(cmd, want)
	if len(args) > 0 {
		want.Language = args[0]
		if err := about(run, args[0], o); err != nil {
			return nil, err
		}
	}
	if list := want.Differences(run.Settings); len(list) > 0 {
		return nil, fmt.Errorf("the run in %s has other settings: %s", folder, strings.Join(list, "; "))
	}
	return run, nil
}

// about reports whether a run is about another language than the named one.
func about(run *train.Run, name string, o language.Options) error {
	d, err := language.LoadUpTo(o, run.Settings.Longest(), name)
	if err != nil {
		return err
	}
	if !automaton.Minimize(d).Equal(run.Language) {
		return fmt.Errorf("the run in %s is about another language than %s", run.Name(), name)
	}
	return nil
}

// folderName returns a language's name as part of a path.
func folderName(name string) string {
	name = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	parts := strings.FieldsFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.')
	})
	name = strings.Trim(strings.Join(parts, "-"), ".")
	if name == "" {
		name = "language"
	}
	return name[:min(len(name), 40)]
}

// interruptible returns a context that ends when the user wants to stop. A second
// Ctrl-C ends the program at once.
func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
