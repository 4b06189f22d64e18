// Package flat has calls of package par that are loops, or that no function calls itself
// through. The analyzer must be silent.
package flat

import (
	"context"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

type node struct {
	left, right *node
	children    []*node
	all         [16]*node
	value       int
}

// Loops over children, of which there may be many.
func visit(n *node) {
	par.For(len(n.children), func(i int) { visit(n.children[i]) })
	par.Each(n.children, func(_ int, c **node) { visit(*c) })
	par.Each(n.children[:2], func(_ int, c **node) { visit(*c) })
	par.For(len(n.all), func(i int) { visit(n.all[i]) })
	par.Each(n.all[:], func(_ int, c **node) { visit(*c) })
	k := 2
	if len(n.children) > 2 {
		k = len(n.children)
	}
	par.For(k, func(i int) { visit(n.children[i]) })
	some := []*node{n.left, n.right}
	some = append(some, n.children...)
	par.Each(some, func(_ int, c **node) { visit(*c) })
	var more = []*node{n.left, n.right}
	grow(&more)
	par.Each(more, func(_ int, c **node) { visit(*c) })
}

func grow(s *[]*node) { *s = append(*s, nil, nil, nil) }

func given(some []*node, n int) {
	if some == nil {
		some, n = []*node{nil, nil}, 2
	}
	par.Each(some, func(_ int, c **node) { given((*c).children, n) })
	par.For(n, func(int) { given(nil, n) })
	pair := []*node{nil, nil}
	for _, pair = range [][]*node{nil} {
		par.Each(pair, func(_ int, c **node) { given((*c).children, n) })
	}
}

// No call comes back.
func load(n *node) (a, b int) {
	par.Do([]func(){
		func() { a = n.left.value },
		func() { b = size(n.right) },
	})
	par.For(2, func(int) { size(n) })
	return a, b
}

func size(n *node) int {
	if n == nil {
		return 0
	}
	return size(n.left) + size(n.right) + 1
}

// It calls itself, but not through the loop.
func retry(n int) {
	par.Do([]func(){func() { load(nil) }, func() {}})
	if n > 0 {
		retry(n - 1)
	}
	par.For(1, func(int) { retry(n) })
	par.For(5, func(int) { retry(n) })
	par.Do([]func(){func() { retry(n) }})
	par.Do(nil)
}

// The functions only have the name, or call another one of the same name.
type loader struct{ next *other }

type other struct{}

func (*other) load() {}

func (l *loader) load() {
	par.Do([]func(){l.next.load, func() { l.next.load() }})
	load := func(int) {}
	par.For(2, load)
}

// Any Closer may be another type.
type closer interface{ Close() }

type both struct{ a, b closer }

func (b *both) Close() { par.Do([]func(){b.a.Close, func() { b.b.Close() }}) }

// What is kept is not called here.
var later []func()

func (l *loader) keep() {
	par.For(2, func(int) { later = append(later, l.keep) })
}

// Elements that wait.
func fetch(ctx context.Context, n *node) error {
	return par.DoErr(ctx, []func(context.Context) error{
		func(ctx context.Context) error { return fetch(ctx, n.left) },
		func(ctx context.Context) error { return fetch(ctx, n.right) },
	}, par.WithLimit(2))
}

// This is how it is done.
func sum(w *pool.Worker, n *node) int {
	if n == nil {
		return 0
	}
	left, right := pool.Invoke(w, sum, n.left, sum, n.right)
	return left + n.value + right
}

// Another package's functions, and a method with the name of one.
func For(n int, f func(int)) {
	for i := range n {
		f(i)
	}
}

func mine(n int) { For(2, func(int) { mine(n - 1) }) }

var buffers par.Scratch[[]byte]

func filter(n int) { buffers.Do(func(*[]byte) { filter(n - 1) }) }

// Functions that hand on what they are given: one in the other, which is no recursion, and for
// elements that wait.
func pair(a, b func()) { par.Do([]func(){a, b}) }

func four() { pair(func() { pair(func() {}, func() {}) }, func() { pair(func() {}, func() {}) }) }

func waiting(a, b func()) { par.Do([]func(){a, b}, par.WithLimit(2)) }

func fetchBoth(n *node) { waiting(func() { fetchBoth(n.left) }, func() { fetchBoth(n.right) }) }

func many(f func(i int)) { par.For(100, f) }

func deep(n int) { many(func(int) { deep(n - 1) }) }

func beside(a, b func()) {
	par.Do([]func(){func() { load(nil) }, func() {}})
	a()
	b()
}

func plain(n *node) { beside(func() { plain(n.left) }, func() { plain(n.right) }) }
