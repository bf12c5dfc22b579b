package extract

import (
	"context"
	"errors"
	"testing"

	"quotient/f32"
	"quotient/prefix"
	"quotient/word"
)

// A dying network answers a few times, then cancels the context and answers zeros,
// as one that runs elsewhere does.
type dying struct {
	prefix.Recognizer
	left int
	fail func()
}

// dead reports whether the network answers no longer.
func (d *dying) dead() bool {
	if d.left--; d.left < 0 {
		d.fail()
	}
	return d.left < 0
}

func (d *dying) Probabilities(words []word.Word) []float32 {
	if d.dead() {
		return make([]float32, len(words))
	}
	return d.Recognizer.Probabilities(words)
}

func (d *dying) Step(dst, src f32.Matrix, on []word.Symbol) {
	if d.dead() {
		for i := range dst.Rows {
			clear(dst.Row(i))
		}
		return
	}
	d.Recognizer.Step(dst, src, on)
}

func (d *dying) Score(dst []float32, src f32.Matrix) {
	if d.dead() {
		clear(dst)
		return
	}
	d.Recognizer.Score(dst, src)
}

// Whatever the zeros of a network that failed lead to, the error is why it failed.
func TestFailureIsReported(t *testing.T) {
	for _, m := range append([]Method{Best}, Methods...) {
		for _, answers := range []int{0, 1, 10, 40} {
			ctx, cancel := context.WithCancelCause(t.Context())
			cause := errors.New("the line is dead")
			net := &dying{binary(4, 4, 0.1), answers, func() { cancel(cause) }}
			if _, err := Run(ctx, net, Options{Method: m}); net.left < 0 && !errors.Is(err, cause) {
				t.Errorf("%s, after %d answers: %v", m, answers, err)
			}
			cancel(nil)
		}
	}
}
