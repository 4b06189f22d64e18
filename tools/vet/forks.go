package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"
)

// Forks that are dropped, and forks that are joined twice. The place where a fork is, such as f, p.f or
// forks[0], is followed through the control flow of a function, and reported only if what is wrong is so on
// every path. Only the statements of the function itself change a variable of its own. Any call and any
// assignment may change the other places: fields, elements, and variables that another function sets, too,
// or whose address is taken.

const (
	dropped  = "the fork is never joined, so nobody gets its result, and it may not run until its job returns: join it, or spawn a job in a Worker.Scope"
	twice    = "the fork %s was joined before, so this panics: keep the result of the first Join"
	eachTime = "the fork %s is joined in each iteration, and the second one panics: join it before the loop"
)

// forks reports the forks of a function that are dropped, or joined twice.
func (c *checker) forks(f inspector.Cursor) {
	own, used := c.ownForks(f)
	flow := &flow{checker: c, own: own, graph: c.graphOf(f.Node())}
	joins := make(map[string]bool)
	for _, b := range flow.graph.Blocks {
		var all []event
		if s, ok := b.Stmt.(*ast.RangeStmt); ok && b.Kind == cfg.KindRangeBody {
			all = flow.assignments(all, []ast.Expr{s.Key, s.Value}, nil, false)
			if _, calls := c.TypesInfo.TypeOf(s.X).Underlying().(*types.Signature); calls {
				all = append(all, event{"", set, nil})
			}
		}
		for _, n := range b.Nodes {
			all = flow.events(all, n, false)
		}
		for _, e := range all {
			if e.kind == joined {
				joins[e.place] = true
			}
		}
		flow.blocks = append(flow.blocks, all)
	}
	for place := range joins {
		flow.joinedTwice(place)
	}
	for place, own := range flow.own {
		if own && !used[place] {
			flow.neverJoined(place)
		}
	}
}

// A flow is what happens to the forks of a function.
type flow struct {
	*checker
	own    map[string]bool // of the variables of forks: only statements of the function set it, or nothing does
	graph  graph
	blocks [][]event // of each block of the graph, in order
}

// An event is what happens to a place that may have a fork.
type event struct {
	place string // "" is all that are not the function's own
	kind  int
	at    ast.Expr // of one that is joined or forked
}

const (
	joined = iota + 1 // in every execution of the block
	read              // somehow else
	forked            // it gets a new fork
	set               // it gets another value
)

// concerns reports whether an event happens to a place, or to what that is a part of.
func (f *flow) concerns(e event, place string) bool {
	return strings.Contains(place, e.place) && (e.place != "" || !f.own[place])
}

// place returns a text that is the same for expressions that name the same place each time: variables, fields
// of places, and elements of constant or variable index. For others it is "".
func (c *checker) place(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v := c.variable(e); v != nil {
			return fmt.Sprintf("%s@%d ", v.Name(), v.Pos()) // others may have the name
		}
	case *ast.BasicLit:
		return e.Value
	case *ast.SelectorExpr:
		if x := c.place(e.X); x != "" {
			return x + "." + e.Sel.Name + " " // another field may begin with this name
		}
	case *ast.IndexExpr:
		if x, i := c.place(e.X), c.place(e.Index); x != "" && i != "" {
			return x + "[" + i + "]"
		}
	}
	return ""
}

// ownForks returns the variables with forks that a function uses, with whether only its own statements set each, or
// nothing does but its definition. Used are those that another function uses, too.
func (c *checker) ownForks(f inspector.Cursor) (own, used map[string]bool) {
	own, used = make(map[string]bool), make(map[string]bool)
	for cur := range f.Preorder((*ast.Ident)(nil)) {
		id := cur.Node().(*ast.Ident)
		v := c.variable(id)
		if v == nil || !isForked(v.Type()) {
			continue
		}
		place, inside := c.place(id), isIn(v.Pos(), f.Node())
		if _, known := own[place]; !known {
			own[place], used[place] = v.Kind() != types.ResultVar && (inside || c.only(id) != nil), !inside
		}
		for by := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
			if by != f {
				used[place], own[place] = true, own[place] && c.role(cur) != assigned
			}
			break
		}
		if _, address := outermost(cur).Parent().Node().(*ast.UnaryExpr); address {
			own[place] = false
		}
	}
	return own, used
}

// events appends what happens in n, in this order. Perhaps says that it may not happen.
func (f *flow) events(all []event, n ast.Node, perhaps bool) []event {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
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
		case *ast.IncDecStmt, *ast.SendStmt:
			all = append(all, event{"", set, nil})
		case *ast.UnaryExpr:
			if n.Op == token.ARROW { // other jobs may go on
				all = append(all, event{"", set, nil})
			}
		case *ast.CallExpr:
			fork := f.joinedBy(n)
			place := f.place(fork)
			if place == "" || perhaps {
				all = f.events(all, n.Fun, perhaps)
			}
			for _, arg := range n.Args {
				all = f.events(all, arg, perhaps)
			}
			switch {
			case fork == nil:
				all = append(all, event{"", set, nil}) // it may do anything
			case place != "" && !perhaps:
				all = append(all, event{place, joined, fork})
			}
			return false
		case *ast.Ident:
			if place := f.place(n); f.own[place] {
				all = append(all, event{place, read, n})
			}
		}
		return true
	})
	return all
}

