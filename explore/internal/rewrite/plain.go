package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"
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
			if n.Tok == token.ASSIGN || r.oldLoops() {
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil {
						changed[local(e)] = true
					}
				}
			}
		case *ast.FuncType: // a return changes the results
			for _, v := range r.results(n) {
				changed[v] = true
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

// under returns the type that t is made of; of a type parameter, that which all of its types
// are made of, or an interface.
func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return t.Underlying()
	}
	var core types.Type
	i := p.Constraint().Underlying().(*types.Interface)
	for k := range i.NumEmbeddeds() {
		terms := []types.Type{i.EmbeddedType(k)}
		if u, ok := i.EmbeddedType(k).Underlying().(*types.Union); ok {
			terms = terms[:0]
			for j := range u.Len() {
				terms = append(terms, u.Term(j).Type())
			}
		}
		for _, t := range terms {
			if _, ok := t.Underlying().(*types.Interface); ok {
				continue
			}
			if core != nil && !types.Identical(core, t.Underlying()) {
				return i
			}
			core = t.Underlying()
		}
	}
	if core == nil {
		return i
	}
	return core
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
// and that is not just called where it stands, or in the body of a loop that is as one.
func (r *rewriter) elsewhere(n ast.Node, v *types.Var) bool {
	for p := r.parents[n]; p != nil; p = r.parents[p] {
		if loop, ok := p.(*ast.RangeStmt); ok && r.isCalled(loop) && n.Pos() >= loop.Body.Pos() {
			if loop.Pos() <= v.Pos() && v.Pos() < loop.End() {
				return false
			}
			return true
		}
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

// isCalled reports whether the body of the loop is a function, which the one that it ranges over
// may call anywhere.
func (r *rewriter) isCalled(loop *ast.RangeStmt) bool {
	_, ok := under(r.info.TypeOf(loop.X)).(*types.Signature)
	return ok
}

// variable reports whether e is a variable that threads may share, with an address.
func (r *rewriter) variable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := r.info.ObjectOf(e).(*types.Var) // a loop before Go 1.22 assigns to what it has declared
		if !ok || v.IsField() || v.Name() == "_" {
			return false
		}
		return r.shared[v] || v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
	case *ast.SelectorExpr:
		s := r.info.Selections[e]
		if v, ok := r.info.Uses[e.Sel].(*types.Var); s == nil && ok {
			return !v.IsField() // of another package
		}
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
		if _, ok := under(r.info.TypeOf(e)).(*types.Array); ok && isBlank(p.Value) {
			return unused
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

// isBlank reports whether nothing is assigned to e.
func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return e == nil || ok && id.Name == "_"
}

// oldLoops reports whether the variables of a loop are those of all of its iterations.
func (r *rewriter) oldLoops() bool {
	v := r.info.FileVersions[r.file]
	return v != "" && version.Compare(v, "go1.22") < 0
}

// results returns the results of a function that have names.
func (r *rewriter) results(f *ast.FuncType) (all []*types.Var) {
	if f.Results == nil {
		return nil
	}
	for _, field := range f.Results.List {
		for _, id := range field.Names {
			if v, ok := r.info.Defs[id].(*types.Var); ok {
				all = append(all, v)
			}
		}
	}
	return all
}

// plain tells the driver of the access that n is.
func (r *rewriter) plain(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		r.assign(n)
		return
	case *ast.ReturnStmt:
		r.returnStmt(n)
		return
	case *ast.CallExpr:
		r.convert(n)
		return
	}
	e, ok := n.(ast.Expr)
	if !ok {
		return
	}
	if x, ok := e.(*ast.IndexExpr); ok {
		if _, ok := under(r.info.TypeOf(x.X)).(*types.Map); ok {
			u := r.useOf(e)
			if a, ok := r.parents[e].(*ast.AssignStmt); !ok || u == reads || !r.late(a, e) {
				r.mapUse(x.X, x.Index, u == writes || u == changes)
			}
			return
		}
	}
	if !r.variable(e) {
		return
	}
	switch r.useOf(e) {
	case reads:
		r.around(e, "(*"+lang+".Read(&", r.named(e)+"))")
	case changes:
		if _, ok := r.parents[e].(*ast.IncDecStmt); ok {
			r.around(e, "(*"+lang+".Write(&", r.named(e)+"))")
		}
	}
}

// convert tells of the elements that a conversion reads.
func (r *rewriter) convert(n *ast.CallExpr) {
	if len(n.Args) != 1 || !r.info.Types[n.Fun].IsType() {
		return
	}
	if _, ok := under(r.info.TypeOf(n.Args[0])).(*types.Slice); !ok {
		return
	}
	switch t := under(r.info.TypeOf(n)).(type) {
	case *types.Basic: // a string
		r.around(n.Args[0], lang+".ReadSlice(", r.elements(n.Args[0])+")")
	case *types.Array:
		r.around(n.Args[0], lang+".ReadFirst("+strconv.FormatInt(t.Len(), 10)+", ", r.elements(n.Args[0])+")")
	}
}

// elements is the argument that gives the name of elements of a slice.
func (r *rewriter) elements(e ast.Expr) string { return ", " + strconv.Quote(r.nameOf(e)+"[…]") }

// implicit tells of what a selector reads and does not name: pointers that are embedded, and
// what a method is given a copy of.
func (r *rewriter) implicit(n *ast.SelectorExpr) {
	s := r.info.Selections[n]
	if s == nil || s.Kind() == types.MethodExpr {
		return
	}
	name, pointer := r.nameOf(n.X), isPointer(s.Recv())
	if path := r.embedded(n, s); path != nil {
		known := pointer || r.variable(ast.Unparen(n.X))
		for _, f := range path {
			name += "." + f.Name()
			if pointer = isPointer(f.Type()); pointer && known {
				r.around(n.X, "(*"+lang+".Read(&", "."+f.Name()+", "+strconv.Quote(name)+"))")
			} else {
				r.after(n.X, "."+f.Name())
			}
			known = known || pointer
			if f := testOf(f.Type()); f != "" {
				r.around(n.X, f, ")")
				return
			}
		}
	} else if len(s.Index()) > 1 {
		return
	}
	f, ok := s.Obj().(*types.Func)
	if !ok || !pointer || f.Signature().Recv() == nil {
		return
	}
	recv := f.Signature().Recv().Type()
	if _, ok := recv.Underlying().(*types.Interface); !ok && !isPointer(recv) {
		r.around(n.X, "(*"+lang+".Read(", ", "+strconv.Quote("*"+name)+"))")
	}
}

// embedded returns the fields on the way to what is selected, if one of them is a pointer and
// all can be named here.
func (r *rewriter) embedded(n *ast.SelectorExpr, s *types.Selection) (path []*types.Var) {
	t, pointers := s.Recv(), false
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := under(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := under(t).(*types.Struct)
		if !ok || !st.Field(i).Exported() && st.Field(i).Pkg() != r.pkg {
			return nil
		}
		path = append(path, st.Field(i))
		t = st.Field(i).Type()
		if pointers = pointers || isPointer(t); testOf(t) != "" {
			return path
		}
	}
	if !pointers || !isPointer(s.Recv()) && !r.info.Types[n.X].Addressable() {
		return nil
	}
	return path
}

// mapUse tells of a use of a map, and of the key, if there is one.
func (r *rewriter) mapUse(e, key ast.Expr, write bool) {
	if _, ok := under(r.info.TypeOf(e)).(*types.Map); !ok {
		return
	}
	f := ".Read"
	if write {
		f = ".Write"
	}
	what, argument := r.entry(key)
	r.around(e, lang+f+what+"(", r.named(e)+")"+argument)
}

// entry returns what ends the names of functions that are about all of a map or an entry, and the
// key that the latter are given, if nothing is lost by computing it once more.
func (r *rewriter) entry(key ast.Expr) (what, argument string) {
	if key == nil || !r.pure(key) {
		return "Map", ""
	}
	return "Entry", "(" + string(r.src[r.at(key.Pos()):r.at(key.End())]) + ")"
}

// late reports whether the write to l, on the left of n, is told of when what is on the right
// has been computed, which may take steps: in it, or in a place on the left, is a call.
func (r *rewriter) late(n *ast.AssignStmt, l ast.Expr) bool {
	return slices.ContainsFunc(n.Rhs, r.busy) && (!r.busy(l) || len(n.Lhs) == 1 && n.Tok == token.ASSIGN)
}

// place returns what stands for e, if it is one that threads may share.
func (r *rewriter) place(e ast.Expr) string {
	e = ast.Unparen(e)
	if x, ok := e.(*ast.IndexExpr); ok {
		if _, ok := under(r.info.TypeOf(x.X)).(*types.Map); ok {
			what, key := r.entry(x.Index)
			return lang + ".At" + what + "(" + r.now(x.X) + r.named(x.X) + ")" + key
		}
	}
	if !r.variable(e) {
		return ""
	}
	return lang + ".At(&" + r.now(e) + r.named(e) + ")"
}

// places returns those of what is assigned to again and again, or once more.
func (r *rewriter) places(all ...ast.Expr) string {
	var places []string
	for _, e := range all {
		if isBlank(e) || r.busy(e) {
			continue
		}
		if id, ok := e.(*ast.Ident); ok && r.info.Defs[id] != nil && !r.shared[r.info.Defs[id]] {
			continue
		}
		if p := r.place(e); p != "" {
			places = append(places, p)
		}
	}
	return strings.Join(places, ", ")
}

// wrote is a statement that tells of writes, or "".
func (r *rewriter) wrote(places string) string {
	if places == "" {
		return ""
	}
	return lang + ".Wrote(" + places + "); "
}

// rangeVariables is a statement for the beginning of the body of a loop, which has assigned to
// its variables, or "".
func (r *rewriter) rangeVariables(n *ast.RangeStmt) string {
	if n.Tok != token.ASSIGN && !r.oldLoops() {
		return ""
	}
	return r.wrote(r.places(n.Key, n.Value))
}

// assign tells of the writes, after what is on the right.
func (r *rewriter) assign(n *ast.AssignStmt) {
	if r.comms[n] {
		return
	}
	busy := slices.ContainsFunc(n.Rhs, r.busy)
	if n.Tok == token.DEFINE {
		var again []ast.Expr
		for _, l := range n.Lhs {
			if id, ok := l.(*ast.Ident); ok && r.info.Defs[id] == nil {
				again = append(again, l)
			}
		}
		r.then(n, r.places(again...), n.Rhs, len(n.Lhs))
		return
	}
	if !busy {
		for _, l := range n.Lhs {
			if r.variable(ast.Unparen(l)) {
				r.around(l, "*"+lang+".Write(&", r.named(l)+")")
			}
		}
		return
	}
	l := n.Lhs[0]
	switch places := r.places(n.Lhs...); {
	case n.Tok != token.ASSIGN && places != "":
		op := strings.TrimSuffix(n.Tok.String(), "=")
		r.put(n.TokPos, len(n.Tok.String()), "= "+lang+".Then("+r.now(l)+" "+op+" (")
		r.after(n.Rhs[0], "))("+places+")")
	case len(n.Lhs) > 1 || places != "":
		r.then(n, places, n.Rhs, len(n.Lhs))
		for _, l := range n.Lhs {
			if r.busy(l) && r.variable(ast.Unparen(l)) {
				r.around(l, "*"+lang+".Write(&", r.named(l)+")")
			}
		}
	case !r.busy(l):
	case n.Tok == token.ASSIGN && r.isMap(l):
		x := ast.Unparen(l).(*ast.IndexExpr)
		r.before(x, lang+".SetMap(")
		r.put(x.Lbrack, 1, r.named(x.X)+")(")
		r.put(x.Rbrack, 1, ")")
		r.put(n.TokPos, 1, "(")
		r.after(n.Rhs[0], ")")
	case n.Tok == token.ASSIGN && r.variable(ast.Unparen(l)):
		r.around(l, lang+".Set(&", r.named(l))
		r.put(n.TokPos, 1, ")(")
		r.after(n.Rhs[0], ")")
	case r.variable(ast.Unparen(l)):
		r.around(l, "*"+lang+".Write(&", r.named(l)+")")
	}
}

func (r *rewriter) isMap(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return false
	}
	_, ok = under(r.info.TypeOf(x.X)).(*types.Map)
	return ok
}

