package faults

//lint:file-ignore SA2001 The lock is all that is looked at.

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/internal/planted"
)

// The result of a call that took too long is sent to nobody: without a buffer, the goroutine is blocked forever.
func TestTimeout(t *testing.T) {
	planted.Pair(t, 0, 1, func(t *testing.T, size int) {
		result := make(chan int, size)
		go func() { result <- 1 }()
		select {
		case n := <-result:
			explore.Possible(t, n == 1, "the result")
		case <-time.After(time.Second):
			explore.Possible(t, true, "the timeout")
		}
	})
}

// Two close a channel.
func TestClose(t *testing.T) {
	planted.Fault(t, func(t *testing.T) {
		done := make(chan struct{})
		both(func() {
			select {
			case <-done:
			default:
				close(done)
			}
		})
	})
	explore.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		var once sync.Once
		both(func() { once.Do(func() { close(done) }) })
		<-done
	})
}

// A sender goes on after the receiver has closed.
func TestSendToClosed(t *testing.T) {
	planted.Fault(t, func(t *testing.T) {
		ch := make(chan int, 1)
		go func() { ch <- 1 }()
		close(ch)
	})
	explore.Test(t, func(t *testing.T) {
		ch := make(chan int, 1)
		go func() {
			defer close(ch)
			ch <- 1
		}()
		n := 0
		for v := range ch {
			n += v
		}
		if n != 1 {
			t.Error(n)
		}
	})
}

// A select takes any case that is ready, not the first.
func TestSelect(t *testing.T) {
	planted.Fault(t, func(t *testing.T) {
		stop, work := make(chan struct{}), make(chan int, 1)
		close(stop)
		work <- 1
		select {
		case <-stop:
		case <-work:
			t.Error("it works after stop")
		}
	})
	explore.Test(t, func(t *testing.T) {
		stop, work := make(chan struct{}), make(chan int, 1)
		go close(stop)
		go func(n int) { work <- n }(1)
		var none chan int
		select {
		case <-stop:
			explore.Possible(t, true, "stop")
		case n, ok := <-work:
			explore.Possible(t, n == 1 && ok, "work")
		case none <- 1:
			t.Error("sent to a nil channel")
		}
	})
}

// A buffer of one is not a lock if the token is put back twice.
func TestBuffered(t *testing.T) {
	planted.Pair(t, 2, 1, func(t *testing.T, size int) {
		lock := make(chan struct{}, size)
		n := 0
		both(func() {
			lock <- struct{}{}
			n++
			<-lock
		})
		if n != 2 {
			t.Error(n)
		}
	})
}

// A timer is stopped, and its function may have begun.
func TestTimer(t *testing.T) {
	planted.Fault(t, func(t *testing.T) {
		n := 0
		timer := time.AfterFunc(time.Second, func() { n++ })
		timer.Stop()
		n++
	})
	explore.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		timer := time.AfterFunc(time.Second, func() { close(done) })
		if !timer.Stop() {
			<-done
		}
	})
}

// What comes later by the clock may come first.
func TestSleep(t *testing.T) {
	planted.Fault(t, func(t *testing.T) {
		n := 0
		go func() { n = 1 }()
		time.Sleep(time.Second) // "long enough"
		if n != 1 {
			t.Error("too early")
		}
	})
	explore.Test(t, func(t *testing.T) {
		begun := time.Now()
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		<-ticker.C
		<-ticker.C
		if d := time.Since(begun); d < 2*time.Second {
			t.Error(d)
		}
	})
}

// What a loop waits for comes before what it says.
func TestPoll(t *testing.T) {
	planted.Pair(t, true, false, func(t *testing.T, early bool) {
		var ready atomic.Bool
		n := 0
		go func() {
			if early {
				ready.Store(true)
			}
			n = 1
			ready.Store(true)
		}()
		for !ready.Load() {
			time.Sleep(time.Millisecond)
		}
		if n != 1 {
			t.Error("too early")
		}
	})
}

