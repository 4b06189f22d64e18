package main

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
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

// compile parses and checks the target. Its deps have been compiled. Between two files
// it looks whether ctx has ended.
func (t *target) compile(ctx context.Context) (*types.Package, error) {
	switch t.path {
	case "": // the root
		return nil, nil
	case "unsafe":
		return types.Unsafe, nil
	}
	var files []*ast.File
	for _, name := range t.goFiles {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		f, err := parser.ParseFile(t.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return t.config.Check(t.path, t.fset, files, nil)
}

// Import is called by the checker: a target is the importer of its own files.
func (t *target) Import(path string) (*types.Package, error) {
	dep := t.imports[path]
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if dep == nil || dep.types == nil {
		return nil, fmt.Errorf("%s imports %s, which the go command has not listed", t.path, path)
	}
	return dep.types, nil
}