func (f *flow) assignments(all []event, left, right []ast.Expr, perhaps bool) []event {
	for i, e := range right {
		if len(left) == len(right) && isBlank(left[i]) && f.own[f.place(e)] {
			continue // which only satisfies the compiler
		}
		all = f.events(all, e, perhaps)
	}
	for i, e := range left {
		id, _ := e.(*ast.Ident)
		place := f.place(e)
		switch {
		case e == nil || isBlank(e):
		case f.own[place] && len(left) == len(right) && f.makesFork(right[i]):
			all = append(all, event{place, forked, right[i]})
		case f.own[place] || id != nil && f.TypesInfo.Defs[id] != nil:
			all = append(all, event{place, set, e})
		default:
			all = append(f.events(all, e, perhaps), event{"", set, nil})
		}
	}
	return all
}

// isIn reports whether a position lies in a node.
func isIn(at token.Pos, n ast.Node) bool { return n.Pos() <= at && at < n.End() }

// joinedTwice reports the joins of a place before which every path has joined it, and those before which every
// path through a loop has.
func (f *flow) joinedTwice(place string) {
	var loop *cfg.Block // one that joins it in each iteration
	message, reported := twice, make(map[ast.Expr]bool)
	joinedBefore := func(b *cfg.Block, after []bool, report bool) bool {
		now := b == loop || f.all(after, b, false)
		for _, e := range f.blocks[b.Index] {
			if !f.concerns(e, place) {
				continue
			}
			if e.kind == joined && now && report && !reported[e.at] && (loop == nil || isIn(e.at.Pos(), loop.Stmt)) {
				reported[e.at] = true
				f.add(e.at, fmt.Sprintf(message, types.ExprString(e.at)))
			}
			now = e.kind == joined
		}
		return now
	}
	after := f.graph.solve(true, joinedBefore)
	message = eachTime
	for _, b := range f.graph.Blocks {
		switch b.Kind {
		case cfg.KindForLoop, cfg.KindForBody, cfg.KindRangeLoop:
			if f.all(after, b, true) && !f.renewed(place, b) {
				loop = b
				f.graph.solve(true, joinedBefore)
			}
		}
	}
}

// renewed reports whether a place may get another fork in the loop that begins with a block.
func (f *flow) renewed(place string, loop *cfg.Block) bool {
	return slices.ContainsFunc(f.graph.Blocks, func(b *cfg.Block) bool {
		return inLoop(b, loop) &&
			slices.ContainsFunc(f.blocks[b.Index], func(e event) bool { return e.kind >= forked && f.concerns(e, place) })
	})
}

// inLoop reports whether a block lies in the loop that begins with another one, and not behind it.
func inLoop(b, loop *cfg.Block) bool {
	behind := b.Stmt == loop.Stmt && (b.Kind == cfg.KindForDone || b.Kind == cfg.KindRangeDone)
	return !behind && isIn(b.Stmt.Pos(), loop.Stmt)
}

// all reports whether something is so after each block before b, and there is one: of those that lie in
// the loop which begins with b, if only these matter.
func (f *flow) all(after []bool, b *cfg.Block, ofLoop bool) bool {
	before := f.graph.before[b]
	if ofLoop {
		before = slices.DeleteFunc(slices.Clone(before), func(p *cfg.Block) bool { return !inLoop(p, b) })
	}
	return len(before) > 0 && !slices.ContainsFunc(before, func(p *cfg.Block) bool { return !after[p.Index] })
}

// neverJoined reports the forks that a variable gets, and that no path reads before it gets another one.
func (f *flow) neverJoined(place string) {
	f.graph.solve(false, func(b *cfg.Block, wanted []bool, report bool) bool {
		now := slices.ContainsFunc(b.Succs, func(s *cfg.Block) bool { return wanted[s.Index] })
		for _, e := range slices.Backward(f.blocks[b.Index]) {
			if !f.concerns(e, place) {
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

// joinedBy returns the fork that a call joins, or nil.
func (c *checker) joinedBy(call *ast.CallExpr) ast.Expr {
	m, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || m.Sel.Name != "Join" || !isForked(c.TypesInfo.TypeOf(m.X)) {
		return nil
	}
	return m.X
}

// thrownAway reports a fork that no variable gets.
func (c *checker) thrownAway(cur inspector.Cursor, call *ast.CallExpr) {
	if c.Pkg.Path() == poolPath { // which makes forks by other calls
		return
	}
	if e := outermost(cur); (e.ParentEdgeKind() == edge.ExprStmt_X || isDiscarded(e)) && c.isNew(call, make(map[any]bool)) {
		c.add(call, dropped)
	}
}

// unread reports the slices, arrays and maps of forks that a function fills, and that nothing reads.
func (c *checker) unread(f inspector.Cursor) {
	filled, others := make(map[*types.Var]ast.Expr), make(map[*types.Var]bool)
	for cur := range f.Preorder((*ast.Ident)(nil)) {
		id := cur.Node().(*ast.Ident)
		v := c.variable(id)
		if v == nil || v.Kind() != types.LocalVar || !holdsForks(v.Type()) || !isIn(v.Pos(), f.Node()) {
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
		if call, ok := n.(*ast.CallExpr); ok && c.isNew(call, make(map[any]bool)) {
			return true
		}
	}
	return false
}

// isNew reports whether a call returns a fork that nobody else has: a call of package pool, or of a function that
// only returns such calls.
func (c *checker) isNew(call *ast.CallExpr, seen map[any]bool) bool {
	from := c.returned(call, seen)
	return isForked(c.TypesInfo.TypeOf(call)) && (isOf(c.callee(call), poolPath) ||
		len(from) > 0 && !slices.ContainsFunc(from, func(e ast.Expr) bool {
			inner, ok := ast.Unparen(e).(*ast.CallExpr)
			return !ok || !c.isNew(inner, seen)
		}))
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
