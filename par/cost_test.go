package par_test

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// counted makes the default pool one of one worker: of more, the pool may allocate goroutines, and
// frames.
func counted(t *testing.T) *pool.Pool {
	if runtime.GOARCH == "wasm" {
		t.Skip("what the runtime allocates for goroutines is counted, too")
	}
	p := newPool(t, pool.WithWorkers(1))
	before := pool.SetDefault(p)
	t.Cleanup(func() { pool.SetDefault(before) })
	return p
}

func TestAllocations(t *testing.T) {
	counted(t)
	for _, n := range []int{1, 10, 1000, 10_000, 300_000} {
		in, runs := newInput(odds(n)), 20
		if n > 10_000 {
			runs = 3 // what there is for each element shows in one
		}
		for _, c := range table {
			if c.allocs == 0 {
				continue
			}
			most := c.allocs
			if n == 300_000 && strings.Contains("Sum Min Max", c.name) {
				most++ // it may be shared: that depends on the machine
			}
			if got := allocations(runs, most, func() { c.call(in) }); got > most {
				t.Fatalf("package par: %s of %d elements allocates %v times, want at most %v", c.name, n, got, most)
			}
		}
	}
	in := newInput(odds(100))
	if n := testing.AllocsPerRun(1000, func() { par.For(100, in.body) }); n != 0 {
		t.Errorf("F7: For of 100 elements allocates %v times", n)
	}
	if n := allocations(20, 8, func() { par.ForWorker(10, func(*pool.Worker, int) {}) }); n > 8 {
		t.Errorf("package par: ForWorker of 10 elements allocates %v times, want at most 8", n)
	}
}

// odds returns n odd numbers, in order.
func odds(n int) []int {
	s := indices(n)
	for i := range s {
		s[i] = 2*i + 1
	}
	return s
}

// Options are handed on as values. What they say costs a call nothing, while the caller does it
// alone.
func TestOptionsAllocateNothing(t *testing.T) {
	p := counted(t)
	reports := 0
	with := []par.Option{par.On(p), par.WithProgress(func(int, int) { reports++ }), par.WithWindow(10)}
	calls := append(slices.Clone(table),
		operation{"IndexFunc, found", 0, 0, 0, func(in *input) { par.IndexFunc(in.s, in.yes, in.o...) }},
		operation{"IsSorted, not", 0, 0, 0, func(in *input) { par.IsSorted(in.s, in.o...) }})
	check := func(where string) {
		for _, n := range []int{1, 10, 300} { // few, so that the caller does them alone, with a clock or without
			falling := odds(n)
			slices.Reverse(falling)
			in := newInput(falling)
			for _, c := range calls {
				if c.holds&stream != 0 {
					continue
				}
				count := func(o []par.Option) float64 {
					return testing.AllocsPerRun(10, func() { c.call(in, o...) })
				}
				count(nil)
				before, after := count(nil), count(with)
				for tries := 0; after > before && tries < 300; tries++ { // see allocations
					time.Sleep(time.Millisecond)
					before, after = max(before, count(nil)), min(after, count(with))
				}
				if after > before {
					t.Fatalf("package par: Cost: %s of %d elements, %s, allocates %v times with options, and %v without", c.name, n, where, after, before)
				}
			}
		}
	}
	check("outside of jobs")
	inJob(p, func(w *pool.Worker) {
		with = append(with, par.In(w))
		check("in a job")
	})
	if reports == 0 {
		t.Error("package par: WithProgress was not heeded")
	}
}

// No operation allocates more than its documentation says.
func TestAllocatedBytes(t *testing.T) {
	const n = 100_000
	counted(t)
	check := func(name string, most int, call func()) {
		least := math.MaxInt
		for range 3 { // something else may allocate meanwhile
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			call()
			runtime.ReadMemStats(&after)
			least = min(least, int(after.TotalAlloc-before.TotalAlloc))
		}
		if least > most {
			t.Errorf("package par: %s of %d elements allocates %d bytes, want at most %d", name, n, least, most)
		}
	}
	in := newInput(odds(n))
	for _, c := range table {
		if c.allocs > 0 {
			check(c.name, c.bytes*n+64<<10, func() { c.call(in) })
		}
	}
	in = newInput(dealt(n))
	for _, c := range table {
		if c.allocs == 0 && c.bytes > 0 {
			check(c.name, c.bytes*n+256<<10, func() { c.call(in) })
		}
	}
	words := make([]string, n)
	check("Sort of strings", 6*8*n+256<<10, func() {
		for i, x := range in.s {
			words[i] = "01234567890123456789"[x%20:]
		}
		par.Sort(words)
	})
}

// allocations returns how often call allocates, at best of some tries if that is more than most.
// A worker that a slow element has woken has its seat until the scheduler lets it run, and the
// pool allocates one for the caller meanwhile.
func allocations(runs int, most float64, call func()) float64 {
	got := testing.AllocsPerRun(runs, call)
	for tries := 0; got > most && tries < 300; tries++ {
		time.Sleep(time.Millisecond)
		got = min(got, testing.AllocsPerRun(runs, call))
	}
	return got
}
