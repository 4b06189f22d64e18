package pool_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// What functions return comes back as it is, any combination of a result and an error, and they
// get the caller's context with the worker: at once, and after the call was queued.
func TestErrorsComeBack(t *testing.T) {
	var none *thrown
	type fn = func(ctx context.Context, w *pool.Worker, n int) (int, error)
	submit := func(ctx context.Context, p *pool.Pool, f fn, n int) *pool.Handle[int] {
		return submittedErr(t, p, ctx, func(ctx context.Context, w *pool.Worker) (int, error) { return f(ctx, w, n) })
	}
	for name, call := range map[string]func(ctx context.Context, p *pool.Pool, f fn, n int) (int, error){
		"RunErr": func(ctx context.Context, p *pool.Pool, f fn, n int) (int, error) { return pool.RunErr(ctx, p, f, n) },
		"Wait": func(ctx context.Context, p *pool.Pool, f fn, n int) (int, error) {
			return submit(ctx, p, f, n).Wait(background)
		},
		"Join": func(ctx context.Context, p *pool.Pool, f fn, n int) (got int, err error) {
			do(t, p, func(w *pool.Worker) { got, err = submit(ctx, p, f, n).Join(w) })
			return got, err
		},
	} {
		subtest(t, name, "P1", "calls return", func(t *testing.T) {
			p := poolOf(t, 1)
			ctx, cancel := context.WithCancel(context.WithValue(background, contextKey{}, 5))
			defer cancel()
			for n, want := range []error{&thrown{"of the function"}, nil, none, pool.ErrClosed, pool.ErrCanceled, context.Canceled} {
				var kept context.Context
				once := func() {
					got, err := call(ctx, p, func(ctx context.Context, w *pool.Worker, n int) (int, error) {
						kept = ctx
						v, ok := pool.FromContext(ctx)
						expect(t, ok && v == w && ctx.Value(contextKey{}) == 5 && ctx.Err() == nil,
							"P1: the context of a function carries the worker %p, want %p, and the value %v, want 5; its error is %v",
							v, w, ctx.Value(contextKey{}), ctx.Err())
						return n, want
					}, n)
					expect(t, got == n && err == want, "P1: %s returned %d, %v, want %d, %v", name, got, err, n, want)
				}
				once()
				noError(t, kept.Err(), "P1: when the call returns, the error of the context that was handed on is")
				whileBusy(t, p, once)
			}
		})
	}
	p := poolOf(t, 1)
	during(t, "P4", "RunErr in a job of the only worker", func() {
		failed, value := &thrown{"inner"}, &thrown{"a panic"}
		got, err := pool.RunErr(background, p, func(ctx context.Context, outer *pool.Worker, n int) (int, error) {
			return pool.RunErr(ctx, p, func(_ context.Context, w *pool.Worker, n int) (int, error) {
				expect(t, w == outer, "P4: a RunErr with the context of its job has another worker")
				return n + 1, failed
			}, n)
		}, 6)
		check(t, got == 7 && err == error(failed), "P4: a RunErr in another one returned %d, %v", got, err)
		v := recovered(func() {
			pool.RunErr(background, p, func(context.Context, *pool.Worker, int) (int, error) { panic(value) }, 0)
		})
		equal(t, v, any(value), "P2: RunErr panicked with")
		_, err = submittedErr(t, p, background, func(_ context.Context, w *pool.Worker) (int, error) {
			fork(w, func(*pool.Worker) int { return raiseIt(value) })
			return 0, failed
		}).Wait(background)
		wantPanicError(t, err, value, "raiseIt", "a job that returns an error, and leaves a fork that panics")
	})
}

