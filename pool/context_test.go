package pool_test

import (
	"context"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// inside calls Run in a job of w, and returns the worker that it went on as.
func inside(t testing.TB, ctx context.Context, p *pool.Pool) (v *pool.Worker) {
	t.Helper()
	v, err := pool.Run(ctx, p, func(v *pool.Worker, _ int) *pool.Worker { return v }, 0)
	if err != nil {
		t.Errorf("P1: Run: %v", err)
	}
	return v
}

type contextKey struct{}

// If this fails, a library that is handed the context loses the deadline of the
// request, or its values.
func TestNewContextKeeps(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P1", "Run returns whose context carries a worker and ends", func() {
		deadline := time.Now().Add(time.Hour)
		outer, stop := context.WithDeadline(context.WithValue(background, contextKey{}, 7), deadline)
		defer stop()
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			ctx, cancel := context.WithCancel(outer)
			ctx = pool.NewContext(ctx, w)
			if d, ok := ctx.Deadline(); !ok || d != deadline || ctx.Value(contextKey{}) != 7 {
				t.Errorf("P28: the context has the deadline %v and the value %v, want %v and 7", d, ctx.Value(contextKey{}), deadline)
			}
			if v, ok := pool.FromContext(context.WithoutCancel(ctx)); !ok || v != w {
				t.Errorf("P28: FromContext returned %v, %t, want the worker", v, ok)
			}
			if v := inside(t, ctx, p); v != w {
				t.Errorf("P28: Run went on as %v, want the worker %v", v, w)
			}
			cancel()
			_, err := pool.Run(ctx, p, func(*pool.Worker, int) int { t.Error("P1: the function began"); return 0 }, 0)
			if err != context.Canceled {
				t.Errorf("P1: Run with an ended context returned %v", err)
			}
			return 0
		}, 0)
	})
}

// With another seat free, so that Run has the choice. If this fails, a job that
// passes its worker on finds itself on another one, or the context is believed
// where it must not be.
func TestRunWithWorkerOfContext(t *testing.T) {
	p, q := newPool(t, pool.WithWorkers(3)), newPool(t, pool.WithWorkers(1))
	asleep(t, p)
	asleep(t, q)
	during(t, "P4", "calls of Run return in a job", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			ctx := pool.NewContext(background, w)
			if v := inside(t, ctx, p); v != w {
				t.Error("P28: Run went on as another worker than that of its context, which is its job's")
			}
			if v := inside(t, background, p); v == w {
				t.Error("P28: Run, with a free seat and no worker in its context, did not take the seat")
			}
			if v := inside(t, pool.NewContext(ctx, nil), p); v == w {
				t.Error("P28: Run went on as a worker that its context hides")
			}
			mustRun(t, p, func(v *pool.Worker, _ int) int {
				if u := inside(t, ctx, p); v == w || u != v {
					t.Error("P28: Run did not go on as the worker of its job, which is not that of the context")
				}
				return 0
			}, 0)
			mustRun(t, q, func(v *pool.Worker, _ int) int {
				other := pool.NewContext(ctx, v)
				if u, ok := pool.FromContext(other); !ok || u != v {
					t.Error("P28: FromContext did not return the worker of the last NewContext")
				}
				if u := inside(t, other, p); u.Pool() != p || u == w {
					t.Error("P28: Run, with a free seat and the worker of another pool in its context, did not take the seat")
				}
				if u := inside(t, ctx, p); u != w {
					t.Error("P28: Run, through another pool, did not go on as the worker of its context, which is that of a job further down")
				}
				return 0
			}, 0)
			return 0
		}, 0)
	})
}

// The context of a worker that has reached another goroutine must not make that
// one the worker. If this fails, two goroutines are one worker at once.
func TestContextOnAnotherGoroutine(t *testing.T) {
	p := asleep(t, newPool(t, pool.WithWorkers(2)))
	during(t, "P5", "Run returns on a goroutine that a job has started and waits for, with a worker free", func() {
		mustRun(t, p, func(w *pool.Worker, _ int) int {
			ctx, done := pool.NewContext(background, w), make(chan bool)
			go func() {
				defer close(done)
				if v := inside(t, ctx, p); v == w {
					t.Error("P11: Run on another goroutine went on as the worker of a job that still runs")
				}
			}()
			<-done
			return 0
		}, 0)
	})
}

// A context that outlives the job is like one that carries nothing.
func TestContextAfterJob(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P1", "Run returns with the context of a job that has ended", func() {
		kept := mustRun(t, p, func(w *pool.Worker, _ int) context.Context { return pool.NewContext(background, w) }, 0)
		if n, err := pool.Run(kept, p, fib, 10); n != 55 || err != nil {
			t.Errorf("P1: Run, with the context of a job that has ended, returned %d, %v", n, err)
		}
		if err := p.Close(); err != nil {
			t.Errorf("P6: Close: %v", err)
		}
		if _, err := pool.Run(kept, p, fib, 10); err != pool.ErrClosed {
			t.Errorf("P6: Run on a closed pool, with a context that carries a worker of it, returned %v", err)
		}
	})
}

func TestContextWithoutWorker(t *testing.T) {
	for _, ctx := range []context.Context{background, pool.NewContext(background, nil)} {
		if w, ok := pool.FromContext(ctx); ok || w != nil {
			t.Errorf("P28: FromContext: it returned %v, %t, where there is no worker", w, ok)
		}
	}
	var none context.Context
	wantPanic(t, "P29: NewContext", "nil context", func() { pool.NewContext(none, nil) })
	wantPanic(t, "P29: FromContext", "nil context", func() { pool.FromContext(none) })
}
