package queue

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"quotient/sweep/plan"
)

// Old is what a store holds of programs before this one, which no sweep of this one uses.
type Old struct {
	Versions []string `json:"versions"`
	Results  int      `json:"results"`
	Failures int      `json:"failures"`
	Networks int      `json:"networks"` // files of what was trained, and of training that was not finished
	Bytes    uint64   `json:"bytes"`    // of these and of results
	Waiting  uint64   `json:"waiting"`  // tasks
}

// Nothing reports whether there is nothing old.
func (o Old) Nothing() bool { return o.Results+o.Failures+o.Networks == 0 && o.Waiting == 0 }

// Old finds what is left of programs before this one and, if remove is true, removes it. What was given to a sweep, and
// not computed by it, stays. Results of this version on other processors are not old.
func (s *Store) Old(ctx context.Context, remove bool) (Old, error) {
	l := &leftovers{keys: map[string]bool{}}
	err := l.find(ctx, s)
	if err == nil && remove {
		err = l.remove(ctx, s)
	}
	return l.Old, err
}

// leftovers are the names of what is old.
type leftovers struct {
	Old
	keys                        map[string]bool // of tasks
	results, failures, networks []string
}

// note takes note of a task if it is old.
func (l *leftovers) note(version, key string) bool {
	if !plan.Older(version) {
		return false
	}
	l.keys[key] = true
	if !slices.Contains(l.Versions, version) {
		l.Versions = append(l.Versions, version)
	}
	return true
}

// find looks through the whole store.
func (l *leftovers) find(ctx context.Context, s *Store) error {
	if err := l.findTasks(ctx, s); err != nil {
		return err
	}
	bytes := uint64(0)
	err := s.scan(ctx, s.results, func() { l.results, bytes = nil, 0 }, func(key string, value []byte) error {
		var r plan.Result
		err := json.Unmarshal(value, &r)
		if err == nil && l.note(r.Task.Version, key) {
			l.results, bytes = append(l.results, key), bytes+uint64(len(value))
		}
		return err
	})
	if err != nil {
		return err
	}
	l.Bytes = bytes
	var counts []string // of deliveries, which do not name a version
	err = s.scan(ctx, s.failures, func() { l.failures, counts = nil, nil }, func(key string, value []byte) error {
		if strings.HasPrefix(key, delivered) {
			counts = append(counts, key)
			return nil
		}
		var f Failure
		err := json.Unmarshal(value, &f)
		if err == nil && l.note(f.Task.Version, key) {
			l.failures = append(l.failures, key)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, key := range counts {
		if l.keys[strings.TrimPrefix(key, delivered)] {
			l.failures = append(l.failures, key)
		}
	}
	l.networks, err = s.objectsOf(ctx, l.keys, &l.Bytes)
	l.Results, l.Failures, l.Networks = len(l.results), len(l.failures), len(l.networks)
	slices.Sort(l.Versions)
	return err
}

// remove removes what was found; results last, for they say what is old.
func (l *leftovers) remove(ctx context.Context, s *Store) error {
	for _, step := range []struct {
		names  []string
		remove func(context.Context, string) error
	}{
		{l.Versions, s.dropTasks},
		{l.networks, s.networks.Delete},
		{l.failures, func(ctx context.Context, key string) error { return s.failures.Purge(ctx, key) }},
		{l.results, func(ctx context.Context, key string) error { return s.results.Purge(ctx, key) }},
	} {
		if err := s.removeEach(ctx, step.names, step.remove); err != nil {
			return err
		}
	}
	return nil
}

// objectsOf returns the names of objects that belong to tasks, and adds what they hold.
func (s *Store) objectsOf(ctx context.Context, keys map[string]bool, bytes *uint64) (names []string, err error) {
	var list []*jetstream.ObjectInfo
	err = s.persist(ctx, "listing networks", func(ctx context.Context) (err error) {
		if list, err = s.networks.List(ctx); errors.Is(err, jetstream.ErrNoObjectsFound) {
			return nil
		}
		return err
	})
	for _, info := range list {
		if key, _, ok := strings.Cut(info.Name, "/"); ok && keys[key] {
			names, *bytes = append(names, info.Name), *bytes+info.Size
		}
	}
	return names, err
}

// findTasks finds what waits for workers of older versions.
func (l *leftovers) findTasks(ctx context.Context, s *Store) error {
	var info *jetstream.StreamInfo
	err := s.persist(ctx, "looking at the queue", func(ctx context.Context) (err error) {
		info, err = s.tasks.Info(ctx, jetstream.WithSubjectFilter(subjects+">"))
		return err
	})
	if err != nil {
		return err
	}
	for subject, n := range info.State.Subjects {
		if version, key, _ := strings.Cut(strings.TrimPrefix(subject, subjects), "."); l.note(version, key) {
			l.Waiting += n
		}
	}
	return nil
}

// dropTasks removes what waits for workers of a version, and who hands it to them.
func (s *Store) dropTasks(ctx context.Context, version string) error {
	err := s.tasks.DeleteConsumer(ctx, "workers-"+version)
	if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return err
	}
	return s.tasks.Purge(ctx, jetstream.WithPurgeSubject(subjects+version+".>"))
}

// removeEach removes things by their names, some that are gone already included.
func (s *Store) removeEach(ctx context.Context, names []string, remove func(context.Context, string) error) error {
	return each(ctx, len(names), func(ctx context.Context, i int) error {
		err := s.persist(ctx, "removing", func(ctx context.Context) error { return remove(ctx, names[i]) })
		if errors.Is(err, jetstream.ErrObjectNotFound) || errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil
		}
		return err
	})
}
