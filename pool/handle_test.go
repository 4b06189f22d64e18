package pool_test

import (
	"context"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// The context of a wait ends before the job, which ends only then.
func TestWaitGivenUp(t *testing.T) {
	p := poolOf(t, 2)
	during(t, "P1", "waits are given up, and jobs end", func() {
		for _, wait := range []func(ctx context.Context, h *pool.Handle[int]) error{
			func(ctx context.Context, h *pool.Handle[int]) error { _, err := h.Wait(ctx); return err },
			func(ctx context.Context, h *pool.Handle[int]) error {
				return enter(t, p, func(*pool.Worker) error { _, err := h.Wait(ctx); return err })
			},
			func(ctx context.Context, h *pool.Handle[int]) error {
				return enter(t, p, func(w *pool.Worker) (err error) {
					w.Block(func() { _, err = h.Wait(ctx) })
					return err
				})
			},
		} {
			h, release := held(t, p)
			ctx, cancel := context.WithCancelCause(background)
			seen := watch(ctx)
			go func() { <-seen.waited; cancel(&thrown{"why"}) }()
			for _, ctx := range []context.Context{seen, ctx} { // it ends meanwhile, and has ended
				equal(t, wait(ctx, h), context.Canceled, "P1: Wait, whose context ended and whose job did not, returned")
			}
			release()
			equal(t, result(t, h), 7, "P1: a job for which a Wait was given up gives")
		}
		h, release := held(t, p)
		for range 100 {
			ctx, cancel := context.WithTimeout(background, time.Microsecond)
			fails(t, context.DeadlineExceeded, "P1: Wait, whose time is over, returned")(h.Wait(ctx))
			cancel()
		}
		equal(t, h.Waiters(), 0, "P8: the number of waiters that are kept after 100 waits were given up is")
		done := h.Done()
		expect(t, done == h.Done(), "P20: Done returned two channels for a job that has not ended")
		release()
		meet(t, p)
	})
}
