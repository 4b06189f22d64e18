package par_test

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// reporting are the operations that report progress of n elements, all of them.
var reporting = map[string]func(s []card, o ...par.Option){
	"For":         func(s []card, o ...par.Option) { par.For(len(s), func(int) {}, o...) },
	"ForRange":    func(s []card, o ...par.Option) { par.ForRange(len(s), func(lo, hi int) {}, o...) },
	"Each":        func(s []card, o ...par.Option) { par.Each(s, func(int, *card) {}, o...) },
	"Do":          func(s []card, o ...par.Option) { par.Do(slices.Repeat([]func(){func() {}}, len(s)), o...) },
	"ForErr":      func(s []card, o ...par.Option) { par.ForErr(background, len(s), tryIndex, o...) },
	"ForRangeErr": func(s []card, o ...par.Option) { par.ForRangeErr(background, len(s), tryRange, o...) },
	"EachErr":     func(s []card, o ...par.Option) { par.EachErr(background, s, tryEach, o...) },
	"Map":         func(s []card, o ...par.Option) { par.Map(s, card.number, o...) },
	"MapInto":     func(s []card, o ...par.Option) { par.MapInto(make([]int, len(s)), s, card.number, o...) },
	"MapErr":      func(s []card, o ...par.Option) { par.MapErr(background, s, tryCard, o...) },
	"Tabulate":    func(s []card, o ...par.Option) { par.Tabulate(len(s), func(i int) int { return i }, o...) },
	"Filter":      func(s []card, o ...par.Option) { par.Filter(s, card.odd, o...) },
	"Partition":   func(s []card, o ...par.Option) { par.Partition(s, card.odd, o...) },
	"FilterMap": func(s []card, o ...par.Option) {
		par.FilterMap(s, func(c card) (int, bool) { return 0, c.odd() }, o...)
	},
	"FlatMap":      func(s []card, o ...par.Option) { par.FlatMap(s, func(c card) []card { return nil }, o...) },
	"Scan":         func(s []card, o ...par.Option) { par.Scan(s, larger, o...) },
	"ScanInto":     func(s []card, o ...par.Option) { par.ScanInto(slices.Clone(s), s, larger, o...) },
	"Exclusive":    func(s []card, o ...par.Option) { par.ScanExclusive(s, card{}, larger, o...) },
	"Reduce":       func(s []card, o ...par.Option) { par.Reduce(s, larger, o...) },
	"Fold":         func(s []card, o ...par.Option) { par.Fold(s, zero, addCard, add, o...) },
	"FoldErr":      func(s []card, o ...par.Option) { par.FoldErr(background, s, zero, tryAddCard, add, o...) },
	"FoldRange":    func(s []card, o ...par.Option) { par.FoldRange(len(s), first, add, o...) },
	"Sum":          func(s []card, o ...par.Option) { par.Sum(numbersOf(s), o...) },
	"Min":          func(s []card, o ...par.Option) { par.Min(numbersOf(s), o...) },
	"Max":          func(s []card, o ...par.Option) { par.Max(numbersOf(s), o...) },
	"MinFunc":      func(s []card, o ...par.Option) { par.MinFunc(s, byValue, o...) },
	"MaxFunc":      func(s []card, o ...par.Option) { par.MaxFunc(s, byValue, o...) },
	"CountFunc":    func(s []card, o ...par.Option) { par.CountFunc(s, card.odd, o...) },
	"IndexFunc":    func(s []card, o ...par.Option) { par.IndexFunc(s, func(card) bool { return false }, o...) },
	"ContainsFunc": func(s []card, o ...par.Option) { par.ContainsFunc(s, func(card) bool { return false }, o...) },
	"AllFunc":      func(s []card, o ...par.Option) { par.AllFunc(s, func(card) bool { return true }, o...) },
	"Sort":         func(s []card, o ...par.Option) { par.Sort(numbersOf(s), o...) },
	"SortFunc":     func(s []card, o ...par.Option) { par.SortFunc(s, byValue, o...) },
	"SortFunc by no field": func(s []card, o ...par.Option) {
		par.SortFunc(s, byMixed, o...)
	},
	// The field is refuted in the last block.
	"SortFunc by a wrong field": func(s []card, o ...par.Option) {
		wrong := func(c card) int {
			if c.value == len(s)-2 {
				return -1
			}
			return c.value
		}
		par.SortFunc(s, func(a, b card) int { return cmp.Compare(wrong(a), wrong(b)) }, o...)
	},
	"SortKey": func(s []card, o ...par.Option) { par.SortKey(s, card.number, o...) },
	"SortKey of large": func(s []card, o ...par.Option) {
		large := make([]bigCard, len(s))
		for i, c := range s {
			large[i].card = c
		}
		par.SortKey(large, func(c bigCard) int { return c.value }, o...)
	},
	"Merge": func(s []card, o ...par.Option) {
		half := slices.Clone(numbersOf(s))
		slices.Sort(half)
		par.Merge(half[:len(half)/2], half[len(half)/2:], o...)
	},
	"MergeFunc": func(s []card, o ...par.Option) { par.MergeFunc(s[:len(s)/3], s[len(s)/3:], byValue, o...) },
	"IsSorted":  func(s []card, o ...par.Option) { par.IsSorted(make([]int, len(s)), o...) },
	"IsSortedFunc": func(s []card, o ...par.Option) {
		par.IsSortedFunc(s, func(a, b card) int { return 0 }, o...)
	},
	"Nth":         func(s []card, o ...par.Option) { par.Nth(numbersOf(s), len(s)/2, o...) },
	"NthFunc":     func(s []card, o ...par.Option) { par.NthFunc(s, len(s)/2, byValue, o...) },
	"TopK":        func(s []card, o ...par.Option) { par.TopK(numbersOf(s), 10, o...) },
	"TopKFunc":    func(s []card, o ...par.Option) { par.TopKFunc(s, len(s)/4, byValue, o...) },
	"Compact":     func(s []card, o ...par.Option) { par.Compact(s, o...) },
	"CompactFunc": func(s []card, o ...par.Option) { par.CompactFunc(s, func(a, b card) bool { return false }, o...) },
	"CountInto":   func(s []card, o ...par.Option) { par.CountInto(make([]int, len(s)), s, card.number, o...) },
	"GroupBy":     func(s []card, o ...par.Option) { par.GroupBy(s, card.odd, o...) },
	"FoldBy":      func(s []card, o ...par.Option) { par.FoldBy(s, card.odd, zero, addCard, add, o...) },
}

