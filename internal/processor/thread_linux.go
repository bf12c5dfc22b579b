package processor

import (
	"time"

	"golang.org/x/sys/unix"
)

// Thread returns the processor time of this thread so far. It is cheaper than [Time], which asks all threads: for
// what is measured a thousand times a second, by who stays on the thread meanwhile ([runtime.LockOSThread]). It is asked of the
// thread's clock, for getrusage tells of a thread only what was so at the scheduler's last tick.
func Thread() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
