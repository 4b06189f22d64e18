package explore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore"
)

// needsTag skips a test that would explore nothing.
func needsTag(t *testing.T) {
	t.Helper()
	if f := explore.Explore(func(*explore.Exec) {}).Failure; f != nil && f.Kind == explore.Unavailable {
		t.Skip(f)
	}
}

// find explores a scenario that is wrong, and returns the failure, which must
// be of the given kind, with the given number of preemptions, and come again
// when it is replayed.
func find(t *testing.T, kind explore.Kind, preemptions int, scenario func(x *explore.Exec), opts ...explore.Option) *explore.Failure {
	t.Helper()
	needsTag(t)
	r := explore.Explore(scenario, append([]explore.Option{explore.Bound(4)}, opts...)...)
	f := r.Failure
	if f == nil {
		t.Fatalf("nothing was found: %v", r)
	}
	if f.Kind != kind || f.Preemptions != preemptions {
		t.Fatalf("found a %s of %d preemptions, want a %s of %d: %v", f.Kind, f.Preemptions, kind, preemptions, r)
	}
	if f.Schedule == "" {
		return f
	}
	again := explore.Explore(scenario, append(opts, explore.Replay(f.Schedule))...).Failure
	if again == nil || again.Kind != kind || again.Trace != f.Trace {
		t.Fatalf("the replay of %s gives %v\n\nand the exploration gave %v", f.Schedule, again, f)
	}
	return f
}

// passes explores a scenario that is right.
func passes(t *testing.T, scenario func(x *explore.Exec), opts ...explore.Option) explore.Report {
	t.Helper()
	needsTag(t)
	r := explore.Explore(scenario, append([]explore.Option{explore.Bound(4)}, opts...)...)
	if r.Failure != nil {
		t.Fatal(r)
	}
	return r
}

// Threads of n operations each on one variable can be interleaved in as many
// ways as there are multiset permutations.
func TestCountsInterleavings(t *testing.T) {
	needsTag(t)
	adders := func(threads, n int) func(x *explore.Exec) {
		return func(x *explore.Exec) {
			var a prim.Uint32
			for range threads {
				x.Go("adder", func() {
					for range n {
						a.Add(1)
					}
				})
			}
			x.Wait()
			if got := a.Load(); got != uint32(threads*n) {
				x.Errorf("%d, want %d", got, threads*n)
			}
		}
	}
	for _, c := range []struct{ threads, n, want int }{
		{2, 1, 2}, {2, 2, 6}, {2, 3, 20}, {2, 5, 252}, {3, 1, 6}, {3, 2, 90}, {4, 1, 24},
	} {
		r := explore.Explore(adders(c.threads, c.n), explore.Unbounded(), explore.NoReduction())
		if r.Failure != nil || r.Schedules != c.want || !r.Exhausted {
			t.Errorf("%d threads of %d operations: %v, want %d schedules", c.threads, c.n, r, c.want)
		}
		// The bound that allows all of them comes to the same number.
		r = explore.Explore(adders(c.threads, c.n), explore.Bound(99))
		if n := len(r.Sizes) - 1; !r.Exhausted || r.Sizes[n] != c.want {
			t.Errorf("%d threads of %d operations, all bounds: %v, want %d schedules in the end", c.threads, c.n, r, c.want)
		}
	}
}

func TestChoose(t *testing.T) {
	var met [3][2]int
	r := passes(t, func(x *explore.Exec) { met[x.Choose(3)][x.Choose(2)]++ })
	if r.Schedules != 6 || met != [3][2]int{{1, 1}, {1, 1}, {1, 1}} {
		t.Errorf("%v: met %v, want each combination once", r, met)
	}
	find(t, explore.Asserted, 0, func(x *explore.Exec) {
		if a, b := x.Choose(4), x.Choose(4); a+b == 6 {
			x.Fatalf("%d + %d", a, b)
		}
	})
}

func TestByChance(t *testing.T) {
	lost := func(x *explore.Exec) {
		var n prim.Int64
		for range 3 {
			x.Go("adder", func() { n.Store(n.Load() + 1) })
		}
		x.Wait()
		if n.Load() == 1 {
			x.Errorf("two updates were lost")
		}
	}
	needsTag(t)
	for name, o := range map[string]explore.Option{
		"random": explore.Random(1, 1000), "pct": explore.PCT(1, 1000, 3),
	} {
		t.Run(name, func(t *testing.T) {
			r := explore.Explore(lost, o)
			if r.Failure == nil || r.Failure.Kind != explore.Asserted || r.Failure.Trace == "" {
				t.Fatalf("not found: %v", r)
			}
			if again := explore.Explore(lost, explore.Replay(r.Failure.Schedule)).Failure; again == nil || again.Trace != r.Failure.Trace {
				t.Errorf("the replay of %s gives %v", r.Failure.Schedule, again)
			}
			if same := explore.Explore(lost, o); same.Schedules != r.Schedules || same.Failure.Schedule != r.Failure.Schedule {
				t.Errorf("the same seed gives another run: %v", same)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	needsTag(t)
	scenario := func(x *explore.Exec) {
		var n prim.Int64
		for range 3 {
			x.Go("adder", func() {
				for range 5 {
					n.Add(1)
				}
			})
		}
		x.Wait()
	}
	if r := explore.Explore(scenario, explore.MaxSchedules(17)); r.Schedules != 17 || r.Cut == "" || r.Failure != nil {
		t.Errorf("MaxSchedules(17): %v", r)
	}
	if r := explore.Explore(scenario, explore.Unbounded(), explore.NoReduction(), explore.MaxTime(1)); r.Cut == "" || r.Exhausted {
		t.Errorf("MaxTime of a nanosecond: %v", r)
	}
	for _, o := range []explore.Option{explore.Bound(-1), explore.MaxSteps(0), explore.MaxThreads(65), explore.Replay("1:2 x")} {
		if f := explore.Explore(scenario, o).Failure; f == nil || f.Kind != explore.BadOption {
			t.Errorf("a bad option gives %v", f)
		}
	}
}

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
			if n := len(r.Sizes) - 1; r.Orders > 0 {
				schedules = r.Orders
			} else if n >= 0 {
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