func (c card) number() int                                       { return c.value }
func (c card) odd() bool                                         { return c.value%2 == 1 }
func larger(a, b card) card                                      { return card{max(a.value, b.value), 0} }
func addCard(sum int, c card) int                                { return sum + c.value }
func tryIndex(context.Context, int) error                        { return nil }
func tryRange(context.Context, int, int) error                   { return nil }
func tryEach(context.Context, int, *card) error                  { return nil }
func tryCard(_ context.Context, c card) (int, error)             { return c.value, nil }
func tryAddCard(_ context.Context, sum int, c card) (int, error) { return sum + c.value, nil }

func numbersOf(s []card) []int {
	to := make([]int, len(s))
	for i, c := range s {
		to[i] = c.value
	}
	return to
}

// Progress never goes back, never passes the end, and comes to the end once, with the last
// report.
func TestProgressAscends(t *testing.T) {
	defer par.ReportAlways()()
	const n = 60_000
	p := newPool(t, pool.WithWorkers(2))
	closed, _ := pool.New()
	closed.Close()
	for where, p := range map[string]*pool.Pool{"two workers": p, "a closed pool": closed} {
		t.Run(where, func(t *testing.T) {
			for name, call := range reporting {
				var reports, last, ends int
				call(cardsOf(dealt(n)), par.On(p), par.WithProgress(func(done, total int) {
					if reports++; done < last || done < 0 || done > total || total != n {
						t.Errorf("WithProgress: %s of %d elements on %s reports %d of %d after %d", name, n, where, done, total, last)
					}
					if last = done; done == total {
						ends++
					}
				}))
				if last != n || ends != 1 {
					t.Errorf("WithProgress: %s of %d elements on %s reports the end %d times, and at last %d", name, n, where, ends, last)
				}
				if reports < 3 && strings.HasPrefix(name, "Sort") {
					t.Errorf("WithProgress: %s of %d elements on %s reports %d times", name, n, where, reports)
				}
			}
		})
	}
}

