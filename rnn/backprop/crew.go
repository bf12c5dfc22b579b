package backprop

import (
	"runtime"
	"sync/atomic"
)

// A crew is goroutines that share out tasks, again and again. To wake a sleeping
// thread takes as long as a good part of a training step, so workers look out for
// the next tasks a while before they leave.
type crew struct {
	task   func(worker, k int)
	tasks  int
	next   atomic.Int32
	state  []atomic.Int32
	start  []func()
	atWork atomic.Int32
}

const (
	gone int32 = iota
	waiting
	called
)

// patience is how often a worker looks for the next tasks: a fraction of a
// millisecond.
const patience = 2000

// newCrew returns a crew of the given size, or one for every core if that is 0.
func newCrew(size int, task func(worker, k int)) *crew {
	if size <= 0 {
		size = runtime.GOMAXPROCS(0)
	}
	c := &crew{task: task, state: make([]atomic.Int32, size)}
	for i := range size {
		c.start = append(c.start, func() { c.stay(i) })
	}
	return c
}

// run does tasks 0 to n-1, the caller being one of the workers, and returns when all
// are done.
func (c *crew) run(n int) {
	c.tasks = n
	c.next.Store(0)
	workers := max(1, min(n, len(c.state)))
	c.atWork.Add(int32(workers - 1))
	for i := 1; i < workers; i++ {
		if !c.state[i].CompareAndSwap(waiting, called) {
			c.state[i].Store(called)
			go c.start[i]()
		}
	}
	c.work(0)
	for c.atWork.Load() > 0 {
		runtime.Gosched()
	}
}

// work does tasks as long as there are any.
func (c *crew) work(i int) {
	for k := int(c.next.Add(1)) - 1; k < c.tasks; k = int(c.next.Add(1)) - 1 {
		c.task(i, k)
	}
}

// stay works whenever called, and leaves when out of patience.
func (c *crew) stay(i int) {
	for {
		c.work(i)
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
