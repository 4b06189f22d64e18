package pool_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

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
			enter(t, p, func(w *pool.Worker) int { got, err = submit(ctx, p, f, n).Join(w); return 0 })
			return got, err
		},
	} {
		subtest(t, name, "P1", "calls return", func(t *testing.T) {
			p := newPool(t, pool.WithWorkers(1))
			ctx, cancel := context.WithCancel(context.WithValue(background, contextKey{}, 5))
			defer cancel()
			for n, want := range []error{&thrown{"of the function"}, nil, none, pool.ErrClosed, pool.ErrCanceled, context.Canceled} {
				var kept context.Context
				once := func() {
					got, err := call(ctx, p, func(ctx context.Context, w *pool.Worker, n int) (int, error) {
						kept = ctx
						if v, ok := pool.FromContext(ctx); !ok || v != w || ctx.Value(contextKey{}) != 5 || ctx.Err() != nil {
							t.Errorf("P1: the context of a function carries the worker %p, want %p, and the value %v, want 5; its error is %v", v, w, ctx.Value(contextKey{}), ctx.Err())
						}
						return n, want
					}, n)
					if got != n || err != want {
						t.Errorf("P1: %s returned %d, %v, want %d, %v", name, got, err, n, want)
					}
				}
				once()
				check(t, kept.Err() == nil, "P1: the context that was handed on has the error %v when the call returns, want none", kept.Err())
				free := hold(t, p, 1)
				done := queued(t, p, once)
				free()
				<-done
			}
		})
	}
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P4", "RunErr in a job of the only worker", func() {
		failed, value := &thrown{"inner"}, &thrown{"a panic"}
		got, err := pool.RunErr(background, p, func(ctx context.Context, outer *pool.Worker, n int) (int, error) {
			return pool.RunErr(ctx, p, func(_ context.Context, w *pool.Worker, n int) (int, error) {
				if w != outer {
					t.Error("P4: a RunErr with the context of its job has another worker")
				}
				return n + 1, failed
			}, n)
		}, 6)
		check(t, got == 7 && err == error(failed), "P4: a RunErr in another one returned %d, %v", got, err)
		v := recovered(func() {
			pool.RunErr(background, p, func(context.Context, *pool.Worker, int) (int, error) { panic(value) }, 0)
		})
		check(t, v == any(value), "P2: RunErr panicked with %v, want %v", v, value)
		_, err = submittedErr(t, p, background, func(_ context.Context, w *pool.Worker) (int, error) {
			pool.Fork(w, func(*pool.Worker, int) int { return raiseIt(value) }, 0)
			return 0, failed
		}).Wait(background)
		e, ok := err.(*pool.PanicError)
		check(t, ok && e.Value == any(value), "P2: Wait for a job that returns an error, and leaves a fork that panics, returned %v", err)
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
			p := newPool(t, pool.WithWorkers(1))
			never := func() int { t.Error("P1: a function began, and its context had ended"); return 0 }
			returns := func(when string, ctx context.Context, want error) {
				if n, err := call(ctx, p, never); n != 0 || err != want {
					t.Errorf("P1: %s, with a context that ended %s, returned %d, %v, want %v", name, when, n, err, want)
				}
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
				free := hold(t, p, 1)
				done := queued(t, p, func() {
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
					if err != nil || panics != (v == any(value)) || !panics && n != 7 {
						t.Errorf("P1: %s, whose function has begun and then ends the context, and panics: %t, returned %d, %v, or panicked with %v", name, panics, n, err, v)
					}
				})
				free()
				<-done
			}
			check(t, p.Close() == nil, "P6: Close returned an error")
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

