package vet

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// A capture is a worker or a fork that a function literal uses, although it comes from outside
// and the literal is a job of its own or runs on another goroutine.
type capture struct {
	key
	expr ast.Expr // its first use
	// param is the literal's own worker, or nil.
	param    *ast.Field
	assigned bool // the literal assigns the variable, so it may hold the literal's own worker
	harmless bool // some uses are allowed on any goroutine
}

// A key identifies a capture: root is the captured variable, name is root or a field of it.
type key struct {
	lit  *ast.FuncLit
	root *types.Var
	name string
}

// ident records a use of a variable, if it is a capture.
func (c *checker) ident(cur inspector.Cursor, id *ast.Ident) {
	root := c.variable(id)
	if root == nil {
		return
	}
	whole, cur, element := c.widest(cur)
	t := c.TypesInfo.TypeOf(whole)
	var lit *ast.FuncLit
	switch {
	case isWorker(t) && !element:
		lit = c.around(cur, root, c.ownsWorker)
	case isForked(t) && joins(cur):
		lit = c.around(cur, root, c.otherJob)
	}
	if lit == nil {
		return
	}
	k := key{lit, root, types.ExprString(whole)}
	found := c.found[k]
	if found == nil {
		found = &capture{key: k, param: c.workerParameter(lit)}
		c.found[k] = found
	}
	switch c.role(cur) {
	case assigned:
		found.assigned = true
	case harmless:
		found.harmless = true
	case blocks:
		if c.callers[lit].how == block && found.param == nil {
			break
		}
		fallthrough
	default:
		if found.expr == nil {
			found.expr = whole
		}
	}
}

// widest returns the expression that the identifier begins, up to the first worker or fork: a.b.w, or
// forks[i]. It reports whether that is in an element of a slice, an array or a map: the source does not say
// which worker that is.
func (c *checker) widest(cur inspector.Cursor) (whole ast.Expr, at inspector.Cursor, element bool) {
	for {
		e := cur.Node().(ast.Expr)
		kind, _ := cur.ParentEdge()
		up := cur.Parent()
		switch {
		case kind == edge.SelectorExpr_Sel || kind == edge.ParenExpr_X:
		case stray(c.TypesInfo.TypeOf(e)) != "":
			return e, cur, element
		case kind == edge.IndexExpr_X:
			element = true
		case kind == edge.StarExpr_X:
		case kind == edge.SelectorExpr_X:
			if s := c.TypesInfo.Selections[up.Node().(*ast.SelectorExpr)]; s == nil || s.Kind() != types.FieldVal {
				return e, cur, element
			}
		default:
			return e, cur, element
		}
		cur = up
	}
}

// around returns the innermost function literal around the use that matters, if the variable is
// declared outside it; otherwise nil.
func (c *checker) around(cur inspector.Cursor, v *types.Var, matters func(inspector.Cursor) bool) *ast.FuncLit {
	for l := range cur.Enclosing((*ast.FuncLit)(nil)) {
		lit := l.Node().(*ast.FuncLit)
		if isIn(v.Pos(), lit) {
			return nil
		}
		if matters(l) {
			return lit
		}
	}
	return nil
}

// ownsWorker reports whether a literal must not use a worker from outside.
func (c *checker) ownsWorker(lit inspector.Cursor) bool {
	f := lit.Node().(*ast.FuncLit)
	return c.workerParameter(f) != nil || c.callers[f].how != 0
}

// otherJob reports whether a literal must not join forks from outside.
func (c *checker) otherJob(lit inspector.Cursor) bool {
	f := lit.Node().(*ast.FuncLit)
	if c.workerParameter(f) != nil {
		lit = outermost(lit)
		kind, i := lit.ParentEdge()
		return kind == edge.CallExpr_Args && c.makesJob(lit.Parent().Node().(*ast.CallExpr), i)
	}
	how := c.callers[f].how
	return how != 0 && how != block // where its worker is reported
}

// makesJob reports whether the call makes a job of its i-th argument, a function, so that it may
// run on another worker. So do the loops of package par that hand on a worker. The first functions of
// Invoke and Both, and the bodies of a worker's Scope and Group, never do.
func (p *program) makesJob(call *ast.CallExpr, i int) bool {
	f := p.callee(call)
	if !isOf(f, poolPath) && !isOf(f, parPath) {
		return false
	}
	switch f.Name() {
	case "Scope", "Group":
		return false
	case "Invoke", "Both":
		return i != 1
	}
	return true
}

// outermost returns e with the parentheses around it.
func outermost(e inspector.Cursor) inspector.Cursor {
	for e.ParentEdgeKind() == edge.ParenExpr_X {
		e = e.Parent()
	}
	return e
}

