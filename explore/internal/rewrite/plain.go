package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// Plain reads and writes of what threads may share are told to the driver, which finds
// data races. A local variable is left alone if no function that may run elsewhere has it
// and nobody has its address; so is a variable that has one value from beginning to end.

// findShared returns the variables that threads may share.
func (r *rewriter) findShared() map[types.Object]bool {
	captured := make(map[types.Object]bool)
	changed := make(map[types.Object]bool)
	known := make(map[types.Object]bool) // by its address
	local := func(e ast.Expr) types.Object {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.Ident:
				return r.info.ObjectOf(x)
			case *ast.SelectorExpr:
				if s := r.info.Selections[x]; s == nil || isPointer(r.info.TypeOf(x.X)) {
					return nil
				}
				e = x.X
			case *ast.IndexExpr:
				if _, ok := under(r.info.TypeOf(x.X)).(*types.Array); !ok {
					return nil
				}
				e = x.X
			default:
				return nil
			}
		}
	}
	ast.Inspect(r.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := r.info.Uses[n].(*types.Var); ok && !v.IsField() && r.elsewhere(n, v) {
				captured[v] = true
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); !ok || r.info.Defs[id] == nil {
					changed[local(e)] = true
				}
			}
		case *ast.IncDecStmt:
			changed[local(n.X)] = true
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil {
						changed[local(e)] = true
					}
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				known[local(n.X)] = true
			}
		case *ast.SliceExpr:
			if _, ok := under(r.info.TypeOf(n.X)).(*types.Array); ok {
				known[local(n.X)] = true
			}
		case *ast.SelectorExpr:
			if s := r.info.Selections[n]; s != nil && s.Kind() == types.MethodVal && byAddress(s) {
				known[local(n.X)] = true
			}
		}
		return true
	})
	all := make(map[types.Object]bool)
	for v := range changed {
		if v != nil && (captured[v] || known[v]) {
			all[v] = true
		}
	}
	for v := range known {
		if v != nil {
			all[v] = true
		}
	}
	return all
}

func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

func isPointer(t types.Type) bool {
	_, ok := under(t).(*types.Pointer)
	return ok
}

// byAddress reports whether a call of the method takes the address of its receiver.
func byAddress(s *types.Selection) bool {
	f, ok := s.Obj().(*types.Func)
	if !ok || isPointer(s.Recv()) {
		return false
	}
	recv := f.Signature().Recv()
	return recv != nil && isPointer(recv.Type())
}

// elsewhere reports whether the identifier is in a function literal that v is outside of,
// and that is not just called where it stands.
func (r *rewriter) elsewhere(n ast.Node, v *types.Var) bool {
	for p := r.parents[n]; p != nil; p = r.parents[p] {
		lit, ok := p.(*ast.FuncLit)
		if !ok {
			continue
		}
		if lit.Pos() <= v.Pos() && v.Pos() < lit.End() {
			return false
		}
		c, ok := r.parents[lit].(*ast.CallExpr)
		if !ok || c.Fun != lit {
			return true
		}
		if _, ok := r.parents[c].(*ast.GoStmt); ok {
			return true
		}
	}
	return false
}

// variable reports whether e is a variable that threads may share, with an address.
func (r *rewriter) variable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := r.info.Uses[e].(*types.Var)
		if !ok || v.IsField() || v.Name() == "_" {
			return false
		}
		return r.shared[v] || v.Parent() == r.pkg.Scope()
	case *ast.SelectorExpr:
		s := r.info.Selections[e]
		if s == nil || s.Kind() != types.FieldVal || !r.info.Types[e].Addressable() {
			return false
		}
		return s.Indirect() || isPointer(r.info.TypeOf(e.X)) || r.reaches(e.X)
	case *ast.IndexExpr:
		if !r.info.Types[e].Addressable() {
			return false
		}
		switch t := under(r.info.TypeOf(e.X)).(type) {
		case *types.Slice:
			return true
		case *types.Pointer:
			_, ok := t.Elem().Underlying().(*types.Array)
			return ok
		case *types.Array:
			return r.reaches(e.X)
		}
	case *ast.StarExpr:
		return !r.info.Types[e].IsType()
	}
	return false
}

