package pool

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/latch"
)

// If this fails, a job that waits with a deadline, again and again, fills the memory until
// what it waits for has ended; or such a wait is not told of the end.
func TestTimedWaitsLeaveNothing(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		p := open(t, WithWorkers(2))
		free := make(chan bool)
		h := submit(t, p, func(w *Worker) int { w.Block(func() { <-free }); return 7 })
		wait := func(d time.Duration) (int, error) {
			ctx, cancel := context.WithTimeout(t.Context(), d)
			defer cancel()
			return h.Wait(ctx)
		}
		do(t, p, func(*Worker) {
			for range 50 {
				n, err := wait(time.Second)
				expect(t, n == 0 && err == context.DeadlineExceeded, "P1: a Wait whose deadline has passed returned %d, %v", n, err)
			}
		})
		equal(t, h.Waiters(), 0, "P8: the number of waiters that a handle keeps after 50 waits that were given up is")
		waits := submit(t, p, func(*Worker) int { n, _ := wait(time.Hour); return n })
		synctest.Wait()
		close(free)
		equal(t, result(t, waits), 7, "P1: a job that waits with a deadline for another one gave")
	})
}

// If this fails, a deadline that has passed still begins a job that could be taken back.
func TestWaitWithEndedContextBeginsNothing(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	onlyWorker(t, func(p *Pool, _ *Worker) {
		h := submit(t, p, func(*Worker) int { return 1 })
		_, err := h.Wait(ended)
		equal(t, err, context.Canceled, "P1: Wait with a context that has ended returned")
		expect(t, h.Cancel(), "P1: Wait with a context that has ended has begun the job")
	})
}

// If this fails, Dump says of a job that runs that it waits, and the worker keeps the
// job that it was about to wait for.
func TestNothingIsNotedWithoutWait(t *testing.T) {
	onlyWorker(t, func(_ *Pool, w *Worker) {
		var l latch.Core
		l.Set() // after the last look at it
		w.release()
		w.setAside(&l, cause{job: new(Job)})
		at := w.waiting.Load()
		expect(t, at == nil, "P8: the latch was set before the job blocked, and the worker still keeps what it did not wait for: %+v", at)
	})
}

// If this fails, a group with a limit whose context has ended keeps what is spawned for as long
// as a job runs that does not ask its context.
func TestEndedGroupKeepsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := RunGroup(ctx, open(t, WithWorkers(2)), func(_ context.Context, w *Worker, g *Group) error {
		g.SetLimit(1)
		g.Spawn(w, func(_ context.Context, w *Worker) error { // it has the only place, and does not wait
			cancel()
			for range 100 {
				g.Spawn(w, func(context.Context, *Worker) error { return nil })
			}
			expect(t, g.limit.Load().first == nil, "P24: the context of a group has ended, and what is spawned is kept")
			return nil
		})
		return nil
	})
	equal(t, err, context.Canceled, "P24: a group has skipped jobs as its context ended, and returned")
}
