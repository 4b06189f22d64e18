package main

import (
	"context"
	"io/fs"

	"github.com/rouse-go/rouse/examples/internal/program"
	"github.com/rouse-go/rouse/par"
)

// sumAll walks and writes on the caller's goroutine: between two files of the walk, it writes
// what has been read meanwhile.
func sumAll(ctx context.Context, j *job) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var walked error
	paths := func(yield func(string) bool) {
		walked = program.Walk(j.files, func(path string) error {
			if !yield(path) {
				return fs.SkipAll
			}
			return nil
		})
	}
	for s, err := range par.MapSeq(ctx, paths, j.sum, par.WithWindow(j.window)) {
		if err == nil {
			err = j.write(s)
		}
		if err != nil {
			cancel() // The loop ends when no file is being read any more.
			return err
		}
	}
	return walked
}
