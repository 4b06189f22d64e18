package par_test

import (
	"cmp"
	"context"
	"maps"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// costs are how often operations allocate, at most, whatever the length: besides a result,
// which is counted here, and beyond what the caller's functions do. Those of sorts are in
// TestSortAllocations.
var costs = []struct {
	name          string
	alone, shared float64 // those of 300,000 elements may be shared: that depends on the machine
	call          func(in *costly)
}{
	{"For", 2, 2, func(in *costly) { par.For(len(in.s), in.touch) }},
	{"ForRange", 2, 2, func(in *costly) { par.ForRange(len(in.s), in.touchRange) }},
	{"Each", 2, 2, func(in *costly) { par.Each(in.s, in.touchEach) }},
	{"Do", 6, 6, func(in *costly) { par.Do(in.fns) }},
	{"DoErr", 6, 6, func(in *costly) { par.DoErr(background, in.tries) }},
	{"ForErr", 2, 2, func(in *costly) { par.ForErr(background, len(in.s), in.try) }},
	{"ForRangeErr", 2, 2, func(in *costly) { par.ForRangeErr(background, len(in.s), in.tryRange) }},
	{"MapInto", 2, 2, func(in *costly) { par.MapInto(in.to, in.s, double) }},
	{"ScanInto", 3, 3, func(in *costly) { par.ScanInto(in.to, in.s, add) }},
	{"Reduce", 3, 3, func(in *costly) { par.Reduce(in.s, add) }},
	{"Fold", 3, 3, func(in *costly) { par.Fold(in.s, zero, add, add) }},
	{"FoldRange", 3, 3, func(in *costly) { par.FoldRange(len(in.s), first, add) }},
	{"FoldErr", 3, 3, func(in *costly) { par.FoldErr(background, in.s, zero, tryAdd, add) }},
	{"Sum", 2, 3, func(in *costly) { par.Sum(in.s) }},
	{"Min", 2, 3, func(in *costly) { par.Min(in.s) }},
	{"Max", 2, 3, func(in *costly) { par.Max(in.s) }},
	{"MinFunc", 3, 3, func(in *costly) { par.MinFunc(in.s, compare) }},
	{"CountFunc", 3, 3, func(in *costly) { par.CountFunc(in.s, odd) }},
	{"IndexFunc", 2, 2, func(in *costly) { par.IndexFunc(in.s, never) }},
	{"AllFunc", 2, 2, func(in *costly) { par.AllFunc(in.s, odd) }},
	{"IsSorted", 2, 2, func(in *costly) { par.IsSorted(in.s) }},
	{"IsSortedFunc", 2, 2, func(in *costly) { par.IsSortedFunc(in.s, compare) }},
	{"CountInto", 2, 2, func(in *costly) { par.CountInto(in.counts, in.s, bucket) }},
	{"Map", 3, 3, func(in *costly) { par.Map(in.s, double) }},
	{"Tabulate", 3, 3, func(in *costly) { par.Tabulate(len(in.s), double) }},
	{"MapErr", 3, 3, func(in *costly) { par.MapErr(background, in.s, tryDouble) }},
	{"Scan", 4, 4, func(in *costly) { par.Scan(in.s, add) }},
	{"ScanExclusive", 4, 4, func(in *costly) { par.ScanExclusive(in.s, 7, add) }},
	{"Filter", 5, 5, func(in *costly) { par.Filter(in.s, odd) }},
	{"FilterErr", 5, 5, func(in *costly) { par.FilterErr(background, in.s, tryOdd) }},
	{"Partition", 6, 6, func(in *costly) { par.Partition(in.s, odd) }},
	{"FilterMap", 6, 6, func(in *costly) { par.FilterMap(in.s, doubleOdd) }},
	{"FlatMap", 12, 12, func(in *costly) { par.FlatMap(in.s, nothing) }},
	{"Compact", 7, 7, func(in *costly) { par.Compact(in.s) }},
	{"CompactFunc", 7, 7, func(in *costly) { par.CompactFunc(in.s, same) }},
	{"Merge", 7, 7, func(in *costly) { par.Merge(in.s, in.s) }},
}

// costly is the input.
type costly struct {
	s, to, counts []int
	fns           []func()
	tries         []func(context.Context) error
	touch         func(int)
	touchRange    func(lo, hi int)
	touchEach     func(int, *int)
	try           func(context.Context, int) error
	tryRange      func(ctx context.Context, lo, hi int) error
}

func newCostly(n int) *costly {
	in := &costly{s: make([]int, n), to: make([]int, n), counts: make([]int, 100)}
	for i := range in.s {
		in.s[i] = 2*i + 1
	}
	in.fns = slices.Repeat([]func(){func() {}}, min(n, 100))
	in.tries = slices.Repeat([]func(context.Context) error{func(context.Context) error { return nil }}, min(n, 100))
	in.touch = func(i int) { in.to[i]++ }
	in.touchRange = func(lo, hi int) { in.to[lo]++ }
	in.touchEach = func(i int, x *int) { in.to[i] += *x }
	in.try = func(_ context.Context, i int) error { in.to[i]++; return nil }
	in.tryRange = func(_ context.Context, lo, hi int) error { in.to[lo]++; return nil }
	return in
}

func add(a, b int) int                                  { return a + b }
func zero() int                                         { return 0 }
func first(lo, hi int) int                              { return lo }
func double(x int) int                                  { return 2 * x }
func odd(x int) bool                                    { return x%2 == 1 }
func never(int) bool                                    { return false }
func same(a, b int) bool                                { return a == b }
func compare(a, b int) int                              { return cmp.Compare(a, b) }
func bucket(x int) int                                  { return x % 100 }
func nothing(int) []int                                 { return nil }
func doubleOdd(x int) (int, bool)                       { return 2 * x, x%2 == 1 }
func tryDouble(_ context.Context, x int) (int, error)   { return 2 * x, nil }
func tryOdd(_ context.Context, x int) (bool, error)     { return x%2 == 1, nil }
func tryAdd(_ context.Context, sum, x int) (int, error) { return sum + x, nil }

// No operation allocates more often for more elements. The loops of long inputs are shared,
// with whoever is free.
func TestAllocations(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("what the runtime allocates for goroutines is counted, too")
	}
	// Of more workers the pool may allocate: goroutines, and frames.
	p := newPool(t, pool.WithWorkers(1))
	defer pool.SetDefault(pool.SetDefault(p))
	for _, n := range []int{1, 10, 1000, 10_000, 300_000} {
		in := newCostly(n)
		for _, c := range costs {
			c.call(in)
			most := c.alone
			if n == 300_000 {
				most = c.shared
			}
			if got := allocations(20, most, func() { c.call(in) }); got > most {
				t.Fatalf("package par: %s of %d elements allocates %v times, want at most %v", c.name, n, got, most)
			}
		}
	}
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

// Options are handed on as values. What they say costs a call nothing.
func TestOptionsAllocateNothing(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("what the runtime allocates for goroutines is counted, too")
	}
	p := newPool(t, pool.WithWorkers(1))
	in := newCostly(10)
	reports := 0
	report := func(int, int) { reports++ }
	pool.Run(background, p, func(w *pool.Worker, _ struct{}) (none struct{}) {
		for name, call := range map[string]struct{ without, with func() }{
			"On":           {func() { par.For(10, in.touch) }, func() { par.For(10, in.touch, par.On(p)) }},
			"In":           {func() { par.MapInto(in.to, in.s, double) }, func() { par.MapInto(in.to, in.s, double, par.In(w)) }},
			"WithProgress": {func() { par.ForErr(background, 10, in.try) }, func() { par.ForErr(background, 10, in.try, par.WithProgress(report)) }},
			"WithWindow":   {func() { par.Sum(in.s) }, func() { par.Sum(in.s, par.WithWindow(1000)) }},
			"all": {
				func() { par.Each(in.s, in.touchEach) },
				func() {
					par.Each(in.s, in.touchEach, par.On(p), par.In(w), par.WithProgress(report), par.WithWindow(7))
				},
			},
		} {
			without, with := testing.AllocsPerRun(100, call.without), testing.AllocsPerRun(100, call.with)
			if with != without {
				t.Errorf("package par: Cost: a short call with %s allocates %v times, and %v without", name, with, without)
			}
		}
		return
	}, struct{}{})
	if reports == 0 {
		t.Error("package par: WithProgress was not heeded")
	}
}

