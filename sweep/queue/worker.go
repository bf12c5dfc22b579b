package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"quotient/sweep/plan"
)

// Tests make these shorter.
var (
	ackWait = 30 * time.Second // after which a task without a heartbeat is given to another worker
	beat    = time.Second      // between two signs of life of a worker
)

// maxLost is how often a task may vanish together with its worker, without a checkpoint
// in between. Workers are killed for all kinds of reasons; one that takes all the memory
// is killed every time.
const maxLost = 10

// A Worker takes tasks from a store and computes them.
type Worker struct {
	Slots   int    // tasks at a time; 0: one for every core
	Scratch string // folder for training that is under way; empty: that of the system

	// What a task computes; nil: what it says. Tests and benchmarks have others.
	compute func(ctx context.Context, t plan.Task, saved func()) (*plan.Result, error)

	store   *Store
	id      string
	folder  string                  // of its own, in Scratch
	halt    context.CancelCauseFunc // ends its work
	running atomic.Int64
	tokens  atomic.Int64
	done    atomic.Int64

	mu     sync.Mutex
	recent []recent // the newest specimens, the newest last
}

// A Presence is a worker's sign of life.
type Presence struct {
	Worker          string  `json:"worker"`
	Version         string  `json:"version"`
	Slots           int     `json:"slots"`
	Running         int     `json:"running"`
	Done            int     `json:"done"`
	TokensPerSecond float64 `json:"tokens_per_second"`
}

// workers counts those of this process, to tell them apart.
var workers atomic.Int64

// Run works until ctx is done, or the disk is full. Tasks that are not finished by then are given back, with
// a checkpoint.
func (w *Worker) Run(ctx context.Context, s *Store) error {
	if w.Slots == 0 {
		w.Slots = runtime.GOMAXPROCS(0)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	w.id = fmt.Sprintf("%s-%d-%d", noKey.ReplaceAllString(host, "_"), os.Getpid(), workers.Add(1))
	if w.store = s; w.compute == nil {
		w.compute = w.do
	}
	var consumer jetstream.Consumer
	if err := s.persist(ctx, "asking for tasks", func(ctx context.Context) (err error) {
		consumer, err = s.consumer(ctx)
		return err
	}); err != nil {
		return err
	}
	folder, leave, err := workplace(w.Scratch)
	if err != nil {
		return saying(err)
	}
	defer leave()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	w.folder, w.halt = folder, stop
	var wg sync.WaitGroup
	for range w.Slots {
		wg.Go(func() { w.work(ctx, consumer) })
	}
	stop(w.signal(ctx))
	wg.Wait()
	return context.Cause(ctx)
}

// noKey are characters that a part of a key of NATS does not have.
var noKey = regexp.MustCompile(`[^A-Za-z0-9_]`)

// consumer is the one that all workers of a version share. It is told apart by the
// version, so others never see these tasks.
func (s *Store) consumer(ctx context.Context) (jetstream.Consumer, error) {
	return s.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "workers-" + plan.Version(), FilterSubject: subjects + plan.Version() + ".>",
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1, MaxAckPending: 1 << 17,
	})
}

// signal tells that the worker is there until ctx is done, or the server wants to hear no
// more of it.
func (w *Worker) signal(ctx context.Context) error {
	s, last := w.store, w.tokens.Load()
	for ; ctx.Err() == nil; pause(ctx, beat) {
		if s.nc.IsClosed() {
			return s.closed()
		}
		now := w.tokens.Load()
		p := Presence{
			Worker: w.id, Version: plan.Version(), Slots: w.Slots, Running: int(w.running.Load()), Done: int(w.done.Load()),
			TokensPerSecond: float64(now-last) / beat.Seconds(),
		}
		last = now
		put, cancel := context.WithTimeout(ctx, beat)
		s.workers.Put(put, w.id, encode(p)) // the next sign will do as well
		cancel()
	}
	leave, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	s.workers.Delete(leave, w.id) // it vanishes by itself, too
	return context.Cause(ctx)
}

