package par_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// lengths are around every boundary of ranges and blocks.
var lengths = []int{0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097, 8191, 8192, 8193, 16_383, 16_384, 70_000}

// onLengths runs f on pools of several sizes with words of several lengths.
func onLengths(t *testing.T, f func(t *testing.T, words []string, on par.Option)) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, n := range lengths {
			words := make([]string, n)
			for i := range words {
				words[i] = strings.Repeat(string(rune('a'+i*7919%26)), i*31%5)
			}
			f(t, words, par.On(p))
		}
	})
}

// equal checks a slice that has no room for more.
func equal[E comparable](t *testing.T, what string, got, want []E) {
	t.Helper()
	if !slices.Equal(got, want) || cap(got) != len(got) {
		t.Errorf("F1: %s of %d elements, with room for %d, is not the one of %d that a loop gives", what, len(got), cap(got), len(want))
	}
}

func TestMaps(t *testing.T) {
	onLengths(t, func(t *testing.T, words []string, on par.Option) {
		up, flat := make([]string, len(words)), []string{}
		for i, w := range words {
			up[i] = strings.ToUpper(w)
			flat = append(flat, strings.Split(w, "")...)
		}
		equal(t, "Map", par.Map(words, strings.ToUpper, on), up)
		into := make([]string, len(words))
		copy(into, words)
		par.MapInto(into, into, strings.ToUpper, on)
		equal(t, "MapInto", into, up)
		tried, err := par.MapErr(background, words, func(_ context.Context, w string) (string, error) { return strings.ToUpper(w), nil }, on)
		equal(t, "MapErr", tried, up)
		if err != nil {
			t.Errorf("F1: MapErr without an error returned %v", err)
		}
		equal(t, "Tabulate", par.Tabulate(len(words), func(i int) string { return up[i] }, on), up)
		equal(t, "FlatMap", par.FlatMap(words, func(w string) []string { return strings.Split(w, "") }, on), slices.Clip(flat))
	})
}

func TestFilter(t *testing.T) {
	onLengths(t, func(t *testing.T, words []string, on par.Option) {
		for name, keep := range map[string]func(string) bool{
			"some": func(w string) bool { return len(w)%3 == 0 }, "all": func(string) bool { return true }, "none": func(string) bool { return false },
		} {
			var yes, no, up []string
			for _, w := range words {
				if keep(w) {
					yes, up = append(yes, w), append(up, strings.ToUpper(w))
				} else {
					no = append(no, w)
				}
			}
			equal(t, "Filter that keeps "+name, par.Filter(words, keep, on), yes)
			tried, err := par.FilterErr(background, words, func(_ context.Context, w string) (bool, error) { return keep(w), nil }, on)
			equal(t, "FilterErr that keeps "+name, tried, yes)
			if err != nil {
				t.Errorf("F1: FilterErr without an error returned %v", err)
			}
			a, b := par.Partition(words, keep, on)
			equal(t, "Partition by "+name, a, yes)
			equal(t, "Partition by others than "+name, b, no)
			mapped := par.FilterMap(words, func(w string) (string, bool) { return strings.ToUpper(w), keep(w) }, on)
			equal(t, "FilterMap that keeps "+name, slices.Clip(mapped), up)
		}
	})
}

func TestScans(t *testing.T) {
	type affine struct{ a, b uint32 } // x → ax + b
	op := func(f, g affine) affine { return affine{f.a * g.a, f.b*g.a + g.b} }
	onLengths(t, func(t *testing.T, words []string, on par.Option) {
		s, want, before := make([]affine, len(words)), make([]affine, len(words)), make([]affine, len(words))
		all := affine{3, 4}
		for i, w := range words {
			s[i] = affine{uint32(i)*2 + 1, uint32(len(w))}
			if want[i] = s[i]; i > 0 {
				want[i] = op(want[i-1], s[i])
			}
			before[i] = all
			all = op(all, s[i])
		}
		equal(t, "Scan", par.Scan(s, op, on), want)
		into := make([]affine, len(s))
		par.ScanInto(into, s, op, on)
		equal(t, "ScanInto", into, want)
		excl, sum := par.ScanExclusive(s, affine{3, 4}, op, on)
		equal(t, "ScanExclusive", excl, before)
		if sum != all {
			t.Errorf("F1: ScanExclusive of %d elements returned %v, want %v", len(s), sum, all)
		}
		par.ScanInto(s, s, op, on)
		equal(t, "ScanInto the same memory", s, want)
	})
}

