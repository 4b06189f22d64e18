package rewrite

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
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
			d, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			a := new(asking)
			all[info.Defs[d.Name]] = a
			ast.Inspect(d, func(n ast.Node) bool {
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
		}
	}
	return all
}

// expect says, before main, what a test asks about, itself or by functions that it refers to: so a
// call that is never reached is noticed.
func (r *rewriter) expect(n *ast.FuncDecl) {
	if n.Recv != nil || !strings.HasPrefix(n.Name.Name, "Test") {
		return
	}
	var about []string
	queue := []types.Object{r.info.Defs[n.Name]}
	for i := 0; i < len(queue); i++ {
		a := r.asks[queue[i]]
		if a == nil { // a method of an interface
			continue
		}
		for _, what := range a.about {
			if !slices.Contains(about, what) {
				about = append(about, what)
			}
		}
		for _, f := range a.to {
			if !slices.Contains(queue, f) {
				queue = append(queue, f)
			}
		}
	}
	for _, what := range about {
		r.changed = true
		r.end += fmt.Sprintf("\nvar _ = %s.Expect(%q, %q)\n", lang, n.Name.Name, what)
	}
}
