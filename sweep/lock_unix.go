//go:build unix && !solaris && !aix

package sweep

import (
	"fmt"
	"os"
	"syscall"
)

// lock keeps other processes from opening the folder until the returned
// function is called or the process ends, however it ends.
func lock(folder string) (unlock func(), err error) {
	f, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == syscall.EWOULDBLOCK {
		f.Close()
		return nil, fmt.Errorf("%s: another program has it open", folder)
	}
	return func() { f.Close() }, nil // where a file system knows no locks, it goes without
}