// Jobs are taken back that are queued. None of them begins, and all who wait learn it at once,
// while all workers are busy.
func TestTakenBack(t *testing.T) {
	for name, c := range map[string]struct {
		rule string
		take func(t *testing.T, p *pool.Pool, h *pool.Handle[int], end, pass func())
		want error
	}{
		"Cancel": {"P20", func(t *testing.T, _ *pool.Pool, h *pool.Handle[int], _, _ func()) {
			if !h.Cancel() {
				t.Error("P20: Cancel of a job that waits for a worker returned false")
			}
		}, pool.ErrCanceled},
		"context":  {"P20", func(_ *testing.T, _ *pool.Pool, _ *pool.Handle[int], end, _ func()) { end() }, context.Canceled},
		"deadline": {"P20", func(_ *testing.T, _ *pool.Pool, _ *pool.Handle[int], _, pass func()) { pass() }, context.DeadlineExceeded},
		"Shutdown": {"P25", func(t *testing.T, p *pool.Pool, _ *pool.Handle[int], _, _ func()) { shut(t, p) }, pool.ErrCanceled},
	} {
		subtest(t, name, c.rule, "those learn it who wait for jobs that are taken back", func(t *testing.T) {
			p, q := newPool(t, pool.WithWorkers(2)), newPool(t, pool.WithWorkers(1))
			free := hold(t, p, 2)
			var began atomic.Int32
			fn := func(context.Context, *pool.Worker) (int, error) { return int(began.Add(1)), nil }
			ctx, end := context.WithCancel(background)
			passing, pass := newTimely()
			of := ctx
			if name == "deadline" {
				of = passing
			}
			h, stays := submittedErr(t, p, of, fn), submittedErr(t, p, background, fn)
			done, errs := h.Done(), make(chan error, 2)
			live, give := context.WithCancel(background)
			defer give()
			seen := watch(live)
			go func() { _, err := h.Wait(seen); errs <- err }()
			j := submitted(t, q, func(w *pool.Worker) int { _, err := h.Join(w); errs <- err; return 0 })
			<-seen.waited
			until(t, "a job of another pool waits for the job", func() bool { return q.Stats().SetAside > 0 })
			c.take(t, p, h, end, pass)
			<-done
			result(t, j)
			for range 2 {
				if err := <-errs; err != c.want {
					t.Errorf("%s: Wait or Join for a job that was taken back returned %v, want %v", c.rule, err, c.want)
				}
			}
			n, err := h.Wait(background)
			check(t, n == 0 && err == c.want, "%s: Wait for a job that was taken back returned %d, %v, want none, %v", c.rule, n, err, c.want)
			check(t, h.Cancel(), "P20: Cancel of a job that was taken back returned false, and it will never begin")
			free()
			if name != "Shutdown" {
				check(t, result(t, stays) == 1, "P20: the job between gave a wrong result")
				meet(t, p)
			}
			check(t, began.Load() <= 1, "%s: a job began that was taken back", c.rule)
		})
	}
	if !errors.Is(pool.ErrCanceled, context.Canceled) {
		t.Error("P20: ErrCanceled is not context.Canceled")
	}
}

// What Handle.Cancel and Handle.Done promise besides.
func TestCancel(t *testing.T) {
	eachCase(t, []poolCase{
		{"queued", "P20", canceledInQueue},
		{"running", "P20", canceledTooLate},
		{"by_many", "P20", canceledByMany},
		{"with_its_context", "P20", canceledWithContext},
		{"while_closing", "P20", canceledWhileClosing},
		{"done", "P20", doneOnce},
		{"done_in_Block", "P20", doneInBlock},
	}, 2)
}

// canceledInQueue cancels every second job.
func canceledInQueue(t *testing.T, p *pool.Pool) {
	free := hold(t, p, p.Workers())
	var ran atomic.Int32
	all := submittedAll(t, p, numbered(20, &ran))
	for i := 0; i < len(all); i += 2 {
		first, again := all[i].Cancel(), all[i].Cancel()
		check(t, first && again, "P20: Cancel of a job that waits for a worker returned false")
	}
	free()
	for i, h := range all {
		if i%2 != 0 {
			check(t, result(t, h) == i, "P20: a job between two that were canceled gave a wrong result")
			check(t, !h.Cancel(), "P20: Cancel of a job that has ended returned true")
			continue
		}
		n, err := h.Wait(background)
		check(t, n == 0 && err == pool.ErrCanceled, "P20: Wait for a job that was canceled returned %d, %v, want none, ErrCanceled", n, err)
	}
	check(t, ran.Load() == 10, "P20: %d of 20 jobs began, and half of them were canceled", ran.Load())
}

