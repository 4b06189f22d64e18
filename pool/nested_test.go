package pool_test

import (
	"context"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

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
	inJob(t, 1, "P1", "Run returns whose context carries a worker and ends", func(p *pool.Pool, w *pool.Worker) {
		deadline := time.Now().Add(time.Hour)
		ctx, cancel := context.WithDeadline(context.WithValue(background, contextKey{}, 7), deadline)
		defer cancel()
		ctx = pool.NewContext(ctx, w)
		d, ok := ctx.Deadline()
		expect(t, ok && d == deadline && ctx.Value(contextKey{}) == 7,
			"P28: the context has the deadline %v and the value %v, want %v and 7", d, ctx.Value(contextKey{}), deadline)
		v, ok := pool.FromContext(context.WithoutCancel(ctx))
		expect(t, ok && v == w, "P28: FromContext returned %v, %t, want the worker", v, ok)
	})
	for _, ctx := range []context.Context{background, pool.NewContext(background, nil)} {
		w, ok := pool.FromContext(ctx)
		expect(t, !ok && w == nil, "P28: FromContext: it returned %v, %t, where there is no worker", w, ok)
	}
	var none context.Context
	wantPanic(t, "P29: NewContext", "nil context", func() { pool.NewContext(none, nil) })
	wantPanic(t, "P29: FromContext", "nil context", func() { pool.FromContext(none) })
}

// The worker that Run goes on as, with another seat free, so that it has the choice. If this fails,
// a job that passes its worker on finds itself on another one, or the context is believed where it
// must not be: then two goroutines are one worker at once.
func TestRunWithWorkerOfContext(t *testing.T) {
	p, q := poolOf(t, 3), poolOf(t, 1)
	as := func(ctx context.Context) *pool.Worker { return inside(t, ctx, p) }
	during(t, "P4", "calls of Run return in a job", func() {
		var kept context.Context
		do(t, p, func(w *pool.Worker) {
			ctx := pool.NewContext(background, w)
			expect(t, as(ctx) == w, "P28: Run went on as another worker than that of its context, which is its job's")
			expect(t, as(background) != w, "P28: Run, with a free seat and no worker in its context, did not take the seat")
			expect(t, as(pool.NewContext(ctx, nil)) != w, "P28: Run went on as a worker that its context hides")
			together(func() {
				expect(t, as(ctx) != w,
					"P11: Run on another goroutine went on as the worker of a job that still runs")
			})
			do(t, p, func(v *pool.Worker) {
				expect(t, v != w && as(ctx) == v,
					"P28: Run did not go on as the worker of its job, which is not that of the context")
			})
			do(t, q, func(v *pool.Worker) {
				other := pool.NewContext(ctx, v)
				kept = other
				u, ok := pool.FromContext(other)
				expect(t, ok && u == v, "P28: FromContext did not return the worker of the last NewContext")
				u = as(other)
				expect(t, u.Pool() == p && u != w,
					"P28: Run, with a free seat and the worker of another pool in its context, did not take the seat")
				expect(t, as(ctx) == w,
					"P28: Run, through another pool, did not go on as the worker of its context, which is that of a job further down")
			})
		})
		// A context that outlives the job is like one that carries nothing.
		returns(t, 55, "P1: Run, with the context of a job that has ended, returned")(pool.Run(kept, q, fib, 10))
		noError(t, q.Close(), "P6: Close returned")
		fails(t, pool.ErrClosed, "P6: Run on a closed pool, with a context that carries a worker of it, returned")(
			pool.Run(kept, q, fib, 10))
	})
}

// If this fails, a Run that lies beneath one of another pool, which waits, counts as a guest although
// workers sleep, or as blocked although nothing has waited.
func TestStatsOfRunsBeneath(t *testing.T) {
	p, q := poolOf(t, 4), poolOf(t, 1)
	during(t, "P26", "a Run of another pool, in a job, blocks", func() {
		do(t, p, func(*pool.Worker) { do(t, q, func(v *pool.Worker) { v.Block(func() {}) }) })
	})
	equal(t, p.Stats().Seatless, 0, "P26: three workers sleep, and as guests there have run")
	p = poolOf(t, 1)
	free := hold(t, p, 1)
	during(t, "P26", "a guest calls Run of another pool, in which a loop goes on as the guest", func() {
		do(t, p, func(*pool.Worker) {
			do(t, q, func(*pool.Worker) {
				noError(t, loops.Run(p, jobHere(func(*pool.Worker) {})), "P4: loops.Run returned")
				s := p.Stats()
				expect(t, s.Blocked == 0 && s.RunningSeatless == 1, "P26: nothing has waited, and %d jobs are blocked, %d run as guests", s.Blocked, s.RunningSeatless)
			})
		})
	})
	free()
}

// If this fails, a job that uses the worker of the one beneath it, for a fork and a Block, ends the
// program by an error of ours.
func TestWorkerBeneathBlocks(t *testing.T) {
	p, q := asleep(t, poolOf(t, 1)), poolOf(t, 1)
	during(t, "P4", "a job of another pool uses the worker beneath", func() {
		do(t, p, func(w *pool.Worker) {
			misuse := func() {
				pool.Fork(w, fib, 5).Join(w) // takes a seat
				w.Block(func() {})
			}
			do(t, q, func(v *pool.Worker) {
				v.Block(func() {}) // makes a guest of the job beneath
				untilSleeping(t, p)
				misuse()
			})
		})
	})
	meet(t, p)
}
