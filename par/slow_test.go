package par_test

import (
	"cmp"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// slow are the functions that take options, with functions of the user that nap. Those without
// such a function are done at once in a bubble.
var slow = map[string]func(s []int, nap func(), o ...par.Option){
	"For":      func(s []int, nap func(), o ...par.Option) { par.For(len(s), func(int) { nap() }, o...) },
	"ForRange": func(s []int, nap func(), o ...par.Option) { par.ForRange(len(s), func(lo, hi int) { nap() }, o...) },
	"Each":     func(s []int, nap func(), o ...par.Option) { par.Each(s, func(int, *int) { nap() }, o...) },
	"Do":       func(s []int, nap func(), o ...par.Option) { par.Do(slices.Repeat([]func(){nap}, len(s)), o...) },
	"DoErr": func(s []int, nap func(), o ...par.Option) {
		par.DoErr(background, slices.Repeat([]func(context.Context) error{func(context.Context) error { nap(); return nil }}, len(s)), o...)
	},
	"ForErr": func(s []int, nap func(), o ...par.Option) {
		par.ForErr(background, len(s), func(context.Context, int) error { nap(); return nil }, o...)
	},
	"ForRangeErr": func(s []int, nap func(), o ...par.Option) {
		par.ForRangeErr(background, len(s), func(context.Context, int, int) error { nap(); return nil }, o...)
	},
	"EachErr": func(s []int, nap func(), o ...par.Option) {
		par.EachErr(background, s, func(context.Context, int, *int) error { nap(); return nil }, o...)
	},
	"Map": func(s []int, nap func(), o ...par.Option) { par.Map(s, slowly(nap, double), o...) },
	"MapInto": func(s []int, nap func(), o ...par.Option) {
		par.MapInto(make([]int, len(s)), s, slowly(nap, double), o...)
	},
	"MapErr": func(s []int, nap func(), o ...par.Option) {
		par.MapErr(background, s, func(context.Context, int) (int, error) { nap(); return 0, nil }, o...)
	},
	"Tabulate": func(s []int, nap func(), o ...par.Option) { par.Tabulate(len(s), slowly(nap, double), o...) },
	"FlatMap":  func(s []int, nap func(), o ...par.Option) { par.FlatMap(s, slowly(nap, nothing), o...) },
	"Filter":   func(s []int, nap func(), o ...par.Option) { par.Filter(s, slowly(nap, odd), o...) },
	"FilterErr": func(s []int, nap func(), o ...par.Option) {
		par.FilterErr(background, s, func(context.Context, int) (bool, error) { nap(); return true, nil }, o...)
	},
	"FilterMap": func(s []int, nap func(), o ...par.Option) {
		par.FilterMap(s, func(x int) (int, bool) { nap(); return x, odd(x) }, o...)
	},
	"Partition":    func(s []int, nap func(), o ...par.Option) { par.Partition(s, slowly(nap, odd), o...) },
	"IndexFunc":    func(s []int, nap func(), o ...par.Option) { par.IndexFunc(s, slowly(nap, never), o...) },
	"ContainsFunc": func(s []int, nap func(), o ...par.Option) { par.ContainsFunc(s, slowly(nap, never), o...) },
	"AllFunc": func(s []int, nap func(), o ...par.Option) {
		par.AllFunc(s, slowly(nap, func(int) bool { return true }), o...)
	},
	"CountFunc": func(s []int, nap func(), o ...par.Option) { par.CountFunc(s, slowly(nap, odd), o...) },
	"Scan":      func(s []int, nap func(), o ...par.Option) { par.Scan(s, slowly2(nap, add), o...) },
	"ScanInto": func(s []int, nap func(), o ...par.Option) {
		par.ScanInto(make([]int, len(s)), s, slowly2(nap, add), o...)
	},
	"ScanExclusive": func(s []int, nap func(), o ...par.Option) { par.ScanExclusive(s, 7, slowly2(nap, add), o...) },
	"Reduce":        func(s []int, nap func(), o ...par.Option) { par.Reduce(s, slowly2(nap, add), o...) },
	"Fold":          func(s []int, nap func(), o ...par.Option) { par.Fold(s, zero, slowly2(nap, add), add, o...) },
	"Fold, merge":   func(s []int, nap func(), o ...par.Option) { par.Fold(s, zero, add, slowly2(nap, add), o...) },
	"Fold, start": func(s []int, nap func(), o ...par.Option) {
		par.Fold(s, func() int { nap(); return 0 }, add, add, o...)
	},
	"FoldErr": func(s []int, nap func(), o ...par.Option) {
		par.FoldErr(background, s, zero, func(_ context.Context, sum, x int) (int, error) { nap(); return sum + x, nil }, add, o...)
	},
	"FoldRange":     func(s []int, nap func(), o ...par.Option) { par.FoldRange(len(s), slowly2(nap, first), add, o...) },
	"FoldRange, op": func(s []int, nap func(), o ...par.Option) { par.FoldRange(len(s), first, slowly2(nap, add), o...) },
	"Sum":           func(s []int, nap func(), o ...par.Option) { par.Sum(s, o...) },
	"Min":           func(s []int, nap func(), o ...par.Option) { par.Min(s, o...) },
	"Max":           func(s []int, nap func(), o ...par.Option) { par.Max(s, o...) },
	"MinFunc":       func(s []int, nap func(), o ...par.Option) { par.MinFunc(s, slowly2(nap, compare), o...) },
	"MaxFunc":       func(s []int, nap func(), o ...par.Option) { par.MaxFunc(s, slowly2(nap, compare), o...) },
	"Sort":          func(s []int, nap func(), o ...par.Option) { par.Sort(s, o...) },
	"SortFunc":      func(s []int, nap func(), o ...par.Option) { par.SortFunc(s, slowly2(nap, compare), o...) },
	"SortFunc of kinds": func(s []int, nap func(), o ...par.Option) {
		par.SortFunc(s, slowly2(nap, func(a, b int) int { return cmp.Compare(a%7*5%7, b%7*5%7) }), o...)
	},
	"SortKey": func(s []int, nap func(), o ...par.Option) { par.SortKey(s, slowly(nap, bucket), o...) },
	"Merge": func(s []int, nap func(), o ...par.Option) {
		par.Merge(indices(len(s)/2), indices(len(s)-len(s)/2), o...)
	},
	"MergeFunc": func(s []int, nap func(), o ...par.Option) {
		par.MergeFunc(indices(len(s)/2), indices(len(s)-len(s)/2), slowly2(nap, compare), o...)
	},
	"IsSorted": func(s []int, nap func(), o ...par.Option) { par.IsSorted(indices(len(s)), o...) },
	"IsSortedFunc": func(s []int, nap func(), o ...par.Option) {
		par.IsSortedFunc(indices(len(s)), slowly2(nap, compare), o...)
	},
	"Nth":         func(s []int, nap func(), o ...par.Option) { par.Nth(s, len(s)/3, o...) },
	"NthFunc":     func(s []int, nap func(), o ...par.Option) { par.NthFunc(s, len(s)/3, slowly2(nap, compare), o...) },
	"TopK":        func(s []int, nap func(), o ...par.Option) { par.TopK(s, 3, o...) },
	"TopKFunc":    func(s []int, nap func(), o ...par.Option) { par.TopKFunc(s, 3, slowly2(nap, compare), o...) },
	"Compact":     func(s []int, nap func(), o ...par.Option) { par.Compact(s, o...) },
	"CompactFunc": func(s []int, nap func(), o ...par.Option) { par.CompactFunc(s, slowly2(nap, same), o...) },
	"CountInto": func(s []int, nap func(), o ...par.Option) {
		par.CountInto(make([]int, 100), s, slowly(nap, bucket), o...)
	},
	"GroupBy":     func(s []int, nap func(), o ...par.Option) { par.GroupBy(s, slowly(nap, bucket), o...) },
	"FoldBy":      func(s []int, nap func(), o ...par.Option) { par.FoldBy(s, slowly(nap, bucket), zero, add, add, o...) },
	"FoldBy, add": func(s []int, nap func(), o ...par.Option) { par.FoldBy(s, bucket, zero, slowly2(nap, add), add, o...) },
	"FoldBy, merge": func(s []int, nap func(), o ...par.Option) {
		par.FoldBy(s, bucket, zero, add, slowly2(nap, add), o...)
	},
}

func slowly[A, R any](nap func(), f func(A) R) func(A) R {
	return func(a A) R { nap(); return f(a) }
}

func slowly2[A, B, R any](nap func(), f func(A, B) R) func(A, B) R {
	return func(a A, b B) R { nap(); return f(a, b) }
}

// Progress is reported at the first end of an element, or of a call of the user's function,
// after 50 ms, whatever the function does meanwhile; it never goes back, and ends once.
func TestProgressOfSlowFunctions(t *testing.T) {
	const nap, every = 2 * time.Millisecond, 50 * time.Millisecond
	for name, call := range slow {
		for _, n := range []int{1, 2, 40, 500, 6000} {
			for _, workers := range []int{1, 2, 8} {
				inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
					s := make([]int, n)
					for i := range s {
						s[i] = i * 7919 % 9973
					}
					begun := time.Now()
					var last, longest time.Duration
					reached, ends := 0, 0
					call(s, func() { time.Sleep(nap) }, par.On(p), par.WithProgress(func(done, total int) {
						now := time.Since(begun)
						if done < reached || total != n || done < total && now-last < every {
							t.Errorf("WithProgress: %s of %d elements reports %d of %d after %d, after %v", name, n, done, total, reached, now-last)
						}
						longest, last, reached = max(longest, now-last), now, done
						if done == total {
							ends++
						}
					}))
					if longest > every+nap {
						t.Errorf("WithProgress: %s of %d elements, with a function of %v, on %d workers, is silent for %v", name, n, nap, workers, longest)
					}
					if ends != 1 || reached != n {
						t.Errorf("WithProgress: %s of %d elements on %d workers reports the end %d times, and %d at last", name, n, workers, ends, reached)
					}
				})
			}
		}
	}
}

// Each function that takes options is in the table, but for MapSeq, which need not know how
// many elements there are: see TestProgressSeldom.
func TestSlowFunctionsAreAll(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{"MapSeq": true}
	for name := range slow {
		name, _, _ = strings.Cut(name, ",")
		name, _, _ = strings.Cut(name, " ")
		has[name] = true
	}
	found := map[string]bool{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() && takesOptions(fn) {
				found[fn.Name.Name] = true
			}
		}
	}
	if !maps.Equal(has, found) {
		t.Errorf("WithProgress: the functions that take options are %v, and those of the table %v", slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(has)))
	}
}

func takesOptions(fn *ast.FuncDecl) bool {
	for _, p := range fn.Type.Params.List {
		if of, ok := p.Type.(*ast.Ellipsis); ok {
			if name, ok := of.Elt.(*ast.Ident); ok && name.Name == "Option" {
				return true
			}
		}
	}
	return false
}
