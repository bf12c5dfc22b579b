package extract

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"quotient/internal/oracletest"
	"quotient/internal/processor"
	"quotient/oracle"
	"quotient/rnn"
	"quotient/word"
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

// patience is how much processor time a canceled method may spend: time on the clock would
// depend on what else the machine does.
const patience = time.Second

// Whoever cancels does not wait for a method, wherever it is.
func TestCancel(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	narrow, large := oracletest.Random(2, 200, 2), wide(t)
	for _, m := range Names() {
		cancelAt(t, narrow, m, time.Duration(rng.Float64()*float64(2*time.Second)))
	}
	// These are in the midst of what takes them seconds or minutes by then.
	cancelAt(t, narrow, Keep, time.Second)
	cancelAt(t, narrow, KMeans, time.Second)
	cancelAt(t, narrow, Explore, time.Second)
	cancelAt(t, narrow, Explore, 2*time.Second)
	for _, m := range []string{Fold, Explore, TTT, EDSM, Spectral} {
		cancelAt(t, large, m, time.Duration(rng.Float64()*float64(2*time.Second)))
	}
}

// wide returns a network of many symbols, over which drawing words takes long, too.
func wide(t *testing.T) oracle.Oracle {
	symbols := make([]string, 500)
	for i := range symbols {
		symbols[i] = fmt.Sprint("s", i)
	}
	a, err := word.NewAlphabet(symbols...)
	if err != nil {
		t.Fatal(err)
	}
	n, err := rnn.New(rnn.Shape{Cell: rnn.Elman, Layers: 1, Embedding: 8, Hidden: 300}, a)
	if err != nil {
		t.Fatal(err)
	}
	n.Init(rand.New(rand.NewPCG(1, 1)))
	return rnn.NewRunner(n, 1)
}

func cancelAt(t *testing.T, net oracle.Oracle, method string, after time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	canceled := make(chan time.Duration, 1)
	timer := time.AfterFunc(after, func() { canceled <- processor.Time(); cancel() })
	defer timer.Stop()
	_, err := Run(oracle.Ask(ctx, net), heavy(method))
	ended := processor.Time()
	if ctx.Err() == nil {
		t.Logf("%s: through within %v", method, after)
		return
	}
	late := ended - <-canceled
	t.Logf("%s: canceled after %v, worked for another %v", method, after, late)
	if late > patience {
		t.Errorf("%s: canceled after %v, and worked for another %v", method, after, late)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("%s: canceled, and it said: %v", method, err)
	}
}
