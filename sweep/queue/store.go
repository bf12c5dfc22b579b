// Package queue runs sweeps, on one machine or on many. The engine is NATS JetStream both
// ways: [Embedded] is a server inside the program, without any port, and [Connect] speaks
// to one elsewhere. On it are
//
//	QUOTIENT_TASKS       a work queue: what waits, and what somebody works on
//	quotient-results     by key, what came of tasks
//	quotient-failures    by key, how often tasks failed, and why
//	quotient-networks    networks after every epoch, how far unfinished training is, and
//	                     results that are too long for a message
//	quotient-sweeps      by name, how far sweeps are
//	quotient-workers     who is there; entries vanish when their worker does
//
// What it promises:
//
//   - Results do not depend on who computed them, on how many workers there are or on
//     how often some were killed. A task that is delivered twice is harmless.
//   - A worker that vanishes loses nothing but the work since its last checkpoint: its
//     tasks are given to others when its heartbeat is missed. So does a coordinator:
//     another goes on where it was. A result is stored before its task is
//     acknowledged.
//   - Passwords and tokens in a server's address appear in no message.
package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quotient/sweep/plan"
)

// A Store is where tasks wait and results are kept: streams and buckets of a NATS
// server. It may be used by several goroutines at once.
//
// Operations are tried until they succeed or their context ends, since servers come
// back.
type Store struct {
	log      func(message string) // hears of what takes long
	told     atomic.Int64         // when it last did, in nanoseconds
	nc       *nats.Conn
	js       jetstream.JetStream
	tasks    jetstream.Stream
	results  jetstream.KeyValue
	failures jetstream.KeyValue
	sweeps   jetstream.KeyValue
	workers  jetstream.KeyValue
	networks jetstream.ObjectStore
	stop     func() // of the server inside the program, if there is one

	life context.Context // ends when that server cannot go on
	end  context.CancelCauseFunc
}

const (
	stream   = "QUOTIENT_TASKS"
	subjects = "quotient.task."
)

