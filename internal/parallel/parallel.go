// Package parallel spreads loops over threads. Whatever is computed must not depend on which
// thread comes first: each turn writes what is its own.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Do calls f for 0 to n-1 on as many threads, or one for every core if that is 0.
func Do(threads, n int, f func(k int)) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	if threads == 1 || n == 1 {
		for k := range n {
			f(k)
		}
		return
	}
	var next atomic.Int64
	work := func() {
		for k := next.Add(1) - 1; k < int64(n); k = next.Add(1) - 1 {
			f(int(k))
		}
	}
	var others sync.WaitGroup
	for range min(threads, n) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// Stretches calls f for stretches of n things, of the given length but for the last, on every core.
func Stretches(n, length int, f func(from, to int)) {
	Do(0, (n+length-1)/length, func(k int) { f(k*length, min((k+1)*length, n)) })
}
