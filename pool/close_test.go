package pool_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Each place from which a program can close a pool that would have to wait for that very
// call, or seems to. Each test calls Close, and Shutdown with a context that never ends.

// eachEnd runs a test for pools of one worker and of several.
func eachEnd(t *testing.T, what string, f func(t *testing.T, workers int, end func(*pool.Pool) error)) {
	for name, end := range map[string]func(p *pool.Pool) error{
		"Close":    (*pool.Pool).Close,
		"Shutdown": func(p *pool.Pool) error { return p.Shutdown(background) },
	} {
		for _, workers := range []int{1, 2, 8} {
			subtest(t, fmt.Sprintf("%s/workers=%d", name, workers), "P6", name+" returns "+what, func(t *testing.T) {
				f(t, workers, end)
			})
		}
	}
}

// If this fails, a program whose handler of panics ends the pool, or another one, hangs.
func TestCloseInPanicHandler(t *testing.T) {
	unseen := func(*pool.Worker) int { panic("unseen") }
	eachEnd(t, "in the panic handler", func(t *testing.T, workers int, end func(*pool.Pool) error) {
		other := poolOf(t, workers)
		mustRun(t, other, fib, 10)
		for name, c := range map[string]struct {
			fails func(p *pool.Pool)
			ends  *pool.Pool // nil for that of the handler
			want  error
		}{
			"Go": {func(p *pool.Pool) { pool.Go(p, func(w *pool.Worker) { unseen(w) }) }, nil, pool.ErrCloseInJob},
			"a handle that is kept until Close": {func(p *pool.Pool) {
				h, _ := pool.Submit(p, unseen)
				p.Close()
				runtime.KeepAlive(h)
			}, nil, pool.ErrCloseInJob},
			"Run": {func(p *pool.Pool) { recovered(func() { enter(t, p, unseen) }) }, nil, nil},
			"Run in a job": {func(p *pool.Pool) {
				do(t, p, func(*pool.Worker) { recovered(func() { enter(t, p, unseen) }) })
			}, nil, pool.ErrCloseInJob},
			"Go, of another pool": {func(p *pool.Pool) { pool.Go(p, func(w *pool.Worker) { unseen(w) }) }, other, nil},
		} {
			closed := make(chan error, 1)
			p := c.ends
			handling := newPool(t, pool.WithWorkers(workers), pool.WithPanicHandler(func(*pool.PanicError) { closed <- end(p) }))
			if p == nil {
				p = handling
			}
			c.fails(handling)
			equal(t, <-closed, c.want, "P6: %s: in the panic handler it returned", name)
		}
	})
}

// If this fails, a job that ends the pool as it is left hangs, with what it holds.
func TestCloseInDeferred(t *testing.T) {
	eachEnd(t, "in a deferred function of a job", func(t *testing.T, workers int, end func(*pool.Pool) error) {
		for how, leave := range map[string]func(){
			"has returned": func() {},
			"panics":       func() { panic("job") },
			"exits":        runtime.Goexit,
		} {
			p := newPool(t, pool.WithWorkers(workers), pool.WithPanicHandler(func(*pool.PanicError) {}))
			closed := make(chan error, 1)
			job := func(*pool.Worker) int { defer func() { closed <- end(p) }(); leave(); return 0 }
			for name, run := range map[string]func(){
				"Go":     func() { pool.Go(p, func(w *pool.Worker) { job(w) }) },
				"Submit": func() { submitted(t, p, job).Wait(background) },
				"Run":    func() { endOf(func() { enter(t, p, job) }) },
				"a fork": func() { submitted(t, p, func(w *pool.Worker) int { return fork(w, job).Join(w) }).Wait(background) },
			} {
				run()
				equal(t, <-closed, pool.ErrCloseInJob, "P6: in a deferred function of a job of %s that %s it returned", name, how)
			}
		}
	})
}

// If this fails, a program that ends a pool with the object that it belongs to hangs in the
// collector's own goroutine.
func TestCloseInFinalizer(t *testing.T) {
	type owner struct{ pool *pool.Pool }
	eachEnd(t, "in a finalizer, and in a cleanup", func(t *testing.T, workers int, end func(*pool.Pool) error) {
		for kind, set := range map[string]func(o *owner, closed chan error){
			"finalizer": func(o *owner, closed chan error) {
				runtime.SetFinalizer(o, func(o *owner) { closed <- end(o.pool) })
			},
			"cleanup": func(o *owner, closed chan error) {
				runtime.AddCleanup(o, func(p *pool.Pool) { closed <- end(p) }, o.pool)
			},
		} {
			p, closed := poolOf(t, workers), make(chan error, 1)
			mustRun(t, p, fib, 10)
			func() { set(&owner{p}, closed) }()
			until(t, "the "+kind+" has run", func() bool { runtime.GC(); return len(closed) > 0 })
			noError(t, <-closed, "P6: in a %s it returned", kind)
		}
	})
}

