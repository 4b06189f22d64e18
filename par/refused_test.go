package par_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/par"
)

// Functions that are called with nothing.
type (
	compares = func(a, b int) int
	tryOf    = func(context.Context, int) (int, error)
)

var (
	single   = []int{1}
	source   = iter.Seq[int](slices.Values(single))
	nought   = func() int { return 0 }
	addition = func(a, b int) int { return a + b }
	itself   = func(x int) int { return x }
	adds     = func(_ context.Context, a, b int) (int, error) { return a + b, nil }
	passing  = func(_ context.Context, x int) (int, error) { return x, nil }
)

// missing are calls that lack a function, or a context, by the function of this package and
// the parameter.
var missing = map[string]func(){
	"For.body":            func() { par.For(0, nil) },
	"ForRange.body":       func() { par.ForRange(0, nil) },
	"ForErr.body":         func() { par.ForErr(background, 0, nil) },
	"ForErr.ctx":          func() { par.ForErr(none, 0, func(context.Context, int) error { return nil }) },
	"ForRangeErr.body":    func() { par.ForRangeErr(background, 0, nil) },
	"ForRangeErr.ctx":     func() { par.ForRangeErr(none, 0, func(_ context.Context, _, _ int) error { return nil }) },
	"Each.body":           func() { par.Each(single, nil) },
	"EachErr.body":        func() { par.EachErr(background, single, nil) },
	"EachErr.ctx":         func() { par.EachErr(none, single, func(context.Context, int, *int) error { return nil }) },
	"Do.fns":              func() { par.Do([]func(){func() {}, nil}) },
	"DoErr.fns":           func() { par.DoErr(background, []func(context.Context) error{nil}) },
	"DoErr.ctx":           func() { par.DoErr(none, nil) },
	"Map.f":               func() { par.Map[[]int, int, int](nil, nil) },
	"MapInto.f":           func() { par.MapInto[int, int](nil, nil, nil) },
	"MapErr.f":            func() { par.MapErr(background, single, tryOf(nil)) },
	"MapErr.ctx":          func() { par.MapErr(none, single, passing) },
	"FlatMap.f":           func() { par.FlatMap[[]int, int, int](nil, nil) },
	"Tabulate.f":          func() { par.Tabulate[int](0, nil) },
	"Filter.keep":         func() { par.Filter[[]int](nil, nil) },
	"FilterErr.keep":      func() { par.FilterErr[[]int](background, nil, nil) },
	"FilterErr.ctx":       func() { par.FilterErr(none, single, func(context.Context, int) (bool, error) { return true, nil }) },
	"Partition.first":     func() { par.Partition[[]int](nil, nil) },
	"FilterMap.f":         func() { par.FilterMap[[]int, int, int](nil, nil) },
	"IndexFunc.ok":        func() { par.IndexFunc[[]int](nil, nil) },
	"ContainsFunc.ok":     func() { par.ContainsFunc[[]int](nil, nil) },
	"AllFunc.ok":          func() { par.AllFunc[[]int](nil, nil) },
	"CountFunc.ok":        func() { par.CountFunc[[]int](nil, nil) },
	"FoldRange.leaf":      func() { par.FoldRange(0, nil, addition) },
	"FoldRange.op":        func() { par.FoldRange(0, addition, nil) },
	"Fold.start":          func() { par.Fold(single, nil, addition, addition) },
	"Fold.add":            func() { par.Fold(single, nought, nil, addition) },
	"Fold.merge":          func() { par.Fold(single, nought, addition, nil) },
	"FoldErr.start":       func() { par.FoldErr(background, single, nil, adds, addition) },
	"FoldErr.add":         func() { par.FoldErr(background, single, nought, nil, addition) },
	"FoldErr.merge":       func() { par.FoldErr(background, single, nought, adds, nil) },
	"FoldErr.ctx":         func() { par.FoldErr(none, single, nought, adds, addition) },
	"Reduce.op":           func() { par.Reduce[[]int](nil, nil) },
	"MinFunc.cmp":         func() { par.MinFunc[[]int](nil, nil) },
	"MaxFunc.cmp":         func() { par.MaxFunc[[]int](nil, nil) },
	"Scan.op":             func() { par.Scan[[]int](nil, nil) },
	"ScanInto.op":         func() { par.ScanInto[int](nil, nil, nil) },
	"ScanExclusive.op":    func() { par.ScanExclusive[[]int](nil, 0, nil) },
	"SortFunc.cmp":        func() { par.SortFunc[[]int](nil, nil) },
	"SortKey.key":         func() { par.SortKey[[]int, int, int](nil, nil) },
	"IsSortedFunc.cmp":    func() { par.IsSortedFunc[[]int](nil, nil) },
	"CompactFunc.eq":      func() { par.CompactFunc[[]int](nil, nil) },
	"MergeFunc.cmp":       func() { par.MergeFunc[[]int](nil, nil, nil) },
	"NthFunc.cmp":         func() { par.NthFunc(single, 0, compares(nil)) },
	"TopKFunc.cmp":        func() { par.TopKFunc[[]int](nil, 0, nil) },
	"CountInto.bucket":    func() { par.CountInto[[]int](nil, nil, nil) },
	"GroupBy.key":         func() { par.GroupBy[[]int, int, int](nil, nil) },
	"FoldBy.key":          func() { par.FoldBy[[]int, int, int](single, nil, nought, addition, addition) },
	"FoldBy.start":        func() { par.FoldBy(single, itself, nil, addition, addition) },
	"FoldBy.add":          func() { par.FoldBy(single, itself, nought, nil, addition) },
	"FoldBy.merge":        func() { par.FoldBy(single, itself, nought, addition, nil) },
	"MapSeq.in":           func() { par.MapSeq(background, nil, passing) },
	"MapSeq.f":            func() { par.MapSeq(background, source, tryOf(nil)) },
	"MapSeq.ctx":          func() { par.MapSeq(none, source, passing) },
	"WithProgress.report": func() { par.WithProgress(nil) },
	"(*Scratch[T]).Do.f":  func() { new(par.Scratch[int]).Do(nil) },
}

