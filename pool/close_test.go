package pool_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
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
		for _, workers := range []int{1, 2} {
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
	runs := func(p *pool.Pool) { recovered(func() { enter(t, p, unseen) }) }
	eachEnd(t, "in the panic handler", func(t *testing.T, workers int, end func(*pool.Pool) error) {
		other := poolOf(t, workers)
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
			"Run":                 {runs, nil, nil},
			"Run in a job":        {func(p *pool.Pool) { do(t, p, func(*pool.Worker) { runs(p) }) }, nil, pool.ErrCloseInJob},
			"Go, of another pool": {goes, other, nil},
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
		for how, leave := range map[string]func(){"has returned": func() {}, "panics": func() { panic("job") }, "exits": runtime.Goexit} {
			p := newPool(t, pool.WithWorkers(workers), pool.WithPanicHandler(func(*pool.PanicError) {}))
			closed := make(chan error, 1)
			job := func(*pool.Worker) int { defer func() { closed <- end(p) }(); leave(); return 0 }
			for name, run := range map[string]func(){
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
		closed := make(chan error, 2)
		func() {
			o := &owner{poolOf(t, workers)}
			runtime.SetFinalizer(o, func(o *owner) { closed <- end(o.pool) })
			runtime.AddCleanup(&owner{o.pool}, func(p *pool.Pool) { closed <- end(p) }, o.pool)
		}()
		until(t, "both have run", func() bool { runtime.GC(); return len(closed) == 2 })
		noError(t, <-closed, "P6: in one of them it returned")
		noError(t, <-closed, "P6: in the other one it returned")
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
		left := strings.Count(allStacks(), "pool.(*seat).awaitJob(")
		expect(t, left == 0, "P8: Close has returned, and %d workers have not ended", left)
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
