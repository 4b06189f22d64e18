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
)

// module writes a module of the given files, and returns its directory.
func module(t *testing.T, files string) string {
	t.Helper()
	t.Setenv("GOWORK", "off") // the module is in no workspace that may be in force
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte("-- go.mod --\nmodule example.com\n\ngo 1.25\n" + files)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
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

// both runs a test with the pool and with goroutines.
func both(t *testing.T, f func(t *testing.T, plain bool)) {
	t.Run("pool", func(t *testing.T) { f(t, false) })
	t.Run("plain", func(t *testing.T) { f(t, true) })
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
	declared := map[bool][]string{}
	both(t, func(t *testing.T, plain bool) {
		g := loaded(t, dir, patterns...)
		if err := build(t.Context(), g, 3, plain); err != nil {
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
		for _, target := range g.targets {
			for _, name := range target.types.Scope().Names() {
				declared[plain] = append(declared[plain], target.types.Scope().Lookup(name).String())
			}
		}
		app := g.targets[slices.IndexFunc(g.targets, func(t *target) bool { return t.path == "example.com/app" })]
		if sum := app.types.Scope().Lookup("Sum").(*types.Const).Val().String(); sum != "3" {
			t.Errorf("app.Sum is %s, want 3", sum)
		}
	})
	if len(declared[false]) < 100 || !slices.Equal(declared[false], declared[true]) {
		t.Errorf("the pool finds %d declarations, goroutines %d, or others", len(declared[false]), len(declared[true]))
	}
}

// The error is that of the package at fault, on every schedule: not that something was
// canceled because of it. It has the path to that package.
func TestFirstError(t *testing.T) {
	dir := module(t, strings.Replace(diamond, "X = 1", "X = missing", 1))
	want := "example.com/app imports example.com/left imports example.com/bottom: " + filepath.Join(dir, "bottom", "bottom.go") + ":3:11: undefined: missing"
	both(t, func(t *testing.T, plain bool) {
		g := loaded(t, dir, "./app")
		if err := g.explain(build(t.Context(), g, 2, plain)); err == nil || err.Error() != want {
			t.Errorf("error %v\nwant %s", err, want)
		}
	})
}

// A target that two others need is given up when one of the two fails for another
// reason. The other one must not take that for the reason.
func TestErrorNotMasked(t *testing.T) {
	both(t, func(t *testing.T, plain bool) {
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
			if err := build(t.Context(), &graph{root: root}, 2, plain); !errors.Is(err, os.ErrNotExist) {
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
	both(t, func(t *testing.T, plain bool) {
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
		if err := build(ctx, g, 2, plain); err != enough {
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
		"cycle":      {"-- a/a.go --\npackage a\n\nimport _ \"example.com/b\"\n-- b/b.go --\npackage b\n\nimport _ \"example.com/a\"\n", "./...", "import cycle not allowed"},
		"no package": {"", "./gone", "gone"},
		"no files":   {"", "./...", "no packages match ./..."},
		"syntax":     {"-- a.go --\npackage a\n\nfunc {\n", ".", "a.go:3:6: expected 'IDENT', found '{'"},
		"import":     {"-- a.go --\npackage a\n\nimport _ \"example.com/gone\"\n", ".", "example.com/gone"},
	} {
		t.Run(name, func(t *testing.T) {
			err := run(t.Context(), []string{"-C", module(t, test.files), test.pattern}, t.Output())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			t.Log(err)
		})
	}
	if err := run(t.Context(), []string{"-C", filepath.Join(t.TempDir(), "gone")}, t.Output()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v of a directory that does not exist", err)
	}
	if err := run(t.Context(), []string{"-workers", "0", "errors"}, t.Output()); err == nil || !strings.Contains(err.Error(), "0") {
		t.Errorf("error %v of no workers", err)
	}
}
