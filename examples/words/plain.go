package main

import (
	"context"
	"io/fs"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// countedPlain is counted with goroutines: as many as there are processors, each of which
// takes the next file. The error is that of the file that fails first in time.
func countedPlain(ctx context.Context, files fs.FS, names []string) (counts, error) {
	group, ctx := errgroup.WithContext(ctx)
	parts := make([]counts, runtime.GOMAXPROCS(0))
	var next atomic.Int64
	for i := range parts {
		parts[i] = counts{}
		group.Go(func() error {
			for {
				n := int(next.Add(1)) - 1
				if n >= len(names) {
					return nil
				}
				c, err := wordsOf(ctx, files, names[n])
				if err != nil {
					return err
				}
				parts[i] = merge(parts[i], c)
			}
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all := counts{}
	for _, part := range parts {
		all = merge(all, part)
	}
	return all, nil
}
