// Retrain trains the networks of package zoo, the Tomita languages with the paper's
// recipe, and packs them. It can be stopped and started again at any time: runs that are complete
// are not repeated, and the one that was interrupted goes on.
//
// All of them take about half an hour on two cores.
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"

	"quotient/language"
	"quotient/rnn"
	"quotient/train"
	"quotient/zoo"
)

func main() {
	log.SetFlags(0)
	// go generate runs it in the folder of the package.
	out := flag.String("o", "networks", "folder for the packed networks")
	runs := flag.String("runs", "../runs/zoo", "folder for the runs")
	only := flag.String("only", "", "names to train, as a regular expression; empty: all")
	trial := flag.Bool("trial", false, "tiny networks, to see that everything works")
	flag.Parse()
	chosen, err := regexp.Compile(*only)
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	train := func(cell *rnn.Cell, language string) {
		name := language
		if cell != rnn.Elman {
			name += "-" + cell.String()
		}
		if !chosen.MatchString(name) {
			return
		}
		if err := retrain(ctx, settings(cell, language, *trial), filepath.Join(*runs, name), filepath.Join(*out, name+zoo.Extension)); err != nil {
			log.Fatalf("%s: %v", name, err)
		}
	}
	for _, cell := range rnn.Cells {
		for _, l := range language.Builtin() {
			train(cell, l.Name)
		}
	}
	for _, l := range language.CountingLanguages() {
		train(rnn.LSTM, l.Name)
	}
}

// settings are the paper's, and our own for languages that count. GRU and LSTM
// networks, of which only the best is kept, train until all strings have been right
// for two epochs, or three.
func settings(cell *rnn.Cell, name string, trial bool) train.Settings {
	s := train.Paper
	if _, counts := language.FindCounting(name); counts {
		s = train.Counting
	} else if cell != rnn.Elman {
		s.Patience = 2
	}
	s.Language, s.Cell = name, cell.String()
	if trial {
		s.Hidden, s.Epochs, s.Strings, s.Length = 16, 3, 2000, 20
		s.DevStrings, s.LongStrings = 100, 100
	}
	return s
}

func retrain(ctx context.Context, s train.Settings, folder, out string) error {
	d, err := language.LoadUpTo(language.Options{}, s.Longest(), s.Language)
	if err != nil {
		return err
	}
	run, err := train.OpenOrCreate(folder, s, d)
	if err != nil {
		return err
	}
	if err := run.Train(ctx, train.Options{Epoch: report(filepath.Base(folder))}); err != nil {
		return err
	}
	epochs := run.Kept()
	if s.Cell != rnn.Elman.String() {
		epochs = []int{train.Best(run.Records).Epoch}
	}
	aside := out + ".part" // the network that was there stays until this one is complete
	f, err := os.Create(aside)
	if err != nil {
		return err
	}
	if err := errors.Join(zoo.Pack(f, run, epochs), f.Close()); err != nil {
		os.Remove(aside)
		return err
	}
	return os.Rename(aside, out)
}

func report(name string) func(train.Record) {
	return func(r train.Record) {
		log.Printf("%s epoch %d: loss %.4f, dev %.2f%% of prefixes, %.2f%% of strings, longer %.2f%%, %.0fs", name, r.Epoch,
			r.Loss, 100*r.DevPrefixAccuracy, 100*r.DevStringAccuracy, 100*r.LongStringAccuracy, r.Seconds)
	}
}
