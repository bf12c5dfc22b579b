package parallel

import "testing"

// Everything is done once, whatever the number of threads.
func TestDo(t *testing.T) {
	for threads := range 5 {
		for _, n := range []int{0, 1, 2, 1000} {
			done := make([]int, n)
			Do(threads, n, func(k int) { done[k]++ })
			for k, times := range done {
				if times != 1 {
					t.Errorf("%d threads: %d was done %d times", threads, k, times)
				}
			}
		}
	}
	done := make([]int, 1001)
	Stretches(len(done), 100, func(from, to int) {
		if to-from > 100 {
			t.Errorf("%d to %d", from, to)
		}
		for i := from; i < to; i++ {
			done[i]++
		}
	})
	for i, times := range done {
		if times != 1 {
			t.Errorf("%d was done %d times", i, times)
		}
	}
}
