package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"quotient/internal/text"
	"quotient/learn/labeled"
	"quotient/learn/passive"
	"quotient/sample"
	"quotient/worth"
)

// A CrossValidation puts methods that learn from labeled words side by side. The words are
// dealt into folds; each method learns from all but one of them and is judged by that one,
// in turn.
type CrossValidation struct {
	File    string           `json:"file"`
	Reading labeled.Reading  `json:"reading"`
	Words   int              `json:"words"` // that have a label
	Folds   int              `json:"folds"`
	Seed    uint64           `json:"seed"`
	Methods []CrossValidated `json:"methods"`
	Best    passive.Method   `json:"best,omitempty"` // the smallest within one standard error of the most accurate

	Warnings    []string `json:"warnings,omitempty"`    // about the words
	Interrupted bool     `json:"interrupted,omitempty"` // the user did not wait for the methods that are not there

	Set *labeled.Set `json:"-"`
}

// CrossValidated is what cross-validation says about a method.
type CrossValidated struct {
	Method   passive.Method `json:"method"`
	Accuracy float64        `json:"accuracy"` // the share of all words that come out right when they are held out
	Spread   float64        `json:"spread"`   // standard deviation of the folds' accuracies
	Training float64        `json:"training"` // the share of training words that come out right, on average
	States   float64        `json:"states"`   // on average
	Seconds  float64        `json:"seconds"`  // in all
	Folds    []Fold         `json:"folds"`
	Error    *string        `json:"error"` // why there is no automaton; nil if there is one for each fold
}

// A Fold is what a method learned from all other folds.
type Fold struct {
	States   int     `json:"states"`
	Alpha    float64 `json:"alpha,omitempty"` // of rpni-star
	Training Score   `json:"training"`
	Test     Score   `json:"test"`
	Seconds  float64 `json:"seconds"`

	err error
}

// Run learns all folds by all methods, as many at a time as there are processors. A method
// that fails has an error; Run returns one if the words are too few, or if the context ends before any
// method is done.
func (c *CrossValidation) Run(ctx context.Context, methods []passive.Method, o passive.Options) error {
	var known []int
	for i, l := range c.Set.Labels {
		if l != labeled.Unknown {
			known = append(known, i)
		}
	}
	c.Words, c.Reading = len(known), c.Set.Reading
	if err := learnable(c.File, c.Set); err != nil {
		return err
	}
	if c.Folds < 2 || c.Folds > c.Words {
		return fmt.Errorf("%s: %s with a label in %d folds: there must be at least 2 folds, and a word for each", c.File, text.Plural(c.Words, "word"), c.Folds)
	}
	c.Warnings = c.suspect()
	deal := sample.Rand(c.Seed, sample.Split).Perm(c.Words)
	var wait sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	for _, m := range methods {
		folds := make([]Fold, c.Folds)
		c.Methods = append(c.Methods, CrossValidated{Method: m, Folds: folds})
		o := o // each method has its own
		o.Method = m
		for f := range folds {
			free <- true
			wait.Go(func() {
				folds[f] = c.fold(ctx, f, c.dealt(known, deal, f), o)
				<-free
			})
		}
	}
	wait.Wait()
	if ctx.Err() != nil {
		c.Interrupted = true
		c.Methods = slices.DeleteFunc(c.Methods, func(m CrossValidated) bool { return m.endedBy(ctx) })
		if len(c.Methods) == 0 {
			return context.Cause(ctx)
		}
	}
	for i := range c.Methods {
		c.Methods[i].sum()
	}
	c.choose()
	return nil
}

// suspect returns what about the words should make one doubt, whatever the method.
func (c *CrossValidation) suspect() []string {
	var list []string
	if one := oneClass(c.Set, nil); one != "" {
		list = append(list, one)
	}
	labels := map[string]labeled.Label{} // of a word: either, or both together
	for i, l := range c.Set.Labels {
		labels[c.Set.Words[i].Key()] |= l
	}
	n := 0
	for _, l := range labels {
		if l == labeled.Accept|labeled.Reject {
			n++
		}
	}
	if n > 0 {
		list = append(list, bothLabels(n))
	}
	return list
}

// dealt returns the words outside and inside of a fold.
func (c *CrossValidation) dealt(known, deal []int, fold int) [2]*labeled.Set {
	var parts [2][]int
	for i, d := range deal {
		in := 0
		if i%c.Folds == fold {
			in = 1
		}
		parts[in] = append(parts[in], known[d])
	}
	for _, p := range parts {
		slices.Sort(p)
	}
	return [2]*labeled.Set{c.Set.Subset(parts[0]), c.Set.Subset(parts[1])}
}

