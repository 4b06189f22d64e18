package pool

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/latch"
)

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
		w.detach().handOff()
		w.setAside(&l, cause{job: new(Job)})
		at := w.shown.waits.Load()
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
			expect(t, g.limit.kept.Len() == 0, "P24: the context of a group has ended, and what is spawned is kept")
			return nil
		})
		return nil
	})
	equal(t, err, context.Canceled, "P24: a group has skipped jobs as its context ended, and returned")
}
