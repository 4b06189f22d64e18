package conformance

import (
	"slices"

	"github.com/rouse-go/rouse/conformance/internal/linear"
)

// linearizable records one or two workers and a poster.
func (s countersSuite) linearizable(r *run) {
	workers := 2
	histories(r, "C1", linear.Counters(s.bits), func() []client {
		workers = 3 - workers
		c := s.make(r, workers)
		step := func(do func(any, func() any), call linear.Call) (out linear.Return) {
			do(call, func() any { out = call.Of(c); return out })
			return out
		}
		worker := func(do func(any, func() any)) {
			step(do, linear.Call{Name: "AddInactive"})
			for range 2 {
				ticket := step(do, linear.Call{Name: "Announce"}).Jobs
				if step(do, linear.Call{Name: "TrySleep", Ticket: ticket}).OK {
					step(do, linear.Call{Name: "Lend"})
					step(do, linear.Call{Name: "Restore"})
					step(do, linear.Call{Name: "SubSleeping", Sleepers: 1})
				}
			}
			step(do, linear.Call{Name: "SubInactive"})
		}
		return append(slices.Repeat([]client{worker}, workers), func(do func(any, func() any)) {
			for range 6 {
				step(do, linear.Call{Name: "Post"})
				step(do, linear.Call{Name: "Load"})
			}
		})
	})
}
