package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/cli"
)

// errDisagree is the error of a run in which a way found something else than plain Go.
var errDisagree = errors.New("the ways disagree, or the files have changed meanwhile: see the table")

// size is how much there is to do. Tests do less.
var size = struct {
	nodes, loop, sort int           // of the tree, the loop and the sort
	enough            time.Duration // how long each way is repeated: the median shows
	sample            time.Duration // how long the command looks whether other programs run
}{500_000, 200_000, 1_000_000, 300 * time.Millisecond, 200 * time.Millisecond}

// run does all pieces of work in all ways, prints the table row by row, and explains it.
func run(ctx context.Context, opts options, stdout, stderr io.Writer) error {
	if err := opts.find(ctx); err != nil {
		return err
	}
	page, err := openPicture(opts.picture)
	if err != nil {
		return err
	}
	defer page.drop()
	c := &comparison{out: stdout, progress: cli.Show(stderr)}
	defer c.progress.Stop()
	return c.do(ctx, opts.dir, os.DirFS(opts.dir), page)
}

// find makes the directory the default one unless it is named, and checks that it can be read.
func (o *options) find(ctx context.Context) error {
	if o.dir == "" {
		out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("cannot find the source of Go, so name a directory: %w", err)
		}
		o.dir = filepath.Join(strings.TrimSpace(string(out)), "src", "cmd")
	}
	root, err := os.OpenRoot(o.dir) // It must be a directory.
	if err != nil {
		return err
	}
	return root.Close()
}

// A comparison is what one call of rouse run does.
type comparison struct {
	out      io.Writer
	progress *cli.Progress
	ways     int  // of all pieces of work
	begun    int  // how many of these
	wrong    bool // some way disagrees with plain Go
}

// do does the pieces of work, one after the other.
func (c *comparison) do(ctx context.Context, dir string, fsys fs.FS, page *page) (err error) {
	c.progress.Begin("preparing", 0)
	fine, err := newPools()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fine.close()) }()
	coarse, err := newPools(pool.WithEagerPublish()) // See census.Pool.
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, coarse.close()) }()
	sums := []task[uint64]{forkTask(fine), loopTask(), sortTask()}
	tree := &fileTree{dir: dir, fsys: fsys, progress: func() { c.progress.Done.Add(1) }}
	files := tree.task(coarse)
	c.ways = len(files.ways)
	for _, t := range sums {
		c.ways += len(t.ways)
	}
	c.print(plan(c.ways))
	before := share(size.sample)
	var found findings
	for i, into := range []*times{&found.forks, &found.loop, &found.sort} {
		if *into, err = compare(ctx, c, sums[i]); err != nil {
			return err
		}
	}
	c.progress.Begin("reading all files once, so that none is in a colder cache", 0)
	if err := tree.warm(ctx); err != nil {
		return err
	}
	files.title, files.pieces = tree.title(), tree.files
	if found.files, err = compare(ctx, c, files); err != nil {
		return err
	}
	c.print("\n" + legend)
	if c.wrong {
		return errDisagree
	}
	c.print("\n" + tree.summary() + "\n" + found.explain() + busy(min(before, share(size.sample))))
	if page == nil {
		return nil
	}
	c.progress.Begin("recording", tree.files)
	if err := page.record(ctx, tree); err != nil {
		return err
	}
	c.print("\nThe picture is in " + cli.Printable(page.path) + ": open it in a browser.\n")
	return nil
}

// print prints text beside the progress. If that fails there is nobody left to tell.
func (c *comparison) print(text string) { _ = c.progress.Print(c.out, text) }

// A task is a piece of work, and the ways to do it. The first one is plain Go.
type task[T any] struct {
	title string // a line or two
	ways  []way[T]
	// pieces is how many pieces the progress counts, 0 if none.
	pieces int
	// differs says what is not the same in two results, in some lines. It is empty if all is.
	differs func(a, b T) []string
}

// A way does the work once, and returns what it found.
type way[T any] struct {
	name string
	run  func(context.Context) (T, error)
}

// compare measures each way of a task, prints its row, and returns the times.
func compare[T any](ctx context.Context, c *comparison, t task[T]) (all times, err error) {
	c.print("\n" + t.title)
	var first *T
	for _, way := range t.ways {
		c.begun++
		runtime.GC() // No way is to pay for what the one before left behind.
		var took []time.Duration
		var wrong []string
		for begun := time.Now(); len(took) == 0 || time.Since(begun) < size.enough; {
			c.progress.Begin(fmt.Sprintf("[%d of %d] %s", c.begun, c.ways, way.name), t.pieces)
			start := time.Now()
			got, err := way.run(ctx)
			took = append(took, time.Since(start))
			if err := cmp.Or(ctx.Err(), err); err != nil {
				return nil, err
			}
			if first == nil {
				first = &got
			}
			if wrong == nil {
				wrong = t.differs(*first, got)
			}
		}
		slices.Sort(took)
		all = append(all, took[len(took)/2])
		c.print(row(way.name, all[len(all)-1], all.speedup(len(all)-1)))
		if wrong != nil {
			c.wrong = true
			c.print(wrongRow(wrong))
		}
	}
	return all, nil
}

// times are how long the ways of a task took, that of plain Go first.
type times []time.Duration

// speedup returns how many times as fast as plain Go a way is.
func (t times) speedup(i int) float64 { return float64(t[0]) / float64(max(t[i], 1)) }
