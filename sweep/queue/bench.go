package queue

import (
	"context"
	"fmt"
	"runtime/metrics"
	"time"

	"quotient/sweep/plan"
)

// A Bench is what it costs to hand out tasks that do nothing.
type Bench struct {
	Tasks   int     `json:"tasks"`
	Each    float64 `json:"each"` // seconds that a task takes by itself
	Slots   int     `json:"slots"`
	Seconds float64 `json:"seconds"`
	Memory  uint64  `json:"memory"` // bytes of the program at most, server included
}

// Benchmark runs tasks that take the processor for a while and compute nothing, with a
// server inside the program and its store in a folder.
func Benchmark(ctx context.Context, folder string, tasks int, each time.Duration, slots int) (Bench, error) {
	b := Bench{Tasks: tasks, Each: each.Seconds(), Slots: slots}
	file, err := plan.Read("bench.yaml", fmt.Appendf(nil, "model: zoo:tomita1\nextract: {seed: {from: 1, to: %d}}", tasks))
	if err != nil {
		return b, err
	}
	begin := time.Now()
	s, err := Embedded(ctx, folder)
	if err != nil {
		return b, err
	}
	defer s.Close()
	w := &Worker{Slots: slots, compute: func(_ context.Context, t plan.Task, _ func()) (*plan.Result, error) {
		for begin := time.Now(); time.Since(begin) < each; {
		}
		return &plan.Result{Task: t, Outcome: &plan.Outcome{}}, nil
	}}
	running, stop := context.WithCancel(ctx)
	peak := make(chan uint64, 1)
	go func() { peak <- peakMemory(running) }()
	status, err := s.Run(ctx, file, Options{Worker: w})
	b.Seconds = time.Since(begin).Seconds()
	stop()
	b.Memory = <-peak
	if err == nil && status.Extract.Done != tasks {
		err = fmt.Errorf("%d of %d tasks are done", status.Extract.Done, tasks)
	}
	return b, err
}

// peakMemory returns the most memory that the program had at a time until ctx was done.
func peakMemory(ctx context.Context) (most uint64) {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		metrics.Read(samples)
		most = max(most, samples[0].Value.Uint64()-samples[1].Value.Uint64())
		select {
		case <-ctx.Done():
			return most
		case <-tick.C:
		}
	}
}
