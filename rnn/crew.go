package rnn

import (
	"runtime"
	"sync/atomic"
)

// A crew is goroutines that do one job together, again and again. To wake a
// sleeping thread takes as long as a good part of a training step, so workers
// look out for the next job a while before they leave.
type crew struct {
	job    func(worker int)
	state  []atomic.Int32
	start  []func()
	atWork atomic.Int32
}

const (
	gone int32 = iota
	waiting
	called
)

// patience is how often a worker looks for the next job: a fraction of a
// millisecond.
const patience = 2000

func newCrew(size int, job func(worker int)) *crew {
	c := &crew{job: job, state: make([]atomic.Int32, size)}
	for i := range size {
		c.start = append(c.start, func() { c.stay(i) })
	}
	return c
}

// run does the job with the first n workers, the caller being one of them, and
// returns when all have done.
func (c *crew) run(n int) {
	c.atWork.Add(int32(n - 1))
	for i := 1; i < n; i++ {
		if !c.state[i].CompareAndSwap(waiting, called) {
			c.state[i].Store(called)
			go c.start[i]()
		}
	}
	c.job(0)
	for c.atWork.Load() > 0 {
		runtime.Gosched()
	}
}

// stay does the job whenever called, and leaves when out of patience.
func (c *crew) stay(i int) {
	for {
		c.job(i)
		c.state[i].Store(waiting)
		c.atWork.Add(-1)
		for look := 0; c.state[i].Load() != called; look++ {
			if look == patience && c.state[i].CompareAndSwap(waiting, gone) {
				return
			}
			runtime.Gosched()
		}
	}
}
