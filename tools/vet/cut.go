package vet

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// large is how many elements a node must have for its recursion to count as cut off. A loop over so
// many takes microseconds at least; and whoever writes such a number knows why.
const large = 1000

// findCut notes which calls of a function, and function literals in it, are reached only if something is large:
// each path to them says so. That of the function itself is noted already, if it is a literal.
func (p *trees) findCut(f ast.Node) {
	g := p.graphOf(f)
	cut := g.solve(true, func(b *cfg.Block, after []bool, _ bool) bool {
		before := g.before[b]
		return p.cut[f] || len(before) > 0 && !slices.ContainsFunc(before, func(from *cfg.Block) bool {
			return !after[from.Index] && !p.isLargeFrom(from, b)
		})
	})
	for i, b := range g.Blocks {
		for _, n := range b.Nodes {
			ast.Inspect(n, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.CallExpr, *ast.FuncLit:
					p.cut[n] = cut[i]
				}
				_, inside := n.(*ast.FuncLit)
				return !inside
			})
		}
	}
}

// isLargeFrom reports whether the condition under which control goes from a block to another one says that
// something is large.
func (p *trees) isLargeFrom(from, to *cfg.Block) bool {
	if len(from.Succs) < 2 || len(from.Nodes) == 0 {
		return false
	}
	cond, ok := from.Nodes[len(from.Nodes)-1].(ast.Expr)
	return ok && p.saysLarge(cond, from.Succs[0] == to)
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
