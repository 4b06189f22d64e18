package main

import (
	"context"
	"io/fs"

	"github.com/rouse-go/rouse/par"
)

// counted counts the words of all files.
func counted(ctx context.Context, files fs.FS, names []string) (counts, error) {
	return par.FoldErr(ctx, names, func() counts { return counts{} }, func(ctx context.Context, all counts, name string) (counts, error) {
		c, err := wordsOf(ctx, files, name)
		return merge(all, c), err
	}, merge)
}