// reaches reports whether the variable that e is a part of may be shared.
func (r *rewriter) reaches(e ast.Expr) bool {
	e = ast.Unparen(e)
	return r.variable(e)
}

// A use is what is done with an expression where it stands.
type use int

const (
	unused use = iota
	reads
	writes // alone on the left of =
	changes
)

// useOf looks at where e stands.
func (r *rewriter) useOf(e ast.Expr) use {
	var n ast.Node = e
	p := r.parents[n]
	for {
		if q, ok := p.(*ast.ParenExpr); ok {
			n, p = q, r.parents[q]
			continue
		}
		break
	}
	switch p := p.(type) {
	case *ast.UnaryExpr:
		if p.Op == token.AND {
			return unused
		}
	case *ast.SelectorExpr:
		if n == p.Sel {
			return unused
		}
		s := r.info.Selections[p]
		if s == nil || s.Kind() == types.MethodExpr {
			return unused
		}
		if isPointer(r.info.TypeOf(e)) {
			return reads
		}
		if s.Kind() == types.FieldVal || byAddress(s) {
			return unused // its address is what is used
		}
	case *ast.IndexExpr:
		if n == p.X {
			switch under(r.info.TypeOf(e)).(type) {
			case *types.Array:
				return unused
			}
		}
	case *ast.SliceExpr:
		if _, ok := under(r.info.TypeOf(e)).(*types.Array); ok && n == p.X {
			return unused
		}
	case *ast.AssignStmt:
		for _, l := range p.Lhs {
			if l != n {
				continue
			}
			switch {
			case r.comms[p] || p.Tok == token.DEFINE:
				return unused
			case p.Tok == token.ASSIGN:
				return writes
			default:
				return changes
			}
		}
	case *ast.IncDecStmt:
		return changes
	case *ast.RangeStmt:
		if n != p.X {
			return unused
		}
		switch t := under(r.info.TypeOf(e)).(type) {
		case *types.Array:
			return unused
		case *types.Pointer:
			_ = t
		}
	case *ast.CallExpr:
		if name, _ := r.builtin(p.Fun); name == "len" || name == "cap" {
			if _, ok := under(r.info.TypeOf(e)).(*types.Array); ok {
				return unused
			}
		}
	case *ast.KeyValueExpr:
		if n == p.Key {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := r.info.Uses[id].(*types.Var); ok && v.IsField() {
					return unused
				}
			}
		}
	case *ast.Field, *ast.LabeledStmt, *ast.BranchStmt, *ast.ImportSpec:
		return unused
	case *ast.ValueSpec:
		for _, id := range p.Names {
			if id == n {
				return unused
			}
		}
	}
	return reads
}

// plain tells the driver of the access that n is.
func (r *rewriter) plain(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		r.assign(n)
		return
	case *ast.RangeStmt:
		if _, ok := under(r.info.TypeOf(n.X)).(*types.Slice); ok && n.Value != nil {
			r.before(n.X, lang+".ReadSlice(")
			r.after(n.X, r.named(n.X)+")")
		}
		return
	case *ast.CallExpr:
		switch name, _ := r.builtin(n.Fun); name {
		case "delete", "clear":
			r.mapUse(n.Args[0], true)
		case "len":
			r.mapUse(n.Args[0], false)
		}
		return
	}
	e, ok := n.(ast.Expr)
	if !ok {
		return
	}
	if x, ok := e.(*ast.IndexExpr); ok {
		if _, ok := under(r.info.TypeOf(x.X)).(*types.Map); ok {
			if a, ok := r.parents[e].(*ast.AssignStmt); !ok || !r.setsMap(a) {
				u := r.useOf(e)
				r.mapUse(x.X, u == writes || u == changes)
			}
			return
		}
	}
	if !r.variable(e) {
		return
	}
	switch r.useOf(e) {
	case reads:
		r.before(e, "(*"+lang+".Read(&")
		r.after(e, r.named(e)+"))")
	case changes:
		if _, ok := r.parents[e].(*ast.IncDecStmt); ok {
			r.before(e, "(*"+lang+".Write(&")
			r.after(e, r.named(e)+"))")
		}
	}
}

