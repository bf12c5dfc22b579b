package lock

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	unlock, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Folder(dir); err != ErrHeld {
		t.Errorf("locked twice: %v", err)
	}
	// A lock is no obstacle for who has it.
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Error(err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
	if err := os.Rename(file, file+"2"); err != nil {
		t.Error(err)
	}
	unlock()
	again, err := Folder(dir)
	if err != nil {
		t.Fatalf("not free after unlocking: %v", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Errorf("a folder is removed by who has locked it: %v", err)
	}
	again()
	if _, err := Folder(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
