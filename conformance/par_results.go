package conformance

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
	"pgregory.net/rapid"
)

// A parOperation is one of package par beside what a loop would do. Both get the same
// elements, and the first one a function to call for each element, which takes its time.
type parOperation struct {
	name string
	par  func(s []int, work func(int), on par.Option) any
	loop func(s []int) any
}

// affine is x → ax+b. To put such functions one after the other is associative, and not
// commutative.
type affine struct{ a, b uint32 }

func affineOf(x int) affine { return affine{uint32(x)*2 + 1, uint32(x)} }

func (f affine) then(g affine) affine { return affine{f.a * g.a, f.b*g.a + g.b} }

func affines(s []int) []affine {
	fs := make([]affine, len(s))
	for i, x := range s {
		fs[i] = affineOf(x)
	}
	return fs
}

func scanned(first affine, s []int) []affine {
	fs := []affine{first}
	for _, x := range s {
		fs = append(fs, fs[len(fs)-1].then(affineOf(x)))
	}
	return fs
}

var parOperations = []parOperation{
	{"For",
		func(s []int, work func(int), on par.Option) any {
			to := make([]int, len(s))
			par.For(len(s), func(i int) { work(i); to[i] += s[i] + 1 }, on)
			return to
		},
		func(s []int) any { return mapped(s, func(x int) int { return x + 1 }) }},
	{"ForRange",
		func(s []int, work func(int), on par.Option) any {
			to := make([]int, len(s))
			par.ForRange(len(s), func(lo, hi int) {
				for i := lo; i < hi; i++ {
					work(i)
					to[i] += s[i] + 1
				}
			}, on)
			return to
		},
		func(s []int) any { return mapped(s, func(x int) int { return x + 1 }) }},
	{"Map",
		func(s []int, work func(int), on par.Option) any {
			return par.Map(s, func(x int) string { work(x); return fmt.Sprint(x) }, on)
		},
		func(s []int) any { return mapped(s, func(x int) string { return fmt.Sprint(x) }) }},
	{"Filter",
		func(s []int, work func(int), on par.Option) any {
			return par.Filter(s, func(x int) bool { work(x); return x%3 == 0 }, on)
		},
		func(s []int) any { return kept(s, func(x int) bool { return x%3 == 0 }) }},
	{"Partition",
		func(s []int, work func(int), on par.Option) any {
			yes, no := par.Partition(s, func(x int) bool { work(x); return x%3 == 0 }, on)
			return [][]int{yes, no}
		},
		func(s []int) any {
			return [][]int{kept(s, func(x int) bool { return x%3 == 0 }), kept(s, func(x int) bool { return x%3 != 0 })}
		}},
	{"FilterMap",
		func(s []int, work func(int), on par.Option) any {
			return par.FilterMap(s, func(x int) (int, bool) { work(x); return x * x, x%3 == 0 }, on)
		},
		func(s []int) any {
			return mapped(kept(s, func(x int) bool { return x%3 == 0 }), func(x int) int { return x * x })
		}},
	{"FlatMap",
		func(s []int, work func(int), on par.Option) any {
			return par.FlatMap(s, func(x int) []int { work(x); return repeated(x) }, on)
		},
		func(s []int) any {
			to := []int{}
			for _, x := range s {
				to = append(to, repeated(x)...)
			}
			return to
		}},
	{"Reduce",
		func(s []int, work func(int), on par.Option) any {
			f, ok := par.Reduce(affines(s), func(f, g affine) affine { work(int(g.a)); return f.then(g) }, on)
			return fmt.Sprint(f, ok)
		},
		func(s []int) any {
			if len(s) == 0 {
				return fmt.Sprint(affine{}, false)
			}
			return fmt.Sprint(last(scanned(affineOf(s[0]), s[1:])), true)
		}},
	{"Fold",
		func(s []int, work func(int), on par.Option) any {
			return par.Fold(s, func() affine { return affine{1, 0} },
				func(f affine, x int) affine { work(x); return f.then(affineOf(x)) }, affine.then, on)
		},
		func(s []int) any { return last(scanned(affine{1, 0}, s)) }},
	{"Scan",
		func(s []int, work func(int), on par.Option) any {
			return par.Scan(affines(s), func(f, g affine) affine { work(int(g.a)); return f.then(g) }, on)
		},
		func(s []int) any {
			if len(s) == 0 {
				return []affine{}
			}
			return scanned(affineOf(s[0]), s[1:])
		}},
	{"ScanExclusive",
		func(s []int, work func(int), on par.Option) any {
			fs, f := par.ScanExclusive(affines(s), affine{3, 5}, func(f, g affine) affine { work(int(g.a)); return f.then(g) }, on)
			return append(fs, f)
		},
		func(s []int) any { return scanned(affine{3, 5}, s) }},
	{"IndexFunc",
		func(s []int, work func(int), on par.Option) any {
			return par.IndexFunc(s, func(x int) bool { work(x); return x > 950 }, on)
		},
		func(s []int) any { return slices.IndexFunc(s, func(x int) bool { return x > 950 }) }},
	{"CountFunc",
		func(s []int, work func(int), on par.Option) any {
			return par.CountFunc(s, func(x int) bool { work(x); return x%3 == 0 }, on)
		},
		func(s []int) any { return len(kept(s, func(x int) bool { return x%3 == 0 })) }},
	{"MinFunc",
		func(s []int, work func(int), on par.Option) any {
			if len(s) == 0 {
				return [2]int{-1, -1}
			}
			at := withIndex(s)
			order := func(a, b [2]int) int { work(a[0]); return a[0]/100 - b[0]/100 } // with many ties
			return [2]int{par.MinFunc(at, order, on)[1], par.MaxFunc(at, order, on)[1]}
		},
		func(s []int) any {
			if len(s) == 0 {
				return [2]int{-1, -1}
			}
			at := withIndex(s)
			order := func(a, b [2]int) int { return a[0]/100 - b[0]/100 }
			return [2]int{slices.MinFunc(at, order)[1], slices.MaxFunc(at, order)[1]}
		}},
	{"Sort",
		func(s []int, _ func(int), on par.Option) any {
			s = slices.Clone(s)
			par.Sort(s, on)
			return s
		},
		func(s []int) any { s = slices.Clone(s); slices.Sort(s); return s }},
	{"SortFunc",
		func(s []int, work func(int), on par.Option) any {
			at := withIndex(s)
			par.SortFunc(at, func(a, b [2]int) int { work(a[0]); return hundreds(a, b) }, on)
			return at
		},
		func(s []int) any { at := withIndex(s); slices.SortStableFunc(at, hundreds); return at }},
	{"SortFuncByFields",
		func(s []int, work func(int), on par.Option) any {
			at := withIndex(s)
			par.SortFunc(at, func(a, b [2]int) int { work(a[0]); return downwards(a, b) }, on)
			return at
		},
		func(s []int) any { at := withIndex(s); slices.SortStableFunc(at, downwards); return at }},
	{"SortKey",
		func(s []int, work func(int), on par.Option) any {
			at := withIndex(s)
			par.SortKey(at, func(x [2]int) int { work(x[0]); return x[0] / 100 }, on)
			return at
		},
		func(s []int) any { at := withIndex(s); slices.SortStableFunc(at, hundreds); return at }},
	{"MergeFunc",
		func(s []int, work func(int), on par.Option) any {
			at := withIndex(s)
			a, b := at[:len(at)/3], at[len(at)/3:]
			slices.SortStableFunc(a, hundreds)
			slices.SortStableFunc(b, hundreds)
			return par.MergeFunc(a, b, func(a, b [2]int) int { work(a[0]); return hundreds(a, b) }, on)
		},
		func(s []int) any { at := withIndex(s); slices.SortStableFunc(at, hundreds); return at }},
	{"NthFunc",
		func(s []int, work func(int), on par.Option) any {
			if len(s) == 0 {
				return [2]int{}
			}
			return par.NthFunc(withIndex(s), len(s)/2, func(a, b [2]int) int { work(a[0]); return hundreds(a, b) }, on)
		},
		func(s []int) any {
			if len(s) == 0 {
				return [2]int{}
			}
			at := withIndex(s)
			slices.SortStableFunc(at, hundreds)
			return at[len(s)/2]
		}},
	{"TopKFunc",
		func(s []int, work func(int), on par.Option) any {
			return par.TopKFunc(withIndex(s), 7, func(a, b [2]int) int { work(a[0]); return hundreds(a, b) }, on)
		},
		func(s []int) any {
			at := withIndex(s)
			slices.SortStableFunc(at, func(a, b [2]int) int { return hundreds(b, a) })
			return at[:min(7, len(at)):min(7, len(at))]
		}},
	{"CompactFunc",
		func(s []int, work func(int), on par.Option) any {
			return par.CompactFunc(s, func(a, b int) bool { work(a); return a/500 == b/500 }, on)
		},
		func(s []int) any {
			return slices.CompactFunc(slices.Clone(s), func(a, b int) bool { return a/500 == b/500 })
		}},
	{"GroupBy",
		func(s []int, work func(int), on par.Option) any {
			return par.GroupBy(s, func(x int) int { work(x); return x % 10 }, on)
		},
		func(s []int) any {
			groups := map[int][]int{}
			for _, x := range s {
				groups[x%10] = append(groups[x%10], x)
			}
			return groups
		}},
	{"FoldBy",
		func(s []int, work func(int), on par.Option) any {
			return par.FoldBy(s, func(x int) int { work(x); return x % 10 }, func() affine { return affine{1, 0} },
				func(f affine, x int) affine { return f.then(affineOf(x)) }, affine.then, on)
		},
		func(s []int) any {
			folds := map[int]affine{}
			for _, x := range s {
				f, ok := folds[x%10]
				if !ok {
					f = affine{1, 0}
				}
				folds[x%10] = f.then(affineOf(x))
			}
			return folds
		}},
	{"CountInto",
		func(s []int, work func(int), on par.Option) any {
			counts := make([]int, 10)
			par.CountInto(counts, s, func(x int) int { work(x); return x % 10 }, on)
			return counts
		},
		func(s []int) any {
			counts := make([]int, 10)
			for _, x := range s {
				counts[x%10]++
			}
			return counts
		}},
	{"MapSeq",
		func(s []int, work func(int), on par.Option) any {
			to := []int{}
			for x, err := range par.MapSeq(background, slices.Values(s), func(_ context.Context, x int) (int, error) { work(x); return x + 1, nil }, on) {
				if err != nil {
					return err
				}
				to = append(to, x)
			}
			return to
		},
		func(s []int) any { return mapped(s, func(x int) int { return x + 1 }) }},
	{"MapSeqOfLiveSource",
		func(s []int, work func(int), on par.Option) any {
			to := []int{}
			for x, err := range par.MapSeq(background, slices.Values(s), func(_ context.Context, x int) (int, error) { work(x); return x + 1, nil }, on, par.WithLiveSource()) {
				if err != nil {
					return err
				}
				to = append(to, x)
			}
			return to
		},
		func(s []int) any { return mapped(s, func(x int) int { return x + 1 }) }},
	{"Pipe",
		func(s []int, work func(int), on par.Option) any {
			to := []int{}
			pipe := par.NewPipe(background, func(_ context.Context, x int) (int, error) { work(x); return x + 1, nil },
				func(x int) error { to = append(to, x); return nil }, on)
			for _, x := range s {
				if err := pipe.Push(x); err != nil {
					return err
				}
			}
			if err := pipe.Close(); err != nil {
				return err
			}
			return to
		},
		func(s []int) any { return mapped(s, func(x int) int { return x + 1 }) }},
}

