// Buildgraph type-checks Go packages and everything that they import, as a compiler does:
// each package once, after its imports, on all processors.
//
// The first error stops the build, and so does an interrupt.
//
// It works without cgo, and does not check tests.
package main

import (
	"context"
	"runtime"

	"github.com/rouse-go/rouse/examples/internal/program"
)

func main() { program.Main("buildgraph", run) }

func run(ctx context.Context, c *program.Call) error {
	dir := c.Flags.String("C", ".", "the `directory` in which the patterns are looked up")
	workers := c.Flags.Int("workers", runtime.GOMAXPROCS(0), "how many packages to compile at the same time")
	if err := c.Parse(program.Any, "pattern..., such as ./... or net/http", "workers"); err != nil {
		return err
	}
	g, err := load(ctx, *dir, c.Flags.Args()...)
	if err != nil {
		return err
	}
	if err := program.Either(c, build, buildPlain)(ctx, g.root, *workers); err != nil {
		return err
	}
	c.Done("%d packages, %d files, %d lines: no errors", len(g.targets), g.files(), g.lines())
	return nil
}
