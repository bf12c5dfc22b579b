// Package paper repeats the experiments of Merrill and Tsilivis, "Extracting
// Finite Automata from RNNs Using State Merging" (2022): every table and figure,
// with the published numbers beside ours.
//
// An experiment is a list of cases, each one extraction. All cases are run at once
// by a [Runner], and tables, figures and sentences are made from what comes of them;
// so every number that is printed was measured. The same seed and networks give
// the same bytes.
package paper

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quotient/extract"
	"quotient/oracle"
	"quotient/sweep/plan"
)

// Networks is where networks come from.
type Networks struct {
	Source string // in words
	Epochs []int  // after which networks can be had, counted from 1, rising

	// Open returns the network of a language after one of the epochs, or after the
	// best one if epoch is 0.
	Open func(language string, epoch int) (oracle.Stepper, error)
}

// nearest returns the epoch closest to the wanted one, the later of two.
func (n Networks) nearest(epoch int) int {
	return slices.MinFunc(n.Epochs, func(a, b int) int {
		return cmp.Or(cmp.Compare(max(a-epoch, epoch-a), max(b-epoch, epoch-b)), cmp.Compare(b, a))
	})
}

// A Case is one extraction.
type Case struct {
	Language string
	Epoch    int // 0: the best
	Method   string
	Kappa    float64 // extract.ChosenKappa: by evidence
	Strings  int
	Length   int
	Sample   int // which of several samples, from 0
}

// Results are outcomes by case.
type Results map[Case]*plan.Outcome

// Languages are the paper's, in its order.
var Languages = []string{"tomita1", "tomita2", "tomita3", "tomita4", "tomita5", "tomita6", "tomita7"}

// A setting is a method with its kappa.
type setting struct {
	method string
	kappa  float64
}

// kappa is the paper's, "unless otherwise stated".
const kappa = 0.01

var (
	union    = setting{extract.Union, kappa}
	keep     = setting{extract.Keep, kappa}
	fold     = setting{extract.Fold, kappa}
	foldAuto = setting{extract.Fold, extract.ChosenKappa}
	kmeans   = setting{extract.KMeans, 0}
)

func (s setting) String() string {
	switch {
	case s.method == extract.KMeans:
		return "k-means, k = 20"
	case s.kappa == extract.ChosenKappa:
		return fmt.Sprintf("%s, κ auto", s.method)
	}
	return fmt.Sprintf("%s, κ = %g", s.method, s.kappa)
}

// samples returns the cases of a setting for samples 0 to n-1.
func (s setting) samples(language string, epoch, strings, length, n int) []Case {
	cases := make([]Case, n)
	for i := range cases {
		cases[i] = Case{language, epoch, s.method, s.kappa, strings, length, i}
	}
	return cases
}

// of returns the outcomes of some cases, in their order.
func (r Results) of(cases []Case) []*plan.Outcome {
	out := make([]*plan.Outcome, len(cases))
	for i, c := range cases {
		if out[i] = r[c]; out[i] == nil {
			panic(fmt.Sprintf("paper: %+v was not measured", c))
		}
	}
	return out
}

// A Runner runs extractions from the networks of the languages that they name in place of
// a model, and returns what came of each, in their order.
type Runner func(ctx context.Context, list []plan.Want) ([]*plan.Outcome, error)

// measure runs all cases, each different one once. The seed is that of the first sample.
func measure(ctx context.Context, cases []Case, seed uint64, run Runner) (Results, error) {
	results := Results{}
	var different []Case
	var list []plan.Want
	for _, c := range cases {
		if _, seen := results[c]; !seen {
			results[c] = nil
			different = append(different, c)
			list = append(list, plan.Want{Model: c.Language, Extract: c.extraction(seed)})
		}
	}
	outcomes, err := run(ctx, list)
	if err != nil {
		return nil, err
	}
	for i, c := range different {
		results[c] = outcomes[i]
	}
	return results, nil
}

// The held-out set of the paper: "1,000 strings of uniform random length between 0
// and 50". Half of them are valid, as in its training sets.
const (
	heldOut     = 1000
	heldOutHigh = 50
)

// extraction returns the case as a task of a sweep has it.
func (c Case) extraction(seed uint64) plan.Extraction {
	return plan.Extraction{
		Epoch: c.Epoch, Method: c.Method, Kappa: c.Kappa, Strings: c.Strings, Length: c.Length,
		WordsFrom: plan.FromLanguage, HeldOut: heldOut, HeldOutLength: heldOutHigh, HeldOutSeed: seed,
		Seed: seed + uint64(c.Sample),
	}
}
