package pool_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// exitWhileWaiting submits a job that calls Goexit, and returns a channel that
// is closed when it runs. The pool has two workers, the caller is one, and the
// other is busy until the job has run, so the caller runs it where it waits
// next.
func exitWhileWaiting(t *testing.T, p *pool.Pool) <-chan bool {
	ran := make(chan bool)
	if _, err := pool.Submit(p, func(*pool.Worker) int {
		close(ran)
		runtime.Goexit()
		return 0
	}); err != nil {
		t.Errorf("P1: Submit returned the error %v", err)
	}
	return ran
}

// A job panics, and while it awaits its fork, its worker runs a job that
// calls Goexit. The panic must get to whoever waits for it all the same.
func TestGoexitWhileForksAreAwaited(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	during(t, "P3", "a panic gets to Wait while the worker that awaits its forks runs a job that calls Goexit", func() {
		release := make(chan bool)
		exited := make(chan (<-chan bool), 1)
		var ended atomic.Bool
		h, err := pool.Submit(p, func(w *pool.Worker) int {
			stolen(t, w, func(*pool.Worker) int { <-release; ended.Store(true); return 0 })
			exited <- exitWhileWaiting(t, p)
			panic(errBoom)
		})
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
		<-<-exited
		close(release)
		_, err = h.Wait(background)
		if e, ok := err.(*pool.PanicError); !ok || e.Value != errBoom {
			t.Fatalf("P2: Wait returned %v, want the panic", err)
		}
		if !ended.Load() {
			t.Error("P2: the panic got to Wait before the job's fork had ended")
		}
	})
}

func TestGoexitWhileScopeWaits(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	during(t, "P3", "Scope waits for its job, and Wait returns, though a job that ran meanwhile called Goexit", func() {
		release := make(chan bool)
		exited := make(chan (<-chan bool), 1)
		var ended, early atomic.Bool
		h, err := pool.Submit(p, func(w *pool.Worker) int {
			defer func() { early.Store(!ended.Load()) }()
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				begun := make(chan bool)
				s.Spawn(w, func(*pool.Worker) { close(begun); <-release; ended.Store(true) })
				<-begun
				exited <- exitWhileWaiting(t, p)
			})
			return 0
		})
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
		<-<-exited
		close(release)
		if _, err := h.Wait(background); err != nil {
			t.Errorf("P3: Wait returned %v, but another job called Goexit", err)
		}
		if early.Load() {
			t.Error("P3: Scope was left before its job had ended")
		}
	})
}

// Goexit runs deferred calls on top of the stack that it leaves, so what they
// call finds traces there of a seat that the goroutine does not hold any more.
func TestDeferredCallsAfterGoexit(t *testing.T) {
	exiter := func(*pool.Worker, int) int { runtime.Goexit(); return 0 }
	subtest(t, "close", "P3", "Close returns in a deferred call of a goroutine whose job called Goexit", func(t *testing.T) {
		p, err := pool.New(pool.WithWorkers(2))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		asleep(t, p)
		closed := make(chan error)
		go func() {
			defer func() { closed <- p.Close() }()
			pool.Run(background, p, exiter, 0)
		}()
		if err := <-closed; err != nil {
			t.Errorf("P6: Close, in no job, returned %v", err)
			p.Close()
		}
	})
	subtest(t, "run", "P3", "Run gives up with its context in a deferred call of a goroutine whose job called Goexit", func(t *testing.T) {
		p := asleep(t, newPool(t, pool.WithWorkers(1)))
		got := make(chan error)
		go func() {
			defer func() {
				begun, release := make(chan bool), make(chan bool)
				go pool.Run(background, p, func(*pool.Worker, int) int { close(begun); <-release; return 0 }, 0)
				<-begun
				ctx, cancel := context.WithTimeout(background, time.Millisecond)
				defer cancel()
				_, err := pool.Run(ctx, p, func(*pool.Worker, int) int {
					t.Error("P11: two jobs at once on the only worker")
					return 0
				}, 0)
				close(release)
				got <- err
			}()
			pool.Run(background, p, exiter, 0)
		}()
		if err := <-got; err != context.DeadlineExceeded {
			t.Errorf("P1: Run while the only worker is busy returned %v", err)
		}
	})
}

// What is forked within a Scope does not outlive it either if a job that it runs
// while it waits calls Goexit.
func TestGoexitOverForks(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1), pool.WithEagerPublish())
	during(t, "P3", "Wait returns for a job whose Scope is left by the Goexit of another, with forks pending", func() {
		over, late := false, false
		h, err := pool.Submit(p, func(w *pool.Worker) int {
			own := pool.Fork(w, fib, 3)
			defer func() {
				over = true
				own.Join(w) // runs what was made public later first
			}()
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				pool.Fork(w, func(*pool.Worker, int) int { late = over; return 0 }, 0)
				s.Spawn(w, func(*pool.Worker) { runtime.Goexit() })
			})
			return 0
		})
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
		if _, err := h.Wait(background); err != pool.ErrGoexit {
			t.Errorf("P3: Wait returned %v, want ErrGoexit", err)
		}
		if late {
			t.Error("P3: a fork started after its Scope was left")
		}
	})
}
