package vet

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// Elements reports elements of streams that somebody else will overwrite. It has no flags.
var Elements = &analysis.Analyzer{
	Name: "rouseelement",
	Doc: `report elements of streams whose memory is reused

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
and fields of composite literals. It does not follow calls.`,
	URL:      "https://pkg.go.dev/github.com/rouse-go/rouse/tools/vet",
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run:      ignoring("rouseelement", runElements),
}

func runElements(pass *analysis.Pass) (any, error) {
	if !uses(pass.Pkg, parPath) {
		return nil, nil
	}
	root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
	e := &elements{program: readProgram(pass.TypesInfo, root), yields: make(map[types.Object]bool), written: make(map[types.Object]bool)}
	for cur := range root.Preorder((*ast.CallExpr)(nil), (*ast.FuncDecl)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.CallExpr:
			if e.callee(n) == "MapSeq" && len(n.Args) > 1 {
				e.sequence(n.Args[1])
			}
		case *ast.FuncDecl:
			if p := writeParameter(pass.TypesInfo, n); p != nil {
				e.written[p] = true
			}
		}
	}
	for cur := range root.Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		if len(call.Args) != 1 || !e.isPush(call) && !e.isYield(call) {
			continue
		}
		switch owner := e.lent(call.Args[0], make(map[types.Object]bool)); owner := owner.(type) {
		case *ast.CallExpr:
			pass.ReportRangef(call.Args[0], "the next Scan overwrites %s, and this element may be read after that: hand over a copy, by bytes.Clone", types.ExprString(owner))
		case *ast.Ident:
			pass.ReportRangef(call.Args[0], "the caller of Write may overwrite %s as soon as Write returns, and this element may be read after that: push a copy, by bytes.Clone", owner.Name)
		}
	}
	return nil, nil
}

// elements are what the source of a package says about the elements of streams.
type elements struct {
	*program
	yields  map[types.Object]bool // the parameters yield of sequences for MapSeq
	written map[types.Object]bool // the parameters of methods Write
}

// writeParameter returns the parameter of a method Write([]byte), or nil.
func writeParameter(info *types.Info, f *ast.FuncDecl) types.Object {
	if f.Recv == nil || f.Name.Name != "Write" {
		return nil
	}
	params := f.Type.Params.List
	if len(params) != 1 || len(params[0].Names) != 1 || info.TypeOf(params[0].Type).String() != "[]byte" {
		return nil
	}
	return info.Defs[params[0].Names[0]]
}

// sequence notes the parameter yield of each function that an expression, a sequence, may stand for.
func (e *elements) sequence(seq ast.Expr) {
	for _, f := range e.functions(seq) {
		if t := typeOf(f); len(t.Params.List) == 1 && len(t.Params.List[0].Names) == 1 {
			e.yields[e.info.Defs[t.Params.List[0].Names[0]]] = true
		}
	}
}

func typeOf(f ast.Node) *ast.FuncType {
	if lit, ok := f.(*ast.FuncLit); ok {
		return lit.Type
	}
	return f.(*ast.FuncDecl).Type
}

func (e *elements) isPush(call *ast.CallExpr) bool { return e.callee(call) == "Push" }

func (e *elements) isYield(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && e.yields[e.info.Uses[id]]
}

// lent returns what an expression has its memory from, if somebody else reuses that: the call of
// Bytes, or the parameter of a Write; otherwise nil. A variable has it if all that is assigned to it
// does.
func (e *elements) lent(from ast.Expr, seen map[types.Object]bool) ast.Expr {
	switch x := ast.Unparen(from).(type) {
	case *ast.SliceExpr:
		return e.lent(x.X, seen)
	case *ast.UnaryExpr:
		return e.lent(x.X, seen)
	case *ast.CompositeLit:
		for _, elt := range x.Elts {
			if pair, ok := elt.(*ast.KeyValueExpr); ok {
				elt = pair.Value
			}
			if owner := e.lent(elt, seen); owner != nil {
				return owner
			}
		}
	case *ast.CallExpr:
		return e.lentBy(x, seen)
	case *ast.Ident:
		v, ok := e.info.Uses[x].(*types.Var)
		if !ok || !e.written[v] && (!e.defined[v] || seen[v]) {
			return nil
		}
		return e.lentTo(v, x, seen)
	}
	return nil
}

// lentTo is lent for a variable, which id names.
func (e *elements) lentTo(v *types.Var, id *ast.Ident, seen map[types.Object]bool) (owner ast.Expr) {
	if e.written[v] {
		owner = id
	}
	if seen[v] {
		return owner
	}
	seen[v] = true
	for _, value := range e.values[v] {
		if value == nil {
			return nil
		}
		if owner = e.lent(value, seen); owner == nil {
			return nil
		}
	}
	return owner
}

// lentBy is lent for a call.
func (e *elements) lentBy(call *ast.CallExpr, seen map[types.Object]bool) ast.Expr {
	if e.info.Types[call.Fun].IsType() {
		if _, ok := e.info.TypeOf(call).Underlying().(*types.Slice); ok {
			return e.lent(call.Args[0], seen)
		}
		return nil // a string, which is a copy
	}
	f, ok := typeutil.Callee(e.info, call).(*types.Func)
	switch {
	case !ok:
	case f.FullName() == "(*bufio.Scanner).Bytes":
		return call
	case isOf(f, "bytes") && strings.HasPrefix(f.Name(), "Trim"):
		return e.lent(call.Args[0], seen)
	}
	return nil
}