// When Close returns, the goroutines of the pool have ended, or are about to return.
//
// If this fails, Close has woken the workers, and did not wait for their ends. With one
// processor they are still where they slept, unless Close has waited.
func TestCloseWaits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	during(t, "P8", "Close returns, and no worker is left", func() {
		const sleeper = "pool.(*seat).await("
		before := strings.Count(allStacks(), sleeper)
		p := poolOf(t, 8)
		mustRun(t, p, fib, 15)
		noError(t, p.Close(), "P6: Close returned")
		left := strings.Count(allStacks(), sleeper) - before
		expect(t, left <= 0, "P8: Close has returned, and %d workers have not ended", left)
	})
}

// A job closes the pool in which the job waits that has left it the seat.
func TestCloseWhileSeatIsResumed(t *testing.T) {
	p, q := asleep(t, poolOf(t, 1)), asleep(t, poolOf(t, 2))
	during(t, "P6", "Close returns in a job of another pool, on the seat of a job that waits in the pool that is closed", func() {
		closed := make(chan error, 1)
		do(t, p, func(*pool.Worker) {
			do(t, q, func(w *pool.Worker) {
				release := make(chan bool)
				f := stolen(t, w, func(*pool.Worker) int { <-release; return 0 })
				submitted(t, p, func(*pool.Worker) int {
					close(release)
					closed <- q.Close()
					return 0
				})
				f.Join(w) // is set aside, and leaves the seat of p to the job
			})
		})
		noError(t, <-closed, "P6: Close returned")
	})
}

// refuses waits until a pool accepts nothing, in each way to hand a job over.
func refuses(t *testing.T, p *pool.Pool) {
	t.Helper()
	until(t, "submissions are refused", func() bool {
		probe, err := pool.Submit(p, nothing)
		if err == nil {
			probe.Cancel()
		}
		return err == pool.ErrClosed
	})
	for _, n := range []int{0, 1, 5} {
		all, err := pool.SubmitAll(p, numbered(n, new(atomic.Int32)))
		expect(t, all == nil && err == pool.ErrClosed, "P6: SubmitAll of %d functions to a pool that ends returned %v", n, err)
	}
	_, one := pool.SubmitErr(background, p, func(context.Context, *pool.Worker) (int, error) { return 0, nil })
	for _, err := range []error{one, pool.Go(p, func(*pool.Worker) {})} {
		equal(t, err, pool.ErrClosed, "P6: a submission to a pool that ends returned")
	}
}

// What jobs do while their pool closes, and their callers. What others' pools have gone wrong
// in here, package covers says.
func TestClosing(t *testing.T) {
	eachCase(t, []poolCase{
		{"by_many", "P6", closeByMany},
		{"beside_run", "P6", closeBesideRun},
		{"races_run", "P7", closeRaces(func(p *pool.Pool, job func(*pool.Worker) int) (int, error) {
			return pool.Run(background, p, func(w *pool.Worker, _ int) int { return job(w) }, 0)
		})},
		{"races_submit", "P7", closeRaces(func(p *pool.Pool, job func(*pool.Worker) int) (int, error) {
			h, err := pool.Submit(p, job)
			if err != nil {
				return 0, err
			}
			return h.Wait(background)
		})},
		{"withdrawn", "P6", closeWithdrawn},
		{"waiting", "P6", closeWaiting},
		{"forking", "P6", closeForking},
	}, 2)
}

func closeByMany(t *testing.T, p *pool.Pool) {
	var done atomic.Bool
	free := make(chan bool)
	h := submitted(t, p, func(*pool.Worker) int { <-free; done.Store(true); return 7 })
	closes := func() {
		noError(t, p.Close(), "P6: one of several calls of Close returned")
		expect(t, done.Load(), "P6: one of several calls of Close returned while an accepted job was running")
	}
	together(closes, closes, closes, func() { close(free) })
	equal(t, result(t, h), 7, "P6: a job that ran as its pool was closed gave")
}

// A Run is under way on the caller's own goroutine, with forks that others have.
func closeBesideRun(t *testing.T, p *pool.Pool) {
	var ended atomic.Bool
	begun, closed := make(chan bool), make(chan error, 1)
	go func() {
		<-begun
		err := p.Close()
		expect(t, ended.Load(), "P6: Close returned while a Run was under way")
		closed <- err
	}()
	n := enter(t, p, func(w *pool.Worker) int {
		close(begun)
		n := fib(w, 18)
		ended.Store(true)
		return n
	})
	equal(t, n, 2584, "P6: fib(18), while the pool was closed, is")
	noError(t, <-closed, "P6: Close returned")
}

