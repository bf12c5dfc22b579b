package web

import (
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// watch tells the largest heap until it is stopped.
func watch() (stop func() (most uint64)) {
	var most atomic.Uint64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most.Store(max(most.Load(), m.HeapInuse))
			}
		}
	}()
	return func() uint64 {
		close(done)
		<-ended
		return most.Load()
	}
}

// However many large extractions are asked for, one after the other or at once, the heap stays
// small, and what is left of them goes when nobody uses it.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(MemoryLimit))
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ask := func(seed int) {
		r, err := http.NewRequest("GET", fmt.Sprintf("http://localhost/api/extract?model=zoo:tomita3-lstm&method=fold&kappa=2&strings=2000&length=100&seed=%d", seed), nil)
		if err != nil {
			t.Fatal(err)
		}
		var w discard
		if s.ServeHTTP(&w, r); w.status > 200 {
			t.Errorf("status %d", w.status)
		}
	}
	stop := watch()
	for seed := range 6 {
		ask(seed)
	}
	var all sync.WaitGroup
	for seed := range 4 {
		all.Go(func() { ask(10 + seed) })
	}
	all.Wait()
	if most := stop(); most > 600<<20 {
		t.Errorf("the heap grew to %d MB", most>>20)
	} else {
		t.Logf("the heap grew to %d MB", most>>20)
	}
	s.sweepAll(time.Now().Add(2 * idle))
	runtime.GC()
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.HeapInuse > 100<<20 {
		t.Errorf("%d MB are left when nobody asks", m.HeapInuse>>20)
	}
}

// discard is an answer that nobody reads.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header {
	if d.header == nil {
		d.header = http.Header{}
	}
	return d.header
}
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(status int)      { d.status = status }
