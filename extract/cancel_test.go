package extract

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"quotient/internal/oracletest"
	"quotient/oracle"
)

// heavy are settings with which each method that reads them has work for minutes.
func heavy(method string) Options {
	o := Options{Method: method}.Normal()
	m, _ := Find(method)
	if m.Reads("strings") {
		o.Strings, o.Length = 4000, 60
	}
	if m.Reads("clusters") {
		o.Clusters = 2000
	}
	if m.Reads("lengths") {
		o.High = 200
	}
	return o
}

// patience is how long a canceled method may go on. It stops within a second or two; methods that
// did not look went on for minutes, and no test may depend on what else a machine does.
const patience = time.Minute

// Whoever cancels does not wait for a method, wherever it is.
func TestCancel(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, m := range Names() {
		cancelAt(t, m, time.Duration(rng.Float64()*float64(600*time.Millisecond)))
	}
	// These are in the midst of what takes them minutes by then.
	cancelAt(t, Keep, time.Second)
	cancelAt(t, KMeans, time.Second)
}

func cancelAt(t *testing.T, method string, after time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	canceled := make(chan time.Time, 1)
	timer := time.AfterFunc(after, func() { canceled <- time.Now(); cancel() })
	defer timer.Stop()
	_, err := Run(oracle.Ask(ctx, oracletest.Random(2, 200, 2)), heavy(method))
	ended := time.Now()
	if ctx.Err() == nil {
		t.Logf("%s: through within %v", method, after)
		return
	}
	late := ended.Sub(<-canceled)
	t.Logf("%s: canceled after %v, ended %v later", method, after, late)
	if late > patience {
		t.Errorf("%s: canceled after %v, and ended %v later", method, after, late)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("%s: canceled, and it said: %v", method, err)
	}
}
