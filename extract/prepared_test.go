package extract

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quotient/prefix/prefixtest"
)

// One preparation serves many thresholds at a time, and each gives what a run of
// its own gives.
func TestPrepared(t *testing.T) {
	ctx := context.Background()
	r := prefixtest.Random(3, 5, 0.5)
	for _, m := range []Method{Fold, Union, Keep, KMeans} {
		o := Options{Method: m, Seed: 4, Limit: 100_000}
		p, err := Prepare(ctx, r, o)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for _, kappa := range []float64{Auto, 0.1, 0.3, 1} {
			all.Go(func() {
				o := o
				o.Kappa = kappa
				want, err := Run(ctx, r, o)
				if err != nil {
					t.Error(err)
					return
				}
				got, err := p.At(ctx, kappa)
				if err != nil || !got.Automaton.Equal(want.Automaton) || got.Why != want.Why || len(got.Log) != len(want.Log) {
					t.Errorf("%s, kappa %v: not what a run gives (%v)", m, kappa, err)
				}
			})
		}
		all.Wait()
		want, wantErr := Sweep(ctx, r, o, nil)
		got, err := p.Sweep(ctx, nil)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Trial{})); diff != "" || (err == nil) != (wantErr == nil) {
			t.Errorf("%s: sweep %v, want %v\n%s", m, err, wantErr, diff)
		}
	}
	p, _ := Prepare(ctx, r, Options{})
	if _, err := p.At(ctx, 3); err == nil {
		t.Error("a kappa of 3 was taken")
	}
}
