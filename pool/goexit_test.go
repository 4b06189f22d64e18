package pool_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// A job panics and awaits its fork, or it awaits a job of its scope. Meanwhile its worker runs a job
// that calls Goexit. The panic gets to whoever waits for it all the same, and the scope waits.
func TestGoexitWhileForksAreAwaited(t *testing.T) {
	for name, c := range map[string]struct {
		awaits func(w *pool.Worker, child func(*pool.Worker) int, exits func())
		value  any
	}{
		"forks of a panic": {func(w *pool.Worker, child func(*pool.Worker) int, exits func()) {
			stolen(t, w, child)
			exits()
			raiser(w)
		}, errBoom},
		"a scope": {func(w *pool.Worker, child func(*pool.Worker) int, exits func()) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				begun := make(chan bool)
				s.Spawn(w, func(w *pool.Worker) { close(begun); child(w) })
				<-begun
				exits()
			})
		}, nil},
	} {
		subtest(t, name, "P3", "Wait returns, and another job calls Goexit on a worker that waits", func(t *testing.T) {
			p := poolOf(t, 2)
			release, exited := make(chan bool), make(chan bool)
			var ended, early atomic.Bool
			h := submitted(t, p, func(w *pool.Worker) int {
				defer func() { early.Store(!ended.Load()) }()
				c.awaits(w, func(*pool.Worker) int { <-release; ended.Store(true); return 0 }, func() {
					// The other worker is busy, so this one runs the job where it waits next.
					submitted(t, p, func(*pool.Worker) int { close(exited); runtime.Goexit(); return 0 })
				})
				return 0
			})
			<-exited
			close(release)
			_, err := h.Wait(background)
			if c.value != nil {
				wantPanicError(t, err, c.value, "raiser", "a job that panics while another one exits")
			} else {
				equal(t, err, nil, "P3: another job called Goexit, and Wait returned")
				expect(t, !early.Load(), "P3: the scope was left before its job had ended")
			}
			expect(t, ended.Load(), "P2: the job ended before what it had begun")
		})
	}
}

// Goexit runs deferred calls on top of the stack that it leaves, so what they
// call finds traces there of a seat that the goroutine does not hold any more.
func TestDeferredCallsAfterGoexit(t *testing.T) {
	subtest(t, "close", "P3", "Close returns in a deferred call of a goroutine whose job called Goexit", func(t *testing.T) {
		p := asleep(t, poolOf(t, 2))
		var closed error
		endOf(func() {
			defer func() { closed = p.Close() }()
			enter(t, p, exiter)
		})
		noError(t, closed, "P6: Close, in no job, returned")
	})
	subtest(t, "run", "P3", "Run gives up with its context in a deferred call of a goroutine whose job called Goexit", func(t *testing.T) {
		p := asleep(t, poolOf(t, 1))
		endOf(func() {
			defer func() {
				free := hold(t, p, 1)
				ctx, cancel := context.WithTimeout(background, time.Millisecond)
				defer cancel()
				fails(t, context.DeadlineExceeded, "P11: Run while the only worker is busy returned")(pool.Run(ctx, p, fib, 1))
				free()
			}()
			enter(t, p, exiter)
		})
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
				fork(w, func(*pool.Worker) int { late = over; return 0 })
				s.Spawn(w, func(*pool.Worker) { runtime.Goexit() })
			})
			return 0
		})
		fails(t, pool.ErrGoexit, "P3: Wait returned")(h.Wait(background))
		expect(t, !late, "P3: a fork started after its Scope was left")
	})
}

// A job on a borrowed seat that calls Goexit gives it back, and what is queued
// behind it is done.
func TestGoexitGivesSeatBack(t *testing.T) {
	p := asleep(t, poolOf(t, 1))
	during(t, "P3", "a job on a borrowed seat calls Goexit, and the job queued behind it is run", func() {
		begun, release := make(chan bool), make(chan bool)
		leaver := submitted(t, p, func(w *pool.Worker) int { close(begun); <-release; return exiter(w) })
		<-begun
		next := submitted(t, p, func(w *pool.Worker) int { return fib(w, 10) })
		close(release)
		fails(t, pool.ErrGoexit, "P3: Wait for a job that called Goexit returned")(leaver.Wait(background))
		equal(t, result(t, next), 55, "P3: the job behind it returned")
	})
	untilSleeping(t, p)
	mustRun(t, p, fib, 10)
}

// A job that joins, or waits for, a submitted one that calls Goexit gets an error and goes on, and
// so does a Run that joins a job which is queued behind such ones of strangers.
func TestGoexitOfJoined(t *testing.T) {
	exits := func(w *pool.Worker) int { runtime.Gosched(); return exiter(w) }
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
						equal(t, err, pool.ErrGoexit, "P16: Join of a submitted job that called Goexit returned")
					}
					return fib(w, 5)
				}))
				equal(t, n, 5, "P16: a job that has joined one which called Goexit returned")
			}
		}},
		{"stranger", "P16", func(t *testing.T, p *pool.Pool) {
			for range 20 {
				e := endOf(func() {
					do(t, p, func(w *pool.Worker) {
						for range 3 {
							submitted(t, p, exits)
						}
						for range 2 {
							returns(t, 0, "P16: while strangers' jobs called Goexit Join of a job returned")(submitted(t, p, nothing).Join(w))
						}
					})
				})
				check(t, e.how == "returned", "P16: a stranger's job called Goexit, and Run %s", e.how)
			}
		}},
	}, 1, 2)
}
