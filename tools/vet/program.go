package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// A program is what the source of a package says of its functions and variables.
type program struct {
	info  *types.Info
	decls map[*types.Func]*ast.FuncDecl
	// values are the expressions that each variable is given, nil for one that is no
	// expression of its own.
	values map[*types.Var][]ast.Expr
	// defined are the variables that have a value of these from the beginning.
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
			if n.Op == token.AND { // somebody else may give it a value
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

// callee returns the name of the function, or the method, of package par that is called, or "".
func (p *program) callee(call *ast.CallExpr) string {
	f, ok := typeutil.Callee(p.info, call).(*types.Func)
	if !ok || !isOf(f, parPath) {
		return ""
	}
	return f.Name()
}

// callsBack reports whether a call is one of package par or pool, which call the functions
// that they are handed.
func (p *program) callsBack(call *ast.CallExpr) bool {
	f, ok := typeutil.Callee(p.info, call).(*types.Func)
	return ok && (isOf(f, parPath) || isOf(f, poolPath))
}

func isOf(f *types.Func, path string) bool { return f.Pkg() != nil && f.Pkg().Path() == path }

// functions returns the functions of the package that an expression has: literals and
// declared ones, by their names or by those of variables, one or a slice of them.
func (p *program) functions(e ast.Expr) (all []ast.Node) {
	return p.functionsOf(e, make(map[*types.Var]bool))
}

func (p *program) functionsOf(e ast.Expr, seen map[*types.Var]bool) (all []ast.Node) {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return []ast.Node{e}
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

// number returns how many elements an expression says that there are: a constant, or a
// slice or an array with so many elements. It is 0 if one cannot see it.
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

// arrayOf returns the array that is of this type, or that a pointer of this type points to.
func arrayOf(t types.Type) *types.Array {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	a, _ := t.Underlying().(*types.Array)
	return a
}
