package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/internal/processor"
)

// A Figure is one measurement of a section.
type Figure struct {
	Work    string   `json:"work"`
	Input   string   `json:"input"`
	Size    int      `json:"size"`
	Seconds float64  `json:"seconds"` // processor time, the least of several runs
	Median  float64  `json:"median,omitempty"`
	States  int      `json:"states"`
	Files   []string `json:"files,omitempty"` // the input, where it was written

	Queries    int `json:"membership_queries,omitempty"` // of learners
	Symbols    int `json:"symbols,omitempty"`
	Hypotheses int `json:"equivalence_queries,omitempty"`

	Accuracy float64 `json:"accuracy,omitempty"`     // on fresh words, of what was learned from words
	Memory   int     `json:"memory,omitempty"`       // the most bytes that the program had
	Of       int     `json:"states_bytes,omitempty"` // of a tree: the bytes of its states

	*Clustering // of k-means
}

// AutomataOptions say what to measure.
type AutomataOptions struct {
	Families []string // none: all
	States   []int
	Rounds   int
	Folder   string // where the inputs are written, if anywhere
}

// Automata measures minimizing on every family, and comparing random automata with themselves,
// shuffled: nothing can be settled early there.
func Automata(ctx context.Context, o AutomataOptions) ([]Figure, error) {
	families, err := chosen(o.Families)
	if err != nil {
		return nil, err
	}
	var figures []Figure
	for _, n := range o.States {
		for _, f := range families {
			if ctx.Err() != nil {
				return figures, context.Cause(ctx)
			}
			found, err := o.family(f, n)
			if err != nil {
				return figures, err
			}
			figures = append(figures, found...)
		}
	}
	return figures, nil
}

// chosen returns the families of these names.
func chosen(names []string) ([]Family, error) {
	if len(names) == 0 {
		return Families, nil
	}
	var families []Family
	for _, name := range names {
		before := len(families)
		for _, f := range Families {
			if f.Name == name {
				families = append(families, f)
			}
		}
		if len(families) == before {
			return nil, fmt.Errorf("no family of automata is called %q", name)
		}
	}
	return families, nil
}

// family measures one family at one size.
func (o *AutomataOptions) family(f Family, n int) ([]Figure, error) {
	d := f.Make(n)
	minimize := Figure{Work: "minimize", Input: f.Name, Size: n}
	runs := times(o.Rounds, func() time.Duration { minimize.States = automaton.Minimize(d).Len(); return 0 })
	minimize.Seconds, minimize.Median = runs[0], runs[len(runs)/2]
	figures := []Figure{minimize}
	if err := o.write(&figures[0], d); err != nil || f.Name != "random" {
		return figures, err
	}
	shuffled := Shuffle(d)
	compare := Figure{Work: "compare", Input: f.Name, Size: n, States: d.Len(), Files: figures[0].Files}
	compare.Seconds = Best(o.Rounds, func() {
		if _, differ := automaton.Distinguish(d, shuffled); differ {
			panic("bench: an automaton differs from itself, shuffled")
		}
	})
	err := o.write(&compare, shuffled)
	return append(figures, compare), err
}

func (o *AutomataOptions) write(f *Figure, d *automaton.DFA) error {
	return write(f, d, o.Folder, fmt.Sprintf("%s-%s-%d.att", f.Work, f.Input, f.Size))
}

// write stores an input of a figure, if a folder is given.
func write(f *Figure, d *automaton.DFA, folder, name string) error {
	if folder == "" {
		return nil
	}
	path := filepath.Join(folder, name)
	format, err := codec.ByExtension(path)
	if err != nil {
		return err
	}
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	err = codec.Write(w, d.NFA(), format)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	f.Files = append(f.Files[:len(f.Files):len(f.Files)], path)
	return err
}

// Best returns the least processor time, in seconds, of so many runs. Short work is done many
// times a run, so that the collector's share is in it as it is in a long program.
func Best(rounds int, work func()) float64 {
	return BestBut(rounds, func() time.Duration { work(); return 0 })
}

// BestBut is Best without the processor time that the work returns.
func BestBut(rounds int, work func() time.Duration) float64 { return times(rounds, work)[0] }

// times returns the processor time, in seconds, of so many runs, the least first, without what the
// work returns.
func times(rounds int, work func() time.Duration) []float64 {
	runs, again := make([]float64, rounds), 1
	for i := range runs {
		runtime.GC()
		begin := processor.Time()
		for range again {
			begin += work()
		}
		spent := (processor.Time() - begin).Seconds() / float64(again)
		runs[i] = spent
		again = int(max(1, min(1000, 0.1/max(spent, 1e-5))))
	}
	slices.Sort(runs)
	return runs
}
