package pool

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/latch"
)

// If this fails, Dump says of a job that runs that it waits, and the worker keeps the
// job that it was about to wait for.
func TestNothingIsNotedWithoutWait(t *testing.T) {
	onlyWorker(t, func(_ *Pool, w *Worker) {
		var l latch.Core
		l.Set() // after the last look at it
		w.release()
		w.setAside(&l, cause{job: new(Job)})
		if at := w.waiting.Load(); at != nil {
			t.Errorf("P8: the latch was set before the job blocked, and the worker still keeps what it did not wait for: %+v", at)
		}
	})
}

// onlyWorker calls body in a job of a new pool with one worker, and returns the pool, closed.
func onlyWorker(t *testing.T, body func(p *Pool, w *Worker)) *Pool {
	t.Helper()
	p, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	if _, err := Run(context.Background(), p, func(w *Worker, _ int) int { body(p, w); return 0 }, 0); err != nil {
		t.Errorf("P1: Run returned the error %v", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("P6: Close returned the error %v", err)
	}
	return p
}
