package scale

import (
	"math"
	"testing"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/simulate"
)

// Work adds up, and the span is the longest way. The numbers are worked out by
// hand; another one would be a wrong bound beside every row.
func TestCost(t *testing.T) {
	const ns = simulate.Nanosecond
	for name, test := range map[string]struct{ got, want Cost }{
		// fib(3) calls fib(2) and fib(1); fib(2) calls two leaves.
		"fib":    {fibCost(3), Cost{5 * work.FibCall, 3 * work.FibCall}},
		"fib(1)": {fibCost(1), Cost{work.FibCall, work.FibCall}},
		// Four leaves, three splits, two of them on the way to a leaf.
		"tree": {halvesCost(4, µs), Cost{4*µs + 3*work.Forking, µs + 2*work.Forking}},
		"odd":  {halvesCost(3, µs), Cost{3*µs + 2*work.Forking, µs + 2*work.Forking}},
		"loop": {loopCost(5, µs), Cost{5*µs + 5*work.Forking, µs + 5*work.Forking}},
		// Three jobs: the root works, and spawns one after the other.
		"spawns": {spawnsCost(2, µs), Cost{3*µs + 2*work.Forking, 2*µs + 2*work.Forking}},
		"chain":  {step(ns).then(step(2 * ns)).times(2), Cost{6 * ns, 6 * ns}},
		"wide":   {step(ns).beside(step(3 * ns)).copies(2), Cost{8 * ns, 3 * ns}},
	} {
		if test.got != test.want {
			t.Errorf("%s: work %v, span %v; want %v and %v", name, test.got.Work, test.got.Span, test.want.Work, test.want.Span)
		}
	}
}

// One worker takes as long as the work, any number at least the span.
func TestBound(t *testing.T) {
	c := Cost{Work: 100, Span: 10}
	for workers, want := range map[int]simulate.Time{1: 100, 2: 55, 9: 20, 90: 11} {
		if got := c.Bound(workers); got != want {
			t.Errorf("%d workers: the bound is %d, want %d", workers, got, want)
		}
	}
	if got := c.Speedup(9); got != 5 {
		t.Errorf("the speed-up of 9 workers is %v, want 5", got)
	}
	if got := c.Parallelism(); math.Abs(got-10) > 0 {
		t.Errorf("the parallelism is %v, want 10", got)
	}
}
