package main

import (
	"context"
	"sync"
)

// unlimited does each work where it is asked for: on the goroutine that net/http starts
// for the connection. It refuses nothing.
type unlimited struct{}

func newUnlimited(limits) (engine, error) { return unlimited{}, nil }

func (unlimited) do(ctx context.Context, _ string, work work) (reply, error) {
	return work(ctx, func(n int, f func(i int)) {
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() { f(i) })
		}
		all.Wait()
	})
}

func (unlimited) shutdown(context.Context) error { return nil }
