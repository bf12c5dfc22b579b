package processor

import (
	"testing"
	"time"
)

// Who computes keeps the processor busy. The clock ends the wait: a system that does not tell is an error here.
func TestTime(t *testing.T) {
	begin, end := Time(), time.Now().Add(time.Minute)
	for Time() == begin {
		if time.Now().After(end) {
			t.Fatal("a minute's work took no time of the processor")
		}
	}
	if Time() < begin {
		t.Error("the time of the processor went back")
	}
}
