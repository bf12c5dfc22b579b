package lock

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders are not locked there")
	}
	dir := t.TempDir()
	unlock, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Folder(dir); err != ErrHeld {
		t.Errorf("locked twice: %v", err)
	}
	unlock()
	again, err := Folder(dir)
	if err != nil {
		t.Fatalf("not free after unlocking: %v", err)
	}
	again()
	if _, err := Folder(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