// mapUse tells of a use of a map.
func (r *rewriter) mapUse(e ast.Expr, write bool) {
	if _, ok := under(r.info.TypeOf(e)).(*types.Map); !ok {
		return
	}
	f := ".ReadMap("
	if write {
		f = ".WriteMap("
	}
	r.before(e, lang+f)
	r.after(e, r.named(e)+")")
}

// assign tells of the writes, after what is on the right.
func (r *rewriter) assign(n *ast.AssignStmt) {
	if r.comms[n] || n.Tok == token.DEFINE {
		return
	}
	busy := false
	for _, e := range n.Rhs {
		busy = busy || r.busy(e)
	}
	if r.setsMap(n) {
		l := n.Lhs[0].(*ast.IndexExpr)
		r.before(l, lang+".SetMap(")
		r.put(l.Lbrack, 1, r.named(l.X)+")(")
		r.put(l.Rbrack, 1, ")")
		r.put(n.TokPos, 1, "(")
		r.after(n.Rhs[0], ")")
		return
	}
	if len(n.Lhs) == 1 {
		l := n.Lhs[0]
		switch {
		case !r.variable(ast.Unparen(l)):
		case n.Tok == token.ASSIGN && busy:
			r.set(n, "", "")
		case busy && !r.busy(l):
			op := strings.TrimSuffix(n.Tok.String(), "=")
			r.set(n, string(r.src[r.at(l.Pos()):r.at(l.End())])+" "+op+" (", ")")
		default:
			r.before(l, "*"+lang+".Write(&")
			r.after(l, r.named(l)+")")
		}
		return
	}
	var places []string
	for _, l := range n.Lhs {
		switch {
		case !r.variable(ast.Unparen(l)):
		case !busy:
			r.before(l, "*"+lang+".Write(&")
			r.after(l, r.named(l)+")")
		case len(n.Rhs) == 1 && !r.busy(l):
			places = append(places, lang+".At(&"+r.now(l)+r.named(l)+")")
		}
	}
	if len(places) > 0 && len(n.Lhs) <= 4 {
		r.before(n.Rhs[0], lang+".Wrote"+strconv.Itoa(len(n.Lhs))+"(")
		r.after(n.Rhs[0], ")("+strings.Join(places, ", ")+")")
	}
}

// set makes a call of an assignment: the write comes after all that the value needs.
func (r *rewriter) set(n *ast.AssignStmt, first, last string) {
	l := n.Lhs[0]
	r.before(l, lang+".Set(&")
	r.after(l, r.named(l))
	r.put(n.TokPos, len(n.Tok.String()), ")("+first)
	r.after(n.Rhs[0], last+")")
}

// setsMap reports whether an element of a map is assigned what takes a while to compute.
func (r *rewriter) setsMap(n *ast.AssignStmt) bool {
	if len(n.Lhs) != 1 || n.Tok != token.ASSIGN || r.comms[n] || !r.busy(n.Rhs[0]) {
		return false
	}
	x, ok := n.Lhs[0].(*ast.IndexExpr)
	if !ok {
		return false
	}
	_, ok = under(r.info.TypeOf(x.X)).(*types.Map)
	return ok
}

// busy reports whether computing e may let other threads run: there is a call or a receive.
func (r *rewriter) busy(e ast.Expr) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if name, _ := r.builtin(n.Fun); name == "" && !r.info.Types[n.Fun].IsType() {
				is = true
			} else if name == "len" && isChan(r.info.TypeOf(n.Args[0])) {
				is = true
			}
		case *ast.UnaryExpr:
			is = is || n.Op == token.ARROW
		}
		return !is
	})
	return is
}
