package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"
)

// Forks that are dropped, and forks that are joined twice. A variable is followed through the control
// flow of its function, and reported only if what is wrong is so on every path. So one that a function
// literal uses, too, or whose address is taken, is not followed.

const (
	dropped = "the fork is never joined, so nobody gets its result, and it may not run until its job returns: join it, or spawn a job in a Worker.Scope"
	twice   = "the fork %s was joined before, so this panics: keep the result of the first Join"
)

// forks reports the forks of a function that are dropped, or joined twice.
func (c *checker) forks(f inspector.Cursor, body *ast.BlockStmt) {
	flow := &flow{checker: c, followed: c.followed(f)}
	if len(flow.followed) == 0 {
		return
	}
	flow.graph = cfg.New(body, func(call *ast.CallExpr) bool { return !c.isBuiltin(call.Fun, "panic") })
	for _, b := range flow.graph.Blocks {
		var all []event
		for _, n := range b.Nodes {
			all = flow.events(all, n, false)
		}
		flow.blocks = append(flow.blocks, all)
	}
	for v := range flow.followed {
		flow.joinedTwice(v)
		flow.neverJoined(v)
	}
}

// A flow is what happens to the forks of a function.
type flow struct {
	*checker
	followed map[*types.Var]bool
	graph    *cfg.CFG
	blocks   [][]event // of each block of the graph, in order
}

// An event is what happens to a variable that has a fork.
type event struct {
	v    *types.Var
	kind int
	at   ast.Expr
}

const (
	joined = iota + 1 // in every execution of the block
	read              // somehow else
	forked            // it gets a new fork
	set               // it gets another value
)

// followed returns the variables of a function that have forks, and that only its own statements use.
func (c *checker) followed(f inspector.Cursor) map[*types.Var]bool {
	all := make(map[*types.Var]bool)
	for cur := range f.Preorder((*ast.Ident)(nil)) {
		v := c.variable(cur.Node().(*ast.Ident))
		if v == nil || !isForked(v.Type()) {
			continue
		}
		if _, known := all[v]; !known {
			all[v] = (v.Kind() == types.LocalVar || v.Kind() == types.ParamVar) && isIn(v.Pos(), f.Node())
		}
		for by := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
			all[v] = all[v] && by == f
			break
		}
		cur = outermost(cur)
		if cur.ParentEdgeKind() == edge.UnaryExpr_X && cur.Parent().Node().(*ast.UnaryExpr).Op == token.AND {
			all[v] = false
		}
	}
	maps.DeleteFunc(all, func(_ *types.Var, own bool) bool { return !own })
	return all
}

// events appends what happens in n, in this order. Perhaps says that it may not happen.
func (f *flow) events(all []event, n ast.Node, perhaps bool) []event {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			all = f.events(all, n.Call, true) // later
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				all = f.events(f.events(all, n.X, perhaps), n.Y, true)
				return false
			}
		case *ast.AssignStmt:
			all = f.assignments(all, n.Lhs, n.Rhs, perhaps)
			return false
		case *ast.ValueSpec:
			all = f.assignments(all, identifiers(n.Names), n.Values, perhaps)
			return false
		case *ast.CallExpr:
			fork := f.joinedBy(n)
			if v := f.variable(fork); v != nil && !perhaps {
				for _, arg := range n.Args {
					all = f.events(all, arg, perhaps)
				}
				all = append(all, event{v, joined, fork})
				return false
			}
		case *ast.Ident:
			if v := f.variable(n); v != nil {
				all = append(all, event{v, read, n})
			}
		}
		return true
	})
	return all
}

func (f *flow) assignments(all []event, left, right []ast.Expr, perhaps bool) []event {
	for i, e := range right {
		if len(left) == len(right) && isBlank(left[i]) && f.variable(e) != nil {
			continue // which only satisfies the compiler
		}
		all = f.events(all, e, perhaps)
	}
	for i, e := range left {
		v := f.variable(e)
		switch {
		case v == nil:
			all = f.events(all, e, perhaps)
		case len(left) == len(right) && isCall(right[i]):
			all = append(all, event{v, forked, right[i]})
		default:
			all = append(all, event{v, set, e})
		}
	}
	return all
}

