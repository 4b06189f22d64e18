package main

import (
	"context"
	"go/types"

	"github.com/rouse-go/rouse/pool"
)

// build builds a target and its deps on a pool with the given number of workers.
func build(ctx context.Context, root *target, workers int) error {
	p, err := pool.New(pool.WithWorkers(workers))
	if err != nil {
		return err
	}
	defer p.Close()
	_, err = pool.RunErr(ctx, p, need, root)
	return err
}

// need returns the compiled package of t. The first job that asks compiles it, and stays inside
// the once while it waits for the deps. The pool allows that: it runs no job on top of this
// one that might need the same once.
func need(ctx context.Context, w *pool.Worker, t *target) (*types.Package, error) {
	t.once.Do(func() {
		t.err = w.Group(ctx, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			for _, dep := range t.deps {
				g.Spawn(w, func(ctx context.Context, w *pool.Worker) error {
					_, err := need(ctx, w, dep)
					return err
				})
			}
			return nil
		})
		if t.err == nil {
			t.types, t.err = t.compile(ctx)
		} else if ctx.Err() != nil {
			t.err = context.Cause(ctx) // the error that canceled ctx, not context.Canceled
		}
	})
	return t.types, t.err
}
