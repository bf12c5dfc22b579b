package queue

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"quotient/extract"
	"quotient/internal/processor"
	"quotient/rnn"
	"quotient/sweep/plan"
	"quotient/train"
)

var update = flag.Bool("update", false, "measure the figures that come with the program")

// methodsSweep is of all methods, with a kappa and without one.
func methodsSweep(t *testing.T) *plan.File {
	return read(t, fmt.Sprintf("model: zoo:tomita5\nextract:\n  - {method: [%s]}\n  - {method: [fold, union, keep], kappa: 0.01}\n",
		strings.Join(extract.Names(), ", ")))
}

// There is a figure for every cell and every method. With -update they are measured, beside the training by which
// machines are compared, in seconds that the processor was busy.
func TestFigures(t *testing.T) {
	if *update {
		measureFigures(t)
	}
	known := func(kind string) {
		if figures.Seconds[kind] <= 0 {
			t.Errorf("nothing is known of %s; -update measures it", kind)
		}
	}
	for _, c := range rnn.Cells {
		known("train " + c.Name)
	}
	for task, err := range methodsSweep(t).Tasks(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		known(kindOf(task))
	}
}

func measureFigures(t *testing.T) {
	figures = supplied{Seconds: map[string]float64{}}
	var err error
	if figures.Reference, err = reference(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range rnn.Cells {
		s := train.Quick
		s.Language, s.Cell = "tomita5", c.Name
		before := processor.Time()
		p, err := timeTraining(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		figures.Seconds["train "+c.Name] = (processor.Time() - before).Seconds() / p.work
	}
	s, w := embedded(t), &Worker{Slots: 1}
	w.compute = func(ctx context.Context, task plan.Task, saved func()) (*plan.Result, error) {
		before := processor.Time()
		r, err := w.do(ctx, task, saved)
		r.Cost.Seconds = (processor.Time() - before).Seconds()
		return r, err
	}
	status, err := s.Run(t.Context(), methodsSweep(t), Options{Worker: w})
	if err != nil || status.Extract.Failed > 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	have, err := s.survey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for kind, p := range have.paces {
		figures.Seconds[kind] = p.seconds / p.work
	}
	text, err := json.MarshalIndent(figures, "", "  ")
	if err == nil {
		err = os.WriteFile("figures.json", append(text, '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The first sweep of a machine is estimated: nobody has measured anything there.
func TestEstimateFirst(t *testing.T) {
	e, err := EstimateFirst(t.Context(), read(t, fmt.Sprintf(tiny, "[1, 2]")), false)
	if err != nil || e.Seconds <= 0 || e.Speed <= 0 || len(e.Supplied) != 2 || len(e.Unknown) != 0 || e.Measured != 0 {
		t.Errorf("%+v, %v", e, err)
	}
}
