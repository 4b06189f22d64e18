package rewrite

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// asking is what a function calls explore.Possible about, if that is a constant, and the
// functions and methods of its package that it refers to.
type asking struct {
	about []string
	to    []types.Object
}

// asksOf returns what each function and method of a package asks.
func asksOf(info *types.Info, pkg *types.Package, files []*ast.File) map[types.Object]*asking {
	all := make(map[types.Object]*asking)
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				all[info.Defs[d.Name]] = asked(info, pkg, d, nil)
			}
		}
	}
	return all
}

// asked returns what is asked in a node, without what is in the parts that are in it.
func asked(info *types.Info, pkg *types.Package, in ast.Node, parts []ast.Expr) *asking {
	a := new(asking)
	ast.Inspect(in, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && n != in && slices.Contains(parts, e) {
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			if f, ok := info.Uses[n].(*types.Func); ok && f.Pkg() == pkg {
				a.to = append(a.to, f.Origin())
			}
		case *ast.CallExpr:
			var id *ast.Ident
			switch f := ast.Unparen(n.Fun).(type) {
			case *ast.Ident:
				id = f
			case *ast.SelectorExpr:
				id = f.Sel
			}
			f, ok := info.Uses[id].(*types.Func)
			if !ok || f.FullName() != Module+".Possible" || len(n.Args) != 3 {
				break
			}
			if what := info.Types[n.Args[2]].Value; what != nil {
				a.about = append(a.about, constant.StringVal(what))
			}
		}
		return true
	})
	return a
}

// withOthers returns what is asked there, or by functions that are referred to.
func (r *rewriter) withOthers(a *asking) (about []string) {
	queue := []*asking{a}
	for i := 0; i < len(queue); i++ {
		for _, what := range queue[i].about {
			if !slices.Contains(about, what) {
				about = append(about, what)
			}
		}
		for _, f := range queue[i].to {
			if a := r.asks[f]; a != nil && !slices.Contains(queue, a) { // nil is a method of an interface
				queue = append(queue, a)
			}
		}
	}
	return about
}

// expect says, before main, what a test asks about, itself or by functions that it refers to: so a
// call that is never reached is noticed.
func (r *rewriter) expect(n *ast.FuncDecl) {
	about := r.withOthers(r.asks[r.info.Defs[n.Name]])
	if len(about) > 0 {
		r.tellApart(n)
	}
	if n.Recv != nil || !strings.HasPrefix(n.Name.Name, "Test") {
		return
	}
	for _, what := range about {
		r.changed = true
		r.end += fmt.Sprintf("\nvar _ = %s.Expect(%q, %q)\n", lang, n.Name.Name, what)
	}
}

// explore has a test explored as if its body were in a call of explore.Test.
func (r *rewriter) explore(n *ast.FuncDecl) {
	f := r.info.Defs[n.Name].Type().(*types.Signature)
	name, is := strings.CutPrefix(n.Name.Name, "Test")
	if first, _ := utf8.DecodeRuneInString(name); !r.all || !is || unicode.IsLower(first) || n.Recv != nil || n.Body == nil || !explored(f) {
		return
	}
	text := func(n ast.Node) string { return string(r.src[r.at(n.Pos()):r.at(n.End())]) }
	r.put(n.Type.Params.Pos(), int(n.Type.Params.End()-n.Type.Params.Pos()), "("+lang+"t "+text(n.Type.Params.List[0].Type)+")")
	r.open(r.at(n.Body.Rbrace), "})") // which may be where the next one is put
	r.open(r.at(n.Body.Lbrace)+1, " "+lang+".Explore("+lang+"t, func"+text(n.Type.Params)+" {")
}

// tellApart finds the parts of a function that several calls of explore.Test may explore, each by
// itself: literals, and functions by their names, that are handed on. Of each it says what the
// others ask, and neither it nor what is around it does.
func (r *rewriter) tellApart(d *ast.FuncDecl) {
	var parts []ast.Expr
	ast.Inspect(d, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && r.isPart(e) {
			parts = append(parts, e)
		}
		return true
	})
	if len(parts) < 2 {
		return
	}
	around := r.withOthers(asked(r.info, r.pkg, d, parts))
	asks := make([][]string, len(parts))
	for i, e := range parts {
		asks[i] = r.withOthers(asked(r.info, r.pkg, e, parts))
	}
	within := func(a, b ast.Node) bool { return b.Pos() <= a.Pos() && a.End() <= b.End() }
	for _, e := range parts {
		if r.callsPart(e) {
			continue
		}
		own := slices.Clone(around)
		var others []string
		for j, f := range parts {
			if within(e, f) || within(f, e) {
				own = append(own, asks[j]...)
			} else {
				others = append(others, asks[j]...)
			}
		}
		others = slices.DeleteFunc(others, func(what string) bool { return slices.Contains(own, what) })
		if len(others) > 0 {
			r.around(e, lang+".Beside(", fmt.Sprintf(", %#v...)", others))
		}
	}
}

// isPart reports whether e is a literal, or a function's name, of the type that explore.Test needs,
// and is an argument or an element.
func (r *rewriter) isPart(e ast.Expr) bool {
	id, _ := e.(*ast.Ident)
	if s, ok := e.(*ast.SelectorExpr); ok {
		id = s.Sel
	}
	_, literal := e.(*ast.FuncLit)
	if _, named := r.info.Uses[id].(*types.Func); !literal && !named {
		return false
	}
	switch p := r.parents[e].(type) {
	case *ast.CallExpr:
		if p.Fun == e {
			return false
		}
	case *ast.CompositeLit:
	case *ast.KeyValueExpr:
		if p.Value != e {
			return false
		}
	default:
		return false
	}
	return explored(r.info.TypeOf(e))
}

// explored reports whether a type is that of what explore.Test explores.
func explored(t types.Type) bool {
	s, ok := t.Underlying().(*types.Signature)
	return ok && s.Results().Len() == 0 && s.Params().Len() == 1 && s.Params().At(0).Type().String() == "*testing.T"
}

// callsPart reports whether e has a variable that may be another part.
func (r *rewriter) callsPart(e ast.Expr) (does bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := r.info.Uses[id].(*types.Var)
			does = does || ok && explored(v.Type())
		}
		return true
	})
	return does
}
