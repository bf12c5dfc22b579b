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
	p, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(p, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return duration(kernel) + duration(user)
}

// duration makes a duration of steps of 100 nanoseconds: a [syscall.Filetime] is a moment for Go.
func duration(t syscall.Filetime) time.Duration {
	return 100 * time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime))
}
