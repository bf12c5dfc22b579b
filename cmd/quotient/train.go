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
	"quotient/internal/text"
	"quotient/language"
	"quotient/learn/labeled"
	"quotient/rnn"
	"quotient/train"
	"quotient/word"
)

func newTrain() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train LANGUAGE",
		Short: "Train a network to recognize a language, or to predict the next symbol",
		Long: `Train a network to recognize a language: to say, after every symbol, whether the
word so far is in it. The strings are half valid ones and half uniform ones.

  --preset quick   Elman, well under a minute on two cores (the default)
  --preset paper   the recipe of Merrill and Tsilivis (2022), 22 epochs

--as lm trains a language model in its place: it predicts, after every symbol of a word
of the language, the next one or the end. Words are walks through the automaton: every
symbol is as likely as any other, and words end where they may one time out of ten. With
--data FILE in place of LANGUAGE, they are the words of a file (labeled ones as far as
they are accepted), of which every tenth is held out. The best epoch is the one with the
least perplexity on held-out words, and --patience counts epochs without a better one.

A preset fixes all figures; each can be set by its flag. The run is a folder with
the settings, a record and the network (.safetensors, PyTorch's names) for every
epoch, and what is needed to go on. It may be interrupted or killed at any moment:
--resume continues it, and it ends with the same networks, byte for byte, as if it
had never stopped. They do not depend on the number of threads.`,
		Example: `  quotient train tomita5
  quotient train tomita4 --preset paper -o runs/t4 --seed 2
  quotient train 'regex:(ab|c)*' --cell gru --hidden 50 --json
  quotient train tomita5 --as lm
  quotient train --data words.txt --as lm -o runs/words
  quotient train --resume runs/t4`,
		Args: atMost("LANGUAGE"),
	}
	options, asJSON := loadFlags(cmd), jsonFlag(cmd)
	preset := cmd.Flags().String("preset", "quick", "figures to begin with: quick or paper")
	folder := cmd.Flags().StringP("output", "o", "", "folder of the run (default: runs/LANGUAGE-CELL-SEED)")
	resume := cmd.Flags().String("resume", "", "folder of a run to continue")
	data := cmd.Flags().String("data", "", "file of words for --as lm, in place of LANGUAGE; any format that learn reads")
	threads := cmd.Flags().Int("threads", 0, "threads to use (default: one for every core)")
	shown := train.Quick
	settingFlags(cmd.Flags(), &shown)
	cmd.MarkFlagDirname("output")
	cmd.MarkFlagDirname("resume")
	cmd.RegisterFlagCompletionFunc("preset", cobra.FixedCompletions([]string{"quick", "paper"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("as", cobra.FixedCompletions([]string{"recognizer", "lm"}, cobra.ShellCompDirectiveNoFileComp))
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
		case *data != "" && (*resume != "" || len(args) > 0):
			return usagef("--data %s: the words stand in place of LANGUAGE, and a run that is resumed keeps its own", *data)
		case *data != "":
			run, err = createdFrom(cmd, *data, *folder, *preset, *options)
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
	f.StringVar(&s.As, "as", s.As, "what to train: recognizer (the default) or lm, a language model")
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
	if s.As == "recognizer" {
		s.As = ""
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
	if speaks(cmd) && preset == "quick" {
		s = train.Speaking
	} else if _, counts := language.FindCounting(args[0]); counts {
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
	folder = runFolder(folder, args[0], s)
	missing, err := s.Missing(d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", args[0], err)
	}
	if len(missing) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "quotient: %s has no word of length %s; uniform words stand in\n", args[0], joinInts(missing))
	}
	run, err := train.Create(folder, s, d)
	return run, exists(err, folder)
}

// exists adds what to do about a folder that holds a run already.
func exists(err error, folder string) error {
	if errors.Is(err, train.ErrExists) {
		return fmt.Errorf("%w: continue it with --resume %s, or choose another folder with -o", err, folder)
	}
	return err
}

// runFolder returns the user's folder, or one that is called as what is trained.
func runFolder(folder, name string, s train.Settings) string {
	if folder != "" {
		return folder
	}
	kind := s.Cell
	if s.As != "" {
		kind = s.As + "-" + kind
	}
	return filepath.Join("runs", fmt.Sprintf("%s-%s-%d", folderName(name), kind, s.Seed))
}

// speaks reports whether a language model is to be trained.
func speaks(cmd *cobra.Command) bool {
	as, _ := cmd.Flags().GetString("as")
	return as == train.Predictor
}

// createdFrom creates a run of a language model that learns the words of a file.
func createdFrom(cmd *cobra.Command, file, folder, preset string, o language.Options) (*train.Run, error) {
	if !speaks(cmd) {
		return nil, usagef("--data %s: words without labels train a language model: add --as lm", file)
	}
	for _, fixed := range []string{"strings", "length", "dev-strings", "dev-length", "words", "long-strings", "long-length"} {
		if cmd.Flags().Changed(fixed) {
			return nil, usagef("--%s changes nothing with --data, whose words are as many and as long as they are", fixed)
		}
	}
	s, err := presetSettings(preset)
	if err != nil {
		return nil, err
	}
	if preset == "quick" {
		s = train.Speaking
	}
	s = overridden(cmd, s)
	s.Data = filepath.Base(file)
	if err := s.Check(); err != nil {
		return nil, usagef("--%w", err)
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("--data: %w", err)
	}
	defer in.Close()
	set, err := labeled.Read(in, file, labeled.Options{Symbols: o.Symbols})
	if err != nil {
		return nil, err
	}
	var words []word.Word
	for i, w := range set.Words {
		if set.Labels[i] != labeled.Reject {
			words = append(words, w)
		}
	}
	if left := len(set.Words) - len(words); left > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "quotient: %s: %s that the labels reject left out\n", file, text.Plural(left, "word"))
	}
	folder = runFolder(folder, file, s)
	run, err := train.CreateFrom(folder, s, set.Alphabet, words)
	return run, exists(err, folder)
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
		want.Language, want.As, want.Data = run.Settings.Language, run.Settings.As, run.Settings.Data
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