// open opens streams and buckets, and makes those that are not there.
func open(ctx context.Context, nc *nats.Conn, replicas int, log func(string)) (*Store, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	s := &Store{log: log, nc: nc, js: js}
	s.life, s.end = context.WithCancelCause(context.Background())
	bucket := func(kv *jetstream.KeyValue, name, about string, ttl time.Duration) func(context.Context) error {
		return func(ctx context.Context) (err error) {
			if *kv, err = js.KeyValue(ctx, name); errors.Is(err, jetstream.ErrBucketNotFound) {
				*kv, err = js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, Description: about, Replicas: replicas, TTL: ttl})
			}
			return err
		}
	}
	for _, make := range []func(context.Context) error{
		func(ctx context.Context) (err error) {
			if s.tasks, err = js.Stream(ctx, stream); errors.Is(err, jetstream.ErrStreamNotFound) {
				// One message a subject, and a subject for every task: what waits
				// already is refused, however long ago it was published.
				s.tasks, err = js.CreateStream(ctx, jetstream.StreamConfig{
					Name: stream, Description: "what waits, and what somebody works on",
					Subjects: []string{subjects + ">"}, Retention: jetstream.WorkQueuePolicy, Replicas: replicas,
					MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
				})
			}
			return err
		},
		bucket(&s.results, "quotient-results", "what came of tasks", 0),
		bucket(&s.failures, "quotient-failures", "how often tasks failed, and why", 0),
		bucket(&s.sweeps, "quotient-sweeps", "how far sweeps are", 0),
		bucket(&s.workers, "quotient-workers", "who is there", 15*beat),
		func(ctx context.Context) (err error) {
			const name = "quotient-networks"
			if s.networks, err = js.ObjectStore(ctx, name); errors.Is(err, jetstream.ErrBucketNotFound) {
				s.networks, err = js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{
					Bucket: name, Description: "networks, and training that is not finished", Replicas: replicas,
				})
			}
			return err
		},
	} {
		err := s.persist(ctx, "opening the store", func(ctx context.Context) error {
			err := make(ctx)
			if errors.Is(err, nats.ErrNoResponders) && nc.ConnectedClusterName() == "" { // in a cluster they may come
				return jetstream.ErrJetStreamNotEnabled
			}
			return err
		})
		if errors.Is(err, jetstream.ErrJetStreamNotEnabled) {
			return nil, errors.New("JetStream is not enabled on this server; nats-server -js starts one with it")
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Close ends the connection and, if it is inside this program, the server.
func (s *Store) Close() {
	s.nc.Close()
	if s.stop != nil {
		s.stop()
	}
}

// result returns what came of a task, or nil.
func (s *Store) result(ctx context.Context, key string) (*plan.Result, error) {
	var data json.RawMessage
	_, found, err := s.get(ctx, s.results, key, &data)
	if !found {
		return nil, err
	}
	return s.decodeResult(ctx, key, data)
}

// Results yields the results of a sweep that are there, in the order of its tasks.
func (s *Store) Results(ctx context.Context, f *plan.File) iter.Seq2[*plan.Result, error] {
	known := func(training plan.Task) (int, error) {
		r, err := s.result(ctx, training.Key())
		if r == nil {
			return 0, err
		}
		return len(r.Records), nil
	}
	return func(yield func(*plan.Result, error) bool) {
		var list []plan.Task
		flush := func() bool {
			found := make([]*plan.Result, len(list))
			if err := each(ctx, len(list), func(ctx context.Context, i int) (err error) {
				found[i], err = s.result(ctx, list[i].Key())
				return err
			}); err != nil {
				yield(nil, err)
				return false
			}
			for i, r := range found {
				if r == nil {
					continue
				}
				r.Task = list[i] // with the name and the epoch that this sweep has for it
				if !yield(r, nil) {
					return false
				}
			}
			list = list[:0]
			return true
		}
		for t, err := range f.Tasks(ctx, known) {
			if err != nil {
				yield(nil, err)
				return
			}
			if list = append(list, t); len(list) == batch && !flush() {
				return
			}
		}
		flush()
	}
}

// decodeResult reads a result, which may be elsewhere.
func (s *Store) decodeResult(ctx context.Context, key string, data []byte) (*plan.Result, error) {
	r := &plan.Result{}
	if err := json.Unmarshal(data, r); err != nil || !r.Elsewhere {
		return r, err
	}
	data, err := s.object(ctx, resultName(key))
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, fmt.Errorf("%s is not in the store", resultName(key))
	}
	r = &plan.Result{}
	return r, json.Unmarshal(data, r)
}

// resultName is that of a result's object, where it is too long for a message.
func resultName(key string) string { return key + "/result" }

// headroom is what a message may need beside the result that it holds.
const headroom = 4096

// keep stores a result, unless there is one. Servers take messages up to a size, mostly of
// a megabyte. What is longer, as the records of thousands of epochs, is stored as an
// object before it is referred to.
func (s *Store) keep(ctx context.Context, key string, r *plan.Result) error {
	data := encode(r)
	if int64(len(data)) > s.nc.MaxPayload()-headroom {
		if err := s.putObject(ctx, resultName(key), data); err != nil {
			return err
		}
		data = encode(plan.Result{Task: r.Task, Elsewhere: true, Cost: r.Cost})
	}
	err := s.persist(ctx, "storing a result", func(ctx context.Context) error {
		_, err := s.results.Create(ctx, key, data)
		return err
	})
	if errors.Is(err, jetstream.ErrKeyExists) {
		return nil
	}
	return err
}

// publish puts a task into the queue, unless it is there.
func (s *Store) publish(ctx context.Context, key string, t plan.Task) error {
	err := s.persist(ctx, "publishing a task", func(ctx context.Context) error {
		_, err := s.js.Publish(ctx, subjects+t.Version+"."+key, encode(t))
		return err
	})
	switch {
	case waits(err):
		return nil
	case errors.Is(err, nats.ErrMaxPayload):
		return fmt.Errorf("the server takes messages up to %d bytes (max_payload); the settings of a task are longer: %.200s", s.nc.MaxPayload(), t)
	}
	return err
}

// putObject stores a file under a name.
func (s *Store) putObject(ctx context.Context, name string, data []byte) error {
	return s.persist(ctx, "storing a network", func(ctx context.Context) error {
		_, err := s.networks.PutBytes(ctx, name, data)
		return err
	})
}

// object returns a file, and nil if there is none.
func (s *Store) object(ctx context.Context, name string) (data []byte, err error) {
	err = s.persist(ctx, "fetching a network", func(ctx context.Context) error {
		data, err = s.networks.GetBytes(ctx, name)
		return err
	})
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, nil
	}
	return data, err
}

// A Failure is what is known of a task that went wrong.
type Failure struct {
	Task  plan.Task `json:"task"`
	Count int       `json:"count"`
	Aside bool      `json:"aside"` // it is not tried again
	Error string    `json:"error"` // of the last time
}

// FirstLine returns the first line of the error.
func (f Failure) FirstLine() string {
	line, _, _ := strings.Cut(f.Error, "\n")
	return line
}

// maxFailures is how often a task is tried.
const maxFailures = 3

// maxError is how many bytes of an error are kept, so that it fits into a message.
const maxError = 8192

// fail counts a failure and reports whether the task is set aside.
func (s *Store) fail(ctx context.Context, key string, t plan.Task, problem error, aside bool) (Failure, error) {
	for {
		var f Failure
		revision, found, err := s.get(ctx, s.failures, key, &f)
		if err != nil {
			return f, err
		}
		f.Task, f.Error, f.Count = t, problem.Error(), f.Count+1
		f.Error = f.Error[:min(len(f.Error), maxError)]
		f.Aside = aside || f.Count >= maxFailures
		err = s.persist(ctx, "noting a failure", func(ctx context.Context) (err error) {
			if found {
				_, err = s.failures.Update(ctx, key, encode(f), revision)
			} else {
				_, err = s.failures.Create(ctx, key, encode(f))
			}
			return err
		})
		if !conflicts(err) {
			return f, err
		}
	}
}

// each calls f for all indices below n, some at a time, and returns the first error.
func each(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	const atOnce = 16
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(atOnce, n) {
		wg.Go(func() {
			for i := next.Add(1); i <= int64(n) && ctx.Err() == nil; i = next.Add(1) {
				if err := f(ctx, int(i-1)); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}
