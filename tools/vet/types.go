package vet

import (
	"go/types"
	"slices"
)

const (
	poolPath = "github.com/rouse-go/rouse/pool"
	parPath  = "github.com/rouse-go/rouse/par"
)

// uses reports whether pkg has the path, as the package itself and its tests do, or imports it.
func uses(pkg *types.Package, path string) bool {
	return pkg.Path() == path || slices.ContainsFunc(pkg.Imports(), func(p *types.Package) bool { return p.Path() == path })
}

// isWorker reports whether t is *pool.Worker or an alias of it.
func isWorker(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && isNamed(p.Elem(), "Worker")
}

// isForked reports whether t is a pool.Forked.
func isForked(t types.Type) bool { return isNamed(t, "Forked") }

func isNamed(t types.Type, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == poolPath
}

// stray returns what a value of type t is that must not leave its job: "worker", "fork", or "".
func stray(t types.Type) string {
	switch {
	case isWorker(t):
		return "worker"
	case isForked(t):
		return "fork"
	}
	return ""
}

func isOf(f *types.Func, path string) bool {
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == path
}
