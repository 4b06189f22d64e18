package bad

import (
	"context"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// The body of a loop has a worker of its own.
func loops(ctx context.Context, w *pool.Worker, trees []*tree) error {
	f := pool.Fork(w, sum, trees[0])
	par.ForWorker(len(trees), func(_ *pool.Worker, i int) { sum(w, trees[i]) }) // want `w is a worker from outside this function`
	par.ForWorker(1, func(w *pool.Worker, _ int) {
		f.Join(w) // want `the fork f is joined in another job`
	})
	return par.ForWorkerErr(ctx, len(trees), func(_ context.Context, own *pool.Worker, i int) error {
		sum(w, trees[i]) // want `use its parameter own`
		return nil
	})
}