// work takes one task after the other.
func (w *Worker) work(ctx context.Context, consumer jetstream.Consumer) {
	for ctx.Err() == nil {
		wait, cancel := context.WithTimeout(ctx, 5*time.Second)
		m, err := consumer.Next(jetstream.FetchContext(wait))
		cancel()
		switch {
		case err == nil:
			w.running.Add(1)
			w.handle(ctx, m)
			w.running.Add(-1)
		case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded):
		default: // no task, or a server that is gone for the moment
			if errors.Is(err, jetstream.ErrConsumerDeleted) || errors.Is(err, jetstream.ErrConsumerNotFound) {
				again, cancel := context.WithTimeout(ctx, 5*time.Second)
				w.store.consumer(again) // if it fails, then it is tried again
				cancel()
			}
			pause(ctx, 50*time.Millisecond)
		}
	}
}

// handle computes a task that was delivered. Its result is stored before it is
// acknowledged.
func (w *Worker) handle(ctx context.Context, m jetstream.Msg) {
	s, t := w.store, plan.Task{}
	if err := json.Unmarshal(m.Data(), &t); err != nil || t.Version != plan.Version() {
		m.Term() // nobody of this version has written it
		return
	}
	key := t.Key()
	held, release := w.hold(ctx, m)
	defer release()
	r, err := s.result(held, key)
	switch {
	case err != nil:
		m.Nak() // whether it is done is not known
		return
	case r != nil:
		m.Ack()
		return
	}
	r, err = w.try(held, t, m)
	if err == nil {
		r.Cost.Worker = w.id
		if err = s.keep(held, key, r); err == nil {
			w.done.Add(1)
			m.Ack()
			if t.Extract == nil { // there is nothing left to resume
				s.networks.Delete(held, stateName(key))
			}
			return
		}
	}
	if isFull(err) {
		w.halt(saying(err))
	}
	if ctx.Err() != nil {
		m.Nak() // it was not the task's fault
		return
	}
	f, err := s.fail(held, key, t, err, errors.Is(err, errLost))
	if err == nil && f.Aside {
		m.Ack()
		return
	}
	m.NakWithDelay(time.Duration(f.Count) * time.Second)
}

// hold tells the server that somebody works on a task until it is released.
func (w *Worker) hold(ctx context.Context, m jetstream.Msg) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	every := ackWait / 4
	go func() {
		for pause(ctx, every); ctx.Err() == nil; pause(ctx, every) {
			m.InProgress()
		}
	}()
	return ctx, cancel
}

var errLost = errors.New("worker after worker was lost with this task; perhaps it takes more memory than there is")

// delivered begins the key of a task's lives among the failures.
const delivered = "delivered."

// lives says how often a task had been delivered at its last checkpoint.
type lives struct {
	Delivered uint64 `json:"delivered"`
}

// try computes a task. A panic is an error of the task.
func (w *Worker) try(ctx context.Context, t plan.Task, m jetstream.Msg) (r *plan.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("this is a mistake in the program: %v\n%s", p, debug.Stack())
		}
	}()
	meta, err := m.Metadata()
	if err != nil {
		return nil, err
	}
	saved := uint64(0) // deliveries up to the last checkpoint, which were not in vain
	key := delivered + t.Key()
	if meta.NumDelivered > maxLost {
		var l lives
		if _, _, err := w.store.get(ctx, w.store.failures, key, &l); err != nil {
			return nil, err
		}
		if saved = l.Delivered; meta.NumDelivered-min(saved, meta.NumDelivered) > maxLost {
			return nil, errLost
		}
	}
	return w.compute(ctx, t, func() {
		if meta.NumDelivered > saved+1 {
			w.store.put(ctx, w.store.failures, key, lives{meta.NumDelivered})
			saved = meta.NumDelivered
		}
	})
}
