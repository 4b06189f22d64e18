package pool_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Each place from which a program can close a pool that would have to wait for that very
// call, or seems to. Each test calls Close, and Shutdown with a context that never ends.

var ends = map[string]func(p *pool.Pool) error{
	"Close":    (*pool.Pool).Close,
	"Shutdown": func(p *pool.Pool) error { return p.Shutdown(context.Background()) },
}

// eachEnd runs a test for pools of one worker and of several.
func eachEnd(t *testing.T, what string, f func(t *testing.T, workers int, end func(*pool.Pool) error)) {
	for name, end := range ends {
		for _, workers := range []int{1, 2, 8} {
			subtest(t, fmt.Sprintf("%s/workers=%d", name, workers), "P6", name+" returns "+what, func(t *testing.T) {
				f(t, workers, end)
			})
		}
	}
}

// If this fails, a program whose handler of panics ends the pool hangs.
func TestCloseInPanicHandler(t *testing.T) {
	eachEnd(t, "in the panic handler", func(t *testing.T, workers int, end func(*pool.Pool) error) {
		for name, c := range map[string]struct {
			fails func(p *pool.Pool)
			want  error
		}{
			"Go": {func(p *pool.Pool) { pool.Go(p, func(*pool.Worker) { panic("unseen") }) }, pool.ErrCloseInJob},
			"a handle that is kept until Close": {func(p *pool.Pool) {
				h, _ := pool.Submit(p, func(*pool.Worker) int { panic("unseen") })
				p.Close()
				runtime.KeepAlive(h)
			}, pool.ErrCloseInJob},
			"Run": {func(p *pool.Pool) {
				recovered(func() { pool.Run(background, p, func(*pool.Worker, int) int { panic("seen") }, 0) })
			}, nil},
			"Run in a job": {func(p *pool.Pool) {
				mustRun(t, p, func(*pool.Worker, int) any {
					return recovered(func() { pool.Run(background, p, func(*pool.Worker, int) int { panic("seen") }, 0) })
				}, 0)
			}, pool.ErrCloseInJob},
		} {
			var p *pool.Pool
			closed := make(chan error, 1)
			p = newPool(t, pool.WithWorkers(workers), pool.WithPanicHandler(func(*pool.PanicError) { closed <- end(p) }))
			c.fails(p)
			if err := <-closed; err != c.want {
				t.Errorf("P6: %s: in the panic handler it returned %v, want %v", name, err, c.want)
			}
		}
	})
}

// If this fails, the handler of one pool cannot end another one.
func TestCloseOfAnotherInPanicHandler(t *testing.T) {
	eachEnd(t, "in the panic handler of another pool", func(t *testing.T, workers int, end func(*pool.Pool) error) {
		other := newPool(t, pool.WithWorkers(workers))
		mustRun(t, other, fib, 10)
		closed := make(chan error, 1)
		p := newPool(t, pool.WithWorkers(workers), pool.WithPanicHandler(func(*pool.PanicError) { closed <- end(other) }))
		pool.Go(p, func(*pool.Worker) { panic("unseen") })
		if err := <-closed; err != nil {
			t.Errorf("P6: in the panic handler of another pool it returned %v", err)
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
			job := func(*pool.Worker) { defer func() { closed <- end(p) }(); leave() }
			for name, run := range map[string]func(){
				"Go": func() { pool.Go(p, job) },
				"Submit": func() {
					h, _ := pool.Submit(p, func(w *pool.Worker) int { job(w); return 0 })
					h.Wait(background)
				},
				"Run": func() {
					onGoroutine(func() {
						recovered(func() { pool.Run(background, p, func(w *pool.Worker, _ int) int { job(w); return 0 }, 0) })
					})
				},
				"a fork": func() {
					h, _ := pool.Submit(p, func(w *pool.Worker) int {
						return pool.Fork(w, func(w *pool.Worker, _ int) int { job(w); return 0 }, 0).Join(w)
					})
					h.Wait(background)
				},
			} {
				run()
				if err := <-closed; err != pool.ErrCloseInJob {
					t.Errorf("P6: in a deferred function of a job of %s that %s it returned %v, want ErrCloseInJob", name, how, err)
				}
			}
		}
	})
}

// onGoroutine calls f, which may exit, and returns when it has ended.
func onGoroutine(f func()) {
	ended := make(chan bool)
	go func() { defer close(ended); f() }()
	<-ended
}

// If this fails, a program that ends a pool with the object that it belongs to hangs in the
// collector's own goroutine.
func TestCloseInFinalizer(t *testing.T) {
	eachEnd(t, "in a finalizer, and in a cleanup", func(t *testing.T, workers int, end func(*pool.Pool) error) {
		for _, kind := range []string{"finalizer", "cleanup"} {
			p := newPool(t, pool.WithWorkers(workers))
			mustRun(t, p, fib, 10)
			closed := make(chan error, 1)
			func() {
				owner := &struct{ pool *pool.Pool }{p}
				if kind == "cleanup" {
					runtime.AddCleanup(owner, func(p *pool.Pool) { closed <- end(p) }, p)
				} else {
					runtime.SetFinalizer(owner, func(o *struct{ pool *pool.Pool }) { closed <- end(o.pool) })
				}
			}()
			until(t, "the "+kind+" has run", func() bool { runtime.GC(); return len(closed) > 0 })
			if err := <-closed; err != nil {
				t.Errorf("P6: in a %s it returned %v", kind, err)
			}
		}
	})
}
