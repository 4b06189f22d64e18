//go:build explore

package explore_test

import (
	"testing"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/explore"
)

// find explores a scenario that is wrong, and returns the failure.
func find(t *testing.T, kind explore.Kind, preemptions int, scenario func(x *explore.Exec), opts ...explore.Option) *explore.Failure {
	t.Helper()
	r := explore.Explore(scenario, append([]explore.Option{explore.Bound(4)}, opts...)...)
	f := r.Failure
	if f == nil {
		t.Fatalf("nothing was found: %v", r)
	}
	if f.Kind != kind || f.Preemptions != preemptions {
		t.Fatalf("found a %s of %d preemptions, want a %s of %d: %v", f.Kind, f.Preemptions, kind, preemptions, r)
	}
	t.Log(r)
	again := explore.Explore(scenario, append(opts, explore.Replay(f.Schedule))...).Failure
	if again == nil || again.Kind != kind || again.Trace != f.Trace {
		t.Fatalf("the replay of %s: %v", f.Schedule, again)
	}
	return f
}

// Two threads of n operations each on one variable can be interleaved in
// binomial(2n, n) ways.
func TestCountsInterleavings(t *testing.T) {
	for n, want := range map[int]int{1: 2, 2: 6, 3: 20, 4: 70, 5: 252} {
		r := explore.Explore(func(x *explore.Exec) {
			var a prim.Uint32
			for range 2 {
				x.Go("adder", func() {
					for range n {
						a.Add(1)
					}
				})
			}
			x.Wait()
			if a.Load() != uint32(2*n) {
				x.Errorf("%d", a.Load())
			}
		}, explore.Unbounded(), explore.NoReduction())
		if r.Failure != nil || r.Schedules != want {
			t.Errorf("%d operations: %v, want %d schedules", n, r, want)
		}
	}
}

func TestFindsLostUpdate(t *testing.T) {
	find(t, explore.Asserted, 1, func(x *explore.Exec) {
		var n prim.Int64
		for range 2 {
			x.Go("adder", func() { n.Store(n.Load() + 1) })
		}
		x.Wait()
		if n.Load() != 2 {
			x.Errorf("%d, want 2", n.Load())
		}
	})
}
