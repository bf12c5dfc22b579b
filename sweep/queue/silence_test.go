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

// Whoever knows the store can list its sweeps, and what nobody of us has written is left out.
func TestSweepsOfAStore(t *testing.T) {
	s := embedded(t)
	for name, st := range map[string]Status{
		"b":   {Name: "b", State: Running, Updated: time.Now().Add(-time.Minute)},
		"a":   {Name: "a", State: Done},
		"odd": {Name: "<script>", State: Done},
	} {
		if err := s.put(t.Context(), s.sweeps, name, st); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Sweeps(t.Context())
	if err != nil || len(list) != 2 || list[0].Name != "a" || list[1].Name != "b" || list[1].State != Interrupted {
		t.Errorf("%+v, %v", list, err)
	}
}
