package queue

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quotient/internal/regular"
	"quotient/sweep/plan"
)

// A Status is how far a sweep is.
type Status struct {
	Name        string    `json:"name"`
	State       State     `json:"state"`
	Version     string    `json:"version"`
	Train       Progress  `json:"train"`
	Extract     Progress  `json:"extract"`
	Workers     int       `json:"workers"` // of this version
	Others      int       `json:"others"`  // workers of other versions, which take none of its tasks
	Slots       int       `json:"slots"`
	Running     int       `json:"running"`
	Tokens      float64   `json:"tokens_per_second"`
	SecondsLeft float64   `json:"seconds_left"` // negative if nothing is known yet
	Updated     time.Time `json:"updated"`
	Failures    []Failure `json:"failures,omitempty"` // the first few

	Data map[string]string `json:"data,omitempty"` // digests of the files of words, by their names
}

// A State says whether somebody is at it.
type State string

const (
	Running     State = "running"
	Done        State = "done" // all that can be done is
	Interrupted State = "interrupted"
)

// Progress counts tasks of one kind.
type Progress struct {
	Total   int `json:"total"`
	Done    int `json:"done"`
	Failed  int `json:"failed"`  // set aside
	Blocked int `json:"blocked"` // their network could not be trained
	Reused  int `json:"reused"`  // of those that are done, what was there before
}

// Left returns how many tasks are to be done.
func (p Progress) Left() int { return p.Total - p.Done - p.Failed - p.Blocked }

// shownFailures is how many failures a status holds.
const shownFailures = 20

// statusSuffix follows a sweep's name in the name of its status file. Several sweeps may
// share a folder.
const statusSuffix = ".status.json"

// maxStatus is far more than one takes, of which only the first failures are told.
const maxStatus = 16 << 20

// write puts the status into a folder, all at once.
func (s Status) write(folder string) error {
	if folder == "" {
		return nil
	}
	name := filepath.Join(folder, s.Name+statusSuffix)
	if err := os.WriteFile(name+".part", append(encode(s), '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(name+".part", name)
}

// ReadStatus returns the status of a sweep whose store is in a folder, without opening
// the store, which somebody else may have open.
func ReadStatus(folder fs.FS, name string) (Status, error) {
	var s Status
	data, err := regular.ReadFile(folder, name+statusSuffix, maxStatus)
	if err != nil {
		return s, err
	}
	err = json.Unmarshal(data, &s)
	s.age()
	return s, err
}

// silence is after which a coordinator is taken for killed, which writes every two seconds.
const silence = 8 * time.Second

// age calls a sweep interrupted that nothing was heard of for a while: it was killed.
func (s *Status) age() {
	if s.State == Running && time.Since(s.Updated) > silence {
		s.State = Interrupted
	}
}

// List returns the statuses of all sweeps in a folder, or in folders up to two levels
// below it, the nearest first.
func List(folder fs.FS) (list []Status) {
	for _, f := range regular.Find(folder, 2, func(name string) bool { return strings.HasSuffix(name, statusSuffix) }) {
		name := strings.TrimSuffix(f, statusSuffix)
		if s, err := ReadStatus(folder, name); err == nil && plan.ValidName(s.Name) && s.Name == path.Base(name) {
			list = append(list, s)
		}
	}
	return list
}

// Status returns the status of a sweep as its coordinator last told it, and reports
// whether there is one.
func (s *Store) Status(ctx context.Context, name string) (Status, bool, error) {
	var st Status
	_, found, err := s.get(ctx, s.sweeps, name, &st)
	st.age()
	return st, found, err
}

// Sweeps returns the statuses of all sweeps in the store, in the order of their names.
func (s *Store) Sweeps(ctx context.Context) (list []Status, err error) {
	err = s.scan(ctx, s.sweeps, func() { list = nil }, func(_ string, value []byte) error {
		var st Status
		if json.Unmarshal(value, &st) != nil || !plan.ValidName(st.Name) {
			return nil // nobody of us has written it
		}
		st.age()
		list = append(list, st)
		return nil
	})
	slices.SortFunc(list, func(a, b Status) int { return strings.Compare(a.Name, b.Name) })
	return list, err
}

// Workers returns the workers that are there, in the order of their names.
func (s *Store) Workers(ctx context.Context) (list []Presence, err error) {
	err = s.scan(ctx, s.workers, func() { list = nil }, func(_ string, value []byte) error {
		var p Presence
		if err := json.Unmarshal(value, &p); err != nil {
			return err
		}
		list = append(list, p)
		return nil
	})
	slices.SortFunc(list, func(a, b Presence) int { return strings.Compare(a.Worker, b.Worker) })
	return list, err
}

// count puts the workers into a status.
func (st *Status) count(list []Presence) {
	st.Workers, st.Others, st.Slots, st.Running, st.Tokens = 0, 0, 0, 0, 0
	for _, p := range list {
		if p.Version != st.Version {
			st.Others++
			continue
		}
		st.Workers++
		st.Slots += p.Slots
		st.Running += p.Running
		st.Tokens += p.TokensPerSecond
	}
}
