package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"quotient/learn/passive"
	"quotient/learn/stochastic"
	"quotient/study"
)

// fromWords reports whether the method learns a probabilistic automaton, from words alone.
func (x *learning) fromWords() bool {
	return slices.Contains(stochastic.Methods, stochastic.Method(x.method))
}

// checkWords finds what is wrong with the method, and with flags for words without labels.
func (x *learning) checkWords(changed func(string) bool) error {
	alergia, mdi := x.method == string(stochastic.ALERGIA), x.method == string(stochastic.MDI)
	m := passive.Method(x.method)
	switch {
	case !alergia && !mdi && m != passive.Auto && !slices.Contains(passive.Methods, m):
		return usagef("no method is called %q; there are auto, edsm, rpni, edsm-star and rpni-star, and for words without labels alergia and mdi", x.method)
	case changed("epsilon") && !alergia:
		return usagef("--epsilon is for --method alergia alone")
	case changed("epsilon") && !(x.words.Epsilon > 0 && x.words.Epsilon <= 2):
		return usagef("--epsilon %g: it must be over 0 and at most 2", x.words.Epsilon)
	case changed("chain") && !alergia:
		return usagef("--chain is for --method alergia alone")
	case changed("alpha") && mdi && !(x.o.Alpha > 0):
		return usagef("--alpha %g: it must be over 0", x.o.Alpha)
	}
	if x.fromWords() && x.to.asked() {
		_, err := x.to.probabilisticEncoder()
		return err
	}
	return nil
}

// runWords learns from words without labels.
func (x *learning) runWords(ctx context.Context, cmd *cobra.Command, file string) error {
	target, err := aim(cmd, x.target, "with --method "+x.method)
	if err != nil {
		return err
	}
	w := study.Words{File: file, Method: stochastic.Method(x.method), Seed: x.seed}
	l := study.Learning{File: file, Seed: x.seed}
	if err := x.read(cmd, &l); err != nil {
		return err
	}
	w.Train, w.Held, w.TestWords = l.Train, l.Held, l.TestWords
	o := x.words
	o.Method, o.Alpha = w.Method, x.o.Alpha
	if err := w.Run(ctx, o); err != nil {
		return unfinished(ctx, err)
	}
	if target != nil {
		if err := w.Compare(x.target, target); err != nil {
			return err
		}
	}
	out := cmd.OutOrStdout()
	if x.to.asked() {
		if err := x.to.writeProbabilistic(out, w.Automaton, -1); err != nil {
			return err
		}
	}
	switch {
	case *x.asJSON:
		return printJSON(out, w)
	case !(x.to.asked() && x.to.stdout()):
		w.Tell(out)
	}
	return nil
}
