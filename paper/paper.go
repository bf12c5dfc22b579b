// Package paper repeats the experiments of Merrill and Tsilivis, "Extracting
// Finite Automata from RNNs Using State Merging" (2022): every table and figure,
// with the published numbers beside ours.
//
// An experiment is a list of cases, each one extraction. All cases are run at once
// by [Measure], and tables, figures and sentences are made from what comes of them;
// so every number that is printed was measured. The same seed and networks give
// the same bytes, whatever the number of threads.
package paper

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"quotient/extract"
	"quotient/prefix"
)

// Networks is where networks come from.
type Networks struct {
	Source string // in words
	Epochs []int  // after which networks can be had, counted from 1, rising

	// Open returns the network of a language after one of the epochs, or after the
	// best one if epoch is 0.
	Open func(language string, epoch int) (Network, error)
}

// A Network is a recognizer. It is used by several goroutines at a time.
type Network struct {
	prefix.Recognizer
	Norm float64 // Euclidean, of all its parameters
}

// nearest returns the epoch closest to the wanted one, the later of two.
func (n Networks) nearest(epoch int) int {
	return slices.MinFunc(n.Epochs, func(a, b int) int {
		return cmp.Or(cmp.Compare(max(a-epoch, epoch-a), max(b-epoch, epoch-b)), cmp.Compare(b, a))
	})
}

func (n Networks) check() error {
	if len(n.Epochs) == 0 || n.Open == nil {
		return errors.New("there are no networks")
	}
	return nil
}

// A Case is one extraction.
type Case struct {
	Language string
	Epoch    int // 0: the best
	Method   extract.Method
	Kappa    float64 // extract.Auto: chosen by evidence
	Strings  int
	Length   int
	Sample   int // which of several samples, from 0
}

// An Outcome is what came of a case.
type Outcome struct {
	Accuracy float64 // share of the held-out words on which automaton and network agree
	Nodes    int     // of the prefix tree
	Tree     float64 // accuracy of the prefix tree itself
	Merged   int     // states after merging
	States   int     // states of the minimal automaton, the dead one not counted
	Exact    bool    // it accepts exactly the language
	Kappa    float64 // that was used; 0 for k-means
	Failed   string  // why there is no automaton: a limit was passed

	Network    float64 // share of the held-out words that the network itself gets right
	Accepts    float64 // share of the held-out words that it accepts
	Norm       float64 // of the network's parameters
	Saturation float64 // mean over the tree's states; see rnn.Saturation
}

// Results are outcomes by case.
type Results map[Case]Outcome

// Languages are the paper's, in its order.
var Languages = []string{"tomita1", "tomita2", "tomita3", "tomita4", "tomita5", "tomita6", "tomita7"}

// A setting is a method with its kappa.
type setting struct {
	method extract.Method
	kappa  float64
}

// kappa is the paper's, "unless otherwise stated".
const kappa = 0.01

var (
	union    = setting{extract.Union, kappa}
	keep     = setting{extract.Keep, kappa}
	fold     = setting{extract.Fold, kappa}
	foldAuto = setting{extract.Fold, extract.Auto}
	kmeans   = setting{extract.KMeans, 0}
)

func (s setting) String() string {
	switch {
	case s.method == extract.KMeans:
		return "k-means, k = 20"
	case s.kappa == extract.Auto:
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
func (r Results) of(cases []Case) []Outcome {
	out := make([]Outcome, len(cases))
	for i, c := range cases {
		var ok bool
		if out[i], ok = r[c]; !ok {
			panic(fmt.Sprintf("paper: %+v was not measured", c))
		}
	}
	return out
}
