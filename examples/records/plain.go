package main

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// decodedPlain is decoded with goroutines: as many as there are processors, each of which
// takes the next lines, some at a time. The error is the first in time.
func decodedPlain(ctx context.Context, lines [][]byte) ([]order, error) {
	const some = 16
	orders := make([]order, len(lines))
	group, inner := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() (err error) {
			for inner.Err() == nil {
				last := int(next.Add(some))
				for i := last - some; i < min(last, len(lines)); i++ {
					if orders[i], err = decode(lines[i], i); err != nil {
						return err
					}
				}
				if last >= len(lines) {
					return nil
				}
			}
			return context.Cause(inner)
		})
	}
	return orders, group.Wait()
}
