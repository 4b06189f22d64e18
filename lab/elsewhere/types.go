// Package elsewhere checks the types of the repository's packages for platforms that
// this one is not. The script run.sh beside it runs the tests for some of them.
package elsewhere

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Types checks the types of the packages that the patterns match in dir, and of their
// tests, as the compiler does for a platform such as darwin/arm64, which build tags may
// follow: linux/amd64,explore, in an environment with more variables. It returns an error that lists what the compiler would
// refuse, or if nothing matches.
//
// It reads all from source, the declarations of Go's library included: that takes some
// seconds, and neither fills the build cache nor needs it. A build for a platform takes a minute. What
// vet finds it finds on this platform.
func Types(ctx context.Context, dir string, env []string, platform string, patterns ...string) error {
	machine, tags, _ := strings.Cut(platform, ",")
	system, cpu, ok := strings.Cut(machine, "/")
	if !ok {
		return fmt.Errorf("unknown platform %q; one is darwin/arm64", platform)
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	ours := func(file string) bool { return strings.HasPrefix(file, root+string(filepath.Separator)) }
	all, err := packages.Load(&packages.Config{
		Context: ctx,
		Dir:     dir,
		Env:     slices.Concat(os.Environ(), env, []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + cpu}),
		// As the go command does, this takes none for no tags.
		BuildFlags: []string{"-tags=" + tags},
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax,
		// What others' functions do inside is not looked at.
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(fset, name, src, parser.AllErrors|parser.SkipObjectResolution)
			if f != nil && !ours(name) {
				withoutBodies(f)
			}
			return f, err
		},
		Tests: true,
	}, patterns...)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", platform, err)
	}
	files := 0
	var failed []error
	packages.Visit(all, nil, func(p *packages.Package) {
		if len(p.CompiledGoFiles) > 0 && !ours(p.CompiledGoFiles[0]) {
			return // it is said to lack bodies, and what those import
		}
		for _, e := range p.Errors {
			// A package and the one that its tests make of it have the same errors.
			if e := fmt.Errorf("%s: %w", platform, e); !slices.ContainsFunc(failed, func(o error) bool { return o.Error() == e.Error() }) {
				failed = append(failed, e)
			}
		}
	})
	for _, p := range all {
		files += len(p.CompiledGoFiles)
	}
	if failed == nil && files == 0 {
		return fmt.Errorf("%s: no Go files in %s", platform, patterns)
	}
	return errors.Join(failed...)
}

// withoutBodies leaves of a file what other packages can see.
func withoutBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}