// A worker does its rounds until it is told to stop, and tells of it while the worker needs the lock.
func TestStop(t *testing.T) {
	// tells stops a worker that polls, and does something under a lock in each round.
	tells := func(stopped func(stop chan struct{}) bool, tell func(mu *sync.Mutex, stop chan struct{})) func(t *testing.T) {
		return func(t *testing.T) {
			stop := make(chan struct{})
			var mu sync.Mutex
			rounds := 0
			go func() {
				for !stopped(stop) {
					mu.Lock()
					rounds++
					mu.Unlock()
				}
			}()
			tell(&mu, stop)
		}
	}
	polls := func(stop chan struct{}) bool {
		select {
		case <-stop:
			return true
		default:
			return false
		}
	}
	planted.Fault(t, tells(polls, func(mu *sync.Mutex, stop chan struct{}) {
		mu.Lock()
		defer mu.Unlock()
		stop <- struct{}{}
	}))
	explore.Test(t, tells(polls, func(mu *sync.Mutex, stop chan struct{}) {
		stop <- struct{}{}
	}))
	explore.Test(t, tells(polls, func(mu *sync.Mutex, stop chan struct{}) {
		mu.Lock()
		defer mu.Unlock()
		close(stop)
	}))
	// Whatever it polls by.
	explore.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		tells(func(chan struct{}) bool { return ctx.Err() != nil }, func(*sync.Mutex, chan struct{}) { cancel() })(t)
	})
	explore.Test(t, func(t *testing.T) {
		var told atomic.Bool
		tells(func(chan struct{}) bool { return told.Load() }, func(*sync.Mutex, chan struct{}) { told.Store(true) })(t)
	})
	explore.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		told := false
		tells(func(chan struct{}) bool {
			mu.Lock()
			defer mu.Unlock()
			return told
		}, func(*sync.Mutex, chan struct{}) {
			mu.Lock()
			defer mu.Unlock()
			told = true
		})(t)
	})
}

// Two locks are taken in two orders, by one side again and again. Most schedules are too long, and the
// fault is found all the same. A loop that ends is none.
func TestManyRounds(t *testing.T) {
	run := func(first, second, rounds int) func(t *testing.T) {
		return func(t *testing.T) {
			var mu [2]sync.Mutex
			go func() {
				for range rounds {
					mu[0].Lock()
					mu[1].Lock()
					mu[1].Unlock()
					mu[0].Unlock()
				}
			}()
			mu[first].Lock()
			mu[second].Lock()
			mu[second].Unlock()
			mu[first].Unlock()
		}
	}
	planted.Fault(t, run(1, 0, 100_000))
	planted.Fails(t, "deadlock", func() { run(1, 0, 100_000)(t) })
	planted.Fails(t, "went round, and no other thread could go on", func() { run(0, 1, 1<<30)(t) })
	explore.Test(t, run(0, 1, 5000))
}

// A loop gives up at a time, and what follows takes what did not come.
func TestDeadline(t *testing.T) {
	planted.Pair(t, false, true, func(t *testing.T, looks bool) {
		ch := make(chan int, 1)
		begun := time.Now()
		for len(ch) == 0 && time.Since(begun) < time.Second {
			runtime.Gosched()
		}
		if !looks || len(ch) > 0 {
			<-ch
		}
	})
}

// A goroutine does not look at the end of its context.
func TestContext(t *testing.T) {
	planted.Pair(t, false, true, func(t *testing.T, looks bool) {
		ctx, cancel := context.WithTimeoutCause(context.Background(), time.Second, errors.New("late"))
		defer cancel()
		ch := make(chan int)
		go func() {
			if looks {
				select {
				case ch <- 1:
				case <-ctx.Done():
				}
			} else {
				ch <- 1
			}
		}()
		select {
		case <-ch:
		case <-ctx.Done():
			if ctx.Err() != context.DeadlineExceeded || context.Cause(ctx).Error() != "late" {
				t.Error(ctx.Err(), context.Cause(ctx))
			}
		}
	})
}

// A child ends with its parent, and what was to be done then is done.
func TestContextChild(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		parent, cancel := context.WithCancel(context.Background())
		child, stop := context.WithCancel(parent)
		defer stop()
		ran := make(chan struct{})
		context.AfterFunc(child, func() { close(ran) })
		go cancel()
		<-ran
		if child.Err() == nil || context.WithoutCancel(child).Err() != nil {
			t.Error(child.Err())
		}
	})
}
