package vet

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// large is how many elements a node must have for its recursion to count as cut off. A loop over so
// many takes microseconds at least; and whoever writes such a number knows why.
const large = 1000

// isCut reports whether a node of the source is reached only if something is large.
func (p *program) isCut(cur inspector.Cursor) bool {
	return slices.ContainsFunc(conditions(cur), func(c condition) bool { return p.saysLarge(c.expr, c.is) })
}

// A condition is an expression, and what it is.
type condition struct {
	expr ast.Expr
	is   bool
}

// conditions returns those of which each holds where a node of the source is reached: those around it,
// and those before it whose statement ends the function, or the iteration.
func conditions(cur inspector.Cursor) (all []condition) {
	for ; ; cur = cur.Parent() {
		kind, i := cur.ParentEdge()
		switch n := cur.Parent().Node().(type) {
		case nil, *ast.FuncDecl, *ast.File:
			return all
		case *ast.IfStmt:
			if kind == edge.IfStmt_Body || kind == edge.IfStmt_Else {
				all = append(all, condition{n.Cond, kind == edge.IfStmt_Body})
			}
		case *ast.ForStmt:
			if kind == edge.ForStmt_Body && n.Cond != nil {
				all = append(all, condition{n.Cond, true})
			}
		case *ast.BlockStmt:
			all = passed(all, n.List[:i])
			if s, ok := cur.Parent().Parent().Node().(*ast.SwitchStmt); ok && s.Tag == nil {
				all = chosen(all, n.List, cur.Node().(*ast.CaseClause))
			}
		case *ast.CaseClause:
			if kind == edge.CaseClause_Body {
				all = passed(all, n.Body[:i])
			}
		}
	}
}

// passed appends what holds after statements.
func passed(all []condition, before []ast.Stmt) []condition {
	for _, s := range before {
		switch s := s.(type) {
		case *ast.IfStmt:
			if ends(s.Body.List) {
				all = append(all, condition{s.Cond, false})
			}
		case *ast.SwitchStmt:
			for _, c := range s.Body.List {
				if c := c.(*ast.CaseClause); s.Tag == nil && ends(c.Body) {
					all = none(all, c.List)
				}
			}
		}
	}
	return all
}

// chosen appends what holds in a clause of a switch.
func chosen(all []condition, clauses []ast.Stmt, here *ast.CaseClause) []condition {
	if len(here.List) == 1 {
		all = append(all, condition{here.List[0], true})
	}
	for _, c := range clauses {
		if c := c.(*ast.CaseClause); c != here && (c.Pos() < here.Pos() || here.List == nil) {
			all = none(all, c.List)
		}
	}
	return all
}

// none appends that each expression is false.
func none(all []condition, exprs []ast.Expr) []condition {
	for _, e := range exprs {
		all = append(all, condition{e, false})
	}
	return all
}

func ends(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}

// saysLarge reports whether something is large if the condition is what is says.
func (p *program) saysLarge(cond ast.Expr, is bool) bool {
	switch x := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return x.Op == token.NOT && p.saysLarge(x.X, !is)
	case *ast.Ident:
		value := p.only(x)
		return value != nil && p.saysLarge(value, is)
	case *ast.BinaryExpr:
		left, right := x.X, x.Y
		switch x.Op {
		case token.LAND, token.LOR:
			return (x.Op == token.LAND) == is && (p.saysLarge(left, is) || p.saysLarge(right, is))
		case token.LSS, token.LEQ:
			left, right = right, left
		case token.GTR, token.GEQ:
		default:
			return false
		}
		if !is { // not a > b
			left, right = right, left
		}
		return !p.isConstant(left) && p.isLarge(left, right)
	}
	return false
}

func (p *program) isConstant(e ast.Expr) bool { return p.TypesInfo.Types[e].Value != nil }

// isLarge reports whether size is large if it is more than least: that is a large number; or size is
// a length or a difference, and the source does not say how much least is; or least is a field, as of
// options, and size is a variable.
func (p *program) isLarge(size, least ast.Expr) bool {
	if n := p.number(least); n != 0 || p.isConstant(least) {
		return n >= large
	}
	switch x := ast.Unparen(size).(type) {
	case *ast.Ident:
		_, isField := ast.Unparen(least).(*ast.SelectorExpr)
		return isField
	case *ast.CallExpr:
		return p.isBuiltin(ast.Unparen(x.Fun), "len")
	case *ast.BinaryExpr:
		return x.Op == token.SUB
	}
	return false
}