// then tells of n writes to places, in a statement that computes the values first.
func (r *rewriter) then(s ast.Stmt, places string, values []ast.Expr, n int) {
	if places == "" {
		return
	}
	last := -1
	for i, e := range values {
		if r.busy(e) {
			last = i
		}
	}
	if last < 0 {
		r.before(s, r.wrote(places))
		return
	}
	e := values[last]
	if n > len(values) { // of one call, or with a second value that says whether there is a first
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			if e = x.Index; !r.busy(e) {
				e = x.X
			}
		case *ast.TypeAssertExpr:
			e = x.X
		default:
			if n <= mostWritten {
				r.around(e, lang+".Wrote"+strconv.Itoa(n)+"(", ")("+places+")")
			}
			return
		}
	}
	if !r.aroundValue(e, "Then", places) {
		r.before(s, r.wrote(places))
	}
}

// aroundValue has a function of ours tell of the places when e has been computed. It returns false, and
// does nothing, if it would need the name of a type that has none in this file.
func (r *rewriter) aroundValue(e ast.Expr, function, places string) bool {
	begin, end := lang+"."+function+"(", ")("+places+")"
	if r.untyped(e) {
		t := r.info.TypeOf(e)
		if !r.nameable(t) {
			return false
		}
		begin, end = begin+types.TypeString(t, r.qualify)+"(", ")"+end
	}
	r.around(e, begin, end)
	return true
}

