package queue

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quotient/sweep/plan"
)

func embedded(t testing.TB) *Store {
	t.Helper()
	s, err := Embedded(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func read(t testing.TB, text string) *plan.File {
	t.Helper()
	f, err := plan.Read("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const tiny = `
train: {language: tomita1, hidden: 4, embedding: 2, epochs: 3, patience: 0, strings: 20, length: 6,
  dev-strings: 5, dev-length: 6, long-strings: 5, long-length: 6, seed: %s}
extract: {strings: 10, length: 5, held-out: 20, held-out-length: 8, epoch: [best, 2], seed: [1, 2]}
`

// Adding a seed computes only that seed, and nothing is computed again.
func TestResultsAreReused(t *testing.T) {
	s := embedded(t)
	first := runHere(t, s, read(t, fmt.Sprintf(tiny, "[1]")), Options{}, &Worker{Slots: 2})
	if want := (Progress{Total: 4, Done: 4}); first.Train.Done != 1 || first.Extract != want || first.State != Done {
		t.Fatalf("%+v", first)
	}
	second := runHere(t, s, read(t, fmt.Sprintf(tiny, "[1, 2]")), Options{}, &Worker{Slots: 2})
	if want := (Progress{Total: 8, Done: 8, Reused: 4}); second.Extract != want {
		t.Errorf("%+v", second.Extract)
	}
	if want := (Progress{Total: 2, Done: 2, Reused: 1}); second.Train != want {
		t.Errorf("%+v", second.Train)
	}
}

// The folder keeps everything, and only one program at a time has it open.
func TestFolder(t *testing.T) {
	folder := t.TempDir()
	file := read(t, fmt.Sprintf(tiny, "[1]"))
	s, err := Embedded(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Embedded(t.Context(), folder); err == nil || !strings.Contains(err.Error(), "another process has it open") {
		t.Errorf("opened twice: %v", err)
	}
	runHere(t, s, file, Options{Folder: folder}, &Worker{Slots: 2})
	want := comparable(t, s, file)
	s.Close()
	if s, err = Embedded(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	same(t, comparable(t, s, file), want)
	list := List(os.DirFS(folder))
	if len(list) != 1 || list[0].State != Done || list[0].Extract.Done != 4 || list[0].Name != "x" {
		t.Errorf("%+v", list)
	}
	other := read(t, "name: other\n"+fmt.Sprintf(tiny, "[1, 2]"))
	runHere(t, s, other, Options{Folder: folder}, &Worker{Slots: 2})
	for name, want := range map[string]int{"x": 4, "other": 8} {
		if st, err := ReadStatus(os.DirFS(folder), name); err != nil || st.Extract.Done != want {
			t.Errorf("%s in a folder that is shared: %+v, %v", name, st, err)
		}
	}
	st, found, err := s.Status(t.Context(), "x")
	if err != nil || !found || st.Extract.Done != 4 {
		t.Errorf("%+v, %v, %v", st, found, err)
	}
}

// A task that fails three times is set aside, a panic is a failure, what depends on it
// is not tried, and the rest of the sweep goes on.
func TestFailuresAreSetAside(t *testing.T) {
	s := embedded(t)
	var mu sync.Mutex
	tries := map[string]int{}
	broken := true
	w := &Worker{Slots: 2}
	w.compute = func(ctx context.Context, task plan.Task, saved func()) (*plan.Result, error) {
		mu.Lock()
		tries[task.String()]++
		mu.Unlock()
		switch {
		case broken && task.Train.Seed == 2:
			return nil, errors.New("no luck\nwith this one")
		case broken && task.Train.Seed == 1 && task.Extract != nil && task.Extract.Seed == 2:
			panic("oh")
		}
		return w.do(ctx, task, saved)
	}
	file := read(t, fmt.Sprintf(tiny, "[1, 2]"))
	status := runHere(t, s, file, Options{}, w)
	if want := (Progress{Total: 2, Done: 1, Failed: 1}); status.Train != want {
		t.Errorf("training: %+v", status.Train)
	}
	if want := (Progress{Total: 8, Done: 2, Failed: 2, Blocked: 4}); status.Extract != want {
		t.Errorf("extraction: %+v", status.Extract)
	}
	var texts []string
	for _, f := range status.Failures {
		texts = append(texts, fmt.Sprintf("%d %v %s", f.Count, f.Aside, f.FirstLine()))
		if n := tries[f.Task.String()]; n != maxFailures {
			t.Errorf("%s was tried %d times", f.Task, n)
		}
	}
	slices.Sort(texts)
	want := []string{"3 true no luck", "3 true this is a mistake in the program: oh", "3 true this is a mistake in the program: oh"}
	if !slices.Equal(texts, want) {
		t.Errorf("%q", texts)
	}
	broken = false
	again := runHere(t, s, file, Options{}, &Worker{Slots: 2})
	if again.Train.Failed != 1 {
		t.Errorf("what was set aside was tried again: %+v", again)
	}
	again = runHere(t, s, file, Options{Retry: true}, &Worker{Slots: 2})
	if again.Train.Done != 2 || again.Extract.Done != 8 {
		t.Errorf("%+v", again)
	}
}

// Training that was stopped goes on from the last checkpoint, wherever it is taken up,
// and ends with the same networks.
func TestTrainingIsTakenUp(t *testing.T) {
	file := read(t, fmt.Sprintf(tiny, "[1]"))
	want := alone(t, file)
	s := embedded(t)
	defer func(d time.Duration) { checkpointEvery = d }(checkpointEvery)
	checkpointEvery = 0
	first, stop := iter.Pull2(file.Tasks(t.Context(), nil))
	defer stop()
	task, err, _ := first()
	if err != nil || task.Extract != nil {
		t.Fatal(task, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	epochs := 0
	stopped := &Worker{Scratch: t.TempDir(), store: s}
	if _, err := stopped.do(ctx, task, func() {
		if epochs++; epochs == 2 {
			cancel()
		}
	}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if data, err := s.object(t.Context(), stateName(task.Key())); err != nil || len(data) == 0 {
		t.Fatalf("no checkpoint: %v", err)
	}
	epochs = 0
	w := &Worker{Slots: 1}
	w.compute = func(ctx context.Context, task plan.Task, _ func()) (*plan.Result, error) {
		return w.do(ctx, task, func() { epochs++ })
	}
	runHere(t, s, file, Options{}, w)
	if epochs != 1 {
		t.Errorf("%d epochs were left to do", epochs)
	}
	same(t, comparable(t, s, file), want)
	if data, err := s.object(t.Context(), stateName(task.Key())); err != nil || data != nil {
		t.Errorf("the checkpoint is still there: %v", err)
	}
}

// A worker leaves tasks of another version alone.
func TestOtherVersions(t *testing.T) {
	s := embedded(t)
	other := plan.Task{Version: "v0-other", Model: &plan.Model{Digest: "d"}, Extract: &plan.Extraction{}}
	if err := s.publish(t.Context(), other.Key(), other); err != nil {
		t.Fatal(err)
	}
	if err := s.publish(t.Context(), other.Key(), other); err != nil {
		t.Fatal(err) // that it waits already is no error
	}
	runHere(t, s, read(t, fmt.Sprintf(tiny, "[1]")), Options{}, &Worker{Slots: 2})
	if _, err := s.tasks.GetLastMsgForSubject(t.Context(), subjects+other.Version+"."+other.Key()); err != nil {
		t.Errorf("the other version's task waits no longer: %v", err)
	}
	if r, err := s.result(t.Context(), other.Key()); r != nil || err != nil {
		t.Errorf("%v, %v", r, err)
	}
}

// However long a sweep is, no more tasks wait than there is room for.
func TestBackPressure(t *testing.T) {
	defer func(w, b int, d time.Duration) { window, batch, recheck = w, b, d }(window, batch, recheck)
	// Whoever looks again for a task that is finished just then publishes it once more,
	// which is harmless and would be counted here.
	window, batch, recheck = 64, 16, time.Hour
	s := embedded(t)
	file := read(t, "model: zoo:tomita1\nextract: {seed: {from: 1, to: 1000}, strings: {from: 1, to: 1000}}")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := 0
	w := &Worker{Slots: 1, compute: func(_ context.Context, task plan.Task, _ func()) (*plan.Result, error) {
		info, err := s.tasks.Info(t.Context())
		// Counted by what was published: the acknowledgment of a task that is done may
		// still be on its way.
		if waiting := int(info.State.LastSeq) - done; err != nil || waiting > window {
			t.Errorf("%d tasks wait: %v", waiting, err)
		}
		if done++; done == 200 {
			cancel()
		}
		return &plan.Result{Task: task, Outcome: &plan.Outcome{}}, nil
	}}
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx, s) }()
	status, err := s.Run(ctx, file, Options{})
	<-ended
	if !errors.Is(err, context.Canceled) || status.State != Interrupted {
		t.Errorf("%+v: %v", status, err)
	}
	if status.Extract.Total != 1_000_000 || status.Extract.Done < 64 {
		t.Errorf("%+v", status.Extract)
	}
}

// The bench does what it says.
func TestBenchmark(t *testing.T) {
	b, err := Benchmark(t.Context(), t.TempDir(), 100, 0, 2)
	if err != nil || b.Tasks != 100 || b.Seconds <= 0 || b.Memory == 0 {
		t.Errorf("%+v, %v", b, err)
	}
}

// What a program held when it was killed is there for the next one at once.
func TestKilledProgramHoldsNothing(t *testing.T) {
	defer func(d time.Duration) { ackWait = d }(ackWait)
	ackWait = time.Hour
	folder := t.TempDir()
	s, err := Embedded(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	file := read(t, fmt.Sprintf(tiny, "[1]"))
	for task, err := range file.Tasks(t.Context(), nil) {
		if err != nil || s.publish(t.Context(), task.Key(), task) != nil {
			t.Fatal(err)
		}
		break
	}
	consumer, err := s.consumer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := consumer.Next(); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if s, err = Embedded(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if status := runHere(t, s, file, Options{}, &Worker{Slots: 1}); status.Extract.Done != 4 {
		t.Errorf("%+v", status)
	}
}

// Words of the user's travel with the sweep: workers find them in the store, not on a disk.
func TestDataTravels(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("words.csv", []byte("a,1\naa,1\nb,0\nab,0\nba,0\naaa,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := embedded(t)
	file := read(t, "model: zoo:tomita1\nextract: {method: [fold, ttt], data: words.csv, study: true, held-out: 20}")
	w := &Worker{Slots: 1}
	w.compute = func(ctx context.Context, task plan.Task, saved func()) (*plan.Result, error) {
		os.Remove("words.csv")
		return w.do(ctx, task, saved)
	}
	if status := runHere(t, s, file, Options{}, w); status.Extract.Done != 2 {
		t.Fatalf("%+v", status)
	}
	if err := os.WriteFile("words.csv", []byte("a,1\naa,1\nb,0\nab,0\nba,0\naaa,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	n := 0
	for r, err := range s.Results(t.Context(), file) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if r.Outcome.DataAccuracy == nil || *r.Outcome.DataAccuracy != 1 || !strings.Contains(string(r.Study), `"data":{"file":"words.csv","words":6`) {
			t.Errorf("%+v, %.300s", r.Outcome, r.Study)
		}
	}
	if n != 2 {
		t.Errorf("%d results", n)
	}
}

// A run that cannot make its first tasks says nothing of the sweep: what an earlier one said still holds.
func TestRunThatCannotBegin(t *testing.T) {
	t.Chdir(t.TempDir())
	s := embedded(t)
	options := func() Options {
		return Options{Folder: ".", Worker: &Worker{Slots: 1, compute: func(_ context.Context, task plan.Task, _ func()) (*plan.Result, error) {
			return &plan.Result{Task: task, Outcome: &plan.Outcome{}}, nil
		}}}
	}
	file := read(t, "model: zoo:tomita1\nextract: {data: words.csv, seed: [1, 2]}")
	if _, err := s.Run(t.Context(), file, options()); err == nil || !strings.Contains(err.Error(), "x.yaml:2: data: there is no file words.csv") {
		t.Errorf("no file: %v", err)
	}
	if _, err := ReadStatus(os.DirFS("."), "x"); err == nil {
		t.Error("nothing was run, and there is a status")
	}
	if err := os.WriteFile("words.csv", []byte("a,1\nb,0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context(), file, options()); err != nil {
		t.Fatal(err)
	}
	odd := read(t, "model: zoo:tomita1\nextract: {at-most: [0, 3]}")
	if _, err := s.Run(t.Context(), odd, options()); err == nil || !strings.Contains(err.Error(), "at-most is for language models") {
		t.Errorf("a setting of others: %v", err)
	}
	if err := os.Remove("words.csv"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context(), file, options()); err == nil {
		t.Error("it ran without its words")
	}
	told, _, err := s.Status(t.Context(), "x")
	written, unread := ReadStatus(os.DirFS("."), "x")
	for _, st := range []Status{told, written} {
		if st.State != Done || st.Extract.Done != 2 || len(st.Data["words.csv"]) != 64 {
			t.Errorf("%+v, %v, %v", st, err, unread)
		}
	}
}
