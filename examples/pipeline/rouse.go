package main

import (
	"context"

	"github.com/rouse-go/rouse/pool"
)

// sumOnPool walks on the caller's goroutine, which also writes: it waits for the oldest
// file of the window when that is full.
func sumOnPool(ctx context.Context, p *pool.Pool, j *job) error {
	ctx, cancel := context.WithCancel(ctx)
	var window []*pool.Handle[sum]
	defer func() {
		cancel()
		for _, h := range window {
			h.Wait(context.Background()) // Nothing goes on when this function returns.
		}
	}()
	writeOldest := func() error {
		s, err := window[0].Wait(ctx)
		if err != nil {
			return err
		}
		window = window[1:]
		return j.write(s)
	}
	err := j.walk(func(path string) error {
		h, err := pool.SubmitContext(ctx, p, func(ctx context.Context, _ *pool.Worker) (sum, error) { return j.sum(ctx, path) })
		if err != nil {
			return err
		}
		if window = append(window, h); len(window) < j.window {
			return nil
		}
		return writeOldest()
	})
	for err == nil && len(window) > 0 {
		err = writeOldest()
	}
	return err
}
