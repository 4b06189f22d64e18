package par_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// In a bubble only what sleeps takes time.

// Elements that take long are all under way when the first one has ended.
func TestBound(t *testing.T) {
	const long = 20 * time.Millisecond
	for _, workers := range []int{2, 3, 4, 8, 16, 64} {
		for _, n := range []int{workers, 3 * workers, 10 * workers} {
			t.Run(fmt.Sprintf("workers=%d/n=%d", workers, n), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := newPool(t, pool.WithWorkers(workers))
					begun := time.Now()
					par.For(n, func(int) { time.Sleep(long) }, par.On(p))
					best := time.Duration((n+workers-1)/workers) * long
					if took := time.Since(begun); took > best+2*long {
						t.Errorf("F7: %d elements of %v on %d workers took %v, the best is %v", n, long, workers, took, best)
					}
				})
			})
		}
	}
}

// Elements that take long after many that do not.
func TestLongTail(t *testing.T) {
	for _, cheap := range []int{100, 5900, 50_000, 300_000, 1_000_000, 2_000_000, 5_000_000} {
		t.Run(fmt.Sprintf("cheap=%d", cheap), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const workers, dear, long = 4, 100, 5 * time.Millisecond
				p := newPool(t, pool.WithWorkers(workers))
				begun := time.Now()
				par.For(cheap+dear, func(i int) {
					if i >= cheap {
						time.Sleep(long)
					}
				}, par.On(p))
				if took, best := time.Since(begun), dear/workers*long; took > 2*best {
					t.Errorf("F7: after %d elements that take nothing, %d of %v on %d workers took %v, the best is %v", cheap, dear, long, workers, took, best)
				}
			})
		})
	}
}

// Functions that take long begin at once.
func TestDoAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, pool.WithWorkers(4))
		synctest.Wait() // until all workers sleep
		begun := time.Now()
		nap := func() { time.Sleep(time.Second) }
		par.Do([]func(){nap, nap}, par.On(p))
		if took := time.Since(begun); took != time.Second {
			t.Errorf("F7: two functions of a second on four workers took %v", took)
		}
	})
}

// A call does all that it does on the pool that it was told.
func TestFlatMapOn(t *testing.T) {
	before := pool.Default().Stats()
	p := newPool(t, pool.WithWorkers(2))
	par.FlatMap(make([]int, 1_000_000), func(int) []int { return nil }, par.On(p))
	if after := pool.Default().Stats(); after.Borrowed != before.Borrowed || after.Seatless != before.Seatless {
		t.Errorf("F1: FlatMap on a pool has used the default one: %+v, before %+v", after, before)
	}
}

// There is no length of which the ranges cannot be counted.
func TestHugeFolds(t *testing.T) {
	for _, n := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt - 255, math.MaxInt / 2} {
		if got := par.FoldRange(n, func(lo, hi int) int { return hi - lo }, func(a, b int) int { return a + b }); got != n {
			t.Errorf("F1: the ranges of FoldRange over %d have %d elements", n, got)
		}
	}
}

// The last report is that of all, whatever the operation and its length.
func TestLastReport(t *testing.T) {
	add := func(a, b int) int { return a + b }
	for _, n := range []int{0, 1, 99, 5000, 100_000} {
		s := make([]int, n)
		for name, f := range map[string]func(o par.Option){
			"For":       func(o par.Option) { par.For(n, func(int) {}, o) },
			"Map":       func(o par.Option) { par.Map(s, func(x int) int { return x }, o) },
			"Filter":    func(o par.Option) { par.Filter(s, func(int) bool { return true }, o) },
			"Partition": func(o par.Option) { par.Partition(s, func(int) bool { return true }, o) },
			"FlatMap":   func(o par.Option) { par.FlatMap(s, func(int) []int { return nil }, o) },
			"Sum":       func(o par.Option) { par.Sum(s, o) },
			"Reduce":    func(o par.Option) { par.Reduce(s, add, o) },
			"FoldRange": func(o par.Option) { par.FoldRange(n, func(lo, hi int) int { return hi - lo }, add, o) },
			"Scan":      func(o par.Option) { par.Scan(s, add, o) },
			"Exclusive": func(o par.Option) { par.ScanExclusive(s, 0, add, o) },
			"CountFunc": func(o par.Option) { par.CountFunc(s, func(int) bool { return true }, o) },
		} {
			var got [][2]int
			f(par.WithProgress(func(done, total int) { got = append(got, [2]int{done, total}) }))
			if len(got) == 0 || got[len(got)-1] != [2]int{n, n} || !slices.IsSortedFunc(got, func(a, b [2]int) int { return a[0] - b[0] }) {
				t.Errorf("WithProgress: %s of %d elements reports %v", name, n, got)
			}
		}
	}
}

// A panic of the report ends the call, however long that would be.
func TestReportPanics(t *testing.T) {
	p := newPool(t, pool.WithWorkers(3))
	v := caught(func() {
		par.For(math.MaxInt, func(int) { time.Sleep(10 * time.Microsecond) }, par.On(p), par.WithProgress(func(int, int) { panic("enough") }))
	})
	if v != "enough" {
		t.Errorf("WithProgress: the report panics, and the call does with %v", v)
	}
}
