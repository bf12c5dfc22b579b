package train

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// aside marks a file that is still being written.
const aside = ".part"

// write makes a file appear under its name all at once: it is written aside,
// synced and renamed, and the folder is synced, so that after a crash of the
// machine too, files are there in the order in which they were written. The name
// aside is the process's own: where folders cannot be locked, two that write the
// same file still do not mix their bytes.
func write(folder, name string, f func(io.Writer) error) (err error) {
	path := filepath.Join(folder, name)
	part := fmt.Sprintf("%s.%d%s", path, os.Getpid(), aside)
	out, err := os.Create(part)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(part)
			err = fmt.Errorf("%s: %w", path, err)
		}
	}()
	if err := errors.Join(f(out), out.Sync(), out.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	syncFolder(folder)
	return nil
}

// syncFolder makes renames in a folder last. Some systems cannot, and then there
// is nothing to be done about it.
func syncFolder(folder string) {
	if d, err := os.Open(folder); err == nil {
		d.Sync()
		d.Close()
	}
}

// sweep removes what a killed process left half written.
func sweep(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), aside) {
			if err := os.Remove(filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