// hundreds orders elements with many ties.
func hundreds(a, b [2]int) int { return a[0]/100 - b[0]/100 }

// downwards orders elements by the first number, and those with the same one by the second,
// the other way round.
func downwards(a, b [2]int) int { return cmp.Or(a[0]-b[0], b[1]-a[1]) }

func mapped[R any](s []int, f func(int) R) []R {
	to := make([]R, 0, len(s))
	for _, x := range s {
		to = append(to, f(x))
	}
	return to
}

func kept(s []int, keep func(int) bool) []int {
	return slices.DeleteFunc(slices.Clone(s), func(x int) bool { return !keep(x) })
}

func repeated(x int) []int { return slices.Repeat([]int{x}, x%4) }

func withIndex(s []int) [][2]int {
	to := make([][2]int, len(s))
	for i, x := range s {
		to[i] = [2]int{x, i}
	}
	return to
}

func last(s []affine) affine { return s[len(s)-1] }

// parLengths are around the boundaries of ranges and blocks.
var parLengths = []int{0, 1, 2, 3, 8, 9, 64, 65, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097, 17_000}

// drawn is a slice of numbers below 1000, of any length or one of those above.
func drawn(t *rapid.T) []int {
	n := rapid.OneOf(rapid.IntRange(0, 70), rapid.SampledFrom(parLengths)).Draw(t, "length")
	x := rapid.Uint32().Draw(t, "seed") | 1
	s := make([]int, n)
	for i := range s {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		s[i] = int(x % 1000)
	}
	return s
}

