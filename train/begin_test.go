package train

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"quotient/automaton"
	"quotient/internal/lock"
)

// Several runs that begin at the same moment in one new folder: one of them is there in the end, with
// its own settings and its own language, and the others are told.
func TestBeginTogether(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders are not locked there")
	}
	names := []string{"tomita1", "tomita2", "tomita4", "tomita5"}
	for try := range 40 {
		folder := filepath.Join(t.TempDir(), fmt.Sprint(try), "run")
		errs := make([]error, len(names))
		var ready, done sync.WaitGroup
		ready.Add(len(names))
		for i, name := range names {
			s, d := small(), load(t, name)
			s.Language = name
			done.Go(func() {
				ready.Done()
				ready.Wait()
				_, errs[i] = Create(folder, s, d)
			})
		}
		done.Wait()
		r := reopen(t, folder)
		if want := automaton.Minimize(load(t, r.Settings.Language)); !r.Language.Equal(want) {
			t.Fatalf("try %d: settings of %s, and the language of another", try, r.Settings.Language)
		}
		for i, err := range errs {
			switch won := names[i] == r.Settings.Language; {
			case won && err != nil:
				t.Fatalf("try %d: the run is of %s, which was told: %v", try, names[i], err)
			case !won && !errors.Is(err, ErrExists) && !errors.Is(err, lock.ErrHeld):
				t.Fatalf("try %d: %s lost to %s, and was told: %v", try, names[i], r.Settings.Language, err)
			}
		}
	}
}

// Nothing is written into a folder that another process has open.
func TestBeginInALockedFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders are not locked there")
	}
	folder := t.TempDir()
	unlock, err := lock.Folder(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if _, err := Create(folder, small(), load(t, small().Language)); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("created in a locked folder: %v", err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) > 0 {
		t.Errorf("a locked folder has %v now (%v)", list, err)
	}
}
