package pool_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// If this fails, a program hangs whose finalizers or cleanups compute something.
func TestRunInFinalizer(t *testing.T) {
	p := poolOf(t, 2)
	during(t, "P1", "a Run in a finalizer, and one in a cleanup", func() {
		got := make(chan int, 2)
		func() {
			one, other := &[1 << 10]int{}, &[1 << 10]int{}
			runtime.SetFinalizer(one, func(*[1 << 10]int) { got <- mustRun(t, p, invokeFib, 15) })
			runtime.AddCleanup(other, func(n int) { got <- mustRun(t, p, invokeFib, n) }, 15)
		}()
		for range 2 {
			for len(got) == 0 {
				runtime.GC()
				runtime.Gosched()
			}
			equal(t, <-got, 610, "P1: a Run in a finalizer returned")
		}
	})
}

// If this fails, a server hangs, or a worker is lost, when more callers come than there are blocks of
// guests.
func TestRunOfMany(t *testing.T) {
	const callers = 10_000
	p := poolOf(t, 2)
	during(t, "P11", "10,000 calls of Run at once", func() {
		var all, in sync.WaitGroup
		gate := make(chan bool)
		in.Add(callers)
		for range callers {
			all.Go(func() {
				mustRun(t, p, func(w *pool.Worker, n int) int {
					in.Done()
					<-gate
					return pool.Fork(w, fib, n).Join(w)
				}, 5)
			})
		}
		in.Wait() // each has begun although no other one has ended
		s := p.Stats()
		equal(t, s.Running+s.RunningSeatless, callers, "P26: all callers run, and of those count as running")
		close(gate)
		all.Wait()
		untilSleeping(t, p)
		equal(t, p.Stats().RunningSeatless, 0, "P26: all have ended, and as running count")
		meet(t, p)
	})
}
