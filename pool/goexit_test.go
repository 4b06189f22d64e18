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
	submitted(t, p, func(*pool.Worker) int {
		close(ran)
		runtime.Goexit()
		return 0
	})
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
		h := submitted(t, p, func(w *pool.Worker) int {
			stolen(t, w, func(*pool.Worker) int { <-release; ended.Store(true); return 0 })
			exited <- exitWhileWaiting(t, p)
			panic(errBoom)
		})
		<-<-exited
		close(release)
		_, err := h.Wait(background)
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
		h := submitted(t, p, func(w *pool.Worker) int {
			defer func() { early.Store(!ended.Load()) }()
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				begun := make(chan bool)
				s.Spawn(w, func(*pool.Worker) { close(begun); <-release; ended.Store(true) })
				<-begun
				exited <- exitWhileWaiting(t, p)
			})
			return 0
		})
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
		h := submitted(t, p, func(w *pool.Worker) int {
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
		if _, err := h.Wait(background); err != pool.ErrGoexit {
			t.Errorf("P3: Wait returned %v, want ErrGoexit", err)
		}
		if late {
			t.Error("P3: a fork started after its Scope was left")
		}
	})
}

// A job that joins, or waits for, a submitted one that calls Goexit gets an error and goes on, and
// so does a Run that joins a job which is queued behind such ones of strangers.
func TestGoexitOfJoined(t *testing.T) {
	exits := func(*pool.Worker) int { runtime.Gosched(); runtime.Goexit(); return 0 }
	eachCase(t, []poolCase{
		{"joined", "P16", func(t *testing.T, p *pool.Pool) {
			for round := range 20 {
				n := result(t, submitted(t, p, func(w *pool.Worker) int {
					h := submitted(t, p, exits)
					for range 2 {
						_, err := h.Join(w)
						if round%2 == 0 {
							_, err = h.Wait(background)
						}
						if err != pool.ErrGoexit {
							t.Errorf("P16: Join of a submitted job that called Goexit returned %v, want ErrGoexit", err)
						}
					}
					return fib(w, 5)
				}))
				check(t, n == 5, "P16: a job that has joined one which called Goexit returned %d, want 5", n)
			}
		}},
		{"stranger", "P16", func(t *testing.T, p *pool.Pool) {
			for range 20 {
				e := endOf(func() {
					enter(t, p, func(w *pool.Worker) int {
						for range 3 {
							submitted(t, p, exits)
						}
						for range 2 {
							if n, err := submitted(t, p, func(*pool.Worker) int { return 1 }).Join(w); n != 1 || err != nil {
								t.Errorf("P16: Join of a job returned %d, %v while strangers' jobs called Goexit, want 1", n, err)
							}
						}
						return 0
					})
				})
				check(t, e.how == "returned", "P16: a stranger's job called Goexit, and Run %s", e.how)
			}
		}},
	}, 1, 2)
}
