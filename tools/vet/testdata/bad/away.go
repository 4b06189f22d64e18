package bad

import (
	"context"
	"iter"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Functions of loops and streams, which have no worker of their own.
func elements(ctx context.Context, w *pool.Worker, trees []*tree) {
	par.For(len(trees), func(i int) { sum(w, trees[i]) })                                    // want `w is a worker from outside this function, which par.For may have called on another worker: use par.ForWorker, which hands it one of its own`
	par.For(len(trees), func(i int) { par.Sum([]int{i}, par.In(w)) })                        // want `which par.For may have called on another worker`
	par.Each(trees, func(_ int, t **tree) { pool.Fork(w, sum, *t).Join(w) })                 // want `which par.Each may`
	par.Map(trees, func(t *tree) int { return sum(w, t) })                                   // want `which par.Map may`
	par.Do([]func(){func() { sum(w, trees[0]) }, func() {}})                                 // want `which par.Do may`
	par.SortFunc(trees, func(a, b *tree) int { return sum(w, a) - sum(w, b) })               // want `which par.SortFunc may`
	par.FoldRange(9, func(lo, hi int) int { return sum(w, trees[lo]) }, func(a, b int) int { // want `which par.FoldRange may`
		w.Scope(func(*pool.Worker, *pool.Scope) {}) // want `which par.FoldRange may`
		return a + b
	})
	par.For(9, func(int) {}, par.WithProgress(func(done, total int) { sum(w, nil) })) // want `which par.WithProgress may`
	par.ForErr(ctx, 9, func(ctx context.Context, i int) error {
		return w.Group(ctx, func(context.Context, *pool.Worker, *pool.Group) error { return nil }) // want `which par.ForErr may`
	})
	for range par.MapSeq(ctx, slices.Values(trees), func(_ context.Context, t *tree) (int, error) {
		return sum(w, t), nil // want `which par.MapSeq may`
	}) {
	}
	par.NewPipe(ctx, func(_ context.Context, t *tree) (int, error) { return sum(w, t), nil }, func(int) error { // want `which par.NewPipe may`
		sum(w, nil) // want `which par.NewPipe may`
		return nil
	})
	f := pool.Fork(w, sum, trees[0])
	par.For(1, func(int) { f.Join(nil) }) // want `the fork f is joined in another job`
}

// By way of variables, other literals, and functions of the package.
func byWay(w *pool.Worker, t *tree) {
	visit := func() { sum(w, t) } // want `which par.For may`
	par.For(9, func(i int) { visit() })
	body := func(i int) { sum(w, t) } // want `which par.For may`
	par.For(9, body)
	var fns []func()
	for range 9 {
		fns = append(fns, func() { sum(w, t) }) // want `which par.Do may`
	}
	par.Do(fns)
	each(func(i int) { sum(w, t) })                 // want `which par.For may`
	each2(func(i int) { sum(w, t) })                // want `which par.For may`
	all(func() { sum(w, t) }, func() { sum(w, t) }) // want `which par.Do may` `which par.Do may`
	par.For(9, t.visitor(w))
	each3(func(i int) { sum(w, t) }) // want `which par.For may`
	start(func() { sum(w, t) })      // want `the worker w is used on another goroutine`
	later := func() { sum(w, t) }    // want `the worker w is used on another goroutine`
	go later()
	go run(func() { sum(w, t) }) // want `the worker w is used on another goroutine`
}

func each(f func(int))  { par.For(9, f) }
func each2(f func(int)) { each(func(i int) { f(i) }) }
func each3(f func(int)) {
	body := func(i int) { f(i) }
	par.For(9, body)
}

func all(fns ...func()) { par.Do(fns) }
func start(f func())    { go func() { f() }() }
func run(f func())      { f() }
func (t *tree) visitor(w *pool.Worker) func(int) {
	return func(int) { sum(w, t) } // want `which par.For may`
}

// A sequence that is pulled runs on a goroutine of its own.
func pulled(w *pool.Worker, t *tree) {
	next, stop := iter.Pull(func(yield func(int) bool) { yield(sum(w, t)) }) // want `the worker w is used on another goroutine`
	defer stop()
	next()
	next2, stop2 := iter.Pull2(func(yield func(int, int) bool) { yield(0, sum(w, t)) }) // want `another goroutine`
	defer stop2()
	next2()
	iter.Pull(t.all(w))
	seq := iter.Seq[int](func(yield func(int) bool) { yield(sum(w, t)) }) // want `another goroutine`
	iter.Pull(seq)
}

func (t *tree) all(w *pool.Worker) iter.Seq[int] {
	return func(yield func(int) bool) { yield(sum(w, t)) } // want `another goroutine`
}

func live(ctx context.Context, w *pool.Worker, t *tree) {
	for range par.MapSeq(ctx, func(yield func(int) bool) { yield(sum(w, t)) }, twice, par.WithLiveSource()) { // want `another goroutine`
	}
}

func twice(_ context.Context, n int) (int, error) { return 2 * n, nil }

// In Block the job has no worker.
func blocked(ctx context.Context, w *pool.Worker, t *tree) {
	w.Block(func() { sum(w, t) })                                          // want `the worker w is used in Block, where its job must not fork, join or spawn: do that before or after, or call pool.Run there`
	w.Block(func() { pool.Fork(w, sum, t).Join(w) })                       // want `the worker w is used in Block`
	pool.BlockHere(func() { w.Scope(func(*pool.Worker, *pool.Scope) {}) }) // want `the worker w is used in Block`
	read := func() { sum(w, t) }                                           // want `the worker w is used in Block`
	w.Block(read)
	f := pool.Fork(w, sum, t)
	w.Block(func() { f.Join(w) })  // want `the worker w is used in Block`
	waits(w, func() { sum(w, t) }) // want `the worker w is used in Block`
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		w.Block(func() { s.Spawn(w, func(*pool.Worker) {}) }) // want `the worker w is used in Block`
	})
	w.Block(func() { w.Block(func() { sum(w, t) }) }) // want `the worker w is used in Block`
}

func hands(ctx context.Context, w *pool.Worker, t *tree) {
	w.Block(func() { sumTwice(w, t) }) // want `the worker w is used in Block`
	go func() { carry(ctx, w) }()      // want `another goroutine`
}

func sumTwice(w *pool.Worker, t *tree) { _, _ = sum(w, t), sum(w, t) }

func carry(ctx context.Context, w *pool.Worker) { pool.NewContext(ctx, w) }

func waits(w *pool.Worker, f func()) { w.Block(f) }

func parallel(b *testing.B, w *pool.Worker, t *tree) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			sum(w, t) // want `another goroutine`
		}
	})
}
