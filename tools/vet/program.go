package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// analyzer returns one without flags, which checks the packages that use the one with a path.
func analyzer(path string, check func(*program), name, doc string) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     name,
		Doc:      doc,
		URL:      "https://pkg.go.dev/github.com/rouse-go/rouse/tools/vet",
		Requires: []*analysis.Analyzer{inspect.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			pass = ignoring(name, pass)
			if uses(pass.Pkg, path) {
				check(readProgram(pass))
			}
			return nil, nil
		},
	}
}

// A program is what the source of a package says about its functions and variables.
type program struct {
	*analysis.Pass
	root  inspector.Cursor
	decls map[*types.Func]*ast.FuncDecl
	// values are the expressions that are assigned to each variable. A value that has no
	// expression, such as one of two results, is nil.
	values map[*types.Var][]ast.Expr
	// defined are the variables whose definition is among the values.
	defined map[*types.Var]bool
}

func readProgram(pass *analysis.Pass) *program {
	root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
	p := &program{pass, root, make(map[*types.Func]*ast.FuncDecl), make(map[*types.Var][]ast.Expr), make(map[*types.Var]bool)}
	for cur := range root.Preorder((*ast.FuncDecl)(nil), (*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil), (*ast.RangeStmt)(nil), (*ast.UnaryExpr)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.FuncDecl:
			if f, ok := p.TypesInfo.Defs[n.Name].(*types.Func); ok {
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
		v := p.variable(e)
		if v == nil {
			continue
		}
		var value ast.Expr
		if len(left) == len(right) {
			value = right[i]
		}
		p.values[v] = append(p.values[v], value)
		if id, ok := e.(*ast.Ident); ok && p.TypesInfo.Defs[id] != nil {
			p.defined[v] = true
		}
	}
}

// variable returns the variable that e names, or nil. A field is not a variable.
func (p *program) variable(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := p.TypesInfo.ObjectOf(e).(*types.Var); ok && !v.IsField() {
			return v
		}
	case *ast.SelectorExpr:
		if _, field := p.TypesInfo.Selections[e]; !field {
			return p.variable(e.Sel)
		}
	}
	return nil
}

// callee returns the function or method that is called, as it was declared, or nil.
func (p *program) callee(call *ast.CallExpr) *types.Func {
	if f, ok := typeutil.Callee(p.TypesInfo, call).(*types.Func); ok {
		return f.Origin()
	}
	return nil
}

// calleeOfPar returns the name of the function or method, if the call is to package par; otherwise "".
func (p *program) calleeOfPar(call *ast.CallExpr) string {
	if f := p.callee(call); isOf(f, parPath) {
		return f.Name()
	}
	return ""
}

// hasOption reports whether an argument of a call is an option of package par with that name.
func (p *program) hasOption(call *ast.CallExpr, name string) bool {
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		option, ok := ast.Unparen(arg).(*ast.CallExpr)
		return ok && p.calleeOfPar(option) == name
	})
}

// isBuiltin reports whether e is the function of Go itself that has a name.
func (p *program) isBuiltin(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && p.TypesInfo.Uses[id] == types.Universe.Lookup(name)
}

// workerParameter returns where a function literal declares its first worker, or nil.
func (p *program) workerParameter(lit *ast.FuncLit) *ast.Field {
	for _, f := range lit.Type.Params.List {
		if isWorker(p.TypesInfo.TypeOf(f.Type)) {
			return f
		}
	}
	return nil
}

// functionParameters returns the parameters of functions that are used in an expression, and that are
// functions, or slices of functions.
func (p *program) functionParameters(e ast.Expr) (all []*types.Var) {
	for n := range ast.Preorder(e) {
		id, ok := n.(*ast.Ident)
		if !ok {
			continue
		}
		v, ok := p.TypesInfo.Uses[id].(*types.Var)
		if !ok || v.Kind() != types.ParamVar {
			continue
		}
		t := v.Type().Underlying()
		if s, ok := t.(*types.Slice); ok {
			t = s.Elem().Underlying()
		}
		if _, ok := t.(*types.Signature); ok {
			all = append(all, v)
		}
	}
	return all
}

// functions returns the functions of the package that an expression may stand for: literals and
// declared functions, also by way of variables, those in a slice, and what functions of the package
// return.
func (p *program) functions(e ast.Expr) (all []ast.Node) {
	return p.functionsOf(e, make(map[any]bool))
}

func (p *program) functionsOf(e ast.Expr, seen map[any]bool) (all []ast.Node) {
	var from []ast.Expr
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return []ast.Node{e}
	case *ast.CallExpr:
		from = p.returned(e, seen)
	case *ast.CompositeLit:
		from = elementsOf(e)
	case *ast.IndexExpr: // a generic function
		from = []ast.Expr{e.X}
	case *ast.IndexListExpr:
		from = []ast.Expr{e.X}
	case *ast.SelectorExpr:
		from = []ast.Expr{e.Sel}
	case *ast.Ident:
		switch o := p.TypesInfo.Uses[e].(type) {
		case *types.Func:
			if f := p.decls[o.Origin()]; f != nil {
				return []ast.Node{f}
			}
		case *types.Var:
			if !seen[o] {
				seen[o] = true
				from = p.values[o]
			}
		}
	}
	for _, x := range from {
		all = append(all, p.functionsOf(x, seen)...)
	}
	return all
}

// elementsOf returns the elements of a composite literal, without keys and names of fields.
func elementsOf(lit *ast.CompositeLit) (all []ast.Expr) {
	for _, x := range lit.Elts {
		if pair, ok := x.(*ast.KeyValueExpr); ok {
			x = pair.Value
		}
		all = append(all, x)
	}
	return all
}

// returned returns the expressions of which one may be the value of a call: what a conversion or
// append is handed, and what a function of the package returns first.
func (p *program) returned(call *ast.CallExpr, seen map[any]bool) (all []ast.Expr) {
	if p.TypesInfo.Types[call.Fun].IsType() || p.isBuiltin(ast.Unparen(call.Fun), "append") {
		return call.Args
	}
	decl := p.decls[p.callee(call)]
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
	return all
}

// only returns the value that a variable is defined with, if nothing else is assigned to it; otherwise nil.
func (p *program) only(id *ast.Ident) ast.Expr {
	v, ok := p.TypesInfo.Uses[id].(*types.Var)
	if !ok || !p.defined[v] || len(p.values[v]) != 1 {
		return nil
	}
	return p.values[v][0]
}

// number returns the number of elements that an expression stands for: a constant, or the length
// of a slice or an array. It is 0 if the source does not tell.
func (p *program) number(e ast.Expr) int {
	e = ast.Unparen(e)
	if v := p.TypesInfo.Types[e].Value; v != nil {
		n, _ := constant.Int64Val(constant.ToInt(v))
		return int(n)
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return len(e.Elts)
	case *ast.SliceExpr:
		if array := arrayOf(p.TypesInfo.TypeOf(e.X)); array != nil && e.Low == nil && e.High == nil {
			return int(array.Len())
		}
	case *ast.Ident:
		if value := p.only(e); value != nil {
			return p.number(value)
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
