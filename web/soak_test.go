package web

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var soak = flag.Duration("soak", time.Second, "how long TestMixedLoad asks")

// Requests of every kind from several at once, some of whom go before the answer is there: no
// answer is a mistake of the program, and nothing of them is left when all are gone.
func TestMixedLoad(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(MemoryLimit))
	s, err := New(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	goroutines := runtime.NumGoroutine() // before the listener's, which ends before they are counted again
	h := httptest.NewServer(s)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	stop := watch()
	var requests, gone atomic.Int64
	end := time.Now().Add(*soak)
	var all sync.WaitGroup
	for client := range uint64(3) {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(seed, client))
			for time.Now().Before(end) {
				requests.Add(1)
				if !anyRequest(t, h, rng) {
					gone.Add(1)
				}
			}
		})
	}
	all.Wait()
	most := stop()
	http.DefaultClient.CloseIdleConnections()
	h.Close()
	for wait := 0; (runtime.NumGoroutine() > goroutines || s.memory.out() > 0) && wait < 1500; wait++ {
		time.Sleep(20 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines are left of %d requests", n-goroutines, requests.Load())
	}
	s.sweepAll(time.Now().Add(48 * time.Hour))
	if kept := s.kept(); kept != 0 || s.memory.out() != 0 {
		t.Errorf("%d bytes are kept, and %d taken, when nobody asks", kept, s.memory.out())
	}
	s.Close()
	t.Logf("%d requests, %d of them given up; the heap grew to %d MB", requests.Load(), gone.Load(), most>>20)
	if most > 600<<20 {
		t.Errorf("the heap grew to %d MB", most>>20)
	}
}

// anyRequest asks for anything, with settings that are right or not, and reports whether it
// stayed for the answer.
func anyRequest(t *testing.T, h *httptest.Server, rng *rand.Rand) bool {
	pick := func(all ...string) string { return all[rng.IntN(len(all))] }
	settings := fmt.Sprintf("model=%s&method=%s&kappa=%s&strings=%d&length=%d&seed=%d",
		pick("zoo:tomita3", "zoo:tomita5-lstm", "zoo:tomita2-gru", "zoo:nobody", "run:../x"),
		pick("auto", "fold", "union", "keep", "kmeans", "explore", "ttt", "rpni", "spectral", "counter", "none"),
		pick("", "0.1", "1", "2", "-1", "NaN"), rng.IntN(300), rng.IntN(40), rng.IntN(50))
	path := "/api/" + pick("extract", "extract", "study", "word", "points", "replay", "sweep", "compare", "file", "expression", "networks", "disagree") +
		"?" + settings + "&word=abab&format=json&budget=500"
	method, body := "GET", ""
	if rng.IntN(10) == 0 {
		method, path, body = "POST", "/api/upload", "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pt\"\r\n\r\n"+strings.Repeat(pick("x", "\x80\x02"), rng.IntN(5000))+"\r\n--x--\r\n"
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rng.ExpFloat64()*float64(3*time.Second)))
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, h.URL+path, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return false
	}
	if body != "" {
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 500 {
		t.Errorf("%s: status %d", path, answer.StatusCode)
	}
	return true
}
