package extract

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"quotient/f32"
	"quotient/internal/oracletest"
	"quotient/oracle"
	"quotient/word"
)

// What does not fit into memory is refused before anything is drawn, with the figure.
func TestLargerThanMemory(t *testing.T) {
	defer func(f func() int) { freeMemory = f }(freeMemory)
	freeMemory = func() int { return 2e9 }
	for _, c := range []struct {
		method          string
		strings, length int
		want            string // in the error; empty: it runs
	}{
		{Fold, 1_000_000, 1000, " GB, and 2 GB are free"},
		{KMeans, 1_000_000, 1000, "with states of 15 numbers"},
		{RPNI, 1_000_000, 1000, "1000000 words of length 1000 are more than fit into memory: their up to 9.82e+08 prefixes take"},
		{Fold, 300, 10, ""},
		{Fold, 10_000_000, 24, "prefixes"},
	} {
		begin := time.Now()
		_, err := Run(oracle.Ask(t.Context(), binary(4, 4, 0.1)), Options{Method: c.method, Strings: c.strings, Length: c.length})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%d strings of length %d: %v", c.strings, c.length, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s, %d strings of length %d: %v, want %q", c.method, c.strings, c.length, err, c.want)
		case time.Since(begin) > 10*time.Second:
			t.Errorf("%s, %d strings of length %d: it took %v", c.method, c.strings, c.length, time.Since(begin))
		}
	}
}

// A lasting stepper takes a while for each step, and can be told not to.
type lasting struct {
	oracletest.Noisy
	ctx context.Context
}

func (l lasting) Under(ctx context.Context) oracle.Stepper { return lasting{l.Noisy, ctx} }

func (l lasting) Step(dst, src f32.Matrix, on []word.Symbol) error {
	select {
	case <-l.ctx.Done():
		return context.Cause(l.ctx)
	case <-time.After(time.Minute):
		return l.Noisy.Step(dst, src, on)
	}
}

// The end of a context ends a step in its midst.
func TestContextEndsAStep(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err := Run(oracle.Ask(ctx, lasting{binary(4, 4, 0.1), t.Context()}), Options{Method: Fold})
	if took := time.Since(begin); took > 20*time.Second || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v for 200ms, %v", took, err)
	}
}

// A slow one takes its time for every state.
type slow lasting

func (l slow) Under(ctx context.Context) oracle.Stepper { return slow{l.Noisy, ctx} }

func (l slow) Step(dst, src f32.Matrix, on []word.Symbol) error {
	select {
	case <-l.ctx.Done():
		return context.Cause(l.ctx)
	case <-time.After(time.Duration(len(on)) * 5 * time.Millisecond):
		return l.Noisy.Step(dst, src, on)
	}
}
