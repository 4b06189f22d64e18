package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// A program is what the source of a package says about its functions and variables.
type program struct {
	info  *types.Info
	decls map[*types.Func]*ast.FuncDecl
	// values are the expressions that are assigned to each variable. A value that has no
	// expression, such as one of two results, is nil.
	values map[*types.Var][]ast.Expr
	// defined are the variables whose definition is among the values.
	defined map[*types.Var]bool
}

func readProgram(info *types.Info, root inspector.Cursor) *program {
	p := &program{info, make(map[*types.Func]*ast.FuncDecl), make(map[*types.Var][]ast.Expr), make(map[*types.Var]bool)}
	for cur := range root.Preorder((*ast.FuncDecl)(nil), (*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil), (*ast.RangeStmt)(nil), (*ast.UnaryExpr)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.FuncDecl:
			if f, ok := info.Defs[n.Name].(*types.Func); ok {
				p.decls[f] = n
			}
		case *ast.AssignStmt:
			p.assign(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			if len(n.Values) > 0 {
				p.assign(identifiers(n.Names), n.Values)
			}
		case *ast.RangeStmt:
			p.assign([]ast.Expr{n.Key, n.Value}, nil)
		case *ast.UnaryExpr:
			if n.Op == token.AND { // It may be assigned elsewhere.
				p.assign([]ast.Expr{n.X}, nil)
			}
		}
	}
	return p
}

func identifiers(names []*ast.Ident) (all []ast.Expr) {
	for _, name := range names {
		all = append(all, name)
	}
	return all
}

// assign notes the values of variables.
func (p *program) assign(left, right []ast.Expr) {
	for i, e := range left {
		id, ok := e.(*ast.Ident)
		if !ok {
			continue
		}
		v, defines := p.info.Defs[id].(*types.Var)
		if !defines {
			if v, ok = p.info.Uses[id].(*types.Var); !ok {
				continue
			}
		}
		var value ast.Expr
		if len(left) == len(right) {
			value = right[i]
		}
		p.values[v] = append(p.values[v], value)
		if defines {
			p.defined[v] = true
		}
	}
}

// callee returns the name of the function or method, if the call is to package par; otherwise "".
func (p *program) callee(call *ast.CallExpr) string {
	f, ok := typeutil.Callee(p.info, call).(*types.Func)
	if !ok || !isOf(f, parPath) {
		return ""
	}
	return f.Name()
}

// callsBack reports whether a call is to package par or pool, which call their arguments that
// are functions.
func (p *program) callsBack(call *ast.CallExpr) bool {
	f, ok := typeutil.Callee(p.info, call).(*types.Func)
	return ok && (isOf(f, parPath) || isOf(f, poolPath))
}

func isOf(f *types.Func, path string) bool { return f.Pkg() != nil && f.Pkg().Path() == path }

// functions returns the functions of the package that an expression may stand for: literals and
// declared functions, also by way of variables, those in a slice, and what functions of the package
// return.
func (p *program) functions(e ast.Expr) (all []ast.Node) {
	return p.functionsOf(e, make(map[any]bool))
}

func (p *program) functionsOf(e ast.Expr, seen map[any]bool) (all []ast.Node) {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return []ast.Node{e}
	case *ast.CallExpr:
		for _, x := range p.returned(e, seen) {
			all = append(all, p.functionsOf(x, seen)...)
		}
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if pair, ok := x.(*ast.KeyValueExpr); ok {
				x = pair.Value
			}
			all = append(all, p.functionsOf(x, seen)...)
		}
	case *ast.IndexExpr: // a generic function
		return p.functionsOf(e.X, seen)
	case *ast.IndexListExpr:
		return p.functionsOf(e.X, seen)
	case *ast.SelectorExpr:
		return p.functionsOf(e.Sel, seen)
	case *ast.Ident:
		switch o := p.info.Uses[e].(type) {
		case *types.Func:
			if f := p.decls[o.Origin()]; f != nil {
				return []ast.Node{f}
			}
		case *types.Var:
			if seen[o] {
				return nil
			}
			seen[o] = true
			for _, value := range p.values[o] {
				all = append(all, p.functionsOf(value, seen)...)
			}
		}
	}
	return all
}

// returned returns the expressions of which one may be the value of a call: what a conversion or
// append is handed, and what a function of the package returns first.
func (p *program) returned(call *ast.CallExpr, seen map[any]bool) (all []ast.Expr) {
	if p.info.Types[call.Fun].IsType() {
		return call.Args
	}
	switch f := typeutil.Callee(p.info, call).(type) {
	case *types.Builtin:
		if f.Name() == "append" {
			return call.Args
		}
	case *types.Func:
		decl := p.decls[f.Origin()]
		if decl == nil || decl.Body == nil || seen[decl] {
			return nil
		}
		seen[decl] = true
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) > 0 {
				all = append(all, r.Results[0])
			}
			_, inside := n.(*ast.FuncLit)
			return !inside
		})
	}
	return all
}

// number returns the number of elements that an expression stands for: a constant, or the length
// of a slice or an array. It is 0 if the source does not tell.
func (p *program) number(e ast.Expr) int {
	e = ast.Unparen(e)
	if v := p.info.Types[e].Value; v != nil {
		n, _ := constant.Int64Val(constant.ToInt(v))
		return int(n)
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return len(e.Elts)
	case *ast.SliceExpr:
		if array := arrayOf(p.info.TypeOf(e.X)); array != nil && e.Low == nil && e.High == nil {
			return int(array.Len())
		}
	case *ast.Ident:
		if v, ok := p.info.Uses[e].(*types.Var); ok && p.defined[v] && len(p.values[v]) == 1 && p.values[v][0] != nil {
			return p.number(p.values[v][0])
		}
	}
	return 0
}

// arrayOf returns the array type that t is or points to, or nil.
func arrayOf(t types.Type) *types.Array {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	a, _ := t.Underlying().(*types.Array)
	return a
}
