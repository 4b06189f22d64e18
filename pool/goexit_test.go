package pool_test

import (
	"runtime"
	"sync/atomic"
	"testing"

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
						submittedTimes(t, p, 3, exits)
						for range 2 {
							returns(t, 0, "P16: while strangers' jobs called Goexit Join of a job returned")(
								submitted(t, p, nothing).Join(w))
						}
					})
				})
				equal(t, e.how, "returned", "P16: a stranger's job called Goexit, and Run")
			}
		}},
		// A job on a borrowed seat gives it back, and what is queued behind it is done.
		{"behind", "P3", func(t *testing.T, p *pool.Pool) {
			untilSleeping(t, p)
			begun, release := make(chan bool, p.Workers()), make(chan bool)
			leaves := func(w *pool.Worker) int { begun <- true; <-release; return exiter(w) }
			leavers := submittedTimes(t, p, p.Workers(), leaves)
			for range leavers {
				<-begun
			}
			next := submitted(t, p, func(w *pool.Worker) int { return fib(w, 10) })
			close(release)
			for _, h := range leavers {
				fails(t, pool.ErrGoexit, "P3: Wait for a job that called Goexit returned")(h.Wait(background))
			}
			equal(t, result(t, next), 55, "P3: the job behind it returned")
			untilSleeping(t, p)
		}},
		// What is forked within a Scope does not outlive it if a job that it runs while it waits exits.
		{"over_forks", "P3", func(t *testing.T, _ *pool.Pool) {
			p := newPool(t, pool.WithWorkers(1), pool.WithEagerPublish())
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
		}},
	}, 1, 2)
}

// Goexit runs deferred calls on top of the stack that it leaves, so what they
// call finds traces there of a seat that the goroutine does not hold any more.
func TestDeferredCallsAfterGoexit(t *testing.T) {
	for name, deferred := range map[string]func(p *pool.Pool){
		"close": func(p *pool.Pool) { noError(t, p.Close(), "P6: Close, in no job, returned") },
		"run": func(p *pool.Pool) {
			free := hold(t, p, p.Workers())
			equal(t, mustRun(t, p, fib, 10), 55, "P11: Run while the workers are busy returned")
			free()
		},
	} {
		subtest(t, name, "P3", "a deferred call returns of a goroutine whose job called Goexit", func(t *testing.T) {
			for _, workers := range []int{1, 2} {
				p := poolOf(t, workers)
				endOf(func() {
					defer deferred(p)
					enter(t, p, exiter)
				})
			}
		})
	}
}
