//go:build explore

package explore_test

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore"
)

// countTo has two threads add to n, with a load and a store.
func countTo(x *explore.Exec, n *prim.Int32) {
	for range 2 {
		x.Go("adder", func() { n.Store(n.Load() + 1) })
	}
}

// A failure would mean that Settle leaves something to explore, or comes back
// before the others are done.
func TestSettleIsOneSchedule(t *testing.T) {
	r := explore.Check(t, func(x *explore.Exec) {
		var n prim.Int32
		x.Settle(func() { countTo(x, &n) })
		if n.Load() != 2 {
			x.Errorf("%d, want 2: a thread came between, or has not ended", n.Load())
		}
	}, explore.Unbounded(), explore.NoReduction())
	if r.Schedules != 1 {
		t.Errorf("%d schedules, want 1", r.Schedules)
	}
}

// A failure would mean that what comes before or after Settle is not explored,
// or that a schedule with a Settle in it cannot be replayed.
func TestSettleInBetween(t *testing.T) {
	scenario := func(x *explore.Exec) {
		var before, after prim.Int32
		countTo(x, &before)
		x.Wait()
		x.Settle(func() {})
		countTo(x, &after)
		x.Wait()
		if before.Load() != 2 && after.Load() != 2 {
			x.Errorf("both lost")
		}
	}
	for name, how := range map[string][]explore.Option{
		"bounded":   {explore.Bound(2)},
		"unbounded": {explore.Unbounded()},
		"random":    {explore.PCT(1, 10_000, 3)},
	} {
		r := explore.Explore(scenario, how...)
		if r.Failure == nil || !strings.Contains(r.Failure.Message, "both lost") {
			t.Errorf("%s: the updates that are lost were not found: %v", name, r)
			continue
		}
		if again := explore.Explore(scenario, explore.Replay(r.Failure.Schedule)); again.Failure == nil || again.Failure.Trace != r.Failure.Trace {
			t.Errorf("%s: the schedule %s does not replay: %v", name, r.Failure.Schedule, again)
		}
	}
}