// none is no context at all.
var none context.Context

// Whoever leaves out a function, or a context, is told of which function of this package,
// before anything runs. The source says which there are.
func TestRefusesNil(t *testing.T) {
	for at, call := range missing {
		function, parameter := at[:strings.LastIndex(at, ".")], at[strings.LastIndex(at, ".")+1:]
		what := "function"
		if parameter == "ctx" {
			what = "context"
		}
		function = strings.NewReplacer("(*", "", "[T])", "").Replace(function)
		if v := fmt.Sprint(caught(call)); !strings.HasPrefix(v, "par: "+function+" with a nil "+what) {
			t.Errorf("F8: without its %s, %s panics with %q", parameter, function, v)
		}
	}
	wanted := parameters(t)
	if len(wanted) < 50 {
		t.Fatalf("F8: of package par, only the parameters %v were found", slices.Sorted(maps.Keys(wanted)))
	}
	for at := range wanted {
		if missing[at] == nil {
			t.Errorf("F8: what %s does without its parameter is not tested: add a call to missing", at)
		}
	}
	for at := range missing {
		if !wanted[at] {
			t.Errorf("F8: package par has no parameter %s", at)
		}
	}
}

// parameters returns the parameters of exported functions that are functions or contexts.
func parameters(t *testing.T) map[string]bool {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, file := range files {
		if name := file.Name(); !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				receiver := types.ExprString(fn.Recv.List[0].Type)
				if !ast.IsExported(strings.TrimPrefix(receiver, "*")) {
					continue
				}
				name = "(" + receiver + ")." + name
			}
			for _, p := range fn.Type.Params.List {
				if isFunction(p.Type) {
					for _, id := range p.Names {
						all[name+"."+id.Name] = true
					}
				}
			}
		}
	}
	return all
}

// isFunction reports whether a type is a function, several of them, a sequence or a context.
func isFunction(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.FuncType:
		return true
	case *ast.ArrayType:
		return isFunction(t.Elt)
	}
	s := types.ExprString(t)
	return s == "context.Context" || strings.HasPrefix(s, "iter.Seq")
}

// Whatever else is wrong is refused, too, before anything runs.
func TestRefused(t *testing.T) {
	runs := func(int) { t.Error("F8: an element runs of a call that is refused") }
	negative := "at least 1 element must be under way"
	narrow := "a window has room for 1 element or more"
	for what, f := range map[string]func(){
		"For over -1 elements":                    func() { par.For(-1, runs) },
		"ForRange over -5 elements":               func() { par.ForRange(-5, func(lo, _ int) { runs(lo) }) },
		"Tabulate over -1 elements":               func() { par.Tabulate(-1, itself) },
		"FoldRange over -1 elements":              func() { par.FoldRange(-1, addition, addition) },
		"TopK of -1 elements":                     func() { par.TopK(single, -1) },
		"Nth of index 1 of 1 elements":            func() { par.Nth(single, 1) },
		"Nth of index -1 of 1 elements":           func() { par.Nth(single, -1) },
		"Min of no elements":                      func() { par.Min(single[:0]) },
		"MapInto of 1 elements into 0":            func() { par.MapInto(nil, single, itself) },
		"ScanInto of 1 elements into 0":           func() { par.ScanInto(nil, single, addition) },
		"On with a nil pool: use":                 func() { par.On(nil) },
		"In with a nil worker: pass":              func() { par.In(nil) },
		"a nil option: leave it out":              func() { par.For(1, runs, nil) },
		"a nil option: leave it":                  func() { par.MapSeq(background, source, passing, par.WithWindow(1), nil) },
		"WithLimit of 0: " + negative:             func() { par.WithLimit(0) },
		"WithLimit of -1: " + negative:            func() { par.WithLimit(-1) },
		"WithWindow of 0: " + narrow:              func() { par.WithWindow(0) },
		fmt.Sprint("WithWindow of ", math.MinInt): func() { par.WithWindow(math.MinInt) },
	} {
		if v, _ := caught(f).(string); !strings.HasPrefix(v, "par: "+what) {
			t.Errorf("F8: panic %q, want one that says %q", v, what)
		}
	}
}
