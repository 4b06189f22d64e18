package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
)

// A goroutine that performs no operation is a failure: most often its code was not rewritten. It is
// none if all that it can run was, and so everything that it could do to others would be seen.

// sequential are packages in which nothing is shared or waited for.
var sequential = []string{"cmp", "errors", "math", "math/bits", "strconv", "strings", "unicode", "unicode/utf8"}

// closedOf returns the functions of a package that call functions of the package alone, of twins, and of
// packages that are sequential. Of a call by a variable or an interface nobody knows what it calls.
func closedOf(info *types.Info, pkg *types.Package, files []*ast.File) map[types.Object]bool {
	closed, bodies := make(map[types.Object]bool), make(map[types.Object]*ast.BlockStmt)
	for _, f := range files {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				closed[info.Defs[f.Name]], bodies[info.Defs[f.Name]] = true, f.Body
			}
		}
	}
	for again := true; again; {
		again = false
		for f, body := range bodies {
			if closed[f] && !isClosed(info, pkg, body, closed) {
				delete(closed, f)
				again = true
			}
		}
	}
	return closed
}

// isClosed reports whether what is in a node calls nothing but closed functions.
func isClosed(info *types.Info, pkg *types.Package, in ast.Node, closed map[types.Object]bool) (is bool) {
	is = true
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			is = is && isClosedFunction(info, pkg, n.Fun, closed)
		case *ast.RangeStmt: // over a function
			if _, calls := under(info.TypeOf(n.X)).(*types.Signature); calls {
				is = false
			}
		}
		return is
	})
	return is
}

func isClosedFunction(info *types.Info, pkg *types.Package, e ast.Expr, closed map[types.Object]bool) bool {
	e = ast.Unparen(e)
	if info.Types[e].IsType() {
		return true
	}
	switch x := e.(type) {
	case *ast.FuncLit: // is looked at where it stands
		return true
	case *ast.IndexExpr:
		e = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		e = ast.Unparen(x.X)
	}
	var o types.Object
	switch x := e.(type) {
	case *ast.Ident:
		o = info.Uses[x]
	case *ast.SelectorExpr:
		o = info.Uses[x.Sel]
	}
	switch o := o.(type) {
	case *types.Builtin:
		return true
	case *types.Func:
		recv := o.Signature().Recv()
		if o.Pkg() == nil || recv != nil && types.IsInterface(recv.Type()) {
			return false
		}
		if o.Pkg() == pkg {
			return closed[o.Origin()]
		}
		return twins[o.Pkg().Path()] != "" || slices.Contains(sequential, o.Pkg().Path())
	}
	return false
}

// goes returns the function of package lang that starts a goroutine which calls e.
func (r *rewriter) goes(e ast.Expr) string {
	is := isClosedFunction(r.info, r.pkg, e, r.closed)
	if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
		is = isClosed(r.info, r.pkg, lit.Body, r.closed)
	}
	if is {
		return lang + ".GoSeen("
	}
	return lang + ".Go("
}
