package queue

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"quotient/internal/processor"
	"quotient/train"
)

// figures say what tasks cost on some machine, in seconds of one core. They only serve as long as nothing was measured on
// the machine that is used. `go test ./sweep/queue -run TestFigures -update` measures them anew.
var figures = func() (f supplied) {
	if err := json.Unmarshal(figuresFile, &f); err != nil {
		panic("queue: figures.json: " + err.Error())
	}
	return f
}()

//go:embed figures.json
var figuresFile []byte

type supplied struct {
	Reference float64            `json:"reference"` // what the training took by which machines are compared
	Seconds   map[string]float64 `json:"seconds"`   // by kind, for a unit of work
}

// speed says how many times as fast this machine is as that of the figures.
func speed(ctx context.Context) (float64, error) {
	took, err := reference(ctx)
	return figures.Reference / took, err
}

// reference trains a network for a moment, on one core, and returns what a unit of that took: seconds in which the
// processor was busy, which are the same on a busy machine.
func reference(ctx context.Context) (float64, error) {
	const enough = 200 * time.Millisecond
	s := train.Quick
	s.Language = "tomita1"
	begin, clock := processor.Time(), time.Now()
	for n := 1.0; ; n++ {
		if _, err := timeTraining(ctx, s); err != nil {
			return 1, err
		}
		if took := cmp.Or(processor.Time()-begin, time.Since(clock)); took > enough {
			return took.Seconds() / n, nil
		}
	}
}
