package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// A graph is what one build is about.
type graph struct {
	// root is the target that depends on all that were asked for. It has no path.
	root *target
	// targets are all others, by path.
	targets []*target
}

// A target is one package, and the cell of what it is checked to.
type target struct {
	path    string
	goFiles []string
	deps    []*target
	// imports are the deps by the paths that the source has for them.
	imports map[string]*target
	config  types.Config
	fset    *token.FileSet

	// once guards the rest: the first to ask for the target computes it.
	once  sync.Once
	types *types.Package
	err   error
}

// load asks the go command, in dir, for the packages that match the patterns and for
// all that they import. The go command sees to it that there are no cycles. The error
// is the first one of the first package that has any.
func load(ctx context.Context, dir string, patterns ...string) (*graph, error) {
	config := &packages.Config{
		Context: ctx, Dir: dir, Env: append(os.Environ(), "CGO_ENABLED=0"), Fset: token.NewFileSet(),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedTypesSizes,
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", dir)
	}
	asked, err := packages.Load(config, patterns...)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	g := &graph{}
	byID := map[string]*target{}
	for p := range packages.Postorder(asked) {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %s", cmp.Or(p.PkgPath, p.ID), strings.TrimPrefix(p.Errors[0].Error(), "-: "))
		}
		byID[p.ID] = newTarget(p, config.Fset, byID)
		g.targets = append(g.targets, byID[p.ID])
	}
	if len(asked) == 0 {
		return nil, fmt.Errorf("no packages match %s", strings.Join(patterns, " "))
	}
	g.root = &target{fset: config.Fset}
	for _, p := range asked {
		g.root.deps = append(g.root.deps, byID[p.ID])
	}
	slices.SortFunc(g.targets, func(a, b *target) int { return cmp.Compare(a.path, b.path) })
	return g, nil
}

// newTarget makes the target of a package whose imports have theirs.
func newTarget(p *packages.Package, fset *token.FileSet, byID map[string]*target) *target {
	t := &target{path: p.PkgPath, goFiles: p.GoFiles, fset: fset, imports: map[string]*target{}}
	for path, dep := range p.Imports {
		t.imports[path] = byID[dep.ID]
		t.deps = append(t.deps, byID[dep.ID])
	}
	slices.SortFunc(t.deps, func(a, b *target) int { return cmp.Compare(a.path, b.path) })
	t.config = types.Config{Importer: t, Sizes: p.TypesSizes}
	if p.Module != nil && p.Module.GoVersion != "" {
		t.config.GoVersion = "go" + p.Module.GoVersion
	}
	return t
}

// files returns how many files the packages have.
func (g *graph) files() (n int) {
	for _, t := range g.targets {
		n += len(t.goFiles)
	}
	return n
}

// lines returns how many lines have been parsed.
func (g *graph) lines() (n int) {
	for f := range g.root.fset.Iterate {
		n += f.LineCount()
	}
	return n
}

// A failure is the error of a target.
type failure struct {
	target *target
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// explain adds to the error of a target the shortest chain of imports that leads there
// from one that was asked for.
func (g *graph) explain(err error) error {
	f := (*failure)(nil)
	if !errors.As(err, &f) {
		return err
	}
	from := map[*target]*target{g.root: nil}
	for queue := []*target{g.root}; len(queue) > 0; queue = queue[1:] {
		for _, dep := range queue[0].deps {
			if _, ok := from[dep]; !ok {
				from[dep] = queue[0]
				queue = append(queue, dep)
			}
		}
	}
	var chain []string
	for t := f.target; t != g.root; t = from[t] {
		chain = append(chain, t.path)
	}
	slices.Reverse(chain)
	return fmt.Errorf("%s: %w", strings.Join(chain, " imports "), err)
}