// canceledTooLate cancels a job that has begun: at once, on a pool at rest, and after it
// was queued. The Join of a job must not begin it again either.
func canceledTooLate(t *testing.T, p *pool.Pool) {
	for round := range 4 {
		free := func() {}
		if round%2 != 0 {
			free = hold(t, p, p.Workers())
		} else {
			until(t, "all workers sleep", func() bool { return p.Sleeping() == p.Workers() })
		}
		began, held := make(chan bool, 2), make(chan bool)
		ctx, cancel := context.WithCancel(background)
		h := submittedErr(t, p, ctx, func(ctx context.Context, _ *pool.Worker) (int, error) {
			began <- true
			<-held
			return 7, ctx.Err()
		})
		free()
		<-began
		cancel()
		check(t, !h.Cancel(), "P20: Cancel of a job that runs returned true")
		close(held)
		n, err := h.Wait(background)
		check(t, n == 7 && err == context.Canceled, "P20: a job that Cancel came too late for, and which returns what its context says, returned %d, %v", n, err)
		check(t, !h.Cancel(), "P20: Cancel of a job that has ended returned true")
		check(t, len(began) == 0, "P1: a submitted job has begun twice")
	}
}

// canceledByMany has goroutines cancel a job while workers may begin it.
func canceledByMany(t *testing.T, p *pool.Pool) {
	for range 50 {
		var began, yes, no atomic.Int32
		h := submitted(t, p, func(*pool.Worker) int { began.Add(1); return 7 })
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if h.Cancel() {
					yes.Add(1)
				} else {
					no.Add(1)
				}
			})
		}
		n, err := h.Wait(background)
		all.Wait()
		taken := yes.Load() > 0
		check(t, !taken || no.Load() == 0, "P20: of three who canceled a job %d were told that it never begins, and %d that it does", yes.Load(), no.Load())
		check(t, !taken || err == pool.ErrCanceled && began.Load() == 0, "P20: a job was canceled, has begun %d times, and Wait returned %v", began.Load(), err)
		check(t, taken || n == 7 && err == nil && began.Load() == 1, "P20: a job that nobody could cancel has begun %d times and returned %d, %v", began.Load(), n, err)
	}
}

// canceledWithContext has Cancel and the end of the context take the same jobs back.
func canceledWithContext(t *testing.T, p *pool.Pool) {
	free := hold(t, p, p.Workers())
	for range 10 {
		ctx, cancel := context.WithCancel(background)
		h := submittedErr(t, p, ctx, func(context.Context, *pool.Worker) (int, error) {
			t.Error("P20: a job began that was taken back")
			return 7, nil
		})
		together(cancel, func() {
			if !h.Cancel() {
				t.Error("P20: Cancel of a job that waits for a worker returned false")
			}
		})
		_, err := h.Wait(background)
		check(t, err == context.Canceled || err == pool.ErrCanceled, "P20: Wait for a job that was canceled and whose context has ended returned %v", err)
	}
	free()
}

// canceledWhileClosing cancels what Close waits for.
func canceledWhileClosing(t *testing.T, p *pool.Pool) {
	free := hold(t, p, p.Workers())
	h := submitted(t, p, func(*pool.Worker) int { return 7 })
	closed := make(chan bool)
	go func() { defer close(closed); p.Close() }()
	refuses(t, p)
	check(t, h.Cancel(), "P20: Cancel of a job that waits for a worker of a pool that closes returned false")
	free()
	<-closed
	_, err := h.Wait(background)
	check(t, err == pool.ErrCanceled, "P20: Wait for a job that was canceled returned %v", err)
}

// doneOnce looks at the channel before and after the end, beside waits of each kind, which
// begin after it was asked for.
func doneOnce(t *testing.T, p *pool.Pool) {
	for _, wait := range waits {
		free, over := make(chan bool), make(chan bool)
		h := submitted(t, p, func(*pool.Worker) int { <-free; return 7 })
		done := h.Done()
		ctx, cancel := context.WithCancel(background)
		seen := watch(ctx)
		go func() {
			defer close(over)
			if n, err := wait(p, h, seen); n != 7 || err != nil {
				t.Errorf("P1: Wait for a job, of which somebody has asked for the channel of Done before, returned %d, %v, want 7", n, err)
			}
		}()
		<-seen.waited
		check(t, h.Done() == done, "P20: two calls of Done before the end of a job returned two channels")
		select {
		case <-done:
			t.Error("P20: the channel of Done is closed, and the job has not ended")
		default:
		}
		close(free)
		<-over
		<-done
		<-h.Done()
		check(t, result(t, h) == 7, "P20: after Done, Wait returned something else")
		cancel()
	}
}

