// Package trees has calls of package par where a fork is meant, and others where it is not. The comments that
// begin with "want" say what is reported; nothing else is.
package trees

import (
	"context"

	loops "github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

type tree struct {
	left, right *tree
	quarters    [4]*tree
	all         [16]*tree
	children    []*tree
}

func sum(t *tree) (l, r int) {
	loops.Do([]func(){ // want `the 2 elements of par.Do call the function around it again: that costs tens of microseconds at each node of the tree, so use pool.Invoke there, and pool.Run at the root`
		func() { l, _ = sum(t.left) },
		func() { r, _ = sum(t.right) },
	})
	return l, r
}

// This is how it is done.
func forked(w *pool.Worker, t *tree) int {
	left, right := pool.Invoke(w, forked, t.left, forked, t.right)
	return left + right
}

// With a context, and an option. Elements that wait are another matter.
func check(ctx context.Context, t *tree) error {
	loops.DoErr(ctx, []func(context.Context) error{ // want `the 3 elements of par.DoErr`
		func(ctx context.Context) error { return check(ctx, t.left) }, nil, nil})
	loops.DoErr(ctx, []func(context.Context) error{
		func(ctx context.Context) error { return check(ctx, t.left) }, nil, nil}, loops.WithLimit(2))
	return loops.ForErr(ctx, 2, func(ctx context.Context, i int) error { return check(ctx, t) }, loops.On(nil)) // want `the 2 elements of par.ForErr`
}

const both = 2

// Two to four elements, as far as one sees, by way of variables and methods.
func (t *tree) paint() {
	loops.Each(t.quarters[:], func(_ int, x **tree) { (*x).paint() })                           // want `the 4 elements of par.Each`
	loops.Each([]*tree{t.left, t.right}, func(_ int, x **tree) { (*x).paint() })                // want `the 2 elements of par.Each`
	loops.For(len(t.quarters), func(i int) { t.quarters[i].paint() })                           // want `the 4 elements of par.For`
	loops.MapInto(make([]bool, both), []*tree{t, t}, func(t *tree) bool { return t.painted() }) // want `the 2 elements of par.MapInto`
	loops.AllFunc[[]*tree, *tree]([]*tree{t, t}, (*tree).painted)                               // want `the 2 elements of par.AllFunc`
	fns := []func(){t.left.paint, (t.right.paint)}
	loops.Do(fns) // want `the 2 elements of par.Do`
	body := func(i int) { t.quarters[i].paint() }
	loops.For(both, body)                                       // want `the 2 elements of par.For`
	loops.ForWorker(4, func(_ *pool.Worker, i int) { body(i) }) // want `the 4 elements of par.ForWorker`
}

func (t *tree) painted() bool { t.paint(); return true }

// Others, of which there are fewer, or may be more.
func visit(t *tree, some []*tree, n int) {
	next := func(_ int, c **tree) { visit(*c, some, n) }
	loops.For(1, func(int) { visit(t, nil, 0) })
	loops.For(5, func(int) { visit(t, nil, 0) })
	loops.Each(t.all[:], next)
	loops.Each(t.quarters[1:], next)
	loops.Each(t.children[:2], next)
	k := 2
	if some == nil {
		k, some = 9, []*tree{t, t}
	}
	loops.For(k, func(int) { visit(t, nil, 0) })
	loops.Each(some, next)
	more := []*tree{t, t}
	grow(&more)
	loops.Each(more, next)
	pair := []*tree{t, t}
	for _, pair = range [][]*tree{some} {
		loops.Each(pair, next)
	}
}

func grow(s *[]*tree) { *s = append(*s, nil, nil, nil) }

// Mutual recursion, through several functions.
func even(n int) {
	loops.For(2, func(int) { odd(n - 1) }) // want `the 2 elements of par.For`
}

func odd(n int)     { hand(func() { next(n - 1) }) }
func next(n int)    { func() { even(n) }() }
func hand(f func()) { f() }

// A literal with a name that calls itself.
func walk(t *tree) {
	var down func(*tree)
	down = func(t *tree) {
		loops.Do([]func(){func() { down(t.left) }, func() { down(t.right) }}) // want `the 2 elements of par.Do`
	}
	down(t)
}

// Generic functions and methods.
type list[E any] struct{ a, b *list[E] }

func (l *list[E]) deep() {
	loops.Do([]func(){(&list[int]{}).deep, func() {}}) // want `the 2 elements of par.Do`
}

func sort[K, E any](s []E, cmp func(a, b E) K) {
	loops.Do([]func(){func() { sort[K, E](s, cmp) }, func() {}}) // want `the 2 elements of par.Do`
}

// The inner call, in a literal of the outer one, comes back to the function around both. So does what another
// call is handed.
func job(w *pool.Worker, n int) int {
	again := func(int) { job(w, n-1) }
	loops.For(100, func(int) {
		loops.For(2, again) // want `the 2 elements of par.For`
	})
	loops.Do([]func(){func() { loops.For(100, again) }, func() {}})                // want `the 2 elements of par.Do`
	loops.For(2, func(int) { pool.Run(context.Background(), w.Pool(), job, n-1) }) // want `the 2 elements of par.For`
	return n
}

// Through a function that hands on what it is given; and one that does something else with it.
func pair(a, b func())     { loops.Do([]func(){a, b}) }
func halves(f func(i int)) { loops.For(2, func(i int) { f(i) }) }
func beside(f func())      { loops.Do([]func(){func() {}, func() {}}); f() }
func waiting(a, b func())  { loops.Do([]func(){a, b}, loops.WithLimit(2)) }

func handed(t *tree) {
	pair(func() { handed(t.left) }, func() { handed(t.right) }) // want `the 2 elements of par.Do in pair call the function around it again`
	halves(func(i int) { handed(t.quarters[i]) })               // want `the 2 elements of par.For in halves`
	beside(func() { handed(t.left) })
	waiting(func() { handed(t.left) }, func() { handed(t.right) })
}

// No call comes back, or another function of the name does; and any Closer may be another type.
func retry(t *tree) {
	loops.For(2, func(int) { size(t) })
	retry(t.left)
}

func size(t *tree) { size(t.left) }

type closer interface{ Close() }

type closers struct{ a, b closer }

func (c *closers) Close() { loops.Do([]func(){c.a.Close, func() { c.b.Close() }}) }

// What is kept is not called here.
var later []func()

func keep() { loops.For(2, func(int) { later = append(later, keep) }) }

// Another package's functions, and a method with the name of one.
func For(n int, f func(int)) { f(n) }

func mine(n int) { For(2, func(int) { mine(n - 1) }) }