// Nor do they cost any other function an allocation, while the caller does it alone.
func TestOptionsAllocateNothingMore(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("what the runtime allocates for goroutines is counted, too")
	}
	p := newPool(t, pool.WithWorkers(1))
	defer pool.SetDefault(pool.SetDefault(p))
	reports := 0
	with := []par.Option{par.On(p), par.WithProgress(func(int, int) { reports++ }), par.WithWindow(10)}
	falling := indices(300)
	slices.Reverse(falling)
	for _, n := range []int{1, 10, 300} { // few, so that the caller does them alone, with a clock or without
		s := make([]int, n)
		calls := maps.Clone(slow)
		calls["IndexFunc, found"] = func(s []int, _ func(), o ...par.Option) {
			par.IndexFunc(s, func(int) bool { return true }, o...)
		}
		calls["IsSorted, not"] = func(s []int, _ func(), o ...par.Option) { par.IsSorted(falling[:len(s)], o...) }
		for name, call := range calls {
			count := func(o []par.Option) float64 {
				return testing.AllocsPerRun(10, func() { call(s, func() {}, o...) })
			}
			count(nil)
			before, after := count(nil), count(with)
			for tries := 0; after > before && tries < 300; tries++ { // see TestAllocations
				time.Sleep(time.Millisecond)
				before, after = max(before, count(nil)), min(after, count(with))
			}
			if after > before {
				t.Fatalf("package par: Cost: %s of %d elements allocates %v times with options, and %v without", name, n, after, before)
			}
		}
	}
	if reports == 0 {
		t.Error("package par: WithProgress was not heeded")
	}
}

