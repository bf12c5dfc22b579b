package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Options say how to run a sweep.
type Options struct {
	Retry  bool         // tasks that were set aside are tried again
	Folder string       // where the status is kept as a file, too; empty: nowhere
	Tell   func(Status) // is called about twice a second, if not nil
}

// Tests make them smaller.
var (
	window  = 2048             // tasks that are in the queue at a time
	batch   = 256              // tasks that are looked at together
	recheck = 10 * time.Second // after which tasks are asked for that nothing was heard of
)

// Run publishes the tasks of a sweep as there is room for them and returns when there is
// a result for each, or a failure. It computes nothing itself: see [Worker]. It may be
// killed and started again, here or elsewhere, and even be run twice at a time.
func (s *Store) Run(ctx context.Context, f *File, o Options) (Status, error) {
	c := s.coordinator(f, o)
	c.bytes = func(digest string, data []byte) error { return s.PutModel(ctx, digest, data) }
	if err := c.count(ctx); err != nil {
		return c.status, err
	}
	next, stop := iter.Pull(f.subjects())
	defer stop()
	c.next = next
	return c.coordinate(ctx)
}

// Do is Run for a list of extractions from models that were put there with PutModel, and
// returns their results in the order of the tasks. There is none for a task that was set
// aside.
func (s *Store) Do(ctx context.Context, name string, tasks []Task, o Options) ([]*Result, Status, error) {
	c := s.coordinator(&File{Name: name}, o)
	c.status.Extract.Total = len(tasks)
	c.next = func() (subject, bool) { return subject{}, false }
	left := tasks
	c.ready = []*source{{stop: func() {}, next: func() (Task, bool, error) {
		if len(left) == 0 {
			return Task{}, false, nil
		}
		t := left[0]
		left = left[1:]
		return t, true, nil
	}}}
	status, err := c.coordinate(ctx)
	if err != nil {
		return nil, status, err
	}
	results := make([]*Result, len(tasks))
	err = each(ctx, len(tasks), func(ctx context.Context, i int) (err error) {
		results[i], err = s.Result(ctx, tasks[i].Key())
		return err
	})
	return results, status, err
}

// PutModel stores a network's file under its digest.
func (s *Store) PutModel(ctx context.Context, digest string, data []byte) error {
	return s.putObject(ctx, modelName(digest), data)
}

func (s *Store) coordinator(f *File, o Options) *coordinator {
	return &coordinator{
		Store: s, Options: o, planner: newPlanner(f), pending: map[string]*waiting{},
		status: Status{Name: f.Name, State: Running, Version: Version(), SecondsLeft: -1},
	}
}

// coordinate runs and says in the status that it began, and how it ended.
func (c *coordinator) coordinate(ctx context.Context) (Status, error) {
	err := c.publishStatus(ctx)
	if err == nil {
		err = c.run(ctx)
	}
	if c.status.State = Done; err != nil {
		c.status.State = Interrupted
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return c.status, errors.Join(err, c.publishStatus(last))
}

type coordinator struct {
	*Store
	Options
	*planner
	status  Status
	pending map[string]*waiting // by key, what was published
	ready   []*source           // networks whose extractions can be published
	next    func() (subject, bool)
	ended   bool // there are no more networks

	took [2]struct { // by training and extraction: what results cost
		seconds float64
		n       int
	}
}

// waiting is a task without a result.
type waiting struct {
	task   Task
	follow []subject // networks that wait for this training
	count  int       // how many tasks it is: 0 if another block of the file counts it
}

// A source gives extractions one after the other, and reports whether there was one.
type source struct {
	next func() (Task, bool, error)
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
		case <-again.C:
			err = c.ask(ctx)
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

// count says how many tasks there are, as far as that is known.
func (c *coordinator) count(ctx context.Context) error {
	for s := range c.file.subjects() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		epochs, err := c.epochsOf(s)
		if err != nil {
			return err
		}
		if s.settings != nil && c.file.first(s) {
			c.status.Train.Total++
		}
		c.status.Extract.Total += c.file.count(s, epochs)
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
			r := c.ready[0]
			t, ok, err := r.next()
			if ok || err != nil {
				return &waiting{task: t, count: 1}, err
			}
			r.stop()
			c.ready = c.ready[1:]
			continue
		}
		s, ok := c.next()
		if !ok {
			c.ended = true
			return nil, nil
		}
		if s.settings != nil {
			w := &waiting{task: c.training(s), follow: []subject{s}}
			if c.file.first(s) {
				w.count = 1
			}
			return w, nil
		}
		epochs, err := c.epochsOf(s)
		if err != nil {
			return nil, err
		}
		c.open(ctx, s, epochs)
	}
}

