package main

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/rouse-go/rouse/examples/internal/program"
)

// sumPlain walks on one goroutine, writes on another, and reads on as many as there are
// processors. Each file has a channel for its sum. These are in order.
func sumPlain(ctx context.Context, j *job) error {
	type task struct {
		path string
		sum  chan sum
	}
	g, ctx := errgroup.WithContext(ctx)
	tasks := make(chan task)
	window := make(chan chan sum, j.window-1) // The writer has one more.
	g.Go(func() error {
		defer close(tasks)
		defer close(window)
		return program.Walk(j.files, func(path string) error {
			t := task{path, make(chan sum, 1)}
			select {
			case window <- t.sum:
			case <-ctx.Done():
				return ctx.Err()
			}
			select {
			case tasks <- t:
			case <-ctx.Done():
				return ctx.Err()
			}
			return nil
		})
	})
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error {
			for t := range tasks {
				s, err := j.sum(ctx, t.path)
				if err != nil {
					return err
				}
				t.sum <- s
			}
			return nil
		})
	}
	g.Go(func() error {
		for c := range window {
			select {
			case s := <-c:
				if err := j.write(s); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return g.Wait()
}
