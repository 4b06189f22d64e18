package census

import (
	"context"
	"io"
	"io/fs"
)

// Warm reads every file of a tree once, so that a census taken after it finds
// them in the system's cache, and returns how many there are, as many as a walk
// reports to [WithProgress], and how many bytes they have. It returns an error
// only if ctx ends first.
func Warm(ctx context.Context, fsys fs.FS, opts ...Option) (files int, bytes int64, err error) {
	s := newSurvey(ctx, fsys, opts)
	err = fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && d.Type().IsRegular() {
			files++
			n, _ := stream(io.Discard, fsys, path) // The census will say what is wrong with it.
			bytes += n
			s.progress()
		}
		return nil
	})
	return files, bytes, err
}
