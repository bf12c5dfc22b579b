package cache

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

func TestCacheMakesOnce(t *testing.T) {
	c := New(100, time.Hour, func(int) int64 { return 1 })
	made := 0
	gate := make(chan struct{})
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			v, err := c.Get(context.Background(), "k", func(context.Context) (int, error) {
				made++
				<-gate
				return 7, nil
			})
			if v != 7 || err != nil {
				t.Errorf("%d, %v", v, err)
			}
		})
	}
	close(gate)
	all.Wait()
	if made != 1 {
		t.Errorf("made %d times", made)
	}
}

// A making goes on as long as anyone waits for it, and is canceled after that.
func TestCacheCancels(t *testing.T) {
	c := New(100, time.Hour, func(int) int64 { return 1 })
	started, ended := make(chan struct{}, 2), make(chan error, 2)
	make := func(ctx context.Context) (int, error) {
		started <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return 0, ctx.Err()
	}
	first, leaveFirst := context.WithCancel(context.Background())
	second, leaveSecond := context.WithCancel(context.Background())
	answers := [2]chan error{}
	for i, ctx := range []context.Context{first, second} {
		answers[i] = newErrors()
		go func() {
			_, err := c.Get(ctx, "k", make)
			answers[i] <- err
		}()
		if i == 0 {
			<-started
		}
	}
	for joined := false; !joined; { // the second must have joined before the first leaves
		c.mu.Lock()
		joined = c.recent.Len() == 1 && c.recent.Front().Value.(*entry[int]).waiting == 2
		c.mu.Unlock()
	}
	leaveFirst()
	if err := <-answers[0]; !errors.Is(err, context.Canceled) {
		t.Errorf("the first gets %v", err)
	}
	select {
	case <-ended:
		t.Fatal("canceled although the second waits")
	default:
	}
	leaveSecond()
	<-answers[1]
	<-ended
	if v, err := c.Get(context.Background(), "k", func(context.Context) (int, error) { return 3, nil }); v != 3 || err != nil {
		t.Errorf("afterwards: %d, %v", v, err)
	}
}

func newErrors() chan error { return make(chan error, 1) }

func TestCacheForgets(t *testing.T) {
	ctx := context.Background()
	c := New(10, time.Minute, func(n int) int64 { return int64(n) })
	made := map[string]int{}
	get := func(key string, cost int) {
		t.Helper()
		if _, err := c.Get(ctx, key, func(context.Context) (int, error) { made[key]++; return cost, nil }); err != nil {
			t.Fatal(err)
		}
	}
	get("a", 4)
	get("b", 4)
	get("a", 4) // used again, so b is older
	get("c", 4) // b must go
	get("a", 4)
	get("b", 4)
	if made["a"] != 1 || made["b"] != 2 {
		t.Errorf("made %v", made)
	}
	get("huge", 1000) // more than there is room for: nothing stays
	if c.used != 0 || len(c.entries) != 0 {
		t.Errorf("%d used, %d entries", c.used, len(c.entries))
	}
	get("a", 4)
	c.Sweep(time.Now().Add(30 * time.Second))
	if len(c.entries) != 1 {
		t.Error("dropped too early")
	}
	c.Sweep(time.Now().Add(2 * time.Minute))
	if len(c.entries) != 0 || c.used != 0 {
		t.Error("kept too long")
	}
	failure := errors.New("no")
	for range 2 {
		if _, err := c.Get(ctx, "e", func(context.Context) (int, error) { made["e"]++; return 0, failure }); !errors.Is(err, failure) {
			t.Error(err)
		}
	}
	if made["e"] != 2 {
		t.Error("an error was kept")
	}
	if _, err := c.Get(ctx, "p", func(context.Context) (int, error) { panic("oh") }); !errors.Is(err, ErrPanic) {
		t.Errorf("a panic gives %v", err)
	}
}
