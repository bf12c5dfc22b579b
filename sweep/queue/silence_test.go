package queue

import (
	"testing"
	"testing/fstest"
	"time"
)

// A coordinator that was killed shows as stopped within ten seconds, and one that writes does not.
func TestSilence(t *testing.T) {
	for age, want := range map[time.Duration]State{10 * time.Second: Interrupted, 3 * time.Second: Running} {
		s := Status{Name: "x", State: Running, Updated: time.Now().Add(-age)}
		folder := fstest.MapFS{"x" + statusSuffix: {Data: encode(s)}}
		if got, err := ReadStatus(folder, "x"); err != nil || got.State != want {
			t.Errorf("silent for %v: %v, %v", age, got.State, err)
		}
	}
}
