package pool_test

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// What functions return comes back as it is, any combination of a result and an error, and they
// get the caller's context with the worker: at once, and after the call was queued.
func TestErrorsComeBack(t *testing.T) {
	var none *thrown
	for name, call := range map[string]wayIn{
		"RunErr": byRunErr, "Wait": bySubmitErr,
		"Join": func(ctx context.Context, p *pool.Pool, fn fallible) (n int, err error) {
			do(t, p, func(w *pool.Worker) { n, err = submittedErr(t, p, ctx, fn).Join(w) })
			return n, err
		},
	} {
		subtest(t, name, "P1", "calls return", func(t *testing.T) {
			p := poolOf(t, 1)
			ctx, cancel := context.WithCancel(context.WithValue(background, contextKey{}, 5))
			defer cancel()
			for n, want := range []error{&thrown{"of the function"}, nil, none, pool.ErrClosed, pool.ErrCanceled, context.Canceled} {
				var kept context.Context
				once := func() {
					got, err := call(ctx, p, func(ctx context.Context, w *pool.Worker) (int, error) {
						kept = ctx
						v, ok := pool.FromContext(ctx)
						expect(t, ok && v == w && ctx.Value(contextKey{}) == 5 && ctx.Err() == nil,
							"P1: the context of a function carries the worker %p, want %p, and the value %v, want 5; its error is %v",
							v, w, ctx.Value(contextKey{}), ctx.Err())
						return n, want
					})
					expect(t, got == n && err == want, "P1: %s returned %d, %v, want %d, %v", name, got, err, n, want)
				}
				once()
				noError(t, kept.Err(), "P1: when the call returns, the error of the context that was handed on is")
				whileBusy(t, p, once)
			}
		})
	}
	value := &thrown{"a panic"}
	_, err := bySubmitErr(background, poolOf(t, 2), func(_ context.Context, w *pool.Worker) (int, error) {
		//lint:ignore rouseworker left behind
		fork(w, func(*pool.Worker) int { return raiseIt(value) })
		return 0, &thrown{"of the function"}
	})
	wantPanicError(t, err, value, "raiseIt", "a job that returns an error, and leaves a fork that panics")
}

// A context that has ended keeps functions from beginning, and so does the end of the pool; but
// if a function has begun, what comes of it comes back.
func TestEndedContext(t *testing.T) {
	value := &thrown{"after the end of the context"}
	for name, call := range map[string]wayIn{
		"Run": byRun, "RunErr": byRunErr, "SubmitErr": bySubmitErr,
		"RunGroup": func(ctx context.Context, p *pool.Pool, fn fallible) (n int, err error) {
			err = pool.RunGroup(ctx, p, func(ctx context.Context, w *pool.Worker, _ *pool.Group) error { n, err = fn(ctx, w); return err })
			return n, err
		},
		"Measure": func(ctx context.Context, p *pool.Pool, fn fallible) (n int, err error) {
			_, err = p.Measure(ctx, func(w *pool.Worker) { n, _ = fn(ctx, w) })
			return n, err
		},
	} {
		subtest(t, name, "P1", "calls return whose context ends", func(t *testing.T) {
			p := poolOf(t, 1)
			returns := func(when string, ctx context.Context, want error) {
				n, err := call(ctx, p, func(context.Context, *pool.Worker) (int, error) {
					t.Error("P1: a function began, and its context had ended")
					return 0, nil
				})
				expect(t, n == 0 && err == want,
					"P1: %s, with a context that ended %s, returned %d, %v, want %v", name, when, n, err, want)
			}
			// The cause is not the error of a context.
			ctx, cancel := context.WithCancelCause(background)
			inner, hear := context.WithCancel(background)
			defer hear()
			late := &lagging{Context: inner}
			if name == "SubmitErr" { // a Run begins at once
				free := hold(t, p, 1)
				one := queued(t, p, func() { returns("as it was queued", ctx, context.Canceled) })
				cancel(&thrown{"the cause"})
				<-one
				two := queued(t, p, func() { returns("before the pool has heard of it", late, context.Canceled) })
				late.ended.Store(true)
				free()
				<-two
			}
			cancel(&thrown{"the cause"})
			returns("before", ctx, context.Canceled)
			for _, panics := range []bool{false, true} {
				ctx, cancel := context.WithCancel(background)
				n, err := 0, error(nil)
				v := recovered(func() {
					n, err = call(ctx, p, func(context.Context, *pool.Worker) (int, error) {
						if cancel(); panics {
							panic(value)
						}
						return 7, nil
					})
				})
				if e, ok := err.(*pool.PanicError); ok {
					v, err = e.Value, nil
				}
				expect(t, err == nil && panics == (v == any(value)) && (panics || n == 7),
					"P1: %s, whose function has begun and then ends the context, and panics: %t, returned %d, %v, or panicked with %v",
					name, panics, n, err, v)
			}
			noError(t, p.Close(), "P6: Close returned")
			returns("never, after Close,", background, pool.ErrClosed)
		})
	}
}

// A lagging context has ended, and those who wait for that have not heard of it: as if
// what its end starts were preempted.
type lagging struct {
	context.Context
	ended atomic.Bool
}

func (c *lagging) Err() error {
	if c.ended.Load() {
		return context.Canceled
	}
	return c.Context.Err()
}

// A call of a pool that has just been made waits for no worker, though none has begun to sleep.
func TestRunOnNewPool(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, runtime.GOMAXPROCS(0)} {
		runtime.GOMAXPROCS(processors)
		for _, workers := range []int{1, 2, 64} {
			p := newPool(t, pool.WithWorkers(workers))
			do(t, p, func(*pool.Worker) {})
			s := p.Stats()
			expect(t, s.Borrowed+s.Seatless == 1 && s.Injected == 0,
				"P28: the first Run on a new pool of %d workers, with %d processors, was queued: %+v", workers, processors, s)
		}
	}
}

// If this fails, a server hangs, or a worker is lost, when more callers come than there are blocks of
// guests.
func TestRunOfMany(t *testing.T) {
	const callers = 10_000
	p := poolOf(t, 2)
	during(t, "P11", "10,000 calls of Run at once", func() {
		var in sync.WaitGroup
		in.Add(callers)
		call := func() {
			do(t, p, func(w *pool.Worker) {
				in.Done()
				in.Wait() // each has begun although no other one has ended
				equal(t, pool.Fork(w, fib, 5).Join(w), 5, "P1: fib(5) is")
			})
		}
		together(slices.Repeat([]func(){call}, callers)...)
		meet(t, p)
	})
}

// A wayIn has fn run as a job with a context, and waits for it.
type (
	wayIn    = func(ctx context.Context, p *pool.Pool, fn fallible) (int, error)
	fallible = func(ctx context.Context, w *pool.Worker) (int, error)
)

func byRun(ctx context.Context, p *pool.Pool, fn fallible) (int, error) {
	return pool.Run(ctx, p, func(w *pool.Worker, _ int) int { n, _ := fn(ctx, w); return n }, 0)
}

func byRunErr(ctx context.Context, p *pool.Pool, fn fallible) (int, error) {
	return pool.RunErr(ctx, p, func(ctx context.Context, w *pool.Worker, _ int) (int, error) { return fn(ctx, w) }, 0)
}

func bySubmitErr(ctx context.Context, p *pool.Pool, fn fallible) (int, error) {
	h, err := pool.SubmitErr(ctx, p, fn)
	if err != nil {
		return 0, err
	}
	return h.Wait(background)
}