// closeRaces closes pools while others hand jobs over. Each job runs or is refused.
func closeRaces(hand func(p *pool.Pool, job func(*pool.Worker) int) (int, error)) func(*testing.T, *pool.Pool) {
	return func(t *testing.T, p *pool.Pool) {
		for range 20 {
			p := poolOf(t, p.Workers())
			var closed atomic.Bool
			var accepted, ran atomic.Int32
			hands := func() {
				for {
					n, err := hand(p, func(w *pool.Worker) int {
						expect(t, !closed.Load(), "P6: a job runs after Close has returned")
						ran.Add(1)
						return fib(w, 6)
					})
					if err != nil || n != 8 {
						equal(t, err, pool.ErrClosed, "P7: a call that raced with Close gave %d and the error", n)
						return
					}
					accepted.Add(1)
					runtime.Gosched() // where there is one thread, let others run
				}
			}
			together(hands, hands, hands, func() {
				for range rand.IntN(50) {
					runtime.Gosched()
				}
				noError(t, p.Close(), "P6: Close returned")
				closed.Store(true)
			})
			equal(t, ran.Load(), accepted.Load(), "P7: the number of jobs run that were handed over as the pool closed is")
		}
	}
}

// The queue holds jobs only that were withdrawn, or that nobody waits for any more.
func closeWithdrawn(t *testing.T, p *pool.Pool) {
	free := hold(t, p, p.Workers())
	ctx, cancel := context.WithCancel(background)
	var began atomic.Bool
	var over []chan bool
	for range 5 {
		over = append(over, queued(t, p, func() {
			_, err := pool.Run(ctx, p, func(*pool.Worker, int) int { began.Store(true); return 0 }, 0)
			expect(t, err == context.Canceled,
				"P1: Run whose context ended while it waited returned %v, want its error", err)
		}))
	}
	kept := submitted(t, p, func(*pool.Worker) int { return 7 })
	cancel()
	_, err := kept.Wait(ctx)
	check(t, err == context.Canceled, "P1: Wait with an ended context returned %v, want its error", err)
	for _, done := range over {
		<-done
	}
	closed := make(chan error)
	go func() { closed <- p.Close() }()
	free()
	err = <-closed
	check(t, err == nil, "P6: Close returned %v", err)
	check(t, !began.Load(), "P1: Run returned an error, and has begun the function all the same")
	check(t, result(t, kept) == 7, "P6: a job for which a Wait was given up was not run by Close")
}

// closesDuring closes the pool while a job waits for that. Then the job goes on with fn, which
// gives want. All that it has submitted until then is run.
func closesDuring(t *testing.T, p *pool.Pool, want int, fn func(w *pool.Worker) int) {
	var accepted, ran atomic.Int32
	h := submitted(t, p, func(w *pool.Worker) int {
		for {
			_, err := pool.Submit(p, func(*pool.Worker) int { ran.Add(1); return 0 })
			if errors.Is(err, pool.ErrClosed) {
				return fn(w)
			}
			accepted.Add(1)
			runtime.Gosched() // where there is one thread, let others run
		}
	})
	err := p.Close()
	check(t, err == nil, "P6: Close returned %v", err)
	n := result(t, h)
	check(t, n == want, "P6: a job that went on while the pool closed gave %d, want %d", n, want)
	check(t, ran.Load() == accepted.Load(), "P7: %d submissions by a job were accepted, and %d were run", accepted.Load(), ran.Load())
}

// A job begins to wait for another when Close was called.
func closeWaiting(t *testing.T, p *pool.Pool) {
	var waiting sync.WaitGroup
	waiting.Add(1)
	awaited := submitted(t, p, func(w *pool.Worker) int { waiting.Wait(); return fib(w, 10) })
	closesDuring(t, p, 55, func(w *pool.Worker) int {
		waiting.Done()
		n, err := awaited.Join(w)
		expect(t, err == nil, "P6: a job that was waited for while the pool closed gave the error %v", err)
		return n
	})
}

// An accepted job forks, spawns and runs after Close was called.
func closeForking(t *testing.T, p *pool.Pool) {
	closesDuring(t, p, 10+55+55, func(w *pool.Worker) int {
		var spawned atomic.Int32
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			for range 10 {
				s.Spawn(w, func(*pool.Worker) { spawned.Add(1) })
			}
		})
		return int(spawned.Load()) + mustRun(t, p, fib, 10) + fib(w, 10)
	})
}

// A job of p closes q, as the second one. A job of q needs the only worker of p before it can
// end.
func TestSecondCloseInJob(t *testing.T) {
	p := poolOf(t, 1)
	during(t, "P6", "the second of two calls of Close, in a job of another pool whose only worker a job of the closed one needs", func() {
		for range 3 {
			q := poolOf(t, 1)
			begun, closing, over := make(chan bool), make(chan bool), make(chan bool)
			h := submitted(t, q, func(*pool.Worker) int {
				close(begun)
				<-closing
				return mustRun(t, p, fib, 5)
			})
			<-begun
			closes := func() {
				noError(t, q.Close(), "P6: one of two calls of Close returned")
			}
			go func() { closes(); close(over) }()
			until(t, "the pool closes", func() bool {
				_, err := pool.Submit(q, nothing)
				return errors.Is(err, pool.ErrClosed)
			})
			together(func() { do(t, p, func(*pool.Worker) { close(closing); closes() }) })
			<-over
			check(t, result(t, h) == 5, "P6: a job that a closed pool had accepted gave a wrong result")
			meet(t, p)
		}
	})
}
