package main

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/cli"
)

// A fileTree is the directory whose files are counted.
type fileTree struct {
	dir      string
	fsys     fs.FS
	progress func() // called after each file
	files    int
	bytes    int64
	found    *census.Census // by plain Go
}

// warm reads all files once.
func (t *fileTree) warm(ctx context.Context) (err error) {
	t.files, t.bytes, err = census.Warm(ctx, t.fsys, census.WithProgress(t.progress))
	return err
}

func (t *fileTree) title() string {
	size := fmt.Sprint(t.bytes, " bytes")
	if t.bytes >= 1e6 {
		size = fmt.Sprintf("%.1f MB", float64(t.bytes)/1e6)
	}
	return fmt.Sprintf("SHA-256, words and declarations of files: %d, %s\n%s\n", t.files, size, cli.Printable(t.dir))
}

// task is the census of the tree.
func (t *fileTree) task(pools pools) task[*census.Census] {
	progress := census.WithProgress(t.progress)
	ways := []way[*census.Census]{
		{"plain Go", func(ctx context.Context) (*census.Census, error) {
			c, err := census.Sequential(ctx, t.fsys, progress)
			t.found = c
			return c, err
		}},
		{"a goroutine for each file", func(ctx context.Context) (*census.Census, error) {
			return census.Goroutines(ctx, t.fsys, progress)
		}},
	}
	for _, p := range pools {
		ways = append(ways, way[*census.Census]{p.name, func(ctx context.Context) (*census.Census, error) {
			return census.Pool(ctx, p.Pool, t.fsys, progress)
		}})
	}
	return task[*census.Census]{ways: ways, differs: (*census.Census).Diff}
}

// summary says what all ways have found.
func (t *fileTree) summary() string {
	return "All ways found the same in every directory:\n" + t.found.Summary()
}
