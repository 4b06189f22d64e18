package vet

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
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
	if t == nil {
		return false
	}
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && isNamed(p.Elem(), "Worker")
}

// isForked reports whether t is a pool.Forked.
func isForked(t types.Type) bool { return t != nil && isNamed(t, "Forked") }

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

func isNil(info *types.Info, e ast.Expr) bool { return info.Types[e].IsNil() }

// variable returns the variable that e names, or nil. A field is not a variable.
func variable(info *types.Info, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := info.Uses[e].(*types.Var)
		if v != nil && v.IsField() {
			return nil
		}
		return v
	case *ast.SelectorExpr:
		if _, field := info.Selections[e]; !field {
			return variable(info, e.Sel)
		}
	}
	return nil
}

// workerParameter returns where a function literal declares its first worker, or nil.
func workerParameter(info *types.Info, lit *ast.FuncLit) *ast.Field {
	for _, f := range lit.Type.Params.List {
		if isWorker(info.TypeOf(f.Type)) {
			return f
		}
	}
	return nil
}

// makesJob reports whether the call makes a job of its i-th argument, a function, so that it may
// run on another worker. So do the loops of package par that hand on a worker. The first functions of
// Invoke and Both, and the bodies of a worker's Scope and Group, never do.
func makesJob(info *types.Info, call *ast.CallExpr, i int) bool {
	f, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok || !isOf(f, poolPath) && !isOf(f, parPath) {
		return false
	}
	switch f.Name() {
	case "Scope", "Group":
		return false
	case "Invoke", "Both":
		return i != 1
	}
	return true
}
