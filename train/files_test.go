//go:build unix

package train

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever stands in place of a file of a run, opening it neither hangs nor reads it whole.
func TestStrangeFiles(t *testing.T) {
	for _, name := range []string{settingsFile, languageFile, epochsFile} {
		for what, put := range map[string]func(path string) error{
			"no file": func(path string) error { return syscall.Mkfifo(path, 0o666) },
			"at most": func(path string) error {
				f, err := os.Create(path)
				if err != nil {
					return err
				}
				defer f.Close()
				return f.Truncate(3 << 30) // which takes no room
			},
		} {
			folder := t.TempDir()
			create(t, folder, small())
			path := filepath.Join(folder, name)
			os.Remove(path)
			if err := put(path); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { _, err := Open(folder); done <- err }()
			select {
			case err := <-done:
				if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), what) {
					t.Errorf("%s: %v, want %q", name, err, what)
				}
			case <-time.After(10 * time.Second):
				t.Fatalf("%s: it hangs", name)
			}
		}
	}
}