// A context that has ended keeps functions from beginning, and so does the end of the pool; but
// if a function has begun, what comes of it comes back.
func TestEndedContext(t *testing.T) {
	value := &thrown{"after the end of the context"}
	for name, call := range map[string]func(ctx context.Context, p *pool.Pool, fn func() int) (int, error){
		"Run": func(ctx context.Context, p *pool.Pool, fn func() int) (int, error) {
			return pool.Run(ctx, p, func(*pool.Worker, int) int { return fn() }, 0)
		},
		"RunErr": func(ctx context.Context, p *pool.Pool, fn func() int) (int, error) {
			return pool.RunErr(ctx, p, func(context.Context, *pool.Worker, int) (int, error) { return fn(), nil }, 0)
		},
		"SubmitErr": func(ctx context.Context, p *pool.Pool, fn func() int) (int, error) {
			h, err := pool.SubmitErr(ctx, p, func(context.Context, *pool.Worker) (int, error) { return fn(), nil })
			if err != nil {
				return 0, err
			}
			return h.Wait(background)
		},
	} {
		subtest(t, name, "P1", "calls return whose context ends", func(t *testing.T) {
			p := poolOf(t, 1)
			returns := func(when string, ctx context.Context, want error) {
				n, err := call(ctx, p, func() int { t.Error("P1: a function began, and its context had ended"); return 0 })
				expect(t, n == 0 && err == want, "P1: %s, with a context that ended %s, returned %d, %v, want %v", name, when, n, err, want)
			}
			// The cause is not the error of a context.
			ctx, cancel := context.WithCancelCause(background)
			heard, pass := newTimely()
			inner, hear := context.WithCancel(background)
			defer hear()
			late := &lagging{Context: inner}
			free := hold(t, p, 1)
			one := queued(t, p, func() { returns("as it was queued", ctx, context.Canceled) })
			two := queued(t, p, func() { returns("as it was queued", heard, context.DeadlineExceeded) })
			cancel(&thrown{"the cause"})
			pass()
			<-one
			<-two
			three := queued(t, p, func() { returns("before the pool has heard of it", late, context.Canceled) })
			late.ended.Store(true)
			free()
			<-three
			returns("before", ctx, context.Canceled)
			for _, panics := range []bool{false, true} {
				ctx, cancel := context.WithCancel(background)
				whileBusy(t, p, func() {
					n, err := 0, error(nil)
					v := recovered(func() {
						n, err = call(ctx, p, func() int {
							if cancel(); panics {
								panic(value)
							}
							return 7
						})
					})
					if e, ok := err.(*pool.PanicError); ok {
						v, err = e.Value, nil
					}
					expect(t, err == nil && panics == (v == any(value)) && (panics || n == 7),
						"P1: %s, whose function has begun and then ends the context, and panics: %t, returned %d, %v, or panicked with %v",
						name, panics, n, err, v)
				})
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

// nil is refused wherever a function, a context or a pool is wanted, and you learn what is wrong.
func TestHandedNil(t *testing.T) {
	p := poolOf(t, 1)
	var none context.Context
	runErr := func(context.Context, *pool.Worker, int) (int, error) { return 0, nil }
	fn := func(context.Context, *pool.Worker) (int, error) { return 0, nil }
	body := func(context.Context, *pool.Worker, *pool.Group) error { return nil }
	h := submitted(t, p, nothing)
	for want, call := range map[string]func(){
		"Run with a nil context":       func() { pool.Run(none, p, fib, 1) },
		"Run of a nil function":        func() { pool.Run[int, int](background, p, nil, 1) },
		"nil context":                  func() { pool.RunErr(none, p, runErr, 1) },
		"RunErr of a nil function":     func() { pool.RunErr[int, int](background, p, nil, 1) },
		"RunGroup with a nil context":  func() { pool.RunGroup(none, p, body) },
		"RunGroup with a nil function": func() { pool.RunGroup(background, p, nil) },
		"nil function":                 func() { pool.RunHere[int, int](p, nil, 0) },
		"Submit of a nil function":     func() { pool.Submit[int](p, nil) },
		"Go of a nil function":         func() { pool.Go(p, nil) },
		"SubmitErr with a nil context": func() { pool.SubmitErr(none, p, fn) },
		"SubmitErr of a nil function":  func() { pool.SubmitErr[int](background, p, nil) },
		"function 3 of 5 is nil": func() {
			pool.SubmitAll(p, []func(*pool.Worker) int{nothing, nothing, nothing, nil, nothing})
		},
		"Shutdown with a nil context": func() { p.Shutdown(none) },
		"Wait with a nil context":     func() { h.Wait(none) },
		"BlockHere of a nil function": func() { pool.BlockHere(nil) },
	} {
		wantPanic(t, "P29: "+want, want, call)
	}
	enter(t, p, func(w *pool.Worker) int {
		one := func(*pool.Worker) int { t.Error("P29: a function was called, and the other one is nil"); return 1 }
		wantPanic(t, "P29: Block", "Block of a nil function", func() { w.Block(nil) })
		wantPanic(t, "P29: Both", "Both of a nil function", func() { pool.Both[int, int](w, nil, one) })
		wantPanic(t, "P29: Both", "Both of a nil function", func() { pool.Both[int, int](w, one, nil) })
		w.Block(func() { wantPanic(t, "P29: Block", "Block of a nil function", func() { w.Block(nil) }) })
		return 0
	})
	for name, call := range map[string]func(){
		"Run":       func() { pool.Run(background, nil, fib, 1) },
		"RunErr":    func() { pool.RunErr(background, nil, runErr, 1) },
		"RunGroup":  func() { pool.RunGroup(background, nil, body) },
		"RunHere":   func() { pool.RunHere(nil, fib, 1) },
		"Submit":    func() { pool.Submit(nil, nothing) },
		"SubmitErr": func() { pool.SubmitErr(background, nil, fn) },
		"SubmitAll": func() { pool.SubmitAll(nil, []func(*pool.Worker) int{nothing}) },
		"Go":        func() { pool.Go(nil, func(*pool.Worker) {}) },
	} {
		wantPanic(t, "P29: "+name+" of a nil pool", name, call)
		wantPanic(t, "P29: "+name+" of a nil pool", "pool.Default()", call)
	}
	during(t, "P5", "jobs run after misuse", func() {
		result(t, h)
		meet(t, p)
	})
}

// A call of a pool that has just been made finds a seat, though none has begun to sleep.
func TestRunOnNewPool(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, runtime.GOMAXPROCS(0)} {
		runtime.GOMAXPROCS(processors)
		for _, workers := range []int{1, 2, 64} {
			p := poolOf(t, workers)
			do(t, p, func(*pool.Worker) {})
			s := p.Stats()
			expect(t, s.Borrowed == 1 && s.Injected == 0,
				"P28: the first Run on a new pool of %d workers, with %d processors, was queued: %+v", workers, processors, s)
		}
	}
}

// inside calls Run in a job of w, and returns the worker that it went on as.
func inside(t testing.TB, ctx context.Context, p *pool.Pool) (v *pool.Worker) {
	t.Helper()
	v, err := pool.Run(ctx, p, func(v *pool.Worker, _ int) *pool.Worker { return v }, 0)
	noError(t, err, "P1: Run returned")
	return v
}

// If this fails, a library that is handed the context loses the deadline of the
// request, or its values.
func TestNewContextKeeps(t *testing.T) {
	p := poolOf(t, 1)
	during(t, "P1", "Run returns whose context carries a worker and ends", func() {
		deadline := time.Now().Add(time.Hour)
		outer, stop := context.WithDeadline(context.WithValue(background, contextKey{}, 7), deadline)
		defer stop()
		do(t, p, func(w *pool.Worker) {
			ctx, cancel := context.WithCancel(outer)
			ctx = pool.NewContext(ctx, w)
			d, ok := ctx.Deadline()
			expect(t, ok && d == deadline && ctx.Value(contextKey{}) == 7,
				"P28: the context has the deadline %v and the value %v, want %v and 7", d, ctx.Value(contextKey{}), deadline)
			v, ok := pool.FromContext(context.WithoutCancel(ctx))
			expect(t, ok && v == w, "P28: FromContext returned %v, %t, want the worker", v, ok)
			expect(t, inside(t, ctx, p) == w, "P28: Run went on as another worker than that of its context")
			cancel()
			fails(t, context.Canceled, "P1: Run with an ended context returned")(pool.Run(ctx, p, fib, 1))
		})
	})
	for _, ctx := range []context.Context{background, pool.NewContext(background, nil)} {
		w, ok := pool.FromContext(ctx)
		expect(t, !ok && w == nil, "P28: FromContext: it returned %v, %t, where there is no worker", w, ok)
	}
	var none context.Context
	wantPanic(t, "P29: NewContext", "nil context", func() { pool.NewContext(none, nil) })
	wantPanic(t, "P29: FromContext", "nil context", func() { pool.FromContext(none) })
}

// With another seat free, so that Run has the choice. If this fails, a job that
// passes its worker on finds itself on another one, or the context is believed
// where it must not be.
func TestRunWithWorkerOfContext(t *testing.T) {
	p, q := asleep(t, poolOf(t, 3)), asleep(t, poolOf(t, 1))
	during(t, "P4", "calls of Run return in a job", func() {
		do(t, p, func(w *pool.Worker) {
			ctx := pool.NewContext(background, w)
			as := func(ctx context.Context) *pool.Worker { return inside(t, ctx, p) }
			expect(t, as(ctx) == w, "P28: Run went on as another worker than that of its context, which is its job's")
			expect(t, as(background) != w, "P28: Run, with a free seat and no worker in its context, did not take the seat")
			expect(t, as(pool.NewContext(ctx, nil)) != w, "P28: Run went on as a worker that its context hides")
			do(t, p, func(v *pool.Worker) {
				expect(t, v != w && as(ctx) == v,
					"P28: Run did not go on as the worker of its job, which is not that of the context")
			})
			do(t, q, func(v *pool.Worker) {
				other := pool.NewContext(ctx, v)
				u, ok := pool.FromContext(other)
				expect(t, ok && u == v, "P28: FromContext did not return the worker of the last NewContext")
				u = as(other)
				expect(t, u.Pool() == p && u != w,
					"P28: Run, with a free seat and the worker of another pool in its context, did not take the seat")
				expect(t, as(ctx) == w,
					"P28: Run, through another pool, did not go on as the worker of its context, which is that of a job further down")
			})
		})
	})
}

// The context of a worker that has reached another goroutine must not make that
// one the worker. If this fails, two goroutines are one worker at once.
func TestContextOnAnotherGoroutine(t *testing.T) {
	p := asleep(t, poolOf(t, 2))
	during(t, "P5", "Run returns on a goroutine that a job has started and waits for, with a worker free", func() {
		do(t, p, func(w *pool.Worker) {
			var v *pool.Worker
			together(func() { v = inside(t, pool.NewContext(background, w), p) })
			expect(t, v != w, "P11: Run on another goroutine went on as the worker of a job that still runs")
		})
	})
}

// A context that outlives the job is like one that carries nothing.
func TestContextAfterJob(t *testing.T) {
	p := poolOf(t, 1)
	during(t, "P1", "Run returns with the context of a job that has ended", func() {
		kept := enter(t, p, func(w *pool.Worker) context.Context { return pool.NewContext(background, w) })
		returns(t, 55, "P1: Run, with the context of a job that has ended, returned")(pool.Run(kept, p, fib, 10))
		noError(t, p.Close(), "P6: Close returned")
		fails(t, pool.ErrClosed, "P6: Run on a closed pool, with a context that carries a worker of it, returned")(pool.Run(kept, p, fib, 10))
	})
}