func TestFolds(t *testing.T) {
	join := func(a, b string) string { return a + b }
	onLengths(t, func(t *testing.T, words []string, on par.Option) {
		n, all, long := len(words), strings.Join(words, ""), func(w string) bool { return len(w) > 3 }
		builder := par.Fold(words, func() []byte { return nil },
			func(b []byte, w string) []byte { return append(b, w...) },
			func(a, b []byte) []byte { return append(a, b...) }, on)
		reduced, ok := par.Reduce(words, join, on)
		slowly, _ := par.Reduce(words, func(a, b string) string {
			if len(a)%64 == 0 {
				spin(10 * time.Microsecond)
			}
			return a + b
		}, on)
		count := 0
		for _, w := range words {
			if long(w) {
				count++
			}
		}
		results := map[string][2]any{
			"Fold":               {string(builder), all},
			"FoldRange":          {par.FoldRange(n, func(lo, hi int) string { return strings.Join(words[lo:hi], "") }, join, on), all},
			"Reduce":             {reduced, all},
			"Reduce that spins":  {slowly, all},
			"Reduce of anything": {ok, n > 0},
			"IndexFunc":          {par.IndexFunc(words, long, on), slices.IndexFunc(words, long)},
			"ContainsFunc":       {par.ContainsFunc(words, long, on), slices.ContainsFunc(words, long)},
			"AllFunc":            {par.AllFunc(words, func(w string) bool { return !long(w) }, on), !slices.ContainsFunc(words, long)},
			"CountFunc":          {par.CountFunc(words, long, on), count},
		}
		if n > 0 {
			byLength := func(a, b string) int { return cmp.Compare(len(a), len(b)) }
			results["Min"] = [2]any{par.Min(words, on), slices.Min(words)}
			results["Max"] = [2]any{par.Max(words, on), slices.Max(words)}
			results["MinFunc"] = [2]any{par.MinFunc(words, byLength, on), slices.MinFunc(words, byLength)}
			results["MaxFunc"] = [2]any{par.MaxFunc(words, byLength, on), slices.MaxFunc(words, byLength)}
		}
		for what, got := range results {
			if got[0] != got[1] {
				t.Errorf("F1: %s of %d words is not what a loop gives", what, n)
			}
		}
	})
}

// The same bits on any number of workers, and of processors.
func TestSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	plus := func(a, b float64) float64 { return a + b }
	for _, n := range []int{1, 1000, 100_000, 300_000} {
		s := make([]float64, n)
		for i := range s {
			s[i] = r.NormFloat64() * float64(int64(1)<<r.IntN(40))
		}
		all := func(p *pool.Pool) map[string]float64 {
			reduced, _ := par.Reduce(s, plus, par.On(p))
			_, scanned := par.ScanExclusive(s, 0.1, plus, par.On(p))
			sums := map[string]float64{
				"Sum": par.Sum(s, par.On(p)), "Reduce": reduced, "Scan": scanned,
				"Fold": par.Fold(s, func() float64 { return 0.1 }, plus, plus, par.On(p)),
				"FoldRange": par.FoldRange(n, func(lo, hi int) (sum float64) {
					for _, x := range s[lo:hi] {
						sum += x
					}
					return sum
				}, plus, par.On(p)),
			}
			for k, sum := range par.FoldBy(s, func(x float64) int { return int(math.Abs(x)) % 3 }, func() float64 { return 0.1 }, plus, plus, par.On(p)) {
				sums[fmt.Sprint("FoldBy of key ", k)] = sum
			}
			return sums
		}
		want := all(closedPool(t))
		check := func(where string, p *pool.Pool) {
			for name, got := range all(p) {
				if got != want[name] {
					t.Errorf("F1: %s of %d floats %s is %v, and %v on a closed pool", name, n, where, got, want[name])
				}
			}
		}
		for _, workers := range []int{1, 2, 3, 64} {
			p := newPool(t, pool.WithWorkers(workers))
			for range 5 {
				check(fmt.Sprintf("on %d workers", workers), p)
			}
		}
		if runtime.GOARCH == "wasm" { // it has one processor
			continue
		}
		p := newPool(t, pool.WithWorkers(2))
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
		for _, procs := range []int{1, 3, 7} {
			runtime.GOMAXPROCS(procs)
			check(fmt.Sprintf("on %d processors", procs), p)
		}
	}
}

