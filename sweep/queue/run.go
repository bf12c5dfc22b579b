package queue

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"quotient/sweep/plan"
)

// Options say how to run a sweep.
type Options struct {
	Retry  bool         // tasks that were set aside are tried again
	Folder string       // where the status is kept as a file, too; empty: nowhere
	Tell   func(Status) // is called about twice a second, if not nil
	Worker *Worker      // works in this program until the sweep is done; nil: only others work
}

// Tests make them smaller.
var (
	window  = 2048             // tasks that are in the queue at a time
	batch   = 256              // tasks that are looked at together
	recheck = 10 * time.Second // after which tasks are asked for that nothing was heard of
)

// Run publishes the tasks of a sweep as there is room for them and returns when there is
// a result for each, or a failure. It computes nothing itself, that is up to workers. It
// may be killed and started again, here or elsewhere, and even be run twice at a time.
func (s *Store) Run(ctx context.Context, f *plan.File, o Options) (Status, error) {
	c := &coordinator{
		Store: s, Options: o, pending: map[string]*waiting{},
		status: Status{Name: f.Name, State: Running, Version: plan.Version(), SecondsLeft: -1},
	}
	if err := c.count(ctx, f); err != nil {
		return c.status, err
	}
	next, stop := iter.Pull2(f.Networks(func(object string, file []byte) error {
		return s.putObject(ctx, object, file)
	}))
	defer stop()
	c.next = next
	if o.Worker != nil {
		working, stop := context.WithCancel(ctx)
		var failed context.CancelCauseFunc
		ctx, failed = context.WithCancelCause(ctx)
		defer failed(nil)
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := o.Worker.Run(working, s); working.Err() == nil {
				failed(err)
			}
		})
		defer wg.Wait()
		defer stop()
	}
	err := c.run(ctx)
	if c.status.State = Done; err != nil {
		c.status.State = Interrupted
	}
	if !c.begun { // what was said of an earlier run still holds
		return c.status, saying(err)
	}
	if err == nil {
		return c.status, saying(c.publishStatus(ctx)) // however long the servers are away
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	c.publishStatus(last) // at least it has been tried: there is an error already
	return c.status, saying(err)
}

type coordinator struct {
	*Store
	Options
	status  Status
	pending map[string]*waiting // by key, what was published
	ready   []extractions       // of networks that are there
	next    func() (*plan.Network, error, bool)
	begun   bool    // the first tasks could be made and looked at
	ended   bool    // there are no more networks
	took    [2]pace // by training and extraction: what results cost
}

// waiting is a task without a result.
type waiting struct {
	task   plan.Task
	follow []*plan.Network // that wait for this training
	count  int             // how many tasks it is: 0 if another part of the file counts it
}

// extractions are given one after the other.
type extractions struct {
	next func() (plan.Task, error, bool)
	stop func()
}

