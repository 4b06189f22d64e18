package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
	"github.com/rouse-go/rouse/tools/census"
)

func runCommand() *command {
	c := newCommand("run", "Take the census of a directory tree in every way, and compare results and cost",
		`Run takes the census of a directory tree: SHA-256, bytes, lines and words of
every file, declarations and identifiers of Go files. It does so sequentially,
with a goroutine for each directory entry, and on the pool with every
combination of deque and sleep backend, and prints what each cost. It fails if
any two of the results differ. At last it says how much of the census can run at
the same time, and which calls are in the way.

Without DIR it takes the source of the Go installation, which is some ten
thousand files: about half a minute on two processors. Ctrl-C ends it with the
ways that have ended.`)
	c.arg = "DIR"
	workers := c.flags.Int("workers", 0, "make pools of `n` workers (GOMAXPROCS if not given)")
	c.flags.String("deque", "", "use only these deques, by `names` with commas between: "+backends.Names(backends.Deques()))
	c.flags.String("sleep", "", "use only these sleep backends, by `names` with commas between: "+backends.Names(backends.Sleeps()))
	repeat := c.flags.Int("repeat", 1, "run each way `n` times, in turns, and show the run with the median wall time")
	asJSON := c.flags.Bool("json", false, "print JSON, with the totals of every directory, and nothing before the end")
	page := c.flags.String("picture", "", "record one more run on the pool, and write `FILE`, an HTML page that shows what each worker did")
	trace := c.flags.String("trace", "", "the same, and write `FILE` for Perfetto (https://ui.perfetto.dev)")
	c.do = func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		m := &comparison{repeat: *repeat, asJSON: *asJSON, workers: runtime.GOMAXPROCS(0), stdout: stdout, stderr: stderr}
		var opts []pool.Option
		if c.given("workers") {
			m.workers = *workers
			opts = append(opts, pool.WithWorkers(*workers))
		}
		var err error
		if m.deques, err = backends.PickDeques(c.list("deque")); err != nil {
			return err
		}
		if m.sleeps, err = backends.PickSleeps(c.list("sleep")); err != nil {
			return err
		}
		if m.repeat < 1 {
			return fmt.Errorf("--repeat is %d, must be 1 or more", m.repeat)
		}
		m.variants = census.Variants(m.deques, m.sleeps, opts...)
		for _, v := range m.variants {
			if err := v.Check(); err != nil {
				return err
			}
		}
		m.ofGo = len(args) == 0
		if m.dir, err = treeRoot(ctx, args); err != nil {
			return err
		}
		if err := checkDir(m.dir); err != nil {
			return err
		}
		if m.outputs, err = openOutputs(*page, *trace); err != nil {
			return err
		}
		m.tracePath = *trace
		return m.run(ctx)
	}
	return c
}

// treeRoot returns the directory that the arguments name, by default the
// source of the Go installation.
func treeRoot(ctx context.Context, args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("cannot find the Go installation, name a directory: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src"), nil
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