// What is reported as done is done, and what the caller has done alone counts.
func TestProgressIsExact(t *testing.T) {
	defer par.ReportAlways()()
	closed, _ := pool.New()
	closed.Close()
	calls, reports := 0, 0
	par.For(200, func(int) { calls++; spin(2 * time.Microsecond) }, par.On(closed), par.WithProgress(func(done, _ int) {
		if reports++; done != calls {
			t.Errorf("WithProgress: For has called its body %d times, and reports %d", calls, done)
		}
	}))
	if reports < 2 {
		t.Errorf("WithProgress: For of 200 elements of 2 µs, with reports as often as it looks, reports %d times", reports)
	}
}

// There are at least 50 ms from one report to the next, but for the last one.
func TestProgressSeldom(t *testing.T) {
	for _, workers := range []int{1, 3} {
		synctest.Test(t, func(t *testing.T) {
			p := newPool(t, pool.WithWorkers(workers))
			begun := time.Now()
			var reports []time.Duration
			watch := par.WithProgress(func(done, total int) {
				if done < total {
					reports = append(reports, time.Since(begun))
				}
			})
			check := func(what string) {
				for i := 1; i < len(reports); i++ {
					if between := reports[i] - reports[i-1]; between < 50*time.Millisecond {
						t.Fatalf("WithProgress: %s reports after %v and after %v", what, reports[i-1], reports[i])
					}
				}
				if len(reports) < 3 {
					t.Errorf("WithProgress: %s reports at %v and at the end", what, reports)
				}
				reports = nil
			}
			par.For(200, func(int) { time.Sleep(7 * time.Millisecond) }, par.On(p), watch)
			check("For")
			for range par.MapSeq(background, (&upTo{n: 200}).each, func(context.Context, int) (int, error) {
				time.Sleep(7 * time.Millisecond)
				return 0, nil
			}, par.On(p), par.WithProgress(func(done, total int) {
				if total < 0 {
					reports = append(reports, time.Since(begun))
				}
			})) {
			}
			check("MapSeq")
		})
	}
}

// The same bits on any number of processors, on the same pool.
func TestSameBitsOnProcessors(t *testing.T) {
	const n = 300_000
	if runtime.GOARCH == "wasm" {
		t.Skip("it has one processor")
	}
	p := newPool(t, pool.WithWorkers(2))
	s := make([]float64, n)
	for i, x := range dealt(n) {
		s[i] = float64(x) * float64(int64(1)<<(i%40))
	}
	plus := func(a, b float64) float64 { return a + b }
	all := func() map[string]float64 {
		reduced, _ := par.Reduce(s, plus, par.On(p))
		_, scanned := par.ScanExclusive(s, 0.1, plus, par.On(p))
		return map[string]float64{
			"Sum": par.Sum(s, par.On(p)), "Reduce": reduced, "Scan": scanned,
			"Fold": par.Fold(s, func() float64 { return 0.1 }, plus, plus, par.On(p)),
			"FoldRange": par.FoldRange(n, func(lo, hi int) (sum float64) {
				for _, x := range s[lo:hi] {
					sum += x
				}
				return sum
			}, plus, par.On(p)),
			"FoldBy": par.FoldBy(s, func(float64) int { return 0 }, func() float64 { return 0.1 }, plus, plus, par.On(p))[0],
		}
	}
	want := all()
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	for _, procs := range []int{1, 3, 7} {
		runtime.GOMAXPROCS(procs)
		for name, got := range all() {
			if got != want[name] {
				t.Errorf("F1: %s of %d floats is %v on %d processors, and was %v", name, n, got, procs, want[name])
			}
		}
	}
}

// TopKFunc asks about each element once, and about few again, also if all are equal.
func TestTopKComparisons(t *testing.T) {
	const n, k = 100_000, 20
	p := newPool(t, pool.WithWorkers(2))
	for name, values := range map[string][]int{"equal": make([]int, n), "dealt": dealt(n)} {
		var calls atomic.Int64
		par.TopKFunc(cardsOf(values), k, func(a, b card) int { calls.Add(1); return byValue(a, b) }, par.On(p))
		if got := calls.Load(); got > n*3/2 {
			t.Errorf("TopKFunc: %d of %d elements, which are %s, compares %d times", k, n, name, got)
		}
	}
}
