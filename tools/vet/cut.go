package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// large is how many elements a node must have for its recursion to count as cut off. A loop over so
// many takes microseconds at least; and whoever writes such a number knows why.
const large = 1000

// isCut reports whether a node of the source is reached only if something is large: by a condition
// around it, or by one before it whose statement ends the function, or the iteration.
func (p *program) isCut(cur inspector.Cursor) bool {
	for up := cur; ; up = up.Parent() {
		kind, i := up.ParentEdge()
		parent := up.Parent()
		switch n := parent.Node().(type) {
		case nil, *ast.FuncDecl, *ast.File:
			return false
		case *ast.IfStmt:
			if kind == edge.IfStmt_Body && p.saysLarge(n.Cond, true) || kind == edge.IfStmt_Else && p.saysLarge(n.Cond, false) {
				return true
			}
		case *ast.ForStmt:
			if kind == edge.ForStmt_Body && n.Cond != nil && p.saysLarge(n.Cond, true) {
				return true
			}
		case *ast.BlockStmt:
			if s, ok := parent.Parent().Node().(*ast.SwitchStmt); ok {
				if p.isCutByCase(s, up.Node()) {
					return true
				}
			} else if p.isCutBefore(n.List[:i]) {
				return true
			}
		case *ast.CaseClause:
			if kind == edge.CaseClause_Body && p.isCutBefore(n.Body[:i]) {
				return true
			}
		}
	}
}

// isCutBefore reports whether what follows the statements is reached only if something is large.
func (p *program) isCutBefore(before []ast.Stmt) bool {
	for _, s := range before {
		switch s := s.(type) {
		case *ast.IfStmt:
			if ends(s.Body.List) && p.saysLarge(s.Cond, false) {
				return true
			}
		case *ast.SwitchStmt:
			for _, c := range s.Body.List {
				if c := c.(*ast.CaseClause); s.Tag == nil && ends(c.Body) && p.anySaysLarge(c.List, false) {
					return true
				}
			}
		}
	}
	return false
}

// isCutByCase reports whether a case of a switch is reached only if something is large.
func (p *program) isCutByCase(s *ast.SwitchStmt, at ast.Node) bool {
	if s.Tag != nil {
		return false
	}
	here := at.(*ast.CaseClause)
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		switch {
		case c != here && (c.Pos() < here.Pos() || here.List == nil):
			if p.anySaysLarge(c.List, false) { // and is not so
				return true
			}
		case c == here && len(c.List) == 1 && p.saysLarge(c.List[0], true):
			return true
		}
	}
	return false
}

func (p *program) anySaysLarge(conds []ast.Expr, is bool) bool {
	for _, cond := range conds {
		if p.saysLarge(cond, is) {
			return true
		}
	}
	return false
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
		v, ok := p.info.Uses[x].(*types.Var)
		return ok && p.defined[v] && len(p.values[v]) == 1 && p.values[v][0] != nil && p.saysLarge(p.values[v][0], is)
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

func (p *program) isConstant(e ast.Expr) bool { return p.info.Types[e].Value != nil }

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
		id, ok := ast.Unparen(x.Fun).(*ast.Ident)
		return ok && p.info.Uses[id] == types.Universe.Lookup("len")
	case *ast.BinaryExpr:
		return x.Op == token.SUB
	}
	return false
}
