//go:build unix

// Package processor tells how long this program has kept processors busy: unlike the clock,
// that is the same on a busy machine.
package processor

import (
	"syscall"
	"time"
)

// Time returns the processor time of the program so far, that of all threads together; 0
// where the system does not tell.
func Time() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
