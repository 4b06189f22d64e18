package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
)

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
			return nil, &failure{t, err}
		}
		files = append(files, f)
	}
	pkg, err := t.config.Check(t.path, t.fset, files, nil)
	if err != nil {
		return nil, &failure{t, err}
	}
	return pkg, nil
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
