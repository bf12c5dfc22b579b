package queue

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"

	"quotient/internal/lock"
)

// workPattern is the name of the folder in which a worker trains networks.
const workPattern = "quotient-worker-*"

// workplace makes a folder for a worker, which holds it as long as the worker lives, and removes those of workers that
// were killed. What they had trained is in the store, up to their last checkpoint.
func workplace(scratch string) (folder string, leave func(), err error) {
	scratch = cmp.Or(scratch, os.TempDir())
	left, err := filepath.Glob(filepath.Join(scratch, workPattern))
	if err != nil {
		return "", nil, err
	}
	for _, name := range left {
		if info, err := os.Lstat(name); err != nil || !info.IsDir() {
			continue // nobody of us has made it
		}
		if unlock, err := lock.Folder(name); err == nil {
			os.RemoveAll(name) // somebody else's cannot be, and stays
			unlock()
		}
	}
	for range 10 {
		if folder, err = os.MkdirTemp(scratch, workPattern); err != nil {
			return "", nil, err
		}
		unlock, err := lock.Folder(folder)
		if _, gone := os.Stat(folder); err != nil || gone != nil { // a worker that began at the same moment took it for one that was left
			if err == nil {
				unlock()
			}
			continue
		}
		return folder, func() { os.RemoveAll(folder); unlock() }, nil
	}
	return "", nil, errors.New("the folder for training is removed again and again: " + folder)
}
