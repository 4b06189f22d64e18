package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// Trees reports calls of package par where a fork is meant. It has no flags.
var Trees = &analysis.Analyzer{
	Name: "rousetree",
	Doc: `report parallel loops over two to four elements at each node of a tree

A call of package par asks workers for help, and finds out which worker it has itself.
That takes tens of microseconds, however few its elements are. A function that calls itself
pays that at each node of its tree, and most nodes are small:

	func sum(t *Tree) int {
		if t == nil {
			return 0
		}
		var left, right int
		par.Do([]func(){
			func() { left = sum(t.Left) },
			func() { right = sum(t.Right) },
		})
		return left + t.Value + right
	}

A fork that no other worker takes costs about as much as a call. So hand on a worker, and fork:

	func sum(w *pool.Worker, t *Tree) int {
		if t == nil {
			return 0
		}
		left, right := pool.Invoke(w, sum, t.Left, sum, t.Right)
		return left + t.Value + right
	}

	total, err := pool.Run(ctx, pool.Default(), sum, tree)

The analyzer reports a call of package par over two to four elements, if the source says
that there are so many, and if the functions that are handed over call a function around
the call again: directly, or through functions of the same package. A function of the package
that hands its parameters to such a call counts as one. The analyzer follows no calls through
interfaces and fields of structs. A call with the option par.WithLimit is for elements that
wait, and is not reported.

Where all leaves take a millisecond or more, the cost does not matter: turn the analyzer
off there, by -rousetree=false.`,
	URL:      "https://pkg.go.dev/github.com/rouse-go/rouse/tools/vet",
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run:      runTrees,
}

// A node of a tree has from fewest to most elements.
const fewest, most = 2, 4

func runTrees(pass *analysis.Pass) (any, error) {
	if !uses(pass.Pkg, parPath) {
		return nil, nil
	}
	root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
	p := readProgram(pass.TypesInfo, root)
	for cur := range root.Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		name, n := p.node(call)
		if n == 0 {
			continue
		}
		around := make(map[ast.Node]bool)
		for f := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
			around[f.Node()] = true
		}
		if p.reaches(p.handedOver(call), around) {
			pass.ReportRangef(call, "the %d elements of %s call the function around it again: that costs tens of microseconds at each node of the tree, so use pool.Invoke there, and pool.Run at the root", n, name)
		}
	}
	return nil, nil
}

// node returns which loop a call is, and over how many elements: 0 if that is no node of a tree.
// A function that hands its parameters to a loop counts as that loop.
func (p *program) node(call *ast.CallExpr) (name string, n int) {
	if n = p.few(call); n > 0 {
		return "par." + p.callee(call), n
	}
	f, ok := typeutil.Callee(p.info, call).(*types.Func)
	if !ok || p.decls[f.Origin()] == nil {
		return "", 0
	}
	decl := p.decls[f.Origin()]
	for within := range ast.Preorder(decl) {
		if inner, ok := within.(*ast.CallExpr); ok {
			if n = p.few(inner); n > 0 && p.handsOn(inner, decl) {
				return "par." + p.callee(inner) + " in " + f.Name(), n
			}
		}
	}
	return "", 0
}

// few returns over how many elements a loop is that may be a node, or 0.
func (p *program) few(call *ast.CallExpr) int {
	if _, n := p.loop(call); n >= fewest && n <= most && !p.isLimited(call) {
		return n
	}
	return 0
}

// handsOn reports whether the arguments of a call have a function that is a parameter of f.
func (p *program) handsOn(call *ast.CallExpr, f *ast.FuncDecl) bool {
	for _, arg := range call.Args {
		for n := range ast.Preorder(arg) {
			id, ok := n.(*ast.Ident)
			if !ok {
				continue
			}
			v, ok := p.info.Uses[id].(*types.Var)
			if !ok || v.Pos() < f.Type.Params.Pos() || v.Pos() >= f.Type.Params.End() {
				continue
			}
			if _, ok := v.Type().Underlying().(*types.Signature); ok {
				return true
			}
		}
	}
	return false
}

// loops are the functions of package par that call for each element by itself, and which
// argument says how many elements there are.
var loops = map[string]int{
	"Do": 0, "DoErr": 1,
	"For": 0, "ForErr": 1, "ForRange": 0, "ForRangeErr": 1, "Each": 0, "EachErr": 1,
	"Map": 0, "MapErr": 1, "MapInto": 1, "FlatMap": 0, "Tabulate": 0,
	"Filter": 0, "FilterErr": 1, "FilterMap": 0, "Partition": 0,
	"IndexFunc": 0, "ContainsFunc": 0, "AllFunc": 0, "CountFunc": 0,
	"Fold": 0, "FoldErr": 1, "FoldRange": 0,
}

// loop returns which function of package par is called, and over how many elements: 0 if
// the source does not say it.
func (p *program) loop(call *ast.CallExpr) (name string, n int) {
	name = p.callee(call)
	over, ok := loops[name]
	if !ok || over >= len(call.Args) {
		return name, 0
	}
	return name, p.number(call.Args[over])
}

// isLimited reports whether the elements of a call wait, so that a fork is no better.
func (p *program) isLimited(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if option, ok := ast.Unparen(arg).(*ast.CallExpr); ok && p.callee(option) == "WithLimit" {
			return true
		}
	}
	return false
}

// handedOver returns the functions among the arguments of a call.
func (p *program) handedOver(call *ast.CallExpr) (all []ast.Node) {
	for _, arg := range call.Args {
		all = append(all, p.functions(arg)...)
	}
	return all
}

// reaches reports whether one of the functions is among the goals, or calls one of them,
// directly or through others.
func (p *program) reaches(from []ast.Node, goals map[ast.Node]bool) bool {
	seen := make(map[ast.Node]bool)
	for len(from) > 0 {
		f := from[len(from)-1]
		from = from[:len(from)-1]
		switch {
		case goals[f]:
			return true
		case !seen[f]:
			seen[f] = true
			from = append(from, p.calledIn(f)...)
		}
	}
	return false
}

// calledIn returns the functions of the package that a function calls, itself or in a
// function literal in it, or hands to package par or pool, which call them.
func (p *program) calledIn(f ast.Node) (all []ast.Node) {
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			all = append(all, p.functions(call.Fun)...)
			if p.callsBack(call) {
				all = append(all, p.handedOver(call)...)
			}
		}
		return true
	})
	return all
}