// workOf is what a function does besides: now and then, for as long as it takes that
// others are asked for help, or have come.
func workOf(t *rapid.T) (work func(int)) {
	every := rapid.SampledFrom([]int{math.MaxInt32, 1000, 100, 7}).Draw(t, "one of so many takes long")
	long := time.Duration(rapid.SampledFrom([]int{5, 50, 200}).Draw(t, "µs")) * time.Microsecond
	var calls atomic.Int64
	return func(int) {
		if n := calls.Add(1); n%int64(every) == 0 && n/20 < int64(every) {
			time.Sleep(long)
		}
	}
}

// check holds the operation against the loop.
func (o *parOperation) check(r *run, p *pool.Pool) {
	end := time.Now().Add(r.Config.Stress / 8) // there are many operations
	rapid.Check(r.TB(), func(t *rapid.T) {
		if time.Now().After(end) {
			return
		}
		s := drawn(t)
		before := slices.Clone(s)
		got, want := o.par(s, workOf(t), par.On(p)), o.loop(s)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("F1: %s of %d elements gave %s, and a loop gives %s", o.name, len(s), short(got), short(want))
		}
		if !slices.Equal(s, before) {
			t.Fatalf("F1: %s has changed its input", o.name)
		}
	})
}

func short(x any) string {
	s := fmt.Sprint(x)
	if len(s) > 200 {
		s = s[:200] + "…"
	}
	return s
}

