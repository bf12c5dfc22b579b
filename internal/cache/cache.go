// Package cache keeps what takes long to make, as long as there is room and it is used.
package cache

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"log"
	"runtime/debug"
	"sync"
	"time"
)

// A Cache keeps what was made for a key, as long as there is room and it is used.
// What several ask for at once is made once, and the making is canceled when nobody
// waits for it any longer.
type Cache[V any] struct {
	room int64         // what all entries may cost together
	idle time.Duration // after which an entry that nobody used is dropped
	cost func(V) int64

	mu      sync.Mutex
	entries map[string]*list.Element
	recent  list.List // of *entry[V], the last used first
	used    int64
}

type entry[V any] struct {
	key     string
	value   V
	err     error
	done    chan struct{} // closed when value or err is there
	waiting int           // who wait for it
	cancel  context.CancelCauseFunc
	cost    int64 // 0 while it is made
	last    time.Time
}

// New returns a cache whose entries may cost so much together, each as much as cost says, and
// are dropped after a while without use.
func New[V any](room int64, idle time.Duration, cost func(V) int64) *Cache[V] {
	return &Cache[V]{room: room, idle: idle, cost: cost, entries: map[string]*list.Element{}}
}

// Get returns what is kept for the key, or makes it. Errors are not kept.
func (c *Cache[V]) Get(ctx context.Context, key string, make func(context.Context) (V, error)) (V, error) {
	e := c.join(key, make)
	defer c.leave(e)
	select {
	case <-e.done:
		return e.value, e.err
	case <-ctx.Done():
		var none V
		return none, context.Cause(ctx)
	}
}

// join returns the entry for the key, whose making it begins if there is none.
func (c *Cache[V]) join(key string, make func(context.Context) (V, error)) *entry[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire(time.Now())
	if at, ok := c.entries[key]; ok {
		e := at.Value.(*entry[V])
		e.waiting++
		c.recent.MoveToFront(at)
		return e
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	e := &entry[V]{key: key, done: newDone(), waiting: 1, cancel: cancel}
	c.entries[key] = c.recent.PushFront(e)
	go func() {
		e.value, e.err = Safely(func() (V, error) { return make(ctx) })
		cancel(nil)
		c.finish(e)
	}()
	return e
}

func newDone() chan struct{} { return make(chan struct{}) }

// finish keeps what was made, or forgets that it was tried.
func (c *Cache[V]) finish(e *entry[V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(e.done)
	at, ok := c.entries[e.key]
	if !ok || at.Value.(*entry[V]) != e {
		return // given up meanwhile
	}
	if e.err != nil {
		c.drop(at)
		return
	}
	e.cost, e.last = max(1, c.cost(e.value)), time.Now()
	c.used += e.cost
	c.shrink(c.room, "")
}

// leave gives up waiting. A making that nobody waits for is canceled.
func (c *Cache[V]) leave(e *entry[V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.waiting--
	e.last = time.Now()
	if at, ok := c.entries[e.key]; ok && at.Value.(*entry[V]) == e && e.waiting == 0 && e.cost == 0 {
		e.cancel(context.Canceled)
		c.drop(at)
	}
}

func (c *Cache[V]) drop(at *list.Element) {
	e := at.Value.(*entry[V])
	delete(c.entries, e.key)
	c.recent.Remove(at)
	c.used -= e.cost
}

// expire drops what was not used for a while.
func (c *Cache[V]) expire(now time.Time) {
	for at := c.recent.Back(); at != nil; {
		before := at.Prev()
		if e := at.Value.(*entry[V]); e.cost > 0 && e.waiting == 0 && now.Sub(e.last) > c.idle {
			c.drop(at)
		}
		at = before
	}
}

// Sweep drops what was not used for a while, for those who call it now and then.
func (c *Cache[V]) Sweep(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire(now)
}

// Used returns what all entries cost together.
func (c *Cache[V]) Used() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used
}

// Shrink drops entries, those first that were not used for longest, until the others cost no
// more than that together. The one with the given key stays.
func (c *Cache[V]) Shrink(most int64, but string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shrink(most, but)
}

func (c *Cache[V]) shrink(most int64, but string) {
	for at := c.recent.Back(); at != nil && c.used > most; {
		before := at.Prev()
		if e := at.Value.(*entry[V]); e.cost > 0 && e.key != but {
			c.drop(at)
		}
		at = before
	}
}

// ErrPanic says that making something failed in a way that it must not.
var ErrPanic = errors.New("this is a mistake in the program")

// Safely turns a panic into an error. The trace goes to the log.
func Safely[V any](f func() (V, error)) (v V, err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Printf("%v\n%s", p, debug.Stack())
			err = fmt.Errorf("%w: %v", ErrPanic, p)
		}
	}()
	return f()
}
