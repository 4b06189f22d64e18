package explore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/explore"
)

// BenchmarkExplore explores three threads that update two variables under a mutex, within 10
// seconds. Its numbers are the sizes of the explorations and the speed.
func BenchmarkExplore(b *testing.B) {
	scenario := func(x *explore.Exec) {
		var mu prim.Mutex
		var locked, free prim.Int64
		for range 3 {
			x.Go("updater", func() {
				free.Add(1)
				mu.Lock()
				locked.Store(locked.Load() + 1)
				mu.Unlock()
			})
		}
		x.Wait()
	}
	for bound := range 5 {
		name, o := fmt.Sprintf("bound=%d", bound), explore.Bound(bound)
		if bound == 4 {
			name, o = "unbounded", explore.Unbounded()
		}
		b.Run(name, func(b *testing.B) {
			var r explore.Report
			for b.Loop() {
				r = explore.Explore(scenario, o, explore.MaxTime(10*time.Second))
			}
			if r.Failure != nil {
				b.Fatal(r)
			}
			seconds, schedules := r.Elapsed.Seconds(), r.Schedules
			if n := len(r.Sizes) - 1; n >= 0 {
				schedules = r.Sizes[n]
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(schedules), "schedules")
			b.ReportMetric(float64(r.Redundant), "redundant")
			b.ReportMetric(float64(r.Schedules)/seconds, "schedules/s")
			b.ReportMetric(float64(r.Steps)/seconds, "steps/s")
		})
	}
}