// doneInBlock has a job select on the end of another.
func doneInBlock(t *testing.T, p *pool.Pool) {
	n := enter(t, p, func(w *pool.Worker) int {
		h := submitted(t, p, func(*pool.Worker) int { return 7 })
		w.Block(func() { <-h.Done() })
		n, _ := h.Join(w)
		return n
	})
	check(t, n == 7, "P20: after Done, Join returned %d, want 7", n)
}

func TestSubmitAll(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	during(t, "P1", "jobs of SubmitAll return", func() {
		var ran atomic.Int32
		for _, n := range []int{0, 1, 2, 50} {
			for i, h := range submittedAll(t, p, numbered(n, &ran)) {
				check(t, result(t, h) == i, "P1: job %d of %d of SubmitAll did not return its place", i, n)
			}
		}
		enter(t, p, func(w *pool.Worker) int {
			for i, h := range submittedAll(t, p, numbered(10, &ran)) {
				if n, err := h.Join(w); n != i || err != nil {
					t.Errorf("P1: Join of job %d of SubmitAll returned %d, %v", i, n, err)
				}
			}
			return 0
		})
		fns := numbered(5, &ran)
		fns[3] = nil
		wantPanic(t, "P29", "function 3 of 5 is nil", func() { pool.SubmitAll(p, fns) })
		meet(t, p)
		check(t, p.Close() == nil, "P6: Close returned an error")
		for _, n := range []int{0, 5} {
			all, err := pool.SubmitAll(p, numbered(n, &ran))
			check(t, all == nil && err == pool.ErrClosed, "P6: SubmitAll of %d functions after Close returned %d handles, %v, want ErrClosed", n, len(all), err)
		}
		check(t, ran.Load() == 63, "P1: of 63 jobs of SubmitAll that were accepted %d ran", ran.Load())
	})
}

// nil is refused wherever a function or a context is wanted.
func TestHandedNil(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	var none context.Context
	runErr := func(context.Context, *pool.Worker, int) (int, error) { return 0, nil }
	fn := func(context.Context, *pool.Worker) (int, error) { return 0, nil }
	h := submitted(t, p, func(*pool.Worker) int { return 7 })
	for want, call := range map[string]func(){
		"Run with a nil context":       func() { pool.Run(none, p, fib, 1) },
		"Run of a nil function":        func() { pool.Run[int, int](background, p, nil, 1) },
		"nil context":                  func() { pool.RunErr(none, p, runErr, 1) },
		"RunErr of a nil function":     func() { pool.RunErr[int, int](background, p, nil, 1) },
		"Submit of a nil function":     func() { pool.Submit[int](p, nil) },
		"Go of a nil function":         func() { pool.Go(p, nil) },
		"SubmitErr with a nil context": func() { pool.SubmitErr(none, p, fn) },
		"SubmitErr of a nil function":  func() { pool.SubmitErr[int](background, p, nil) },
		"Shutdown with a nil context":  func() { p.Shutdown(none) },
		"Wait with a nil context":      func() { h.Wait(none) },
		"BlockHere of a nil function":  func() { pool.BlockHere(nil) },
	} {
		wantPanic(t, fmt.Sprintf("P29: %s", want), want, call)
	}
	enter(t, p, func(w *pool.Worker) int {
		one := func(*pool.Worker) int { t.Error("P29: a function was called, and the other one is nil"); return 1 }
		wantPanic(t, "P29: Block", "Block of a nil function", func() { w.Block(nil) })
		wantPanic(t, "P29: Both", "Both of a nil function", func() { pool.Both[int, int](w, nil, one) })
		wantPanic(t, "P29: Both", "Both of a nil function", func() { pool.Both[int, int](w, one, nil) })
		w.Block(func() { wantPanic(t, "P29: Block", "Block of a nil function", func() { w.Block(nil) }) })
		return 0
	})
	during(t, "P5", "jobs run after misuse", func() {
		check(t, result(t, h) == 7, "P1: a job for which somebody has waited with a nil context returned a wrong result")
		meet(t, p)
	})
}
