package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/trial"
)

// errDiffer is the error of a trial whose ways do not agree.
var errDiffer = errors.New("the results differ")

func runCommand() *cobra.Command {
	var (
		workers, repeat int
		deques, sleeps  []string
		asJSON          bool
	)
	cmd := &cobra.Command{
		Use:   "run [DIR]",
		Short: "Take the census of a directory tree in every way, and compare results and cost",
		Long: `Run takes the census of a directory tree: SHA-256, bytes, lines and words of
every file, declarations and identifiers of Go files. It does so sequentially,
with a goroutine for each directory entry, and on the pool with every
combination of deque and sleep backend, and prints what each cost. It fails if
any two of the results differ.

Without DIR it takes the source of the Go installation.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ds, err := backends.PickDeques(deques)
			if err != nil {
				return err
			}
			ss, err := backends.PickSleeps(sleeps)
			if err != nil {
				return err
			}
			var opts []pool.Option
			if cmd.Flags().Changed("workers") {
				opts = append(opts, pool.WithWorkers(workers))
			}
			if repeat < 1 {
				return fmt.Errorf("--repeat is %d, must be 1 or more", repeat)
			}
			dir, err := treeRoot(cmd.Context(), args)
			if err != nil {
				return err
			}
			r, err := compare(cmd.Context(), dir, trial.Variants(ds, ss, opts...), repeat, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			write := (*report).writeTable
			if asJSON {
				write = (*report).writeJSON
			}
			if err := write(r, cmd.OutOrStdout()); err != nil {
				return err
			}
			if !r.Agree {
				return errDiffer
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.IntVar(&workers, "workers", 0, "how many workers a pool has (default GOMAXPROCS)")
	f.StringSliceVar(&deques, "deque", nil, "only these deques: "+names(backends.Deques(), func(d backends.Deque) string { return d.Name }))
	f.StringSliceVar(&sleeps, "sleep", nil, "only these sleep backends: "+names(backends.Sleeps(), func(s backends.Sleep) string { return s.Name }))
	f.IntVar(&repeat, "repeat", 3, "how often each way is run; the run with the median wall time is shown")
	f.BoolVar(&asJSON, "json", false, "print JSON, with the totals of every directory")
	return cmd
}

func names[T any](all []T, name func(T) string) string {
	var b []string
	for _, x := range all {
		b = append(b, name(x))
	}
	return strings.Join(b, ", ")
}

// treeRoot returns the directory that the arguments name, by default the
// source of the Go installation.
func treeRoot(ctx context.Context, args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("cannot find the Go installation, name a directory: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src"), nil
}

// compare takes the census of dir in each way, with the tree in the system's
// cache.
func compare(ctx context.Context, dir string, variants []trial.Variant, repeat int, stderr io.Writer) (*report, error) {
	if err := checkDir(dir); err != nil {
		return nil, err
	}
	for _, v := range variants {
		if err := v.Check(); err != nil {
			return nil, err
		}
	}
	fsys := os.DirFS(dir)
	files, err := warm(ctx, fsys, stderr)
	if err != nil {
		return nil, err
	}
	p := showProgress(stderr, "", files*len(variants)*repeat)
	defer p.stop()
	c, results, err := trial.Measure(ctx, fsys, variants, repeat, p)
	if err != nil {
		return nil, err
	}
	return newReport(dir, c, results), nil
}

// warm reads every file of a tree once, so that no way is measured with a
// colder cache than another, and returns how many there are.
func warm(ctx context.Context, fsys fs.FS, stderr io.Writer) (files int, err error) {
	p := showProgress(stderr, "reading every file once", -1)
	defer p.stop()
	return census.Warm(ctx, fsys, census.WithProgress(p.File))
}

// checkDir returns an error if dir is no directory that can be read.
func checkDir(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}
	// Only what is a directory is opened: a pipe would block.
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return f.Close()
}
