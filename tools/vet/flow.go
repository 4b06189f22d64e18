package vet

import (
	"cmp"
	"go/ast"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/cfg"
)

// A graph is the control flow of a function, which ends at a panic.
type graph struct {
	*cfg.CFG
	before map[*cfg.Block][]*cfg.Block // from which control may go to each block
}

func (p *program) graphOf(f ast.Node) graph {
	body := new(ast.BlockStmt) // of a function that is written in another language
	switch f := f.(type) {
	case *ast.FuncLit:
		body = f.Body
	case *ast.FuncDecl:
		body = cmp.Or(f.Body, body)
	}
	g := graph{
		cfg.New(body, func(call *ast.CallExpr) bool { return !p.isBuiltin(call.Fun, "panic") }),
		make(map[*cfg.Block][]*cfg.Block),
	}
	for _, b := range g.Blocks {
		for _, next := range b.Succs {
			if b.Live {
				g.before[next] = append(g.before[next], b)
			}
		}
		for i, n := range b.Nodes {
			// Package cfg has a select assign for all clauses. Each clause begins with the variable once more.
			if a, ok := n.(*ast.AssignStmt); ok {
				if at, _ := p.root.FindNode(a); at.ParentEdgeKind() == edge.CommClause_Comm {
					b.Nodes[i] = a.Rhs[0]
				}
			}
		}
	}
	return g
}

// solve finds whether something is so at the end of each block, or at its beginning, where that depends on
// the blocks before, or after. It begins as if it were so in all, or in none, and goes on until nothing
// changes. Then it has each block report.
func (g graph) solve(all bool, isSo func(b *cfg.Block, found []bool, report bool) bool) (found []bool) {
	found = slices.Repeat([]bool{all}, len(g.Blocks))
	for changed := true; changed; {
		changed = false
		for i, b := range g.Blocks {
			if now := isSo(b, found, false); now != found[i] {
				found[i], changed = now, true
			}
		}
	}
	for _, b := range g.Blocks {
		if b.Live {
			isSo(b, found, true)
		}
	}
	return found
}
