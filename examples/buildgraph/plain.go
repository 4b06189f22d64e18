package main

import (
	"context"
	"go/types"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// buildPlain is build with goroutines, of which at most so many compile at once.
func buildPlain(ctx context.Context, root *target, workers int) error {
	b := &plainBuild{compiling: semaphore.NewWeighted(int64(workers))}
	_, err := b.need(ctx, root)
	return err
}

type plainBuild struct{ compiling *semaphore.Weighted }

// need returns what t is compiled to. The first goroutine that asks compiles it. It
// has no part of the semaphore while it waits for the deps: all others might.
func (b *plainBuild) need(ctx context.Context, t *target) (*types.Package, error) {
	t.once.Do(func() {
		g, deps := errgroup.WithContext(ctx)
		for _, dep := range t.deps {
			g.Go(func() error {
				_, err := b.need(deps, dep)
				return err
			})
		}
		t.err = g.Wait()
		if t.err == nil {
			t.err = b.compiling.Acquire(ctx, 1)
		}
		if t.err == nil {
			defer b.compiling.Release(1)
			t.types, t.err = t.compile(ctx)
		} else if ctx.Err() != nil {
			t.err = context.Cause(ctx) // the error that has ended ctx, not that it has ended
		}
	})
	return t.types, t.err
}
