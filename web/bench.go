package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"sync"
	"time"

	"quotient/internal/processor"
	"quotient/language"
)

// BenchOptions say how hard the server is pressed.
type BenchOptions struct {
	Clients int           // that move kappa at once, each as fast as answers come; 16
	Time    time.Duration // 30 s
	Models  []string      // the clients go from one to the next; all bundled networks that are finite
}

// A Bench is what came of it.
type Bench struct {
	Clients  int     `json:"clients"`
	Seconds  float64 `json:"seconds"`
	Answers  int     `json:"answers"`
	Errors   int     `json:"errors"`
	First    string  `json:"first_error,omitempty"`
	Median   float64 `json:"median_ms"`
	P95      float64 `json:"p95_ms"`
	Greatest float64 `json:"greatest_ms"`
	CPU      float64 `json:"processor_ms"` // of an answer, on the mean, with what the clients take
	Before   int64   `json:"heap_before"`  // bytes in use, garbage collected: the server and its networks
	After    int64   `json:"heap_after"`   // right after the last answer, with all that is kept to save time
	Idle     int64   `json:"heap_idle"`    // once that was not used for a while
}

// Benchmark starts a server and lets clients move kappa, as people do on the page:
// every answer is an automaton with its drawing.
func Benchmark(ctx context.Context, o BenchOptions) (*Bench, error) {
	o.Clients = cmp.Or(o.Clients, 16)
	o.Time = cmp.Or(o.Time, 30*time.Second)
	s, err := New(Options{})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if len(o.Models) == 0 {
		bundled, _, err := s.catalog.list(ctx)
		if err != nil {
			return nil, err
		}
		for _, n := range bundled {
			if _, counts := language.FindCounting(n.Language); !counts {
				o.Models = append(o.Models, n.Name)
			}
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: s}
	go server.Serve(l)
	defer server.Close()
	for _, name := range o.Models { // the networks are open, as on a page that is
		if _, err := s.network(ctx, name); err != nil {
			return nil, err
		}
	}
	b := &Bench{Clients: o.Clients, Before: heap()}
	begin, spent := time.Now(), processor.Time()
	times, failed := press(ctx, "http://"+l.Addr().String(), o)
	spent = processor.Time() - spent
	b.Seconds = time.Since(begin).Seconds()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if b.Errors = len(failed); b.Errors > 0 {
		b.First = failed[0].Error()
	}
	slices.Sort(times)
	b.Answers = len(times)
	if n := len(times); n > 0 {
		b.Median, b.P95, b.Greatest = ms(times[n/2]), ms(times[n*95/100]), ms(times[n-1])
		b.CPU = ms(spent) / float64(n)
	}
	b.After = heap()
	s.sweepAll(time.Now().Add(2 * idle))
	b.Idle = heap()
	return b, nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// heap returns what is in use once all garbage is collected; a second round takes
// what finalizers free.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// press lets the clients ask until the time is over, and returns how long each answer
// took, and all errors.
func press(ctx context.Context, address string, o BenchOptions) (times []time.Duration, failed []error) {
	var mu sync.Mutex
	transport := &http.Transport{MaxIdleConnsPerHost: o.Clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	end := time.Now().Add(o.Time)
	var all sync.WaitGroup
	for i := range o.Clients {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			kappa := math.Log10(0.05)
			for moves := 0; time.Now().Before(end) && ctx.Err() == nil; moves++ {
				kappa = min(math.Log10(2), max(-3, kappa+0.2*rng.NormFloat64())) // a hand that moves to and fro
				q := url.Values{"model": {o.Models[(i+moves/20)%len(o.Models)]}, "method": {"fold"}, "kappa": {fmt.Sprintf("%.3g", math.Pow(10, kappa))}}
				begin := time.Now()
				err := fetch(ctx, client, address+"/api/extract?"+q.Encode())
				took := time.Since(begin)
				mu.Lock()
				if err != nil {
					failed = append(failed, err)
				} else {
					times = append(times, took)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return times, failed
}

func fetch(ctx context.Context, client *http.Client, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	var v extractView
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK || v.States == 0 || v.Drawing == nil {
		return fmt.Errorf("%s: %s: %.200s", address, response.Status, data)
	}
	return nil
}