// nameable reports whether this file has a name for the type, which is one of a comparison or a
// constant.
func (r *rewriter) nameable(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg() == r.pkg {
		return true
	}
	for q := range r.uses {
		if q.Imported() == n.Obj().Pkg() {
			return n.Obj().Exported()
		}
	}
	return false
}

// mostWritten is how many values of a call package lang has a function for.
const mostWritten = 6

// returnStmt tells of the results that have names, which threads may share.
func (r *rewriter) returnStmt(n *ast.ReturnStmt) {
	var f *ast.FuncType
	var body *ast.BlockStmt
	for p := r.parents[n]; f == nil; p = r.parents[p] {
		switch p := p.(type) {
		case *ast.FuncLit:
			f, body = p.Type, p.Body
		case *ast.FuncDecl:
			f, body = p.Type, p.Body
		}
	}
	var places []string
	results := r.results(f)
	for _, v := range results {
		if r.shared[v] {
			places = append(places, lang+".At(&"+v.Name()+", "+strconv.Quote(v.Name())+")")
		}
	}
	all := strings.Join(places, ", ")
	switch {
	case all == "":
	case len(n.Results) > 0:
		r.then(n, all, n.Results, len(results))
	case !defers(body): // else they are read after that
		r.before(n, lang+".Looked("+all+"); ")
	}
}

// defers reports whether the body of a function defers a call.
func defers(body *ast.BlockStmt) (does bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			does = true
		}
		return !does
	})
	return does
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