func (c *coordinator) run(ctx context.Context) error {
	defer func() {
		for _, r := range c.ready {
			r.stop()
		}
	}()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	news := make(chan jetstream.KeyValueEntry, 256)
	go c.watch(ctx, c.results, news)
	go c.watch(ctx, c.failures, news)
	present := make(chan []Presence, 1)
	go c.watchWorkers(ctx, present)
	if err := c.begin(ctx); err != nil {
		return err
	}

	again, show, save := time.NewTicker(recheck), time.NewTicker(500*time.Millisecond), time.NewTicker(2*time.Second)
	defer again.Stop()
	defer show.Stop()
	defer save.Stop()
	for {
		if err := c.fill(ctx); err != nil {
			return err
		}
		if len(c.pending) == 0 {
			return nil
		}
		var err error
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case e := <-news:
			err = c.hear(ctx, e)
		case list := <-present:
			c.status.count(list)
		case <-again.C: // news may have been missed, and a queue that lost a task is given it again
			err = c.look(ctx, slices.Collect(maps.Values(c.pending)), false)
		case <-show.C:
			c.tell()
		case <-save.C:
			c.tell()
			err = c.publishStatus(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// begin publishes the first tasks, and then the status for the first time: who cannot make these has not begun.
func (c *coordinator) begin(ctx context.Context) error {
	if err := c.fill(ctx); err != nil {
		return err
	}
	c.begun = true
	return c.publishStatus(ctx)
}

// count says how many tasks there are, as far as that is known.
func (c *coordinator) count(ctx context.Context, f *plan.File) error {
	for n, err := range f.Networks(nil) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if n.Training != nil && !n.Repeated {
			c.status.Train.Total++
		}
		c.status.Extract.Total += n.Count()
		c.status.Data = n.Data()
	}
	return nil
}

// fill publishes tasks until the queue is long enough.
func (c *coordinator) fill(ctx context.Context) error {
	for len(c.pending) < window && !(c.ended && len(c.ready) == 0) {
		var list []*waiting
		for len(list) < batch && len(c.pending) < window {
			w, err := c.take(ctx)
			if err != nil {
				return err
			}
			if w == nil {
				break
			}
			key := w.task.Key()
			if same := c.pending[key]; same != nil { // two points, one result
				same.follow, same.count = append(same.follow, w.follow...), same.count+w.count
				continue
			}
			c.pending[key] = w
			list = append(list, w)
			if len(w.follow) > 0 && len(c.ready) == 0 && len(list) >= 16 {
				break // networks that are there already come first
			}
		}
		if len(list) == 0 {
			return nil
		}
		if err := c.look(ctx, list, true); err != nil {
			return err
		}
	}
	return nil
}

// take returns the next task, or nil if there is none for now: extractions from
// networks that are ready, then the next network.
func (c *coordinator) take(ctx context.Context) (*waiting, error) {
	for {
		if len(c.ready) > 0 {
			if t, err, ok := c.ready[0].next(); ok {
				return &waiting{task: t, count: 1}, err
			}
			c.ready[0].stop()
			c.ready = c.ready[1:]
			continue
		}
		n, err, ok := c.next()
		if !ok || err != nil {
			c.ended = true
			return nil, err
		}
		if n.Training != nil {
			w := &waiting{task: *n.Training, follow: []*plan.Network{n}}
			if !n.Repeated {
				w.count = 1
			}
			return w, nil
		}
		c.open(ctx, n)
	}
}

// open makes a network's extractions available.
func (c *coordinator) open(ctx context.Context, n *plan.Network) {
	next, stop := iter.Pull2(n.Extractions(ctx))
	c.ready = append(c.ready, extractions{next, stop})
}

// look finds out what became of tasks, and publishes those of which nothing is known.
func (c *coordinator) look(ctx context.Context, list []*waiting, isNew bool) error {
	results, failures := make([]*plan.Result, len(list)), make([]*Failure, len(list))
	err := each(ctx, len(list), func(ctx context.Context, i int) (err error) {
		t := list[i].task
		key := t.Key()
		if results[i], err = c.result(ctx, key); err != nil || results[i] != nil {
			return err
		}
		var f Failure
		if _, found, err := c.get(ctx, c.failures, key, &f); err != nil {
			return err
		} else if found && f.Aside && !(c.Retry && isNew) {
			failures[i] = &f
			return nil
		} else if found && f.Aside {
			if err := c.persist(ctx, "forgetting a failure", func(ctx context.Context) error {
				return c.failures.Purge(ctx, key)
			}); err != nil {
				return err
			}
		}
		return c.publish(ctx, key, t)
	})
	if err != nil {
		return err
	}
	for i, w := range list {
		if r := results[i]; r != nil {
			c.finish(ctx, w, r, isNew)
		} else if f := failures[i]; f != nil {
			c.fail(w, *f)
		}
	}
	return nil
}

// kind returns the counts that a task belongs to, and what such tasks took.
func (c *coordinator) kind(t plan.Task) (*Progress, *pace) {
	if t.Extract == nil {
		return &c.status.Train, &c.took[0]
	}
	return &c.status.Extract, &c.took[1]
}

// finish notes a result. What can be extracted from a trained network becomes ready.
func (c *coordinator) finish(ctx context.Context, w *waiting, r *plan.Result, reused bool) {
	delete(c.pending, w.task.Key())
	p, took := c.kind(w.task)
	p.Done += w.count
	took.seconds += r.Cost.Seconds
	took.n++
	if reused {
		p.Reused += w.count
	}
	for _, n := range w.follow {
		if len(r.Records) < n.Training.Train.Epochs { // it ended early
			c.status.Extract.Total -= n.Count()
			n.End(len(r.Records))
			c.status.Extract.Total += n.Count()
		}
		c.open(ctx, n)
	}
}

// fail notes a task that was set aside, and what cannot be done without it.
func (c *coordinator) fail(w *waiting, f Failure) {
	delete(c.pending, w.task.Key())
	p, _ := c.kind(w.task)
	p.Failed += w.count
	if len(c.status.Failures) < shownFailures {
		c.status.Failures = append(c.status.Failures, f)
	}
	for _, n := range w.follow {
		c.status.Extract.Blocked += n.Count()
	}
}

// hear takes a result or a failure from the store.
func (c *coordinator) hear(ctx context.Context, e jetstream.KeyValueEntry) error {
	w := c.pending[e.Key()]
	if w == nil || e.Operation() != jetstream.KeyValuePut {
		return nil
	}
	if e.Bucket() == c.results.Bucket() {
		r, err := c.decodeResult(ctx, e.Key(), e.Value())
		if err != nil {
			return err
		}
		c.finish(ctx, w, r, false)
		return nil
	}
	var f Failure
	if err := json.Unmarshal(e.Value(), &f); err != nil {
		return err
	}
	if f.Aside {
		c.fail(w, f)
	}
	return nil
}

// watch sends what is written to a bucket. It begins anew if it breaks; what it misses
// then, looking again finds.
func (c *coordinator) watch(ctx context.Context, kv jetstream.KeyValue, news chan<- jetstream.KeyValueEntry) {
	for ; ctx.Err() == nil; pause(ctx, 200*time.Millisecond) {
		if w, err := kv.WatchAll(ctx, jetstream.UpdatesOnly(), jetstream.IgnoreDeletes()); err == nil {
			for e := range w.Updates() {
				if e == nil || strings.Contains(e.Key(), ".") {
					continue
				}
				select {
				case news <- e:
				case <-ctx.Done():
				}
				if ctx.Err() != nil {
					break
				}
			}
			w.Stop()
		}
	}
}

// watchWorkers sends who is there, now and then.
func (c *coordinator) watchWorkers(ctx context.Context, present chan<- []Presence) {
	for ; ctx.Err() == nil; pause(ctx, beat/2) {
		if list, err := c.Workers(ctx); err == nil {
			select {
			case present <- list:
			case <-ctx.Done():
			}
		}
	}
}

// tell brings the status up to date and shows it.
func (c *coordinator) tell() {
	c.status.Updated = time.Now().UTC()
	c.status.SecondsLeft = c.left()
	if c.Tell != nil {
		c.Tell(c.status)
	}
}

// left estimates how many seconds are left, or returns -1 if nothing is known.
func (c *coordinator) left() float64 {
	total := 0.0
	for kind, p := range []Progress{c.status.Train, c.status.Extract} {
		took := c.took[kind]
		if p.Left() == 0 {
			continue
		}
		if took.n == 0 || c.status.Slots == 0 {
			return -1
		}
		total += float64(p.Left()) * took.seconds / float64(took.n)
	}
	return total / float64(max(1, c.status.Slots))
}

func (c *coordinator) publishStatus(ctx context.Context) error {
	c.status.Updated = time.Now().UTC()
	if err := c.status.write(c.Folder); err != nil {
		return err
	}
	return c.put(ctx, c.sweeps, c.status.Name, c.status)
}
