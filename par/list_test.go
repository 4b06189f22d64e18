package par_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// lengths are around every boundary of ranges and blocks.
var lengths = []int{0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097, 8191, 8192, 8193, 16_383, 16_384, 70_000}

// onLengths runs f on pools of several sizes with words of several lengths.
func onLengths(t *testing.T, f func(t *testing.T, p *pool.Pool, words []string)) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, n := range lengths {
			words := make([]string, n)
			for i := range words {
				words[i] = strings.Repeat(string(rune('a'+i*7919%26)), i*31%5)
			}
			f(t, p, words)
		}
	})
}

func TestMaps(t *testing.T) {
	onLengths(t, func(t *testing.T, p *pool.Pool, words []string) {
		up, flat := make([]string, len(words)), []string{}
		for i, w := range words {
			up[i] = strings.ToUpper(w)
			flat = append(flat, strings.Split(w, "")...)
		}
		on := par.On(p)
		equal(t, "Map", par.Map(words, strings.ToUpper, on), up)
		into := slices.Clone(words)
		par.MapInto(into, into, strings.ToUpper, on)
		equal(t, "MapInto", into, up)
		tried, err := par.MapErr(background, words, func(_ context.Context, w string) (string, error) { return strings.ToUpper(w), nil }, on)
		equal(t, "MapErr", tried, up)
		if err != nil {
			t.Errorf("F1: MapErr without an error returned %v", err)
		}
		equal(t, "Tabulate", par.Tabulate(len(words), func(i int) string { return up[i] }, on), up)
		got := par.FlatMap(words, func(w string) []string { return strings.Split(w, "") }, on)
		equal(t, "FlatMap", got, flat)
		if cap(got) != len(got) {
			t.Errorf("F1: FlatMap has made room for %d elements, and has %d", cap(got), len(got))
		}
	})
}

