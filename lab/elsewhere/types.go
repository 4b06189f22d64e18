// Package elsewhere checks the types of the repository's packages for platforms that
// this one is not. The script run.sh beside it runs the tests for some of them.
package elsewhere

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
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
			if f != nil && !strings.HasPrefix(name, root+string(filepath.Separator)) {
				for _, d := range f.Decls {
					if fn, ok := d.(*ast.FuncDecl); ok {
						fn.Body = nil
					}
				}
			}
			return f, err
		},
		Tests: true,
	}, patterns...)
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return fmt.Errorf("%s: %w", platform, err)
	}
	if len(all) == 0 {
		return fmt.Errorf("%s: no Go files in %s", platform, patterns)
	}
	said := map[string]bool{} // a package, and the one that its tests make of it, have the same errors
	for _, p := range all {
		for _, e := range p.Errors {
			if !strings.HasSuffix(p.PkgPath, ".test") { // the go command has written that
				said[platform+": "+e.Error()] = true
			}
		}
	}
	if len(said) > 0 {
		return errors.New(strings.Join(slices.Sorted(maps.Keys(said)), "\n"))
	}
	return nil
}
