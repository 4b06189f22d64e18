package bench_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/bench"
)

// A failure means that a loop is measured on something else than par and those that
// have it, or with a grain where none can be set.
func TestLoopWorkloads(t *testing.T) {
	n := 0
	for _, w := range bench.Workloads(bench.Full, 2) {
		if !strings.HasPrefix(w.Name, bench.ParPrefix) {
			continue
		}
		n++
		if !slices.Contains(w.Beside, bench.ParName) || !slices.Contains(w.Beside, bench.SequentialName) {
			t.Errorf("%s is measured on %s, without par or plain code", w.Name, w.Beside)
		}
		for _, p := range w.OutsideIn {
			if !w.In(p) || !slices.Contains(w.Beside, p) || !slices.Contains(bench.OutsideNames(), p) {
				t.Errorf("%s: %s has it, and is not measured", w.Name, p)
			}
			if other := p + bench.NoVectors; slices.Contains(bench.OutsideNames(), other) != w.In(other) {
				t.Errorf("%s: %s has it, %s has not", w.Name, p, other)
			}
		}
		if w.Grains || w.Apart {
			t.Errorf("%s: grains %t, apart %t", w.Name, w.Grains, w.Apart)
		}
	}
	if n != 39 {
		t.Errorf("%d workloads of par, want 39", n)
	}
}

// A failure means that the sweep lacks a length or a grain, takes too long, or is
// measured when nobody asks for it.
func TestSweepWorkloads(t *testing.T) {
	n := 0
	for _, w := range bench.Workloads(bench.Full, 2) {
		if !strings.HasPrefix(w.Name, bench.SweepPrefix) {
			continue
		}
		n++
		if !w.Apart || !w.Grains || !slices.Contains(w.Beside, "onetbb-grain-100000") || !slices.Contains(w.Beside, "rayon") {
			t.Errorf("%s: apart %t, grains %t, on %s", w.Name, w.Apart, w.Grains, w.Beside)
		}
	}
	// 10 to 10 million elements of 1 ns, to a million of 100 ns, to ten thousand of 10 µs.
	if want := 3 * (7 + 6 + 4); n != want {
		t.Errorf("%d workloads, want %d", n, want)
	}
}