// fold learns from the words of the other folds.
func (c *CrossValidation) fold(ctx context.Context, n int, parts [2]*labeled.Set, o passive.Options) (f Fold) {
	begin := time.Now()
	if o.Method == passive.RPNIStar && o.Alpha == 0 {
		choice, err := passive.ChooseAlpha(ctx, parts[0], sample.Rand(c.Seed+uint64(n), sample.Levels))
		if err != nil {
			return Fold{err: err}
		}
		o.Alpha = choice.Alpha
	}
	if o.Method == passive.RPNIStar {
		f.Alpha = o.Alpha
	}
	var res *passive.Result
	if res, f.err = passive.Learn(ctx, parts[0], o); f.err != nil {
		return f
	}
	f.States = res.Automaton.Len()
	f.Training.Agree, f.Training.Words = parts[0].Agree(res.Automaton)
	f.Test.Agree, f.Test.Words = parts[1].Agree(res.Automaton)
	f.Seconds = time.Since(begin).Seconds()
	return f
}

// endedBy reports whether a context has ended before all folds were learned.
func (m CrossValidated) endedBy(ctx context.Context) bool {
	return slices.ContainsFunc(m.Folds, func(f Fold) bool { return errors.Is(f.err, ctx.Err()) || errors.Is(f.err, context.Cause(ctx)) })
}

// sum puts the folds together.
func (m *CrossValidated) sum() {
	var test Score
	squares, n := 0.0, float64(len(m.Folds))
	for _, f := range m.Folds {
		if f.err != nil {
			why := f.err.Error()
			m.Error, m.Folds = &why, nil
			m.Training, m.States = 0, 0
			return
		}
		test.Agree, test.Words = test.Agree+f.Test.Agree, test.Words+f.Test.Words
		m.Training += f.Training.share() / n
		m.States += float64(f.States) / n
		m.Seconds += f.Seconds
	}
	m.Accuracy = test.share()
	for _, f := range m.Folds {
		d := f.Test.share() - m.Accuracy
		squares += d * d
	}
	m.Spread = math.Sqrt(squares / (n - 1))
}

// choose names the best method.
func (c *CrossValidation) choose() {
	var best, most *CrossValidated
	for i := range c.Methods {
		if m := &c.Methods[i]; m.Error == nil && (most == nil || m.Accuracy > most.Accuracy) {
			most = m
		}
	}
	for i := range c.Methods {
		m := &c.Methods[i]
		if m.Error != nil || worth.Rank.Pays(most.Accuracy-m.Accuracy, worth.Spread(most.Accuracy, c.Words), 0) {
			continue
		}
		if best == nil || m.States < best.States || m.States == best.States && m.Accuracy > best.Accuracy {
			best = m
		}
	}
	if best != nil {
		c.Best = best.Method
	}
}

// Tell writes the table for people.
func (c *CrossValidation) Tell(w io.Writer) {
	t := text.Table("method", "states", "held-out", "±", "training", "seconds", "")
	for _, m := range c.Methods {
		if m.Error != nil {
			t.AppendRow(text.Row{string(m.Method), "·", "·", "·", "·", "·", "none, see below"})
			continue
		}
		t.AppendRow(text.Row{
			string(m.Method), strconv.FormatFloat(m.States, 'f', 1, 64), text.Percent(m.Accuracy), text.Percent(m.Spread),
			text.Percent(m.Training), fmt.Sprintf("%.2f", m.Seconds), "",
		})
	}
	text.Print(w, t)
	c.tellErrors(w)
	if c.Best != "" {
		fmt.Fprintf(w, "best: %s, the smallest of those that are as accurate as any, within one standard error\n", c.Best)
	}
	for _, warning := range c.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
	if c.Interrupted {
		fmt.Fprintln(w, "interrupted: these are the methods that were done until then")
	}
	fmt.Fprintf(w, "\n%s: %s with a label, in %d folds\nread as: %s\n", c.File, text.Plural(c.Words, "word"), c.Folds, c.Reading)
}

// tellErrors says why methods have no automaton, each reason once.
func (c *CrossValidation) tellErrors(w io.Writer) {
	var reasons []string
	methods := map[string][]string{}
	for _, m := range c.Methods {
		if m.Error == nil {
			continue
		}
		if methods[*m.Error] == nil {
			reasons = append(reasons, *m.Error)
		}
		methods[*m.Error] = append(methods[*m.Error], string(m.Method))
	}
	for _, why := range reasons {
		fmt.Fprintf(w, "%s: %s\n", text.Join(methods[why]), why)
	}
}
