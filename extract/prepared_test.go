package extract

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quotient/internal/oracletest"
	"quotient/merge"
	"quotient/oracle"
)

// One preparation serves many thresholds at a time, and each gives what a run of
// its own gives.
func TestPrepared(t *testing.T) {
	r := oracletest.Random(3, 5, 0.5)
	ask := func() *oracle.Inquiry { return oracle.Ask(t.Context(), r) }
	for _, m := range []string{Fold, Union, Keep, KMeans} {
		o := Options{Method: m, Order: merge.Breadth, Seed: 4, Limit: 100_000}
		if testing.Short() { // with the race detector, which looks at who shares what
			o.Strings = 50
		}
		p, err := Prepare(ask(), o)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for _, kappa := range []float64{ChosenKappa, 0.1, 0.3, 1} {
			all.Go(func() {
				o := o
				o.Kappa = kappa
				want, err := Run(ask(), o)
				if err != nil {
					t.Error(err)
					return
				}
				got, err := p.At(ask(), kappa)
				if err != nil || !got.Automaton.Equal(want.Automaton) || got.Why != want.Why || len(got.Log) != len(want.Log) {
					t.Errorf("%s, kappa %v: not what a run gives (%v)", m, kappa, err)
				}
			})
		}
		all.Wait()
		want, wantErr := sweep(t, r, o, nil)
		got, err := p.Sweep(ask(), nil)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Trial{})); diff != "" || (err == nil) != (wantErr == nil) {
			t.Errorf("%s: sweep %v, want %v\n%s", m, err, wantErr, diff)
		}
	}
	p, _ := Prepare(ask(), Options{Method: Fold})
	if _, err := p.At(ask(), 3); err == nil {
		t.Error("a kappa of 3 was taken")
	}
}