// joins reports whether e is a fork whose method Join is called or named.
func joins(e inspector.Cursor) bool {
	e = outermost(e)
	return e.ParentEdgeKind() == edge.SelectorExpr_X && e.Parent().Node().(*ast.SelectorExpr).Sel.Name == "Join"
}

const (
	harmless = iota // on any goroutine
	blocks          // allowed in Block: another Block, and what Run is handed
	assigned
	used
)

// role returns how a worker is used.
func (c *checker) role(e inspector.Cursor) int {
	e = outermost(e)
	up := e.Parent().Node()
	switch kind, i := e.ParentEdge(); kind {
	case edge.AssignStmt_Lhs, edge.RangeStmt_Key, edge.RangeStmt_Value:
		return assigned
	case edge.AssignStmt_Rhs:
		if isDiscarded(e) {
			return harmless
		}
	case edge.BinaryExpr_X, edge.BinaryExpr_Y, edge.IndexExpr_Index:
		return harmless // a comparison, or the key of a map
	case edge.SelectorExpr_X:
		switch up.(*ast.SelectorExpr).Sel.Name {
		case "Pool":
			return harmless
		case "Block":
			return blocks
		}
	case edge.CallExpr_Args:
		return c.roleOfArgument(up.(*ast.CallExpr), i)
	}
	return used
}

// roleOfArgument returns how a function uses a worker that it is handed, as far as that is a function of
// this package.
func (c *checker) roleOfArgument(call *ast.CallExpr, i int) int {
	f := c.callee(call)
	if isOf(f, poolPath) && f.Name() == "NewContext" {
		return blocks
	}
	decl := c.decls[f]
	if decl == nil || i >= f.Signature().Params().Len() || f.Signature().Variadic() {
		return used
	}
	param := f.Signature().Params().At(i)
	most, known := c.roles[param]
	if known {
		return most
	}
	c.roles[param] = harmless // where it hands it to itself
	at, _ := c.root.FindNode(decl)
	for use := range at.Preorder((*ast.Ident)(nil)) {
		if c.TypesInfo.Uses[use.Node().(*ast.Ident)] == param {
			most = max(most, c.role(use))
		}
	}
	c.roles[param] = most
	return most
}

// isDiscarded reports whether an expression is assigned to the blank variable.
func isDiscarded(e inspector.Cursor) bool {
	s, ok := e.Parent().Node().(*ast.AssignStmt)
	kind, i := e.ParentEdge()
	return ok && kind == edge.AssignStmt_Rhs && len(s.Lhs) == len(s.Rhs) && isBlank(s.Lhs[i])
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// captures reports each captured variable, once for each literal.
func (c *checker) captures() {
	for _, f := range c.found {
		if f.expr == nil || f.assigned {
			continue
		}
		c.add(f.expr, c.message(f), c.fix(f)...)
	}
}

func (c *checker) message(f *capture) string {
	switch {
	case isForked(c.TypesInfo.TypeOf(f.expr)):
		return fmt.Sprintf("the fork %s is joined in another job than the one that forked it: join it there, and hand on the result", f.name)
	case f.param == nil && c.callers[f.lit].how == loop:
		return fmt.Sprintf("%s is a worker from outside this function, which par.%s may have called on another worker: use par.ForWorker, which hands it one of its own", f.name, c.callers[f.lit].name)
	case f.param == nil && c.callers[f.lit].how == block:
		return fmt.Sprintf("the worker %s is used in Block, where its job must not fork, join or spawn: do that before or after, or call pool.Run there", f.name)
	case f.param == nil:
		return onGoroutine(f.name)
	case isUnnamed(f.param):
		return fmt.Sprintf("%s is a worker from outside this function, which is given one of its own: name its *pool.Worker parameter, and use that", f.name)
	}
	return fmt.Sprintf("%s is a worker from outside this function, which is given one of its own: use its parameter %s", f.name, f.param.Names[0].Name)
}

func isUnnamed(f *ast.Field) bool {
	return len(f.Names) == 0 || f.Names[0].Name == "_"
}

// fix gives the parameter the name of the variable, which it then hides.
func (c *checker) fix(f *capture) []analysis.SuggestedFix {
	if f.param == nil || !isUnnamed(f.param) || f.harmless || f.name != f.root.Name() || !isWorker(f.root.Type()) {
		return nil
	}
	var edits []analysis.TextEdit
	if len(f.param.Names) > 0 {
		blank := f.param.Names[0]
		edits = append(edits, analysis.TextEdit{Pos: blank.Pos(), End: blank.End(), NewText: []byte(f.name)})
	} else {
		for _, p := range f.lit.Type.Params.List {
			name := "_ "
			if p == f.param {
				name = f.name + " "
			}
			edits = append(edits, analysis.TextEdit{Pos: p.Pos(), End: p.Pos(), NewText: []byte(name)})
		}
	}
	return []analysis.SuggestedFix{{Message: "Name the parameter " + f.name, TextEdits: edits}}
}