// open makes a network's extractions available.
func (c *coordinator) open(ctx context.Context, s subject, epochs []int) {
	next, stop := iter.Pull(c.file.extractions(s, epochs))
	c.ready = append(c.ready, &source{stop: stop, next: func() (Task, bool, error) {
		x, ok := next()
		if !ok {
			return Task{}, false, nil
		}
		t, err := c.task(ctx, s, x)
		return t, err == nil, err
	}})
}

// look finds out what became of tasks, and publishes those of which nothing is known.
func (c *coordinator) look(ctx context.Context, list []*waiting, isNew bool) error {
	results, failures := make([]*Result, len(list)), make([]*Failure, len(list))
	err := each(ctx, len(list), func(ctx context.Context, i int) (err error) {
		t := list[i].task
		key := t.Key()
		if results[i], err = c.Result(ctx, key); err != nil || results[i] != nil {
			return err
		}
		var f Failure
		if _, found, err := c.get(ctx, c.Store.failures, key, &f); err != nil {
			return err
		} else if found && f.Aside && !(c.Retry && isNew) {
			failures[i] = &f
			return nil
		} else if found && f.Aside {
			if err := c.persist(ctx, "forgetting a failure", func(ctx context.Context) error {
				return c.Store.failures.Purge(ctx, key)
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

// ask looks again for everything that is waited for: news may have been missed, and a
// queue that lost a task is given it again.
func (c *coordinator) ask(ctx context.Context) error {
	var list []*waiting
	for _, w := range c.pending {
		list = append(list, w)
	}
	return c.look(ctx, list, false)
}

// progress returns the counts that a task belongs to.
func (c *coordinator) progress(t Task) *Progress {
	if t.Extract == nil {
		return &c.status.Train
	}
	return &c.status.Extract
}

// finish notes a result. What can be extracted from a trained network becomes ready.
func (c *coordinator) finish(ctx context.Context, w *waiting, r *Result, reused bool) {
	delete(c.pending, w.task.Key())
	p := c.progress(w.task)
	p.Done += w.count
	kind := 0
	if w.task.Extract != nil {
		kind = 1
	}
	c.took[kind].seconds += r.Cost.Seconds
	c.took[kind].n++
	if reused {
		p.Reused += w.count
	}
	for _, s := range w.follow {
		epochs := upTo(len(r.Records))
		if planned := s.settings.Epochs; planned > len(epochs) { // it ended early
			c.status.Extract.Total += c.file.count(s, epochs) - c.file.count(s, upTo(planned))
		}
		c.open(ctx, s, epochs)
	}
}

// fail notes a task that was set aside, and what cannot be done without it.
func (c *coordinator) fail(w *waiting, f Failure) {
	delete(c.pending, w.task.Key())
	c.progress(w.task).Failed += w.count
	if len(c.status.Failures) < shownFailures {
		c.status.Failures = append(c.status.Failures, f)
	}
	for _, s := range w.follow {
		c.status.Extract.Blocked += c.file.count(s, upTo(s.settings.Epochs))
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
// then, ask finds.
func (c *coordinator) watch(ctx context.Context, kv jetstream.KeyValue, news chan<- jetstream.KeyValueEntry) {
	for ctx.Err() == nil {
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
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// watchWorkers sends who is there, now and then.
func (c *coordinator) watchWorkers(ctx context.Context, present chan<- []Presence) {
	for {
		if list, err := c.Workers(ctx); err == nil {
			select {
			case present <- list:
			case <-ctx.Done():
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(beat / 2):
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
		if p.Left() > 0 && (c.took[kind].n == 0 || c.status.Slots == 0) {
			return -1
		}
		if p.Left() > 0 {
			total += float64(p.Left()) * c.took[kind].seconds / float64(c.took[kind].n)
		}
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
