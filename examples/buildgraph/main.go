// Buildgraph type-checks Go packages and all that they import, as a compiler does:
// each package once, after its imports, as many at a time as there are processors.
//
// The first error stops the build. It names the chain of imports that leads from a
// package that was asked for to the one at fault. An interrupt stops it, too.
//
// It works without cgo, and does not check tests.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/pool"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	switch {
	case err == flag.ErrHelp:
		os.Exit(2) // The flag package has said what is wrong.
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "buildgraph: interrupted")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "buildgraph:", err)
		os.Exit(1)
	}
}

// run is main with its arguments, for tests. It writes to out what it did.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("buildgraph", flag.ContinueOnError)
	dir := flags.String("C", ".", "the `directory` in which the patterns are looked up")
	workers := flags.Int("workers", runtime.GOMAXPROCS(0), "how many packages are compiled at once")
	plain := flags.Bool("plain", false, "use goroutines in place of the pool")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: buildgraph [flags] [pattern...]\n\nIt type-checks the packages, such as ./... or net/http, and what they import.")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if *workers < 1 {
		return fmt.Errorf("-workers %d: at least one is needed", *workers)
	}

	start := time.Now()
	g, err := load(ctx, *dir, flags.Args()...)
	if err != nil {
		return err
	}
	loaded := time.Now()
	if err := build(ctx, g, *workers, *plain); err != nil {
		return g.explain(err)
	}
	fmt.Fprintf(out, "%d packages, %d files, %d lines: no errors\n", len(g.targets), g.files(), g.lines())
	fmt.Fprintf(out, "go list took %.2f s, the check %.2f s\n", loaded.Sub(start).Seconds(), time.Since(loaded).Seconds())
	return nil
}

// build checks all targets of the graph, at most so many at once.
func build(ctx context.Context, g *graph, workers int, plain bool) error {
	if plain {
		return buildPlain(ctx, g.root, workers)
	}
	p, err := pool.New(pool.WithWorkers(workers))
	if err != nil {
		return err
	}
	defer p.Close()
	return buildOnPool(ctx, p, g.root)
}
