package pool_test

import (
	"context"
	"fmt"
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

// What Pool.Shutdown promises.
func TestShutdown(t *testing.T) {
	eachCase(t, []poolCase{
		{"graceful", "P6", shutGracefully},
		{"queued", "P25", shutQueued},
		{"later", "P25", shutLater},
		{"many", "P25", shutByMany},
		{"in_job", "P25", shutInJob},
		{"in_job_of_other_pool", "P4", shutInOther},
		{"races_submit", "P25", shutRacesSubmit},
	}, 1, 3)
	eachCase(t, []poolCase{
		{"taken_with_others", "P25", shutBatch},
		{"forks_go_on", "P25", shutBesideForks},
	}, 3)
}

// shut ends a pool, some of whose jobs cannot end, with a context that has ended.
func shut(t *testing.T, p *pool.Pool) {
	t.Helper()
	equal(t, p.Shutdown(ended), context.Canceled, "P25: Shutdown with a context that has ended returned")
}

// endedPool checks that a pool whose jobs have ended ends, although nobody closes it, and
// then says so.
func endedPool(t *testing.T, p *pool.Pool) {
	t.Helper()
	until(t, "a pool ends whose Shutdown was given up, when its last job has ended", func() bool { return p.Shutdown(ended) == nil })
	noError(t, p.Close(), "P25: Close of a pool that was shut down returned")
}

// told checks that jobs were taken back, and that Wait says so at once.
func told(t *testing.T, handles ...*pool.Handle[int]) {
	t.Helper()
	for _, h := range handles {
		<-h.Done()
		n, err := h.Wait(background)
		check(t, n == 0 && err == pool.ErrCanceled,
			"P25: Wait for a job that Shutdown has taken back returned %d, %v, want none, ErrCanceled", n, err)
		check(t, h.Cancel(), "P20: Cancel of a job that Shutdown has taken back returned false")
	}
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

// never is a job that does not begin.
func never(t *testing.T) func(*pool.Worker) int {
	return func(*pool.Worker) int { t.Error("P25: a job began that Shutdown had taken back"); return 7 }
}

// shutGracefully has the jobs end before the context does.
func shutGracefully(t *testing.T, p *pool.Pool) {
	live, cancel := context.WithCancel(background)
	defer cancel()
	for _, ctx := range []context.Context{background, live} {
		p := poolOf(t, p.Workers())
		free := hold(t, p, p.Workers())
		var ran atomic.Int32
		all := submittedAll(t, p, numbered(20, &ran)...)
		done := make(chan error, 1)
		go func() { done <- p.Shutdown(ctx) }()
		refuses(t, p)
		fails(t, pool.ErrClosed, "P6: Run of a pool that ends returned")(pool.Run(background, p, fib, 1))
		free()
		err := <-done
		check(t, err == nil && ran.Load() == 20, "P6: Shutdown has returned %v, and of 20 jobs that were accepted %d have run", err, ran.Load())
		for i, h := range all {
			equal(t, result(t, h), i, "P6: a job that was accepted before Shutdown gave")
		}
		check(t, p.Shutdown(ctx) == nil && p.Shutdown(ended) == nil && p.Close() == nil, "P6: the end of a pool that has ended returned an error")
	}
}

// shutQueued has jobs of each kind wait for the workers.
func shutQueued(t *testing.T, p *pool.Pool) {
	free := hold(t, p, p.Workers())
	fn := never(t)
	ctx, cancel := context.WithCancel(background)
	handles := submittedAll(t, p, fn, fn, fn)
	for range 40 {
		handles = append(handles, submitted(t, p, fn), submittedErr(t, p, ctx, func(_ context.Context, w *pool.Worker) (int, error) { return fn(w), nil }))
	}
	noError(t, pool.Go(p, func(w *pool.Worker) { fn(w) }), "P7: Go returned")
	runs := queued(t, p, func() {
		_, err := pool.Run(ctx, p, func(w *pool.Worker, _ int) int { return fn(w) }, 0)
		equal(t, err, pool.ErrCanceled, "P25: a Run that Shutdown has taken back returned")
	})
	shut(t, p)
	<-runs
	told(t, handles...)
	cancel()
	refuses(t, p)
	free()
	endedPool(t, p)
}

// shutBatch has one worker take jobs along with one that it runs. The others are busy.
func shutBatch(t *testing.T, p *pool.Pool) {
	free, freeOthers := hold(t, p, 1), hold(t, p, p.Workers()-1)
	begun, end := make(chan bool), make(chan bool)
	runs := submitted(t, p, func(*pool.Worker) int { close(begun); <-end; return 7 })
	var handles []*pool.Handle[int]
	for range 40 {
		handles = append(handles, submitted(t, p, never(t)))
	}
	go free()
	<-begun
	shut(t, p)
	told(t, handles...)
	close(end)
	freeOthers()
	equal(t, result(t, runs), 7, "P25: a job that ran as the pool was shut down gave")
	endedPool(t, p)
}

// shutLater has the context end while Shutdown waits.
func shutLater(t *testing.T, p *pool.Pool) {
	free := hold(t, p, p.Workers())
	h := submitted(t, p, never(t))
	ctx, pass := newTimely()
	seen, done := watch(ctx), make(chan error, 1)
	go func() { done <- p.Shutdown(seen) }()
	<-seen.waited
	select {
	case err := <-done:
		t.Errorf("P25: Shutdown returned %v, its context has not ended, and a job runs", err)
	case <-h.Done():
		t.Error("P25: a job was taken back before the context of Shutdown has ended")
	default:
	}
	pass()
	equal(t, <-done, context.DeadlineExceeded, "P25: Shutdown, whose context has ended, returned")
	told(t, h)
	closed := make(chan error, 1)
	go func() { closed <- p.Close() }()
	free()
	noError(t, <-closed, "P25: Close after Shutdown returned")
}

// shutByMany has others close the pool and shut it down at the same time.
func shutByMany(t *testing.T, p *pool.Pool) {
	for range 4 {
		p := poolOf(t, 1)
		free := hold(t, p, 1)
		handles := submittedAll(t, p, never(t), never(t))
		graceful := make(chan error, 2)
		go func() { graceful <- p.Close() }()
		go func() { graceful <- p.Shutdown(background) }()
		shuts := func() { shut(t, p) }
		together(shuts, shuts, shuts)
		told(t, handles...)
		check(t, len(graceful) == 0, "P6: Close or Shutdown returned, and a job runs")
		free()
		one, other := <-graceful, <-graceful
		check(t, one == nil && other == nil, "P6: Close beside Shutdown returned an error")
	}
}

// shutInJob has jobs of the pool call Shutdown.
func shutInJob(t *testing.T, p *pool.Pool) {
	for _, ctx := range []context.Context{background, ended} {
		call := func(w *pool.Worker) (errs [2]error) {
			w.Block(func() { errs[0] = p.Shutdown(ctx) })
			errs[1] = p.Shutdown(ctx)
			return errs
		}
		want := [2]error{pool.ErrCloseInJob, pool.ErrCloseInJob}
		equal(t, enter(t, p, call), want, "P25: Shutdown in a Run, or in Block there, returned")
		equal(t, result(t, submitted(t, p, call)), want, "P25: Shutdown in a submitted job, or in Block there, returned")
	}
}

// shutInOther has the job of another pool's only worker call Shutdown. A job of the pool
// needs that worker.
func shutInOther(t *testing.T, p *pool.Pool) {
	q := poolOf(t, 1)
	live, cancel := context.WithCancel(background)
	defer cancel()
	shutting := watch(live)
	h := submitted(t, p, func(*pool.Worker) int { <-shutting.waited; return mustRun(t, q, fib, 5) })
	j := submitted(t, q, func(*pool.Worker) error { return p.Shutdown(shutting) })
	noError(t, result(t, j), "P25: Shutdown in a job of another pool returned")
	equal(t, result(t, h), 5, "P25: a job that ran as the pool was shut down gave")
	meet(t, q)
}

// shutBesideForks shuts a pool down while a job runs whose forks and spawned jobs lie
// beside those that are taken back. Other workers run them.
func shutBesideForks(t *testing.T, p *pool.Pool) {
	free := hold(t, p, p.Workers()-1)
	ready, shutDown := make(chan bool), make(chan bool)
	var begun, ran atomic.Int32
	runs := submitted(t, p, func(w *pool.Worker) int {
		var forks []pool.Forked[int, int]
		for range p.Workers() - 1 {
			forks = append(forks, fork(w, func(*pool.Worker) int { begun.Add(1); return 0 }))
		}
		pool.LoopsOf(w).Publish()
		close(ready)
		<-shutDown
		until(t, "the others have begun the forks", func() bool { return int(begun.Load()) == len(forks) })
		for _, f := range forks {
			f.Join(w)
		}
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			for range 20 {
				s.Spawn(w, func(w *pool.Worker) { ran.Add(int32(fib(w, 2))) })
			}
		})
		return 7
	})
	<-ready
	handles := submittedAll(t, p, never(t), never(t), never(t))
	shut(t, p)
	told(t, handles...)
	close(shutDown)
	free()
	check(t, result(t, runs) == 7 && ran.Load() == 20,
		"P25: a job that ran as the pool was shut down gave a wrong result, or %d of its 20 spawned jobs have run", ran.Load())
	endedPool(t, p)
}

// shutRacesSubmit submits while the pool is shut down: whatever was accepted runs, or is
// taken back although all workers are busy.
func shutRacesSubmit(t *testing.T, p *pool.Pool) {
	for range 10 {
		p := poolOf(t, p.Workers())
		free := hold(t, p, p.Workers())
		accepted := make(chan *pool.Handle[int], 100)
		submits := func() {
			for range 10 {
				if h, err := pool.Submit(p, never(t)); err == nil {
					accepted <- h
				}
				all, _ := pool.SubmitAll(p, []func(*pool.Worker) int{never(t), never(t)})
				for _, h := range all {
					accepted <- h
				}
			}
		}
		together(submits, submits, func() { shut(t, p) })
		close(accepted)
		for h := range accepted {
			told(t, h)
		}
		free()
		endedPool(t, p)
	}
}
