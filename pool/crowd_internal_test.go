package pool

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// If this fails, a job that waits with a deadline, again and again, fills the memory until
// what it waits for has ended; or such a wait is not told of the end.
func TestTimedWaitsLeaveNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := New(WithWorkers(2))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		defer p.Close()
		free := make(chan bool)
		h, err := Submit(p, func(w *Worker) int { w.Block(func() { <-free }); return 7 })
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
		wait := func(d time.Duration) (int, error) {
			ctx, cancel := context.WithTimeout(t.Context(), d)
			defer cancel()
			return h.Wait(ctx)
		}
		_, _ = Run(t.Context(), p, func(*Worker, int) int {
			for range 50 {
				if n, err := wait(time.Second); n != 0 || err != context.DeadlineExceeded {
					t.Errorf("P1: a Wait whose deadline has passed returned %d, %v", n, err)
				}
			}
			return 0
		}, 0)
		left := 0
		for n := h.waiters.Load(); n != nil; n = n.next {
			left++
			if c, ok := n.kind.(*crowd); ok && c.waiting.Len() > 0 {
				t.Errorf("P8: %d waits that were given up are still there", c.waiting.Len())
			}
		}
		if left != 1 {
			t.Errorf("P8: after 50 waits that were given up a handle keeps %d waiters, want one", left)
		}
		waits, err := Submit(p, func(*Worker) int { n, _ := wait(time.Hour); return n })
		if err != nil {
			t.Fatalf("P1: Submit returned the error %v", err)
		}
		synctest.Wait()
		close(free)
		if n, err := waits.Wait(t.Context()); n != 7 || err != nil {
			t.Errorf("P1: a job that waits with a deadline for another one gave %d, %v, want the other's 7", n, err)
		}
	})
}

// If this fails, a deadline that has passed still begins a job that could be taken back.
func TestWaitWithEndedContextBeginsNothing(t *testing.T) {
	p, err := New(WithWorkers(1))
	if err != nil {
		t.Fatalf("P29: New returned the error %v", err)
	}
	defer p.Close()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, _ = Run(t.Context(), p, func(*Worker, int) int {
		h, err := Submit(p, func(*Worker) int { return 1 })
		if err != nil {
			t.Errorf("P1: Submit returned the error %v", err)
			return 0
		}
		if _, err := h.Wait(ended); err != context.Canceled {
			t.Errorf("P1: Wait with a context that has ended returned %v, want its error", err)
		}
		if !h.Cancel() {
			t.Error("P1: Wait with a context that has ended has begun the job")
		}
		return 0
	}, 0)
}
