package processor

import (
	"runtime"
	"testing"
	"time"
)

// Who computes keeps the processor busy, and the thread. The clock ends the wait: a system that does not tell is an error here.
func TestTime(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, spent := range []func() time.Duration{Time, Thread} {
		begin, end := spent(), time.Now().Add(time.Minute)
		for spent() == begin {
			if time.Now().After(end) {
				t.Fatal("a minute's work took no time of the processor")
			}
		}
		if spent() < begin {
			t.Error("the time of the processor went back")
		}
	}
	if all, own := Time(), Thread(); own > all+time.Second {
		t.Errorf("the thread took %v of %v", own, all)
	}
}
