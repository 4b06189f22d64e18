package main

import (
	"context"
	"io/fs"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// sumOnPool walks on the caller's goroutine, which also writes. Between two files of the
// walk, what the workers have read meanwhile is written.
func sumOnPool(ctx context.Context, p *pool.Pool, j *job) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var walked error
	paths := func(yield func(string) bool) {
		walked = j.walk(func(path string) error {
			if !yield(path) {
				return fs.SkipAll
			}
			return nil
		})
	}
	for s, err := range par.MapSeq(ctx, paths, j.sum, par.On(p), par.WithWindow(j.window)) {
		if err == nil {
			err = j.write(s)
		}
		if err != nil {
			cancel() // The loop ends when those files have that are being read.
			return err
		}
	}
	return walked
}
