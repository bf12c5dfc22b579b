package extract

import (
	"cmp"
	"context"
	"errors"
	"testing"

	"quotient/f32"
	"quotient/merge"
	"quotient/oracle"
	"quotient/word"
)

// A dying network answers a few times and then fails, as one that runs elsewhere may.
type dying struct {
	oracle.Stepper
	left  int
	cause error
}

// dead returns the cause if the network answers no longer.
func (d *dying) dead() error {
	if d.left--; d.left < 0 {
		return d.cause
	}
	return nil
}

func (d *dying) Answer(ctx context.Context, dst f32.Matrix, words []word.Word) error {
	return cmp.Or(d.dead(), d.Stepper.Answer(ctx, dst, words))
}

func (d *dying) Start(dst []float32) error { return cmp.Or(d.dead(), d.Stepper.Start(dst)) }

func (d *dying) Step(dst, src f32.Matrix, on []word.Symbol) error {
	return cmp.Or(d.dead(), d.Stepper.Step(dst, src, on))
}

func (d *dying) Read(dst, states f32.Matrix) error {
	return cmp.Or(d.dead(), d.Stepper.Read(dst, states))
}

// Whatever a network that failed leads to, the error is why it failed.
func TestFailureIsReported(t *testing.T) {
	for _, m := range Names() {
		for _, answers := range []int{0, 1, 10, 40} {
			net := &dying{binary(4, 4, 0.1), answers, errors.New("the line is dead")}
			if _, err := Run(oracle.Ask(t.Context(), net), Options{Method: m, Order: merge.Breadth}); net.left < 0 && err != net.cause {
				t.Errorf("%s, after %d answers: %v", m, answers, err)
			}
			if answers < 10 && net.left >= 0 {
				t.Errorf("%s asks nothing", m)
			}
		}
	}
}