// besides are how many bytes operations allocate for n elements of a word, beyond what all
// may: a few kilobytes, with a page for each object. Others are in costs and allocate that.
var besides = map[string]func(n int) int{
	"Map":           func(n int) int { return 8 * n },
	"Tabulate":      func(n int) int { return 8 * n },
	"MapErr":        func(n int) int { return 8 * n },
	"ScanInto":      sumsOfBlocks,
	"Scan":          func(n int) int { return 8*n + sumsOfBlocks(n) },
	"ScanExclusive": func(n int) int { return 8*n + sumsOfBlocks(n) },
	"Filter":        func(n int) int { return 8*n + n },
	"FilterErr":     func(n int) int { return 8*n + n },
	"Partition":     func(n int) int { return 8*n + n },
	"FilterMap":     func(n int) int { return 2*8*n + n },
	"FlatMap":       func(n int) int { return 24*n + 8*n + sumsOfBlocks(n) },
	"Compact":       func(n int) int { return 8*n + n },
	"CompactFunc":   func(n int) int { return 8*n + n },
	"Merge":         func(n int) int { return 2 * 8 * n },
}

// sumsOfBlocks is an element for each 1024, or as many as the square root.
func sumsOfBlocks(n int) int { return 8 * max(n/1024, int(math.Sqrt(float64(n)))) }

// No operation allocates more than its documentation says.
func TestAllocatedBytes(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("what the runtime allocates for goroutines is counted, too")
	}
	const n = 100_000
	p := newPool(t, pool.WithWorkers(1))
	defer pool.SetDefault(pool.SetDefault(p))
	allocated := func(call func()) (least int) {
		least = math.MaxInt
		for range 3 { // something else may allocate meanwhile
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			call()
			runtime.ReadMemStats(&after)
			least = min(least, int(after.TotalAlloc-before.TotalAlloc))
		}
		return least
	}
	in := newCostly(n)
	for _, c := range costs {
		most := 64 << 10
		if more := besides[c.name]; more != nil {
			most += more(n)
		}
		if got := allocated(func() { c.call(in) }); got > most {
			t.Errorf("package par: %s of %d elements allocates %d bytes, want at most %d", c.name, n, got, most)
		}
	}
	cards, s := cardsOf(dealt(n)), make([]card, n)
	ints, words := make([]int, n), make([]string, n)
	for name, c := range map[string]struct {
		most int // for each element
		call func()
	}{
		"Sort": {8, func() {
			for i, c := range cards {
				ints[i] = c.value
			}
			par.Sort(ints)
		}},
		"Sort of strings": {6 * 8, func() {
			for i, c := range cards {
				words[i] = "01234567890123456789"[c.value%20:]
			}
			par.Sort(words)
		}},
		"SortFunc":             {2 * 24, func() { copy(s, cards); par.SortFunc(s, byValue) }},
		"SortFunc by no field": {16, func() { copy(s, cards); par.SortFunc(s, byMixed) }},
		"SortKey":              {2 * 24, func() { copy(s, cards); par.SortKey(s, card.number) }},
		"NthFunc":              {1 + 16/4, func() { par.NthFunc(cards, n/3, byValue) }},
		"TopKFunc":             {1, func() { par.TopKFunc(cards, 10, byValue) }},
		"GroupBy":              {16 + 8 + 4, func() { par.GroupBy(cards, card.odd) }},
		"FoldBy":               {1, func() { par.FoldBy(cards, card.odd, zero, addCard, add) }},
	} {
		if got, most := allocated(c.call), c.most*n+256<<10; got > most {
			t.Errorf("package par: %s of %d elements allocates %d bytes, want at most %d", name, n, got, most)
		}
	}
}
