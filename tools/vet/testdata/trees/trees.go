// Package trees has calls of package par where a fork is meant.
package trees

import (
	"context"

	loops "github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

type tree struct {
	left, right *tree
	quarters    [4]*tree
	value       int
}

func sum(t *tree) int {
	if t == nil {
		return 0
	}
	var l, r int
	loops.Do([]func(){ // want `the 2 elements of par.Do call the function around it again: that costs tens of microseconds at each node of the tree, so use pool.Invoke there, and pool.Run at the root`
		func() { l = sum(t.left) },
		func() { r = sum(t.right) },
	})
	return l + t.value + r
}

func check(ctx context.Context, t *tree) error {
	return loops.DoErr(ctx, []func(context.Context) error{ // want `the 3 elements of par.DoErr`
		func(ctx context.Context) error { return check(ctx, t.left) },
		func(ctx context.Context) error { return check(ctx, t.right) },
		func(context.Context) error { return nil },
	})
}

const both = 2

// By indices, and one of them only goes on.
func count(t *tree, p *pool.Pool) {
	loops.For(both, func(i int) { // want `the 2 elements of par.For`
		if i == 0 && t.left != nil {
			count(t.left, p)
		}
	}, loops.On(p))
}

func visit(ctx context.Context, t *tree) error {
	return loops.ForErr(ctx, 2, func(ctx context.Context, i int) error { // want `the 2 elements of par.ForErr`
		return visit(ctx, [...]*tree{t.left, t.right}[i])
	})
}

// Slices and arrays of a length that one sees.
func (t *tree) paint() {
	loops.Each(t.quarters[:], func(_ int, x **tree) { (*x).paint() })                           // want `the 4 elements of par.Each`
	loops.Each([]*tree{t.left, t.right}, func(_ int, x **tree) { (*x).paint() })                // want `the 2 elements of par.Each`
	loops.For(len(t.quarters), func(i int) { t.quarters[i].paint() })                           // want `the 4 elements of par.For`
	loops.Map([]*tree{t.left, t.right}, func(t *tree) int { t.paint(); return 0 })              // want `the 2 elements of par.Map`
	loops.Tabulate(3, func(i int) int { t.quarters[i].paint(); return i })                      // want `the 3 elements of par.Tabulate`
	loops.ForRange(2, func(lo, hi int) { t.quarters[lo].paint() })                              // want `the 2 elements of par.ForRange`
	loops.MapInto(make([]int, 2), []*tree{t, t}, func(t *tree) int { return t.at() })           // want `the 2 elements of par.MapInto`
	loops.AllFunc[[]*tree, *tree]([]*tree{t, t}, func(t *tree) bool { t.paint(); return true }) // want `the 2 elements of par.AllFunc`
}

func (t *tree) at() int { t.paint(); return t.value }

// What is handed over is the method itself, or has a name.
func (t *tree) named() {
	loops.Do([]func(){t.left.named, t.right.named}) // want `the 2 elements of par.Do`
	fns := []func(){t.left.named, (t.right.named)}
	loops.Do(fns) // want `the 2 elements of par.Do`
	body := func(i int) { t.quarters[i].named() }
	loops.For(4, body) // want `the 4 elements of par.For`
}

// Mutual recursion, through several functions.
func even(n int) {
	if n > 0 {
		loops.For(2, func(int) { odd(n - 1) }) // want `the 2 elements of par.For`
	}
}

func odd(n int) { hand(func() { next(n - 1) }) }

func next(n int) { func() { even(n) }() }

func hand(f func()) { f() }

// A literal with a name that calls itself.
func walk(t *tree) {
	var down func(*tree)
	down = func(t *tree) {
		if t == nil {
			return
		}
		loops.Do([]func(){ // want `the 2 elements of par.Do`
			func() { down(t.left) },
			func() { down(t.right) },
		})
	}
	down(t)
}

var global func(int)

func init() {
	global = func(n int) {
		loops.For(2, func(int) { global(n - 1) }) // want `the 2 elements of par.For`
	}
}

// Generic functions and methods.
type list[E any] struct{ a, b *list[E] }

func (l *list[E]) each(f func(E)) {
	loops.Do([]func(){ // want `the 2 elements of par.Do`
		func() { l.a.each(f) },
		func() { l.b.each(f) },
	})
}

func (l *list[E]) deep() {
	loops.Do([]func(){(&list[int]{}).deep, func() {}}) // want `the 2 elements of par.Do`
}

func sort[E any](s []E, cmp func(a, b E) int) {
	mid := len(s) / 2
	loops.Do([]func(){ // want `the 2 elements of par.Do`
		func() { sort(s[:mid], cmp) },
		func() { sort[E](s[mid:], cmp) },
	})
}

// The inner call, in a literal of the outer one, comes back to the function around both. So
// does what another call is handed.
func nested(n int) {
	loops.For(100, func(int) {
		loops.For(2, func(int) { nested(n - 1) }) // want `the 2 elements of par.For`
	})
}

func through(i int) {
	loops.Do([]func(){func() { loops.For(100, through) }, func() {}}) // want `the 2 elements of par.Do`
}

func job(w *pool.Worker, n int) int {
	loops.For(2, func(int) { pool.Run(context.Background(), w.Pool(), job, n-1) }) // want `the 2 elements of par.For`
	return n
}

// Through a function that hands on what it is given.
func pair(a, b func()) { loops.Do([]func(){a, b}) }

func total(t *tree) int {
	var l, r int
	pair(func() { l = total(t.left) }, func() { r = total(t.right) }) // want `the 2 elements of par.Do in pair call the function around it again`
	return l + r
}

func halves(f func(i int)) { loops.For(2, func(i int) { f(i) }) }

func (t *tree) grow() {
	halves(func(i int) { t.quarters[i].grow() }) // want `the 2 elements of par.For in halves`
}

func worked(_ *pool.Worker, t *tree) {
	loops.ForWorker(4, func(w *pool.Worker, i int) { worked(w, t.quarters[i]) }) // want `the 4 elements of par.ForWorker`
}
