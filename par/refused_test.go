package par_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/par"
)

// Whoever leaves out a function, or a context, is told of which function of this package,
// before anything runs. The source says which there are.
func TestRefusesNil(t *testing.T) {
	refused := map[string]bool{}
	check := func(function, parameter string, call func()) {
		what := "function"
		if parameter == "ctx" {
			what = "context"
		}
		refused[function+"."+parameter] = true
		said := strings.NewReplacer("(*", "", "[T])", "").Replace(function)
		if v := fmt.Sprint(caught(call)); !strings.HasPrefix(v, "par: "+said+" with a nil "+what) {
			t.Errorf("F8: without its %s, %s panics with %q", parameter, function, v)
		}
	}
	wanted := map[string][]string{}
	for name, fn := range declared(t) {
		for _, p := range fn.Type.Params.List {
			if isFunction(p.Type) {
				for _, id := range p.Names {
					wanted[name] = append(wanted[name], id.Name)
				}
			}
		}
	}
	single := []int{1}
	for _, c := range table {
		in := newInput(single)
		if in.ctx = nil; c.holds&tries != 0 {
			check(c.function(), "ctx", func() { c.call(in) })
		}
		none := &input{ctx: background, s: single, to: single, seq: in.seq, fns: []func(){nil}, tries: []func(context.Context) error{nil}}
		_, parameter, ok := strings.Cut(c.name, ".")
		if !ok {
			others := slices.DeleteFunc(slices.Clone(wanted[c.function()]), func(p string) bool { return p == "ctx" || p == "in" || p == "sink" })
			parameter = strings.Join(others, ",")
		}
		if c.holds&plain == 0 {
			check(c.function(), parameter, func() { c.call(none) })
		}
	}
	check("MapSeq", "in", func() { par.MapSeq(background, nil, doubled) })
	check("NewPipe", "sink", func() { par.NewPipe[int, int](background, doubled, nil) })
	check("WithProgress", "report", func() { par.WithProgress(nil) })
	check("(*Scratch[T]).Do", "f", func() { new(par.Scratch[int]).Do(nil) })
	for name, parameters := range wanted {
		for _, p := range parameters {
			if !refused[name+"."+p] {
				t.Errorf("F8: what %s does without its %s is not tested", name, p)
			}
		}
	}
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
	few := "at least 1 element must be under way"
	narrow := "a window has room for 1 element or more"
	single := []int{1}
	for what, f := range map[string]func(){
		"For over -1 elements":                    func() { par.For(-1, runs) },
		"ForRange over -5 elements":               func() { par.ForRange(-5, func(lo, _ int) { runs(lo) }) },
		"Tabulate over -1 elements":               func() { par.Tabulate(-1, double) },
		"FoldRange over -1 elements":              func() { par.FoldRange(-1, add, add) },
		"TopK of -1 elements":                     func() { par.TopK(single, -1) },
		"Nth of index 1 of 1 elements":            func() { par.Nth(single, 1) },
		"Nth of index -1 of 1 elements":           func() { par.Nth(single, -1) },
		"Min of no elements":                      func() { par.Min(single[:0]) },
		"MapInto of 1 elements into 0":            func() { par.MapInto(nil, single, double) },
		"ScanInto of 1 elements into 0":           func() { par.ScanInto(nil, single, add) },
		"On with a nil pool: use":                 func() { par.On(nil) },
		"In with a nil worker: pass":              func() { par.In(nil) },
		"a nil option: leave":                     func() { par.Map([]int(nil), double, nil) },
		"WithLimit of 0: " + few:                  func() { par.WithLimit(0) },
		"WithLimit of -1: " + few:                 func() { par.WithLimit(-1) },
		"WithWindow of 0: " + narrow:              func() { par.WithWindow(0) },
		fmt.Sprint("WithWindow of ", math.MinInt): func() { par.WithWindow(math.MinInt) },
	} {
		if v, _ := caught(f).(string); !strings.HasPrefix(v, "par: "+what) {
			t.Errorf("F8: panic %q, want one that says %q", v, what)
		}
	}
	for _, c := range table {
		v := caught(func() { c.over(10, runs, par.WithLimit(1), nil) })
		if v != "par: a nil option: leave it out" {
			t.Errorf("F8: with a nil option, %s panics with %q", c.name, v)
		}
	}
}