// parBits has floats added in several ways, of which each must give the bits that it gives
// without workers.
func parBits(r *run, p *pool.Pool) {
	alone, err := pool.New(pool.WithWorkers(1))
	r.Check(err == nil, "P29", "New with one worker returned %v", err)
	alone.Close()
	s := make([]float64, 50_000)
	for i := range s {
		s[i] = r.RNG.NormFloat64() * math.Pow(2, float64(r.RNG.IntN(40)))
	}
	add := func(a, b float64) float64 { return a + b }
	r.Rounds(10, func(round int) {
		n := 1 + r.RNG.IntN(len(s))
		with := func(o par.Option) []uint64 {
			sum, _ := par.Reduce(s[:n], add, o)
			parts := par.FoldRange(n, func(lo, hi int) (sum float64) {
				if round%2 == 1 && lo%64 == 0 {
					time.Sleep(20 * time.Microsecond)
				}
				for _, x := range s[lo:hi] {
					sum += x
				}
				return sum
			}, add, o)
			scan := par.Scan(s[:n], add, o)
			return []uint64{math.Float64bits(par.Sum(s[:n], o)), math.Float64bits(sum), math.Float64bits(parts), math.Float64bits(scan[n/2]), math.Float64bits(scan[n-1])}
		}
		got, want := with(par.On(p)), with(par.On(alone))
		r.Check(slices.Equal(got, want), "F1", "Sum, Reduce, FoldRange and Scan of %d floats have the bits %x, and without workers %x", n, got, want)
	})
}
