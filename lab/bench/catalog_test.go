package bench_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/bench"
)

// Names are what users pick workloads by. A failure means that two have the
// same one, or that a first look at small sizes has one that the whole comparison
// lacks.
func TestNames(t *testing.T) {
	var full []string
	for _, w := range bench.Workloads(bench.Full, 2) {
		if slices.Contains(full, w.Name) {
			t.Errorf("two workloads are %s", w.Name)
		}
		full = append(full, w.Name)
	}
	for _, w := range bench.Workloads(bench.Quick, 2) {
		if !slices.Contains(full, w.Name) {
			t.Errorf("%s is only there in small", w.Name)
		}
	}
}

// The sleeping leaves show how 64 and 256 workers fill, whatever the machine, by
// the median of 20 runs. A failure means that the table shows something else.
func TestFillWorkloads(t *testing.T) {
	for _, most := range []int{1, 2, 512} {
		n := 0
		for _, w := range bench.Workloads(bench.Full, most) {
			if !strings.HasPrefix(w.Name, bench.FillPrefix) {
				continue
			}
			n++
			for suffix, workers := range map[string]int{"-64": 64, "-256": 256} {
				if strings.HasSuffix(w.Name, suffix) != slices.Equal(w.Workers, []int{workers}) {
					t.Errorf("%s has %d workers", w.Name, w.Workers)
				}
			}
			if w.Runs != 20 || w.Judge != bench.Wait || w.Ops != 1 {
				t.Errorf("%s: the %v of %d runs, each divided by %d; want the median of 20 whole ones", w.Name, w.Judge, w.Runs, w.Ops)
			}
		}
		if n != 14 {
			t.Errorf("%d workloads, want 7 shapes with 2 numbers of workers", n)
		}
	}
}

// A fork is what the time of a tree is divided by. A failure means that the
// table by depth shows nanoseconds of something else.
func TestDepthWorkloads(t *testing.T) {
	want := map[string]int{"depth-10": 511, "depth-12": 2047, "depth-14": 8191, "depth-16": 32767, "depth-18": 131071, "depth-20": 524287, "depth-22": 2097151}
	for _, size := range []bench.Sizes{bench.Full, bench.Quick} {
		got := make(map[string]int)
		for _, w := range bench.Workloads(size, 8) {
			if !strings.HasPrefix(w.Name, bench.DepthPrefix) {
				continue
			}
			got[w.Name] = w.Ops
			if w.Ops != want[w.Name] || w.Unit != "fork" || !slices.Equal(w.Workers, []int{1, 2}) {
				t.Errorf("%s: %d %ss, %d workers", w.Name, w.Ops, w.Unit, w.Workers)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d depths, want %d", len(got), len(want))
		}
	}
}
