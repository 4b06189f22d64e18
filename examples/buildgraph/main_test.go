package main

import (
	"context"
	"errors"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rouse-go/rouse/examples/internal/programtest"
)

// module writes a module of the given files, and returns its directory.
func module(t *testing.T, files string) string {
	t.Helper()
	t.Setenv("GOWORK", "off") // the module is in no workspace that may be in force
	tree, err := txtar.FS(txtar.Parse([]byte("-- go.mod --\nmodule example.com\n\ngo 1.25\n" + files)))
	dir := t.TempDir()
	if err := errors.Join(err, os.CopyFS(dir, tree)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// diamond is a module in which two packages, and what they import, need the same one.
const diamond = `
-- app/app.go --
package app
import ("example.com/left"; "example.com/right")
const Sum = left.X + right.X
-- left/left.go --
package left
import ("example.com/bottom"; "example.com/side")
const X = bottom.X + side.X
-- side/side.go --
package side
import "example.com/bottom"
const X = bottom.X
-- right/right.go --
package right
import "example.com/bottom"
const X = bottom.X
-- bottom/bottom.go --
package bottom
const X = 1
`

type version = func(ctx context.Context, root *target, workers int) error

// each runs a test with each version.
func each(t *testing.T, f func(t *testing.T, build version)) {
	programtest.Each(t, build, buildPlain, f)
}

func loaded(t *testing.T, dir string, patterns ...string) *graph {
	t.Helper()
	g, err := load(t.Context(), dir, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Both versions compile every target once, to the same declarations.
func TestSameResult(t *testing.T) {
	dir := module(t, diamond)
	patterns := []string{"./...", "strconv", "errors"}
	var declared [][]string
	each(t, func(t *testing.T, build version) {
		g := loaded(t, dir, patterns...)
		if err := build(t.Context(), g.root, 3); err != nil {
			t.Fatal(err)
		}
		parsed := 0
		for range g.root.fset.Iterate {
			parsed++
		}
		// The parser does not see the file of package unsafe, which is only documentation.
		if want := g.files() - 1; parsed != want {
			t.Errorf("%d files were parsed, of %d: a package was compiled twice, or not at all", parsed, want)
		}
		var names []string
		for _, target := range g.targets {
			for _, name := range target.types.Scope().Names() {
				names = append(names, target.types.Scope().Lookup(name).String())
			}
		}
		declared = append(declared, names)
		app := g.targets[slices.IndexFunc(g.targets, func(t *target) bool { return t.path == "example.com/app" })]
		if sum := app.types.Scope().Lookup("Sum").(*types.Const).Val().String(); sum != "3" {
			t.Errorf("app.Sum is %s, want 3", sum)
		}
	})
	if len(declared) != 2 || len(declared[0]) < 100 || !slices.Equal(declared[0], declared[1]) {
		t.Error("the versions find other declarations")
	}
}

// The error is that of the package at fault, on every schedule: not that something was
// canceled because of it.
func TestFirstError(t *testing.T) {
	dir := module(t, strings.Replace(diamond, "X = 1", "X = missing", 1))
	want := filepath.Join(dir, "bottom", "bottom.go") + ":2:11: undefined: missing"
	each(t, func(t *testing.T, build version) {
		g := loaded(t, dir, "./app")
		if err := build(t.Context(), g.root, 2); err == nil || err.Error() != want {
			t.Errorf("error %v\nwant %s", err, want)
		}
	})
}

// A target that two others need is given up when one of the two fails for another
// reason. The other one must not take that for the reason.
func TestErrorNotMasked(t *testing.T) {
	each(t, func(t *testing.T, build version) {
		for range 500 {
			newTarget := func(path string, deps ...*target) *target {
				return &target{path: path, deps: deps, fset: token.NewFileSet()}
			}
			bad := newTarget("bad")
			bad.goFiles = []string{"gone.go"}
			var parts []*target
			for range 8 {
				parts = append(parts, newTarget("part", newTarget("piece")))
			}
			shared := newTarget("shared", parts...)
			root := newTarget("", newTarget("left", shared, bad), newTarget("right", shared))
			if err := build(t.Context(), root, 2); !errors.Is(err, os.ErrNotExist) {
				t.Fatalf("error %v, want that of the target that failed", err)
			}
			if errors.Is(shared.err, context.Canceled) {
				t.Fatalf("error %v of what two targets need, for which the second takes it", shared.err)
			}
		}
	})
}

// What ends the context is the error of the build, and what was not begun by then never
// begins.
func TestCancel(t *testing.T) {
	dir := module(t, diamond)
	each(t, func(t *testing.T, build version) {
		g := loaded(t, dir, "./app")
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		enough := errors.New("enough")
		for _, target := range g.targets {
			target.config.Importer = importer(func(path string) (*types.Package, error) {
				cancel(enough)
				return target.Import(path)
			})
		}
		if err := build(ctx, g.root, 2); err != enough {
			t.Errorf("error %v, want what has ended the context", err)
		}
		if g.root.deps[0].types != nil {
			t.Error("the build went on when its context had ended")
		}
	})
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }

// What is wrong with the input is said before anything is compiled.
func TestBadInput(t *testing.T) {
	for name, test := range map[string]struct{ files, pattern, want string }{
		"cycle":      {"-- a/a.go --\npackage a\nimport _ \"example.com/b\"\n-- b/b.go --\npackage b\nimport _ \"example.com/a\"\n", "./...", "import cycle not allowed"},
		"no package": {"", "./gone", "gone"},
		"no files":   {"", "./...", "no packages match ./..."},
		"syntax":     {"-- a.go --\npackage a\n\nfunc {\n", ".", "a.go:3:6: expected 'IDENT', found '{'"},
		"import":     {"-- a.go --\npackage a\n\nimport _ \"example.com/gone\"\n", ".", "example.com/gone"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := programtest.Try(t.Context(), run, "-C", module(t, test.files), test.pattern)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
	programtest.Refuses(t, run, map[string]string{"-C " + filepath.Join(t.TempDir(), "gone"): "no such file or directory", "-workers 0 errors": "must be positive"})
}
