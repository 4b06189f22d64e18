package workers

import (
	"context"
	"iter"
	"slices"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

var buffers par.Scratch[[]byte]

// A loop or a stream may call its functions on another worker.
func loops(ctx context.Context, w *pool.Worker, trees []*tree) {
	par.For(9, func(i int) { sum(w, trees[i]) })                                                                              // want `w is a worker from outside this function, which par.For may have called on another worker: use par.ForWorker, which hands it one of its own`
	par.For(9, func(i int) { par.Sum([]int{i}, par.In(w)) })                                                                  // want `which par.For may`
	par.For(9, func(int) {}, par.WithProgress(func(done, total int) { sum(w, nil) }))                                         // want `which par.WithProgress may`
	par.SortFunc(trees, func(a, b *tree) int { return sum(w, a) - sum(w, b) })                                                // want `which par.SortFunc may`
	par.NewPipe(ctx, func(_ context.Context, t *tree) (int, error) { return sum(w, t), nil }, func(int) error { return nil }) // want `which par.NewPipe may`
	for range par.MapSeq(ctx, slices.Values(trees), func(_ context.Context, t *tree) (int, error) {
		return sum(w, t), nil // want `which par.MapSeq may`
	}) {
	}
	par.ForWorker(9, func(_ *pool.Worker, i int) { sum(w, trees[i]) }) // want `w is a worker from outside`
	f := pool.Fork(w, sum, trees[0])
	par.For(1, func(int) { f.Join(nil) })                       // want `the fork f is joined in another job`
	par.ForWorker(1, func(w *pool.Worker, _ int) { f.Join(w) }) // want `the fork f is joined in another job`

	visit := func(w *pool.Worker, t *tree) { sum(w, t) }
	par.ForWorker(9, func(w *pool.Worker, i int) { visit(w, trees[i]) }, par.In(w))
	par.For(9, func(i int) { pool.Run(ctx, w.Pool(), sum, trees[i]) }, par.In(w))
	buffers.Do(func(*[]byte) { sum(w, trees[0]) })
	slices.SortFunc(trees, func(a, b *tree) int { return sum(w, a) - sum(w, b) })
}

// By way of variables, other literals, and functions of the package.
func byWay(w *pool.Worker, t *tree) {
	visit := func() { sum(w, t) } // want `which par.For may`
	par.For(9, func(i int) { visit() })
	body := func(i int) { sum(w, t) } // want `which par.For may`
	par.For(9, body)
	var fns []func()
	fns = append(fns, func() { sum(w, t) }) // want `which par.Do may`
	par.Do(fns)
	all(func() { sum(w, t) }, func() { sum(w, t) }) // want `which par.Do may` `which par.Do may`
	each(func(i int) { sum(w, t) })                 // want `which par.For may`
	par.For(9, t.visitor(w))
	run(func() { sum(w, t) })
}

func all(fns ...func()) { par.Do(fns) }

func each(f func(int)) {
	body := func(i int) { f(i) }
	par.For(9, body)
}

func (t *tree) visitor(w *pool.Worker) func(int) {
	return func(int) { sum(w, t) } // want `which par.For may`
}

func twice(_ context.Context, n int) (int, error) { return 2 * n, nil }

// A sequence that is pulled runs on a goroutine of its own, one that is ranged over on this one.
func sequences(ctx context.Context, w *pool.Worker, t *tree) {
	iter.Pull(func(yield func(int) bool) { yield(sum(w, t)) })                // want `another goroutine`
	iter.Pull2(func(yield func(int, int) bool) { yield(0, sum(w, t)) })       // want `another goroutine`
	iter.Pull(iter.Seq[int](func(yield func(int) bool) { yield(sum(w, t)) })) // want `another goroutine`
	seq := func(yield func(int) bool) { yield(sum(w, t)) }
	for range seq {
	}
	for range par.MapSeq(ctx, func(yield func(int) bool) { yield(sum(w, t)) }, twice) {
		sum(w, t)
	}
	for range par.MapSeq(ctx, func(yield func(int) bool) { yield(sum(w, t)) }, twice, par.WithLiveSource()) { // want `another goroutine`
	}
}