// isIn reports whether a position lies in a node.
func isIn(at token.Pos, n ast.Node) bool { return n.Pos() <= at && at < n.End() }

func isCall(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok
}

// variable returns the followed variable that e is, or nil.
func (f *flow) variable(e ast.Expr) *types.Var {
	if v := f.checker.variable(e); f.followed[v] {
		return v
	}
	return nil
}

// joinedTwice reports the joins of v before which every path has joined it.
func (f *flow) joinedTwice(v *types.Var) {
	f.solve(true, func(b *cfg.Block, after []bool, report bool) bool {
		now := b.Index > 0
		for _, p := range f.graph.Blocks {
			now = now && (!p.Live || after[p.Index] || !slices.Contains(p.Succs, b))
		}
		for _, e := range f.blocks[b.Index] {
			if e.v != v {
				continue
			}
			if e.kind == joined && now && report {
				f.add(e.at, fmt.Sprintf(twice, v.Name()))
			}
			now = e.kind == joined
		}
		return now
	})
}

// neverJoined reports the forks that v gets, and that no path reads before v gets another one.
func (f *flow) neverJoined(v *types.Var) {
	f.solve(false, func(b *cfg.Block, wanted []bool, report bool) bool {
		now := slices.ContainsFunc(b.Succs, func(s *cfg.Block) bool { return wanted[s.Index] })
		for _, e := range slices.Backward(f.blocks[b.Index]) {
			if e.v != v {
				continue
			}
			if e.kind == forked && !now && report {
				f.add(e.at, dropped)
			}
			now = e.kind == joined || e.kind == read
		}
		return now
	})
}

// solve finds whether something is so at the end of each block, or at its beginning, where that depends on
// the blocks before, or after. It begins as if it were so in all, or in none, and goes on until nothing
// changes. Then it has each block report.
func (f *flow) solve(all bool, isSo func(b *cfg.Block, found []bool, report bool) bool) {
	found := slices.Repeat([]bool{all}, len(f.blocks))
	for changed := true; changed; {
		changed = false
		for i, b := range f.graph.Blocks {
			if now := isSo(b, found, false); now != found[i] {
				found[i], changed = now, true
			}
		}
	}
	for _, b := range f.graph.Blocks {
		if b.Live {
			isSo(b, found, true)
		}
	}
}

// joinedBy returns the fork that a call joins, or nil.
func (c *checker) joinedBy(call *ast.CallExpr) ast.Expr {
	m, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || m.Sel.Name != "Join" || !isForked(c.TypesInfo.TypeOf(m.X)) {
		return nil
	}
	return m.X
}

// inARow reports forks in fields and slices that are joined again in the same statement or a later one of a list,
// if nothing between may have put another one there.
func (c *checker) inARow(list []ast.Stmt) {
	before := make(map[string]bool)
	for _, s := range list {
		var set []ast.Expr
		switch s := s.(type) {
		case *ast.AssignStmt:
			set = s.Lhs
		case *ast.ExprStmt, *ast.ReturnStmt:
		default:
			clear(before)
			continue
		}
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.BinaryExpr:
				return n.Op != token.LAND && n.Op != token.LOR
			case *ast.CallExpr:
				fork := c.joinedBy(n)
				if fork == nil {
					clear(before) // it may do anything
					break
				}
				name := types.ExprString(fork)
				if c.variable(fork) == nil && before[name] {
					c.add(fork, fmt.Sprintf(twice, name))
				}
				before[name] = isPlace(fork)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					clear(before)
				}
			}
			return true
		})
		for _, e := range set {
			if id, ok := e.(*ast.Ident); !ok || c.TypesInfo.Defs[id] == nil && id.Name != "_" {
				clear(before)
			}
		}
	}
}

// isPlace reports whether an expression names the same fork each time: fields, and elements of
// constant or variable index.
func isPlace(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return isPlace(e.X)
	case *ast.IndexExpr:
		return isPlace(e.X) && isPlace(e.Index)
	}
	return false
}

// thrownAway reports a fork that no variable gets.
func (c *checker) thrownAway(cur inspector.Cursor, call *ast.CallExpr) {
	if !isForked(c.TypesInfo.TypeOf(call)) || c.Pkg.Path() == poolPath { // which makes forks by other calls
		return
	}
	if e := outermost(cur); e.ParentEdgeKind() == edge.ExprStmt_X || isDiscarded(e) {
		c.add(call, dropped)
	}
}

