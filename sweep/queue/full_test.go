package queue

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quotient/internal/lock"
	"quotient/sweep/plan"
)

// A full disk ends a sweep at once, and is no failure of the task that met it.
func TestFullDisk(t *testing.T) {
	s := embedded(t)
	met := make(chan time.Time, 100)
	w := &Worker{Slots: 1}
	w.compute = func(context.Context, plan.Task, func()) (*plan.Result, error) {
		met <- time.Now()
		return nil, &fs.PathError{Op: "write", Path: "state", Err: syscall.ENOSPC}
	}
	status, err := s.Run(t.Context(), read(t, fmt.Sprintf(tiny, "[1, 2]")), Options{Worker: w})
	late := time.Since(<-met)
	if full := (*FullError)(nil); !errors.As(err, &full) || !strings.Contains(err.Error(), "the disk is full: write state: ") {
		t.Errorf("%v", err)
	}
	if late > 5*time.Second { // a second, on a machine that has nothing else to do
		t.Errorf("it was told after %v", late)
	}
	if status.State != Interrupted || status.Train.Failed != 0 {
		t.Errorf("%+v", status)
	}
	entries, err := s.failures.ListKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for key := range entries.Keys() {
		t.Errorf("%s counts as failed", key)
	}
}

// So does one that the store itself meets. Only root can make a small disk.
func TestFullStore(t *testing.T) {
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("no small disk: %v: %s", err, out)
	}
	defer exec.Command("umount", "-l", folder).Run()
	s, err := Embedded(t.Context(), filepath.Join(folder, "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range 100 {
		begin := time.Now()
		err := s.putObject(t.Context(), fmt.Sprint("x", i), make([]byte, 100_000))
		if err == nil {
			continue
		}
		if full := (*FullError)(nil); !errors.As(err, &full) || time.Since(begin) > 5*time.Second {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
		return
	}
	t.Error("ten megabytes fit into two")
}

// What a killed worker leaves is removed by the next one, and nothing that somebody holds, or that is no folder.
func TestScratchIsSweptUp(t *testing.T) {
	scratch := t.TempDir()
	folder := func(name string) string {
		name = filepath.Join(scratch, name)
		if err := os.MkdirAll(filepath.Join(name, "run-1"), 0o777); err != nil {
			t.Fatal(err)
		}
		return name
	}
	killed, alive, other := folder("quotient-worker-1"), folder("quotient-worker-2"), folder("other")
	unlock, err := lock.Folder(alive)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	link := filepath.Join(scratch, "quotient-worker-3")
	if err := os.Symlink(other, link); err != nil {
		t.Skip(err)
	}
	mine, leave, err := workplace(scratch)
	if err != nil {
		t.Fatal(err)
	}
	for name, stays := range map[string]bool{killed: false, alive: true, filepath.Join(other, "run-1"): true, link: true, mine: true} {
		if _, err := os.Lstat(name); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
	}
	leave()
	if _, err := os.Stat(mine); err == nil {
		t.Error("a worker left its folder")
	}
}

// Workers that begin at the same moment have a folder each.
func TestWorkplacesTogether(t *testing.T) {
	scratch := t.TempDir()
	const n = 20
	got := make(chan string, n)
	for range n {
		go func() {
			folder, _, err := workplace(scratch)
			if err != nil {
				folder = err.Error()
			}
			got <- folder
		}()
	}
	for range n {
		folder := <-got
		if _, err := os.Stat(folder); err != nil {
			t.Error(err)
		}
	}
}
