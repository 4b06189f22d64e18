package vet

import (
	"go/ast"
	"go/types"
	"slices"
)

// Trees reports calls to package par where you should fork. It has no flags.
var Trees = analyzer(parPath, checkTrees, "rousetree", `report parallel loops over two to four elements at each node of a tree

Calling package par wakes workers, which takes tens of microseconds, however few elements there
are. A function that calls itself pays that at each node of its tree, and most nodes are small:

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

A fork that no other worker takes costs about as much as a call. So pass a worker on, and fork:

	func sum(w *pool.Worker, t *Tree) int {
		if t == nil {
			return 0
		}
		left, right := pool.Invoke(w, sum, t.Left, sum, t.Right)
		return left + t.Value + right
	}

	total, err := pool.Run(ctx, pool.Default(), sum, tree)

The analyzer reports a call to package par if the source shows that it has two to four
elements, and if the functions passed to it call the function around it again: directly, or
through functions of the same package. Calling a function of the package that passes its
parameters on to such a call counts, too. The analyzer does not follow calls through interfaces
or fields of structs. It reports neither calls with the option par.WithLimit, whose elements wait,
nor a recursion that cuts itself off: one that calls par, or itself, only if something is more than
a thousand, as after

	if len(s) < 65536 {
		return sequential(s)
	}

or if a length, or a difference of indices, is more than a variable says.

If every leaf takes a millisecond or more, the cost does not matter: say so on the line
before the call, by //lint:ignore rousetree and the reason.`)

// A node of a tree has from fewest to most elements.
const fewest, most = 2, 4

func checkTrees(program *program) {
	p := &trees{program, make(map[ast.Node]bool)}
	for cur := range p.root.Preorder((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		p.findCut(cur.Node())
	}
	for cur := range p.root.Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		name, n := p.node(call)
		if n == 0 || p.cut[call] {
			continue
		}
		around := make(map[ast.Node]bool)
		for f := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
			around[f.Node()] = true
		}
		if p.reaches(p.handedOver(call), around, make(map[ast.Node]bool)) {
			p.ReportRangef(call, "the %d elements of %s call the function around it again: that costs tens of microseconds at each node of the tree, so use pool.Invoke there, and pool.Run at the root", n, name)
		}
	}
}

// trees are what the source of a package says about its recursion.
type trees struct {
	*program
	cut map[ast.Node]bool // the calls and function literals that are reached only with many elements
}

// node returns which loop a call is, and its number of elements, or 0 if it cannot be a node of a
// tree. Calling a function that passes its parameters on to a loop counts as that loop.
func (p *trees) node(call *ast.CallExpr) (name string, n int) {
	if n = p.few(call); n > 0 {
		return "par." + p.calleeOfPar(call), n
	}
	f := p.callee(call)
	decl := p.decls[f]
	if decl == nil {
		return "", 0
	}
	for within := range ast.Preorder(decl) {
		if inner, ok := within.(*ast.CallExpr); ok {
			if n = p.few(inner); n > 0 && p.handsOn(inner, decl) {
				return "par." + p.calleeOfPar(inner) + " in " + f.Name(), n
			}
		}
	}
	return "", 0
}

// few returns the number of elements of a loop that may be a node of a tree, or 0.
func (p *trees) few(call *ast.CallExpr) int {
	over, ok := loops[p.calleeOfPar(call)]
	if !ok || over >= len(call.Args) || p.hasOption(call, "WithLimit") {
		return 0
	}
	if n := p.number(call.Args[over]); n >= fewest && n <= most {
		return n
	}
	return 0
}

// handsOn reports whether a parameter of f that is a function is used in the arguments of a call.
func (p *trees) handsOn(call *ast.CallExpr, f *ast.FuncDecl) bool {
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		return slices.ContainsFunc(p.functionParameters(arg), func(v *types.Var) bool {
			_, one := v.Type().Underlying().(*types.Signature)
			return one && isIn(v.Pos(), f.Type.Params)
		})
	})
}

// loops are the functions of package par that call a function for each element, with the index of
// the argument that has the elements or their number.
var loops = map[string]int{
	"Do": 0, "DoErr": 1,
	"For": 0, "ForErr": 1, "ForRange": 0, "ForRangeErr": 1, "Each": 0, "EachErr": 1,
	"ForWorker": 0, "ForWorkerErr": 1, "Map": 0, "MapErr": 1, "MapInto": 1, "FlatMap": 0, "Tabulate": 0,
	"Filter": 0, "FilterErr": 1, "FilterMap": 0, "Partition": 0,
	"IndexFunc": 0, "ContainsFunc": 0, "AllFunc": 0, "CountFunc": 0,
	"Fold": 0, "FoldErr": 1, "FoldRange": 0,
}

// handedOver returns the functions that are passed to a call.
func (p *program) handedOver(call *ast.CallExpr) (all []ast.Node) {
	for _, arg := range call.Args {
		all = append(all, p.functions(arg)...)
	}
	return all
}

// reaches reports whether one of the functions is among the goals, or calls one of them, directly or through
// others that it has not seen.
func (p *trees) reaches(functions []ast.Node, goals, seen map[ast.Node]bool) bool {
	return slices.ContainsFunc(functions, func(f ast.Node) bool {
		if goals[f] || seen[f] {
			return goals[f]
		}
		seen[f] = true
		return p.reaches(p.calledIn(f), goals, seen)
	})
}

// calledIn returns the functions of the package that f calls, also within a function literal, or
// passes to package par or pool, which call them.
func (p *trees) calledIn(f ast.Node) (all []ast.Node) {
	for n := range ast.Preorder(f) {
		if call, ok := n.(*ast.CallExpr); ok && !p.cut[call] {
			all = append(all, p.functions(call.Fun)...)
			if f := p.callee(call); isOf(f, parPath) || isOf(f, poolPath) {
				all = append(all, p.handedOver(call)...)
			}
		}
	}
	return all
}
