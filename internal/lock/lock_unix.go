//go:build unix && !solaris && !aix

package lock

import (
	"os"
	"syscall"
)

// Folder keeps other processes from locking the folder until the returned
// function is called or the process ends, however it ends.
func Folder(path string) (unlock func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == syscall.EWOULDBLOCK {
		f.Close()
		return nil, ErrHeld
	}
	return func() { f.Close() }, nil // where a file system knows no locks, it goes without
}
