package queue

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"quotient/sweep/plan"
)

// Results of older programs are found, named, and removed with what belongs to them; nothing else is.
func TestClean(t *testing.T) {
	s := embedded(t)
	file := read(t, fmt.Sprintf(tiny, "[1]"))
	runHere(t, s, file, Options{}, &Worker{Slots: 2})
	want := comparable(t, s, file)
	if o, err := s.Old(t.Context(), true); err != nil || !o.Nothing() {
		t.Fatalf("of this version: %+v, %v", o, err)
	}
	ours, err := s.networks.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	old := func(version string, seed int) plan.Task {
		for task, err := range file.Tasks(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			settings := *task.Train
			settings.Seed = uint64(seed)
			return plan.Task{Version: version, Train: &settings}
		}
		panic("no task")
	}
	done, failed, waits, other := old("v3-fma", 1), old("v2-plain", 2), old("v3-plain", 3), old(strings.Replace(plan.Version(), "fma", "other", 1), 4)
	for _, task := range []plan.Task{done, other} {
		if err := s.keep(t.Context(), task.Key(), &plan.Result{Task: task}); err != nil {
			t.Fatal(err)
		}
		if err := s.putObject(t.Context(), epochName(task.Key(), 1), []byte("network")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.fail(t.Context(), failed.Key(), failed, fmt.Errorf("as planned"), true); err != nil {
		t.Fatal(err)
	}
	if err := s.put(t.Context(), s.failures, delivered+failed.Key(), lives{11}); err != nil {
		t.Fatal(err)
	}
	if err := s.publish(t.Context(), waits.Key(), waits); err != nil {
		t.Fatal(err)
	}
	if err := s.putObject(t.Context(), stateName(waits.Key()), []byte("unfinished")); err != nil {
		t.Fatal(err)
	}
	for _, remove := range []bool{false, true} { // the first only says what it would
		o, err := s.Old(t.Context(), remove)
		bytes := o.Bytes
		o.Bytes = 0
		want := Old{Versions: []string{"v2-plain", "v3-fma", "v3-plain"}, Results: 1, Failures: 2, Networks: 2, Waiting: 1}
		if err != nil || !reflect.DeepEqual(o, want) || bytes < 17 {
			t.Errorf("remove %v: %+v of %d bytes, %v", remove, o, bytes, err)
		}
	}
	if o, err := s.Old(t.Context(), false); err != nil || !o.Nothing() {
		t.Errorf("after that: %+v, %v", o, err)
	}
	same(t, comparable(t, s, file), want)
	if r, err := s.result(t.Context(), other.Key()); err != nil || r == nil {
		t.Errorf("another processor's result: %v, %v", r, err)
	}
	if left, err := s.networks.List(t.Context()); err != nil || len(left) != len(ours)+1 {
		t.Errorf("%d networks are left, %v", len(left), err)
	}
}