func TestScans(t *testing.T) {
	type affine struct{ a, b uint32 } // x → ax + b
	op := func(f, g affine) affine { return affine{f.a * g.a, f.b*g.a + g.b} }
	onLengths(t, func(t *testing.T, p *pool.Pool, words []string) {
		s, want := make([]affine, len(words)), make([]affine, len(words))
		all := affine{3, 4}
		before := make([]affine, len(words))
		for i, w := range words {
			s[i] = affine{uint32(i)*2 + 1, uint32(len(w))}
			if want[i] = s[i]; i > 0 {
				want[i] = op(want[i-1], s[i])
			}
			before[i] = all
			all = op(all, s[i])
		}
		on := par.On(p)
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

// If this fails, the place of an element in the range that has it counts wrongly. How long
// ranges are depends on the clock, but not all of these elements are the first of theirs.
func TestIndexOfEach(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	s := make([]int, 1000)
	for i := range s {
		s[i] = i
	}
	for _, want := range s {
		if got := par.IndexFunc(s, func(x int) bool { return x == want }, par.On(p)); got != want {
			t.Fatalf("F1: IndexFunc returned %d for the element at %d", got, want)
		}
	}
}

func TestFolds(t *testing.T) {
	onLengths(t, func(t *testing.T, p *pool.Pool, words []string) {
		on := par.On(p)
		all := strings.Join(words, "")
		builder := par.Fold(words, func() []byte { return nil },
			func(b []byte, w string) []byte { return append(b, w...) },
			func(a, b []byte) []byte { return append(a, b...) }, on)
		if string(builder) != all {
			t.Errorf("F1: Fold of %d words has %d bytes, want %d in order", len(words), len(builder), len(all))
		}
		ranged := par.FoldRange(len(words), func(lo, hi int) string { return strings.Join(words[lo:hi], "") },
			func(a, b string) string { return a + b }, on)
		if ranged != all {
			t.Errorf("F1: FoldRange of %d words has %d bytes, want %d in order", len(words), len(ranged), len(all))
		}
		byLength := func(a, b string) int { return cmp.Compare(len(a), len(b)) }
		long := func(w string) bool { return len(w) > 3 }
		if got, want := par.IndexFunc(words, long, on), slices.IndexFunc(words, long); got != want {
			t.Errorf("F1: IndexFunc of %d words returned %d, want %d", len(words), got, want)
		}
		if got, want := par.ContainsFunc(words, long, on), slices.ContainsFunc(words, long); got != want {
			t.Errorf("F1: ContainsFunc of %d words returned %t", len(words), got)
		}
		if got, want := par.AllFunc(words, func(w string) bool { return !long(w) }, on), !slices.ContainsFunc(words, long); got != want {
			t.Errorf("F1: AllFunc of %d words returned %t", len(words), got)
		}
		count := 0
		for _, w := range words {
			if long(w) {
				count++
			}
		}
		if got := par.CountFunc(words, long, on); got != count {
			t.Errorf("F1: CountFunc of %d words returned %d, want %d", len(words), got, count)
		}
		if len(words) == 0 {
			return
		}
		for what, got := range map[string][2]string{
			"Min":     {par.Min(words, on), slices.Min(words)},
			"Max":     {par.Max(words, on), slices.Max(words)},
			"MinFunc": {par.MinFunc(words, byLength, on), slices.MinFunc(words, byLength)},
			"MaxFunc": {par.MaxFunc(words, byLength, on), slices.MaxFunc(words, byLength)},
		} {
			if got[0] != got[1] {
				t.Errorf("F1: %s of %d words returned %q, want %q", what, len(words), got[0], got[1])
			}
		}
	})
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

// An index that is found ends the call, however many are left.
func TestFindsEnd(t *testing.T) {
	type nothing struct{}
	s := make([]nothing, math.MaxInt)
	var looks atomic.Int64
	// On a machine that stands still meanwhile, some of the five are above.
	if at := par.IndexFunc(s, func(nothing) bool { return looks.Add(1) >= 5 }); at < 0 || at > 4 {
		t.Errorf("F2: IndexFunc of math.MaxInt elements, all of which are it after four looks, returned %d", at)
	}
}

func TestErrForms(t *testing.T) {
	s := make([]int, 5000)
	onPools(t, func(t *testing.T, p *pool.Pool) {
		err := par.EachErr(background, s, func(_ context.Context, i int, x *int) error {
			if *x = i; i == 2000 || i == 4000 {
				return failure(i)
			}
			return nil
		}, par.On(p))
		if err != failure(2000) || s[1999] != 1999 {
			t.Errorf("F2: EachErr returned %v, want the error of element 2000", err)
		}
		err = par.ForRangeErr(background, 5000, func(_ context.Context, lo, hi int) error {
			for i := lo; i < hi; i++ {
				if i == 1500 || i == 4500 {
					return failure(i)
				}
			}
			return nil
		}, par.On(p))
		if err != failure(1500) {
			t.Errorf("F2: ForRangeErr returned %v, want the error of element 1500", err)
		}
		to, err := par.MapErr(background, s, func(_ context.Context, x int) (int, error) {
			if x == 1000 {
				return 1, failure(x)
			}
			return x, nil
		}, par.On(p))
		sum, err2 := par.FoldErr(background, s, func() int { return 0 }, func(_ context.Context, sum, x int) (int, error) {
			if x == 1000 || x == 3000 {
				return 1, failure(x)
			}
			return sum + x, nil
		}, func(a, b int) int { return a + b }, par.On(p))
		if sum != 0 || err2 != failure(1000) {
			t.Errorf("F2: FoldErr with an error returned %d and %v", sum, err2)
		}
		kept, err3 := par.FilterErr(background, s, func(_ context.Context, x int) (bool, error) {
			if x == 900 || x == 4100 {
				return true, failure(x)
			}
			return x%2 == 0, nil
		}, par.On(p))
		if kept != nil || err3 != failure(900) {
			t.Errorf("F2: FilterErr with an error returned %d elements and %v", len(kept), err3)
		}
		if to != nil || err != failure(1000) {
			t.Errorf("F2: MapErr with an error returned %d results and %v", len(to), err)
		}
	})
}

// An end of the context counts as an error of the first element that is left out.
func TestContextAndError(t *testing.T) {
	cause := errors.New("enough")
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for range 200 {
			ctx, cancel := context.WithCancelCause(background)
			ran := make([]bool, 20_000)
			err := par.ForErr(ctx, len(ran), func(_ context.Context, i int) error {
				ran[i] = true
				switch i {
				case 12_000:
					cancel(cause)
				case 15_000:
					return failure(i)
				}
				return nil
			}, par.On(p))
			left := slices.Index(ran, false)
			switch {
			case errors.Is(err, cause) && left >= 0 && left <= 15_000: // nothing failed below
			case err == failure(15_000) && (left < 0 || left > 15_000):
			default:
				t.Fatalf("F3: element 12,000 ends the context, 15,000 fails, %d is the first that is left out: %v", left, err)
			}
		}
	})
}

func TestDo(t *testing.T) {
	var a, b int
	par.Do([]func(){func() { a = 1 }, func() { b = 2 }})
	par.Do(nil)
	if a != 1 || b != 2 {
		t.Error("F1: Do has not called all functions")
	}
}

// The error of DoErr is that of the first function in order, and all get the context.
func TestDoErr(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(background, key{}, "value")
	onPools(t, func(t *testing.T, p *pool.Pool) {
		var ran [4]atomic.Bool
		fns := make([]func(context.Context) error, len(ran))
		for i := range fns {
			fns[i] = func(got context.Context) error {
				if got.Value(key{}) != "value" {
					t.Error("F3: a function of DoErr has another context")
				}
				if ran[i].Store(true); i == 2 || i == 3 {
					return failure(i)
				}
				return nil
			}
		}
		if err := par.DoErr(ctx, fns, par.On(p)); err != failure(2) || !ran[0].Load() || !ran[1].Load() {
			t.Errorf("F2: DoErr whose third and fourth function fail returned %v", err)
		}
		if err := par.DoErr(ctx, fns[:2], par.On(p)); err != nil {
			t.Errorf("F2: DoErr returned %v", err)
		}
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		if err := par.DoErr(ctx, fns, par.On(p)); !errors.Is(err, context.Canceled) {
			t.Errorf("F3: DoErr whose context has ended returned %v", err)
		}
	})
}

// A context that has ended leaves nothing out where there is nothing.
func TestNothingIsLeftOut(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	var none []int
	_, mapped := par.MapErr(ctx, none, tryDouble)
	_, filtered := par.FilterErr(ctx, []int{}, tryOdd)
	_, folded := par.FoldErr(ctx, none, zero, tryAdd, add)
	for what, err := range map[string]error{
		"ForErr":      par.ForErr(ctx, 0, func(context.Context, int) error { return nil }),
		"ForRangeErr": par.ForRangeErr(ctx, 0, func(context.Context, int, int) error { return nil }),
		"EachErr":     par.EachErr(ctx, none, func(context.Context, int, *int) error { return nil }),
		"DoErr":       par.DoErr(ctx, nil),
		"MapErr":      mapped, "FilterErr": filtered, "FoldErr": folded,
	} {
		if err != nil {
			t.Errorf("F3: %s of nothing returned %v", what, err)
		}
	}
}

// What is nil stays so, and what is empty too, as in package slices.
func TestNil(t *testing.T) {
	var none []int
	same := func(x int) int { return x }
	yes := func(int) bool { return true }
	add := func(a, b int) int { return a + b }
	for _, s := range [][]int{none, {}} {
		a, b := par.Partition(s, yes)
		c, _ := par.ScanExclusive(s, 0, add)
		m, err := par.MapErr(background, s, func(_ context.Context, x int) (int, error) { return x, nil })
		if err != nil {
			t.Errorf("F1: MapErr of nothing returned %v", err)
		}
		kept, err := par.FilterErr(background, s, func(context.Context, int) (bool, error) { return true, nil })
		if err != nil {
			t.Errorf("F1: FilterErr of nothing returned %v", err)
		}
		for what, got := range map[string][]int{
			"Map": par.Map(s, same), "MapErr": m, "Filter": par.Filter(s, yes), "FilterErr": kept, "Partition": a, "Partition (others)": b,
			"FilterMap": par.FilterMap(s, func(x int) (int, bool) { return x, true }),
			"FlatMap":   par.FlatMap(s, func(int) []int { return nil }), "Scan": par.Scan(s, add), "ScanExclusive": c,
		} {
			if len(got) != 0 || (got == nil) != (s == nil) {
				t.Errorf("F1: %s of %#v is %#v", what, s, got)
			}
		}
	}
}

func equal[E comparable](t *testing.T, what string, got, want []E) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("F1: %s of %d elements is not what a loop gives", what, len(want))
	}
}
