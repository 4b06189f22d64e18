package scenarios

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/latch"
)

// TestOutside explores the latch for which any number of goroutines wait that are no workers.
func TestOutside(t *testing.T) {
	scenarios.Run(t, []scenarios.Scenario{
		{Name: "two_waiters", Rule: "L6", Bound: complete, Body: outsideWaiters(false)},
		{Name: "given_up", Rule: "L6", Bound: complete, Body: outsideWaiters(true)},
		{Name: "set_before_given_up", Rule: "L6", Bound: complete, Body: func(x *explore.Exec) {
			l := latch.NewOutside()
			ctx, cancel := context.WithCancel(context.Background())
			x.Go("setter", func() { l.Set(); cancel() })
			if err := l.Wait(ctx); err != nil {
				x.Errorf("L6: Wait returned %v, and the latch was set before its context ended", err)
			}
		}},
	})
}

// outsideWaiters has two wait for a latch, and one of them perhaps give up.
func outsideWaiters(givenUp bool) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		l := latch.NewOutside()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		x.Go("waiter", func() {
			if err := l.Wait(ctx); err != nil && ctx.Err() == nil {
				x.Errorf("Wait returned %v before its context ended", err)
			} else if err == nil && !l.Probe() {
				x.Errorf("Wait returned nil before the latch was set")
			}
		})
		x.Go("waiter", func() {
			if err := l.Wait(context.Background()); err != nil || !l.Probe() {
				x.Errorf("Wait returned %v, with the latch set: %t", err, l.Probe())
			}
		})
		if givenUp {
			var ready prim.Int32
			x.Go("canceler", func() { ready.Store(1); cancel() })
			ready.Load() // so that canceling is a step like others
		}
		l.Set()
		x.Wait()
		if err := l.Wait(ctx); err != nil {
			x.Errorf("Wait for a latch that is set returned %v", err)
		}
	}
}
