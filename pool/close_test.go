package pool_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
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
	goes := func(p *pool.Pool) { pool.Go(p, func(w *pool.Worker) { unseen(w) }) }
	eachEnd(t, "in the panic handler", func(t *testing.T, workers int, end func(*pool.Pool) error) {
		other := poolOf(t, workers)
		mustRun(t, other, fib, 10)
		for name, c := range map[string]struct {
			fails func(p *pool.Pool)
			ends  *pool.Pool // nil for that of the handler
			want  error
		}{
			"Go": {goes, nil, pool.ErrCloseInJob},
			"a handle that is kept until Close": {func(p *pool.Pool) {
				h, _ := pool.Submit(p, unseen)
				p.Close()
				runtime.KeepAlive(h)
			}, nil, pool.ErrCloseInJob},
			"Run": {func(p *pool.Pool) { recovered(func() { enter(t, p, unseen) }) }, nil, nil},
			"Run in a job": {func(p *pool.Pool) {
				do(t, p, func(*pool.Worker) { recovered(func() { enter(t, p, unseen) }) })
			}, nil, pool.ErrCloseInJob},
			"Go, of another pool": {goes, other, nil},
		} {
			closed := make(chan error, 1)
			p := c.ends
			handling := newPool(t, pool.WithWorkers(workers),
				pool.WithPanicHandler(func(*pool.PanicError) { closed <- end(p) }))
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
			forks := func(w *pool.Worker) int { return fork(w, job).Join(w) }
			for name, run := range map[string]func(){
				"Go":     func() { pool.Go(p, func(w *pool.Worker) { job(w) }) },
				"Submit": func() { submitted(t, p, job).Wait(background) },
				"Run":    func() { endOf(func() { enter(t, p, job) }) },
				"a fork": func() { submitted(t, p, forks).Wait(background) },
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
	untilAtRest(t) // or a worker of a test before may be there
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	during(t, "P8", "Close returns, and no worker is left", func() {
		p := poolOf(t, 8)
		mustRun(t, p, fib, 15)
		noError(t, p.Close(), "P6: Close returned")
		left := strings.Count(allStacks(), "pool.(*seat).await(")
		expect(t, left == 0, "P8: Close has returned, and %d workers have not ended", left)
	})
}

// A job closes the pool in which the job waits that has left it the seat.
func TestCloseWhileSeatIsResumed(t *testing.T) {
	p, q := poolOf(t, 1), poolOf(t, 2)
	what := "Close returns in a job of another pool, on the seat of a job that waits in the pool that is closed"
	during(t, "P6", what, func() {
		closed := make(chan error, 1)
		do(t, p, func(*pool.Worker) {
			do(t, q, func(w *pool.Worker) {
				release := make(chan bool)
				f := stolen(t, w, func(*pool.Worker) int { <-release; return 0 })
				submitted(t, p, func(*pool.Worker) int { close(release); closed <- q.Close(); return 0 })
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
	_, one := pool.SubmitErr(background, p, func(context.Context, *pool.Worker) (int, error) { return 0, nil })
	for _, err := range []error{one, pool.Go(p, func(*pool.Worker) {})} {
		equal(t, err, pool.ErrClosed, "P6: a submission to a pool that ends returned")
	}
}

// A job of p closes q, as the second one. A job of q needs the only worker of p before it can
// end.
func TestSecondCloseInJob(t *testing.T) {
	p := poolOf(t, 1)
	what := "the second call of Close, in a job of another pool whose only worker a job of the closed one needs"
	during(t, "P6", what, func() {
		for range 3 {
			q := poolOf(t, 1)
			begun, closing := make(chan bool), make(chan bool)
			h := submitted(t, q, func(*pool.Worker) int {
				close(begun)
				<-closing
				together(func() { result(t, submitted(t, p, nothing)) }) // it needs the worker
				return 5
			})
			<-begun
			first := going(q.Close)
			refuses(t, q)
			together(func() {
				do(t, p, func(*pool.Worker) {
					close(closing)
					noError(t, q.Close(), "P6: the second call of Close returned")
				})
			})
			noError(t, <-first, "P6: the first call of Close returned")
			equal(t, result(t, h), 5, "P6: a job that a closed pool had accepted gave")
			meet(t, p)
		}
	})
}

// What jobs do while their pool closes, and their callers.
func TestClosing(t *testing.T) {
	eachCase(t, []poolCase{
		{"by_many", "P6", closeByMany},
		{"beside_run", "P6", closeBesideRun},
		{"races_run", "P7", closeRaces(byRun)},
		{"races_submit", "P7", closeRaces(bySubmitErr)},
		{"queued", "P6", closeQueued},
		{"working", "P6", closeWorking},
		{"in_Block", "P6", closeInBlock},
	}, 1, 2)
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
	begun := make(chan bool)
	closed := going(func() error {
		<-begun
		err := p.Close()
		expect(t, ended.Load(), "P6: Close returned while a Run was under way")
		return err
	})
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
func closeRaces(hand wayIn) func(*testing.T, *pool.Pool) {
	return func(t *testing.T, p *pool.Pool) {
		for range 20 {
			p := poolOf(t, p.Workers())
			var closed atomic.Bool
			var accepted, ran atomic.Int32
			hands := func() {
				for {
					n, err := hand(background, p, func(_ context.Context, w *pool.Worker) (int, error) {
						expect(t, !closed.Load(), "P6: a job runs after Close has returned")
						ran.Add(1)
						return fib(w, 6), nil
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

// The queue holds jobs that were withdrawn, before Close or while it waits, and one that nobody
// waits for any more.
func closeQueued(t *testing.T, p *pool.Pool) {
	free := hold(t, p, p.Workers())
	ctx, cancel := context.WithCancel(background)
	var over []chan bool
	for range 5 {
		over = append(over, queued(t, p, func() {
			began := func(context.Context, *pool.Worker) (int, error) {
				t.Error("P1: a job began whose context had ended")
				return 0, nil
			}
			fails(t, context.Canceled, "P1: a job whose context ended while it waited returned")(bySubmitErr(ctx, p, began))
		}))
	}
	kept := submitted(t, p, func(*pool.Worker) int { return 7 })
	taken := submitted(t, p, func(*pool.Worker) int { t.Error("P20: a job began that was taken back"); return 0 })
	cancel()
	fails(t, context.Canceled, "P1: Wait with an ended context returned")(kept.Wait(ctx))
	for _, done := range over {
		<-done
	}
	closed := going(p.Close)
	refuses(t, p)
	check(t, taken.Cancel(),
		"P20: Cancel of a job that waits for a worker of a pool that closes returned false")
	free()
	noError(t, <-closed, "P6: Close returned")
	returns(t, 7, "P6: a job for which a Wait was given up gave")(kept.Wait(background))
	fails(t, pool.ErrCanceled, "P20: Wait for a job that was canceled returned")(taken.Wait(background))
}

// A job goes on when Close was called: it begins to wait for another, forks, spawns and runs. All
// that it has submitted until then is run.
func closeWorking(t *testing.T, p *pool.Pool) {
	var accepted, ran atomic.Int32
	begun, waits := make(chan bool), make(chan bool)
	h := submitted(t, p, func(w *pool.Worker) int {
		awaited := submitted(t, p, func(w *pool.Worker) int { <-waits; return fib(w, 10) })
		close(begun)
		for {
			if _, err := pool.Submit(p, func(*pool.Worker) int { ran.Add(1); return 0 }); err == pool.ErrClosed {
				break
			}
			accepted.Add(1)
			runtime.Gosched() // where there is one thread, let others run
		}
		close(waits)
		n, err := awaited.Join(w)
		noError(t, err, "P6: a job that was waited for while the pool closed gave the error")
		var spawned atomic.Int32
		scopeOfMany(w, 10, func(*pool.Worker) { spawned.Add(1) })
		return n + int(spawned.Load()) + mustRun(t, p, fib, 10) + fib(w, 10)
	})
	<-begun
	noError(t, p.Close(), "P6: Close returned")
	equal(t, result(t, h), 55+10+55+55, "P6: a job that went on while the pool closed gave")
	equal(t, ran.Load(), accepted.Load(),
		"P7: of the submissions by a job that were accepted the number that were run is")
}

// Close waits for a job in Block, which goes on when the pool closes.
func closeInBlock(t *testing.T, p *pool.Pool) {
	inside, release := make(chan bool), make(chan bool)
	h := submitted(t, p, func(w *pool.Worker) int {
		w.Block(func() { close(inside); <-release })
		return mustRun(t, p, fib, 10)
	})
	<-inside
	closed := going(p.Close)
	refuses(t, p)
	expect(t, len(closed) == 0, "P6: Close returned while a job was in Block")
	close(release)
	noError(t, <-closed, "P6: Close returned")
	equal(t, result(t, h), 55, "P6: the job gave")
}
