package good

import (
	"context"
	"iter"
	"slices"
	"sync"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

var buffers par.Scratch[[]byte]

// Loops hand on their workers, or need none; what runs here may use that of the job.
func loops(ctx context.Context, w *pool.Worker, trees []*tree) {
	par.ForWorker(len(trees), func(w *pool.Worker, i int) { sum(w, trees[i]) }, par.In(w))
	par.For(len(trees), func(i int) { use(ctx, w.Pool()) }, par.In(w))
	par.For(len(trees), func(i int) {
		pool.Run(ctx, w.Pool(), func(w *pool.Worker, t *tree) int { return sum(w, t) }, trees[i])
	})
	visit := func(w *pool.Worker, t *tree) { sum(w, t) }
	par.ForWorker(9, func(w *pool.Worker, i int) { visit(w, trees[i]) })
	buffers.Do(func(*[]byte) { sum(w, trees[0]) })
	for n, err := range par.MapSeq(ctx, func(yield func(int) bool) { yield(sum(w, nil)) }, double) {
		sum(w, trees[n])
		use(ctx, w.Pool())
		_ = err
	}
	pipe := par.NewPipe(ctx, double, func(int) error { return nil }, par.In(w))
	pipe.Push(sum(w, nil))
	mine := func() { sum(w, trees[0]) }
	mine()
	par.For(9, func(int) { _ = w })
	runs(func() { sum(w, nil) })
	slices.SortFunc(trees, func(a, b *tree) int { return sum(w, a) - sum(w, b) })
}

func double(_ context.Context, n int) (int, error) { return 2 * n, nil }

func runs(f func()) { f() }

// A sequence that is ranged over, or that uses a Run of its own.
func sequences(ctx context.Context, w *pool.Worker, p *pool.Pool, t *tree) {
	seq := func(yield func(int) bool) { yield(sum(w, t)) }
	for range seq {
	}
	next, stop := iter.Pull(func(yield func(int) bool) {
		n, _ := pool.Run(ctx, p, sum, t)
		yield(n)
	})
	defer stop()
	next()
}

// In Block a job may ask for its pool, block again, compare, and call Run.
func blocks(ctx context.Context, w *pool.Worker, t *tree, all *sync.WaitGroup) {
	w.Block(func() {
		w.Block(all.Wait)
		pool.Run(ctx, w.Pool(), sum, t)
		pool.Run(ctx, w.Pool(), func(w *pool.Worker, t *tree) int { return pool.Fork(w, sum, t).Join(w) }, t)
	})
	w.Block(func() { run(ctx, w, t) })
	w.Block(all.Wait)
	pool.BlockHere(func() { all.Wait() })
	sum(w, t)
}

// A function that only asks its worker for the pool, or hands it to Run.
func run(ctx context.Context, w *pool.Worker, t *tree) {
	if w != nil {
		use(ctx, w.Pool())
	}
	pool.Run(pool.NewContext(ctx, w), pool.Default(), sum, t)
	if t != nil {
		run(ctx, w, t.left)
	}
}

func asks(w *pool.Worker) *pool.Pool { return w.Pool() }

func asked(ctx context.Context, w *pool.Worker) {
	go func() { use(ctx, asks(w)) }()
	par.For(9, func(int) { use(ctx, asks(w)) })
}

// What a job does in a goroutine, or in a Block, it may do with its own worker.
func within(ctx context.Context, p *pool.Pool, t *tree) {
	go func() {
		pool.Run(ctx, p, func(w *pool.Worker, t *tree) int {
			each := func() { sum(w, t) }
			each()
			return 0
		}, t)
	}()
	go func() {
		w, _ := pool.FromContext(ctx)
		each := func() { sum(w, t) }
		each()
	}()
}
