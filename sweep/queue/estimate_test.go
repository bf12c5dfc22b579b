package queue

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"quotient/sweep/plan"
	"quotient/sweep/results"
	"quotient/train"
)

// An estimate counts what is done and what was set aside, and prices the rest by what is known.
func TestEstimate(t *testing.T) {
	s := embedded(t)
	estimate := func(seeds string) Estimate {
		p, err := s.Estimate(t.Context(), read(t, fmt.Sprintf(tiny, seeds)), false)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := estimate("[1, 2]"); p.Train != (Progress{Total: 2}) || p.Extract != (Progress{Total: 8}) || p.Measured != 0 ||
		!reflect.DeepEqual(p.Supplied, []string{"train elman", "extract by fold with kappa auto"}) || p.Seconds <= 0 || p.Speed <= 0 {
		t.Errorf("of an empty store: %+v", p)
	}
	w := &Worker{Slots: 2}
	w.compute = func(ctx context.Context, task plan.Task, saved func()) (*plan.Result, error) {
		if task.Extract != nil && task.Extract.Seed == 2 {
			return nil, errors.New("as planned")
		}
		return w.do(ctx, task, saved)
	}
	runHere(t, s, read(t, fmt.Sprintf(tiny, "[1]")), Options{}, w)
	p := estimate("[1, 2]")
	if p.Train != (Progress{Total: 2, Done: 1}) || p.Extract != (Progress{Total: 8, Done: 2, Failed: 2}) || p.Measured != 3 ||
		len(p.Unknown)+len(p.Supplied) != 0 || p.Seconds <= 0 || p.Longest > p.Seconds || p.On(1) < p.Seconds {
		t.Errorf("after some: %+v", p)
	}
}

// An axis of a hundred thousand values is read in linear time.
func TestLongAxis(t *testing.T) {
	const n = 100_000
	p, err := embedded(t).Estimate(t.Context(), read(t, fmt.Sprintf("model: zoo:tomita1\nextract: {seed: {from: 1, to: %d}}", n)), false)
	if err != nil || p.Extract.Total != n {
		t.Errorf("%+v, %v", p, err)
	}
}

// What is too long for a message of NATS is kept all the same, and found by everybody.
func TestLongRecords(t *testing.T) {
	s := embedded(t)
	file := read(t, fmt.Sprintf(tiny, "[1]"))
	const epochs = 5000
	w := &Worker{Slots: 1}
	w.compute = func(ctx context.Context, task plan.Task, saved func()) (*plan.Result, error) {
		r := &plan.Result{Task: task, Outcome: &plan.Outcome{}, Cost: plan.Cost{Seconds: 1}}
		if task.Extract == nil {
			r.Outcome = nil
			for e := range epochs {
				r.Records = append(r.Records, train.Record{Epoch: e + 1, Loss: 1 / float64(e+1)})
				r.Networks = append(r.Networks, fmt.Sprintf("%064x", e))
			}
			if n := int64(len(encode(r))); n < s.nc.MaxPayload() {
				return nil, fmt.Errorf("%d bytes would fit", n)
			}
		}
		return r, nil
	}
	status := runHere(t, s, file, Options{}, w)
	if status.Train.Done != 1 || status.Extract.Done != 4 {
		t.Fatalf("%+v", status)
	}
	rows := 0
	for _, err := range results.Trainings(file, s.Results(t.Context(), file)).Rows {
		if err != nil {
			t.Fatal(err)
		}
		rows++
	}
	if rows != epochs {
		t.Errorf("%d rows", rows)
	}
	if again := runHere(t, s, file, Options{}, w); again.Train.Reused != 1 {
		t.Errorf("%+v", again)
	}
	if p, err := s.Estimate(t.Context(), file, false); err != nil || p.Train.Done != 1 || p.Measured != 5 {
		t.Errorf("%+v, %v", p, err)
	}
}