// unread reports the slices, arrays and maps of forks that a function fills, and that nothing reads.
func (c *checker) unread(f inspector.Cursor) {
	filled, others := make(map[*types.Var]ast.Expr), make(map[*types.Var]bool)
	for cur := range f.Preorder((*ast.Ident)(nil)) {
		id := cur.Node().(*ast.Ident)
		v, ok := c.TypesInfo.ObjectOf(id).(*types.Var)
		if !ok || v.Kind() != types.LocalVar || !holdsForks(v.Type()) || !isIn(v.Pos(), f.Node()) {
			continue
		}
		if value, ok := c.stored(cur, v); !ok {
			others[v] = true
		} else if value != nil && filled[v] == nil && c.makesFork(value) {
			filled[v] = id
		}
	}
	for v, at := range filled {
		if !others[v] {
			c.add(at, fmt.Sprintf("the forks in %s are never joined: join them, or spawn jobs in a Worker.Scope", v.Name()))
		}
	}
}

func holdsForks(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map:
		return isForked(t.(interface{ Elem() types.Type }).Elem())
	}
	return false
}

// makesFork reports whether a fork is made in an expression.
func (c *checker) makesFork(e ast.Expr) bool {
	for n := range ast.Preorder(e) {
		if call, ok := n.(*ast.CallExpr); ok && isForked(c.TypesInfo.TypeOf(call)) {
			return true
		}
	}
	return false
}

// stored reports whether a use of v only puts something into it, and returns what.
func (c *checker) stored(cur inspector.Cursor, v *types.Var) (value ast.Expr, ok bool) {
	if cur.ParentEdgeKind() == edge.IndexExpr_X {
		cur = cur.Parent()
	}
	up := cur.Parent().Node()
	switch kind, i := cur.ParentEdge(); kind {
	case edge.ValueSpec_Names:
		if s := up.(*ast.ValueSpec); len(s.Values) == len(s.Names) {
			value = s.Values[i]
		}
		return value, true
	case edge.AssignStmt_Lhs:
		if s := up.(*ast.AssignStmt); len(s.Lhs) == len(s.Rhs) {
			value = s.Rhs[i]
		}
		return value, true
	case edge.AssignStmt_Rhs:
		return nil, isDiscarded(cur)
	case edge.RangeStmt_X:
		s := up.(*ast.RangeStmt)
		return nil, s.Value == nil || isBlank(s.Value)
	case edge.CallExpr_Args:
		call := up.(*ast.CallExpr)
		if i != 0 || !c.isBuiltin(call.Fun, "append") {
			return nil, false
		}
		if kind, i := cur.Parent().ParentEdge(); kind == edge.AssignStmt_Rhs {
			s := cur.Parent().Parent().Node().(*ast.AssignStmt)
			return nil, len(s.Lhs) == len(s.Rhs) && c.variable(s.Lhs[i]) == v
		}
	}
	return nil, false
}

// joinedInLoop reports a fork from before a loop that each iteration joins.
func (c *checker) joinedInLoop(loop ast.Node, body *ast.BlockStmt) {
	mayEnd, set := false, make(map[*types.Var]bool)
	if r, ok := loop.(*ast.RangeStmt); ok && r.Value != nil {
		set[c.variable(r.Value)] = true
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BranchStmt, *ast.ReturnStmt:
			mayEnd = true
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				set[c.variable(e)] = true
			}
		case *ast.UnaryExpr:
			set[c.variable(n.X)] = true
		case *ast.Ident:
			mayEnd = mayEnd || c.isBuiltin(n, "panic")
		}
		return true
	})
	for _, s := range body.List {
		if mayEnd {
			return
		}
		switch s.(type) {
		case *ast.ExprStmt, *ast.AssignStmt:
		default:
			continue
		}
		ast.Inspect(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				_, inside := n.(*ast.FuncLit)
				return !inside
			}
			fork := c.joinedBy(call)
			if v := c.variable(fork); v != nil && !set[v] && !isIn(v.Pos(), loop) {
				c.add(fork, fmt.Sprintf("the fork %s is joined in each iteration, and the second one panics: join it before the loop", v.Name()))
			}
			return true
		})
	}
}
