package vet

import (
	"go/ast"
	"go/types"
	"strings"
)

// Elements reports elements of streams that somebody else will overwrite. It has no flags.
var Elements = analyzer(parPath, checkElements, "rouseelement", `report elements of streams whose memory is reused

The function of par.MapSeq or of a par.Pipe may read an element after the source has gone on.
This is wrong, although it works as long as elements take no time:

	func (w *writer) Write(b []byte) (int, error) {
		return len(b), w.pipe.Push(b) // push bytes.Clone(b)
	}

	lines := func(yield func([]byte) bool) {
		for s := bufio.NewScanner(file); s.Scan(); {
			if !yield(s.Bytes()) { // yield bytes.Clone(s.Bytes())
				return
			}
		}
	}
	for n, err := range par.MapSeq(ctx, lines, parse) { … }

The analyzer reports

  - the parameter of a method Write([]byte) that is pushed into a Pipe;
  - the Bytes of a bufio.Scanner that are pushed into a Pipe, or yielded by a function
    that makes a sequence for MapSeq.

It follows local variables, slices of these, what the Trim functions of package bytes return,
and fields of composite literals. It does not follow calls.`)

func checkElements(p *program) {
	e := &elements{program: p, yields: make(map[*types.Var]bool), written: make(map[*types.Var]bool)}
	for cur := range p.root.Preorder((*ast.CallExpr)(nil), (*ast.FuncDecl)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.CallExpr:
			if e.calleeOfPar(n) == "MapSeq" && len(n.Args) > 1 {
				for _, f := range e.functions(n.Args[1]) {
					if yield := e.parameter(f); yield != nil {
						e.yields[yield] = true
					}
				}
			}
		case *ast.FuncDecl:
			if n.Recv == nil || n.Name.Name != "Write" {
				continue
			}
			if b := e.parameter(n); b != nil && b.Type().String() == "[]byte" {
				e.written[b] = true
			}
		}
	}
	for cur := range p.root.Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		if len(call.Args) != 1 || e.calleeOfPar(call) != "Push" && !e.yields[e.variable(call.Fun)] {
			continue
		}
		switch owner := e.lent(call.Args[0], make(map[*types.Var]bool)).(type) {
		case *ast.CallExpr:
			p.ReportRangef(call.Args[0], "the next Scan overwrites %s, and this element may be read after that: hand over a copy, by bytes.Clone", types.ExprString(owner))
		case *ast.Ident:
			p.ReportRangef(call.Args[0], "the caller of Write may overwrite %s as soon as Write returns, and this element may be read after that: push a copy, by bytes.Clone", owner.Name)
		}
	}
}

// elements are what the source of a package says about the elements of streams.
type elements struct {
	*program
	yields  map[*types.Var]bool // the parameters yield of sequences for MapSeq
	written map[*types.Var]bool // the parameters of methods Write
}

// parameter returns the parameter of a function, or nil if there is not one.
func (e *elements) parameter(f ast.Node) *types.Var {
	expr, _ := f.(ast.Expr)
	if decl, ok := f.(*ast.FuncDecl); ok {
		expr = decl.Name
	}
	t := e.TypesInfo.TypeOf(expr)
	if params := t.(*types.Signature).Params(); params.Len() == 1 {
		return params.At(0)
	}
	return nil
}

// lent returns what an expression has its memory from, if somebody else reuses that: the call of
// Bytes, or the parameter of a Write; otherwise nil. A variable has it if all that is assigned to it
// does.
func (e *elements) lent(from ast.Expr, seen map[*types.Var]bool) (owner ast.Expr) {
	switch x := ast.Unparen(from).(type) {
	case *ast.SliceExpr:
		return e.lent(x.X, seen)
	case *ast.UnaryExpr:
		return e.lent(x.X, seen)
	case *ast.CompositeLit:
		for _, elt := range elementsOf(x) {
			if owner := e.lent(elt, seen); owner != nil {
				return owner
			}
		}
	case *ast.CallExpr:
		return e.lentBy(x, seen)
	case *ast.Ident:
		v, _ := e.TypesInfo.Uses[x].(*types.Var)
		if e.written[v] {
			owner = x
		}
		if seen[v] || !e.written[v] && !e.defined[v] {
			return owner
		}
		seen[v] = true
		for _, value := range e.values[v] {
			if owner = e.lent(value, seen); owner == nil {
				return nil
			}
		}
		return owner
	}
	return nil
}

// lentBy is lent for a call.
func (e *elements) lentBy(call *ast.CallExpr, seen map[*types.Var]bool) ast.Expr {
	if e.TypesInfo.Types[call.Fun].IsType() {
		if _, ok := e.TypesInfo.TypeOf(call).Underlying().(*types.Slice); ok {
			return e.lent(call.Args[0], seen)
		}
		return nil // a string, which is a copy
	}
	switch f := e.callee(call); {
	case f == nil:
	case f.FullName() == "(*bufio.Scanner).Bytes":
		return call
	case isOf(f, "bytes") && strings.HasPrefix(f.Name(), "Trim"):
		return e.lent(call.Args[0], seen)
	}
	return nil
}