// What package slices says of zeros and NaNs.
func TestLeastFloats(t *testing.T) {
	nan, zero := math.NaN(), math.Copysign(0, -1)
	s := make([]float64, 20_000)
	s[10_000] = zero
	if m := par.Min(s); !math.Signbit(m) {
		t.Errorf("F1: Min of zeros with a negative one is %v", m)
	}
	s[15_000] = nan
	if lo, hi := par.Min(s), par.Max(s); lo == lo || hi == hi {
		t.Errorf("F1: Min and Max with a NaN are %v and %v", lo, hi)
	}
}

// If this fails, the place of an element in the range that has it counts wrongly. How long
// ranges are depends on the clock, but not all of these elements are the first of theirs.
func TestIndexOfEach(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	s := indices(1000)
	for _, want := range s {
		if got := par.IndexFunc(s, func(x int) bool { return x == want }, par.On(p)); got != want {
			t.Fatalf("F1: IndexFunc returned %d for the element at %d", got, want)
		}
	}
}

// An index that is found ends the call, however many are left.
func TestFindsEnd(t *testing.T) {
	type nothing struct{}
	var looks atomic.Int64
	if at := par.IndexFunc(make([]nothing, math.MaxInt), func(nothing) bool { return looks.Add(1) >= 5 }); at < 0 {
		t.Errorf("F2: IndexFunc of math.MaxInt elements, all of which are it after four looks, returned %d", at)
	}
}

// What is nil stays so, and what is empty too, as in package slices.
func TestNil(t *testing.T) {
	for _, s := range [][]int{nil, {}} {
		for c := range having(list, 0) {
			in := newInput(s)
			in.low, in.high = s, s
			if c.call(in); len(in.result) != 0 || (in.result == nil) != (s == nil) || in.others != nil && s == nil {
				t.Errorf("F1: %s of %#v is %#v, others %#v", c.name, s, in.result, in.others)
			}
		}
	}
	if par.Merge[[]int](nil, nil) != nil || par.Merge(nil, []int{}) == nil {
		t.Error("F1: the result of Merge is nil if, and only if, both are")
	}
}

// Each operation uses the pool that it was told, and no other one.
func TestOn(t *testing.T) {
	other := newPool(t, pool.WithWorkers(2))
	defer pool.SetDefault(pool.SetDefault(other))
	p := newPool(t, pool.WithWorkers(2))
	before := other.Stats()
	in := newInput(dealt(20_000))
	for _, c := range table {
		c.call(in, par.On(p))
		if after := other.Stats(); after.Borrowed != before.Borrowed || after.Seatless != before.Seatless || after.Injected != before.Injected {
			t.Fatalf("F1: %s on a pool has used the default one: %+v, before %+v", c.name, after, before)
		}
	}
}

// Nobody sees what was in the memory before.
func TestUnclearedIsWritten(t *testing.T) {
	const n = 1 << 17
	s := dealt(n)
	for i := range s {
		s[i] = s[i]<<(strconv.IntSize/2-3) | i&1 // of fewer bits none would need memory
	}
	in := newInput(s)
	p := newPool(t, pool.WithWorkers(2))
	for c := range having(0, stream) {
		with := func(soil func([]byte)) (results []any, v any) {
			defer par.Soil(soil)()
			v = caught(func() { results = in.results(c, par.On(p)) })
			return results, v
		}
		want, _ := with(func(memory []byte) { clear(memory) })
		soiled := false
		got, v := with(func(memory []byte) {
			soiled = true
			for i := range memory {
				memory[i] = 0xa5
			}
		})
		if !reflect.DeepEqual(got, want) || v != nil {
			t.Errorf("F1: %s gives something else where memory is not clear, and panics: %v", c.name, v)
		}
		if !soiled && c.holds&uncleared != 0 {
			t.Errorf("F1: %s uses no memory that is not clear, so this shows nothing", c.name)
		}
	}
}
