package vet

import (
	"go/ast"
	"go/types"
	"slices"
)

// A caller is what calls a function literal without a worker of its own, where the worker of the job
// around it must not be used.
type caller struct {
	how  int
	name string // of the function of package par
}

const (
	goroutine = iota + 1 // a goroutine of its own
	loop                 // a loop or a stream of package par, perhaps on another worker
	block                // Block or BlockHere: this job, while it has no worker
)

// starters call their functions on another goroutine.
var starters = []string{
	"time.AfterFunc",
	"context.AfterFunc",
	"iter.Pull",
	"iter.Pull2",
	"(*sync.WaitGroup).Go",
	"(*testing.B).RunParallel",
	"(*golang.org/x/sync/errgroup.Group).Go",
	"(*golang.org/x/sync/errgroup.Group).TryGo",
	"(*golang.org/x/sync/singleflight.Group).DoChan",
}

// away are the function literals of a package that a caller calls, or that a function calls which a
// caller calls.
type away struct {
	*program
	callers map[*ast.FuncLit]caller
	// handed are the parameters of functions of the package that these hand on to a caller.
	handed map[*types.Var]caller
}

func readAway(p *program) *away {
	a := &away{p, make(map[*ast.FuncLit]caller), make(map[*types.Var]caller)}
	for before := -1; before < len(a.handed); { // until no function is new that hands one on
		before = len(a.handed)
		for cur := range p.root.Preorder((*ast.GoStmt)(nil)) {
			call := cur.Node().(*ast.GoStmt).Call
			a.called(caller{how: goroutine}, append(slices.Clone(call.Args), call.Fun)...)
		}
		for cur := range p.root.Preorder((*ast.CallExpr)(nil)) {
			a.callsFrom(cur.Node().(*ast.CallExpr))
		}
	}
	return a
}

// callsFrom notes what a call has called.
func (a *away) callsFrom(call *ast.CallExpr) {
	f := a.callee(call)
	if f == nil {
		return
	}
	sig := f.Signature()
	switch {
	case slices.Contains(starters, f.FullName()):
		a.called(caller{how: goroutine}, call.Args...)
	case isOf(f, poolPath) && (f.Name() == "Block" || f.Name() == "BlockHere"):
		a.called(caller{how: block}, call.Args...)
	case isOf(f, parPath) && sig.Recv() == nil:
		for i, arg := range call.Args {
			by := caller{loop, f.Name()}
			if f.Name() == "MapSeq" && i == 1 { // the source, which is this goroutine's unless an option says otherwise
				if !a.hasOption(call, "WithLiveSource") {
					continue
				}
				by = caller{how: goroutine}
			}
			a.called(by, arg)
		}
	case a.decls[f] != nil:
		for i, arg := range call.Args {
			if n := sig.Params().Len(); n > 0 {
				if by, ok := a.handed[sig.Params().At(min(i, n-1))]; ok {
					a.called(by, arg)
				}
			}
		}
	}
}

// called notes the functions that expressions may stand for, and those that they call in turn.
func (a *away) called(by caller, exprs ...ast.Expr) {
	var todo []ast.Node
	for _, e := range exprs {
		a.handOn(by, e)
		todo = append(todo, a.functions(e)...)
	}
	for len(todo) > 0 {
		lit, ok := todo[len(todo)-1].(*ast.FuncLit) // a declared function captures no worker
		todo = todo[:len(todo)-1]
		was := a.callers[lit]
		if !ok || a.workerParameter(lit) != nil || was.how != 0 && was.how <= by.how {
			continue
		}
		a.callers[lit] = by
		a.handOn(by, lit)
		todo = append(todo, a.calledOutside(lit)...)
	}
}

// calledOutside returns the functions that a literal calls and that are not in it. A literal in it has
// the same callers for what both capture.
func (a *away) calledOutside(lit *ast.FuncLit) (all []ast.Node) {
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return a.workerParameter(n) == nil // else it is a job
		case *ast.CallExpr:
			for _, f := range a.functions(n.Fun) {
				if !isIn(f.Pos(), lit) {
					all = append(all, f)
				}
			}
		}
		return true
	})
	return all
}

// handOn notes the parameters, functions, that an expression has which goes to a caller.
func (a *away) handOn(by caller, e ast.Expr) {
	for _, v := range a.functionParameters(e) {
		if _, known := a.handed[v]; !known {
			a.handed[v] = by
		}
	}
}
