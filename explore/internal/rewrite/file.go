package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Module is the path of the explorer.
const Module = "github.com/rouse-go/rouse/explore"

// lang is what rewritten code calls the twin of the language, and http package net/http.
const (
	lang = "explore__"
	http = lang + "http"
)

// twins are the packages that have one.
var twins = map[string]string{
	"sync":         Module + "/twin/sync",
	"sync/atomic":  Module + "/twin/atomic",
	"time":         Module + "/twin/time",
	"context":      Module + "/twin/context",
	"math/rand":    Module + "/twin/rand",
	"math/rand/v2": Module + "/twin/rand/v2",
	"hash/maphash": Module + "/twin/maphash",

	"testing/quick":    Module + "/twin/quick",
	"testing/synctest": Module + "/twin/synctest",
}

// calls are functions that are replaced where they are called.
var calls = map[string]string{
	"runtime.Gosched":    "Gosched",
	"runtime.GOMAXPROCS": "GOMAXPROCS",
	"runtime.NumCPU":     "NumCPU",

	"reflect.Select": "ReflectSelect",

	"iter.Pull":  "Pull",
	"iter.Pull2": "Pull2",

	"os.Exit":     "Exit",
	"log.Fatal":   "Fatal",
	"log.Fatalf":  "Fatalf",
	"log.Fatalln": "Fatalln",
}

// unseen are functions and methods that wait for what no driver sees: other processes, the
// network, or goroutines by way of reflection and finalizers.
var unseen = namesOf("net", "Dial DialTimeout DialTCP DialUDP DialIP DialUnix Listen ListenPacket ListenTCP ListenUDP ListenIP ListenUnix ListenUnixgram "+
	"ListenMulticastUDP Dialer.Dial Dialer.DialContext ListenConfig.Listen ListenConfig.ListenPacket Pipe "+
	"LookupHost LookupIP LookupAddr LookupCNAME LookupMX LookupNS LookupSRV LookupTXT "+
	"Resolver.LookupHost Resolver.LookupIP Resolver.LookupIPAddr Resolver.LookupNetIP Resolver.LookupAddr "+
	"Resolver.LookupCNAME Resolver.LookupMX Resolver.LookupNS Resolver.LookupSRV Resolver.LookupTXT",
	"net/http", "Transport.RoundTrip ListenAndServe ListenAndServeTLS Serve ServeTLS Server.ListenAndServe Server.ListenAndServeTLS Server.Serve Server.ServeTLS Server.Shutdown Handle HandleFunc",
	"net/http/httptest", "NewServer NewTLSServer Server.Start Server.StartTLS",
	"os/exec", "Cmd.Run Cmd.Output Cmd.CombinedOutput Cmd.Start Cmd.Wait",
	"os", "StartProcess Process.Wait Pipe",
	"os/signal", "Notify NotifyContext",
	"io", "Pipe",
	"runtime", "SetFinalizer AddCleanup ReadTrace NumGoroutine")

// leaks are functions of other modules that look for goroutines, and would find the explorer's, or that
// start their own.
var leaks = namesOf("go.uber.org/goleak", "Find VerifyNone", "github.com/onsi/ginkgo", "RunSpecs", "github.com/onsi/ginkgo/v2", "RunSpecs")

// clients are functions and methods that use the network if an http.Transport is what they send
// requests by.
var clients = namesOf("net/http", "Get Head Post PostForm Client.Do Client.Get Client.Head Client.Post Client.PostForm RoundTripper.RoundTrip")

// links are functions of package runtime that are replaced where a package has them by a
// directive, go:linkname.
var links = map[string]string{
	"runtime.cheaprand": "Random", "runtime.cheaprand64": "Random", "runtime.rand": "Random", "runtime.rand32": "Random",
	"runtime.fastrand": "Random", "runtime.fastrand64": "Random", "runtime.fastrandu": "Random",
	"runtime.cheaprandn": "RandomBelow", "runtime.randn": "RandomBelow",
	"runtime.fastrandn": "RandomBelow", "sync.fastrandn": "RandomBelow",
	"runtime.nanotime": "Nanotime",
}

// unseenLinks are those that wait, start what no driver sees, or keep a goroutine from being
// put aside.
var unseenLinks = namesOf("runtime", "gopark goparkunlock goready newproc semacquire semacquire1 semrelease semrelease1 "+
	"procPin procUnpin entersyscall exitsyscall usleep timeSleep coroswitch",
	"sync", "runtime_Semacquire runtime_SemacquireMutex runtime_Semrelease runtime_notifyListWait runtime_procPin runtime_procUnpin",
	"sync/atomic", "runtime_procPin runtime_procUnpin",
	"time", "Sleep")

// namesOf returns a set of names, from packages and what each has.
func namesOf(all ...string) map[string]bool {
	set := make(map[string]bool)
	for i := 0; i < len(all); i += 2 {
		for _, name := range strings.Fields(all[i+1]) {
			set[all[i]+"."+name] = true
		}
	}
	return set
}

// A rewriter changes one file.
type rewriter struct {
	text
	fset    *token.FileSet
	file    *ast.File
	info    *types.Info
	pkg     *types.Package
	name    string // of the file
	old     bool   // its module's version of Go has no generics
	all     bool   // its tests are to be explored
	parents map[ast.Node]ast.Node
	comms   map[ast.Node]bool // statements and receives of a select's cases
	fixed   map[ast.Node]bool // constant expressions: nothing in them is touched
	shared  map[types.Object]bool
	linked  map[types.Object]link
	asks    map[types.Object]*asking
	closed  map[types.Object]bool             // functions that run rewritten code alone
	uses    map[*types.PkgName]int            // that are left
	dots    map[*types.Package]*types.PkgName // that are imported by a dot
	temps   int
	indexes *[]ast.Expr // of the name that is being made
	http    bool        // package net/http is used by a name of ours
	end     string      // is put after the file
	changed bool
}

// at is the offset of a position.
func (r *rewriter) at(p token.Pos) int { return r.fset.PositionFor(p, false).Offset }

// now returns the text of a node as it is now.
func (r *rewriter) now(n ast.Node) string { return r.render(r.at(n.Pos()), r.at(n.End())) }

func (r *rewriter) before(n ast.Node, s string) { r.changed = true; r.open(r.at(n.Pos()), s) }
func (r *rewriter) after(n ast.Node, s string)  { r.changed = true; r.text.close(r.at(n.End()), s) }

// around puts a call around a node: what comes before it, and what after it.
func (r *rewriter) around(n ast.Node, before, after string) {
	r.before(n, before)
	r.after(n, after)
}

// put replaces n bytes at p.
func (r *rewriter) put(p token.Pos, n int, s string) {
	r.changed = true
	r.replace(r.at(p), r.at(p)+n, s)
}

// temp returns a name that is not in use.
func (r *rewriter) temp() string {
	r.temps++
	return lang + strconv.Itoa(r.temps)
}

// line says that what follows is what is at p in the file, or in that which it says that it was
// generated from.
func (r *rewriter) line(p token.Pos) string {
	q := r.fset.Position(p)
	return fmt.Sprintf("/*line :%d:%d*/", q.Line, max(q.Column, 1)) // 0 is none
}

// rewrite returns the changed text, or nil if nothing is changed.
func (r *rewriter) rewrite() []byte {
	var order []ast.Node
	var stack []ast.Node
	r.parents = make(map[ast.Node]ast.Node)
	r.comms = make(map[ast.Node]bool)
	r.fixed = make(map[ast.Node]bool)
	r.uses = make(map[*types.PkgName]int)
	r.dots = make(map[*types.Package]*types.PkgName)
	ast.Inspect(r.file, func(n ast.Node) bool {
		if n == nil {
			order = append(order, stack[len(stack)-1])
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			r.parents[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		r.look(n)
		return true
	})
	r.shared = r.findShared()
	for _, n := range order { // what is inside comes before
		if !r.fixed[n] {
			r.node(n)
		}
	}
	r.imports()
	variables := r.variables()
	if !r.changed && variables == "" {
		return nil
	}
	r.text.close(r.at(r.file.Name.End()), "; import "+lang+" "+strconv.Quote(Module+"/twin/lang"))
	if r.all {
		r.text.close(r.at(r.file.Name.End()), `; import _ "`+Module+`"`)
	}
	if r.http {
		r.text.close(r.at(r.file.Name.End()), "; import "+http+` "net/http"`)
		r.end += "\nvar _ " + http + ".Client\n"
	}
	r.end += "\nvar _ = " + lang + ".Rewritten()\n" + variables
	return []byte(r.newer() + "//line " + filepath.ToSlash(r.name) + ":1:1\n" + r.render(0, len(r.src)) + r.end)
}

// variables is a declaration that tells of the package variables of the file, or "".
func (r *rewriter) variables() string {
	var all []string
	for _, d := range r.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			for _, id := range s.(*ast.ValueSpec).Names {
				if id.Name != "_" {
					all = append(all, "&"+id.Name)
				}
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("\nvar _ = %s.Variables(%q, %s)\n", lang, r.pkg.Path(), strings.Join(all, ", "))
}

// newer returns a line to put before the file, if its Go is too old for what the twins need: a
// build constraint raises that of a file alone. If it has one, that is changed.
func (r *rewriter) newer() string {
	const constraint = "//go:build "
	if !r.old {
		return ""
	}
	for _, g := range r.file.Comments {
		for _, c := range g.List {
			if c.Pos() < r.file.Package && strings.HasPrefix(c.Text, constraint) {
				r.put(c.Pos(), len(c.Text), constraint+"go1.21 && ("+strings.TrimPrefix(c.Text, constraint)+")")
				return ""
			}
		}
	}
	return constraint + "go1.21\n\n"
}

// look notes what a node says about those inside.
func (r *rewriter) look(n ast.Node) {
	switch n := n.(type) {
	case *ast.CommClause:
		if n.Comm != nil {
			r.comms[n.Comm] = true
			r.comms[received(n.Comm)] = true
		}
	case *ast.ImportSpec:
		if p, ok := r.info.Defs[n.Name].(*types.PkgName); ok && n.Name.Name == "." {
			r.dots[p.Imported()] = p
		}
	case *ast.Ident:
		if p := r.packageOf(n); p != nil {
			r.uses[p]++
		}
	}
	if e, ok := n.(ast.Expr); ok {
		tv := r.info.Types[e]
		if tv.Value != nil || tv.IsType() || r.fixed[r.parents[n]] {
			if _, lit := e.(*ast.FuncLit); !lit {
				r.fixed[n] = true
			}
		}
	} else if r.fixed[r.parents[n]] {
		r.fixed[n] = true
	}
}

// received returns the receive of a case, or nil.
func received(s ast.Stmt) ast.Node {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); e != nil && ok && u.Op == token.ARROW {
		return u
	}
	return nil
}

func (r *rewriter) imports() {
	for _, s := range r.file.Imports {
		path, _ := strconv.Unquote(s.Path.Value)
		if twin, ok := twins[path]; ok {
			text := strconv.Quote(twin)
			if s.Name == nil {
				text = r.info.Implicits[s].(*types.PkgName).Name() + " " + text
			}
			r.put(s.Path.Pos(), len(s.Path.Value), text)
			continue
		}
		p, _ := r.info.Implicits[s].(*types.PkgName)
		if s.Name != nil {
			p, _ = r.info.Defs[s.Name].(*types.PkgName)
		}
		if n, ok := r.uses[p]; ok && n == 0 && s.Name == nil {
			r.open(r.at(s.Path.Pos()), "_ ")
		} else if ok && n == 0 {
			r.put(s.Name.Pos(), len(s.Name.Name), "_")
		}
	}
}

// node rewrites n, of which all parts have been.
func (r *rewriter) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.SendStmt:
		if !r.comms[n] {
			r.before(n.Chan, lang+".Send(")
			r.put(n.Arrow, 2, r.named(n.Chan)+")(")
			r.after(n.Value, ")")
		}
	case *ast.UnaryExpr:
		if n.Op == token.ARROW && !r.comms[n] {
			f := "Recv("
			if _, two := r.info.TypeOf(n).(*types.Tuple); two {
				f = "Recv2("
				if t := r.okType(n); t != "" {
					f = "Recv2As[" + t + "]("
				}
			}
			r.put(n.OpPos, 2, lang+"."+f)
			r.after(n.X, r.named(n.X)+")")
		}
	case *ast.FuncDecl:
		r.linkTo(n)
		r.expect(n)
		r.explore(n)
	case *ast.Ident:
		if l, ok := r.linked[r.info.Uses[n]]; ok && unseenLinks[l.to] {
			r.around(n, fmt.Sprintf("%s.Unseen(%q, ", lang, fmt.Sprintf("%s, by go:linkname at %s,", l.to, l.at)), ")")
		}
		if s, ok := r.parents[n].(*ast.SelectorExpr); !ok || n != s.Sel {
			r.standIn(n, n)
		}
	case *ast.CallExpr:
		r.call(n)
	case *ast.SelectorExpr:
		r.implicit(n)
		r.receiver(n)
		r.standIn(n, n.Sel)
	case *ast.RangeStmt:
		r.rangeStmt(n)
	case *ast.GoStmt:
		r.goStmt(n)
	case *ast.SelectStmt:
		r.selectStmt(n)
	}
	r.plain(n)
	if e, ok := n.(ast.Expr); ok {
		r.given(e)
	}
}

// okType returns the type of what says whether something was received, if it is not bool.
func (r *rewriter) okType(receive *ast.UnaryExpr) string {
	two, ok := r.info.TypeOf(receive).(*types.Tuple)
	if !ok || types.Unalias(two.At(1).Type()) == types.Default(types.Typ[types.UntypedBool]) {
		return ""
	}
	return types.TypeString(two.At(1).Type(), r.qualify)
}

// A link is a function that a package has by go:linkname, without a body.
type link struct {
	directive *ast.Comment
	to, at    string
}

// linksOf returns the functions that the files have by go:linkname.
func linksOf(fset *token.FileSet, pkg *types.Package, files []*ast.File) map[types.Object]link {
	all := make(map[types.Object]link)
	for _, f := range files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				words := strings.Fields(c.Text)
				if len(words) != 3 || words[0] != "//go:linkname" {
					continue
				}
				if o, ok := pkg.Scope().Lookup(words[1]).(*types.Func); ok {
					p := fset.Position(c.Pos())
					all[o] = link{c, words[2], fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)}
				}
			}
		}
	}
	return all
}

// linkTo puts a variable in place of a function that the package has by go:linkname, if there is
// one in package lang that stands for it.
func (r *rewriter) linkTo(n *ast.FuncDecl) {
	l, ok := r.linked[r.info.Defs[n.Name]]
	f := links[l.to]
	if !ok || f == "" || n.Body != nil || l.directive.Pos() < r.file.FileStart || l.directive.Pos() >= r.file.FileEnd {
		return
	}
	params, results := 0, r.info.Defs[n.Name].(*types.Func).Signature().Results().Len()
	if f == "RandomBelow" {
		params = 1
	}
	if n.Type.Params.NumFields() != params || results != 1 {
		return
	}
	real := lang + "of_" + n.Name.Name
	r.put(n.Name.Pos(), len(n.Name.Name), real)
	r.put(l.directive.Pos(), len(l.directive.Text), "//go:linkname "+real+" "+l.to)
	r.end += fmt.Sprintf("\nvar %s = %s.%s(%s)\n", n.Name.Name, lang, f, real)
}

// standIn puts a function of ours in place of one of another package, or refuses it. The name
// is the last part of e.
func (r *rewriter) standIn(e ast.Expr, name *ast.Ident) {
	full := r.fullName(name)
	if clients[full] {
		r.client(e, full)
	}
	if (unseen[full] || leaks[full]) && !r.isGeneric(name) {
		r.around(e, lang+".Unseen("+strconv.Quote(full)+", ", ")")
	}
	if f := calls[r.function(e)]; f != "" {
		id, ok := e.(*ast.Ident)
		if !ok {
			id = e.(*ast.SelectorExpr).X.(*ast.Ident)
		}
		r.uses[r.packageOf(id)]--
		r.put(e.Pos(), int(e.End()-e.Pos()), lang+"."+f)
	}
}

// client has the function or method called full look whether an http.Transport is what it sends
// requests by.
func (r *rewriter) client(e ast.Expr, full string) {
	begin, end := "("+strconv.Quote(full)+", ", ", "+http+".DefaultTransport)"
	n, _ := e.(*ast.SelectorExpr)
	switch s := r.info.Selections[n]; {
	case s == nil: // a function of the package
		r.around(e, lang+".ByClient"+begin+http+".DefaultClient, ", end)
	case s.Kind() == types.MethodVal:
		r.receive(n, s, lang+".Client"+begin, func(string) string { return end })
	default: // of whatever client it is given
		return
	}
	r.http = true
}

// packageOf returns the import that an identifier names, or that it is a name of, by a dot.
func (r *rewriter) packageOf(id *ast.Ident) *types.PkgName {
	obj := r.info.Uses[id]
	if p, ok := obj.(*types.PkgName); ok {
		return p
	}
	if s, ok := r.parents[id].(*ast.SelectorExpr); ok && id == s.Sel || obj == nil || obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
		return nil
	}
	return r.dots[obj.Pkg()]
}

func isChan(t types.Type) bool {
	_, ok := under(t).(*types.Chan)
	return ok
}

// onlySends reports whether nothing can be received from the channel that e is.
func (r *rewriter) onlySends(e ast.Expr) bool {
	return under(r.info.TypeOf(e)).(*types.Chan).Dir() == types.SendOnly
}

// builtin returns the name of the built-in function that is called, or "".
func (r *rewriter) builtin(e ast.Expr) (string, *ast.Ident) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if b, ok := r.info.Uses[id].(*types.Builtin); ok {
			return b.Name(), id
		}
	}
	return "", nil
}

// function returns the function of another package that e names: "time.Now".
func (r *rewriter) function(e ast.Expr) string {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if s, is := ast.Unparen(e).(*ast.SelectorExpr); is {
		if id, ok = s.X.(*ast.Ident); ok {
			if p, ok := r.info.Uses[id].(*types.PkgName); ok {
				return p.Imported().Path() + "." + s.Sel.Name
			}
		}
	} else if ok {
		if p := r.packageOf(id); p != nil && p.Name() == "." {
			return p.Imported().Path() + "." + id.Name
		}
	}
	return ""
}

// fullName returns the name of a function or method of another package.
func (r *rewriter) fullName(id *ast.Ident) string {
	f, ok := r.info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg() == r.pkg {
		return ""
	}
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Pkg().Path() + "." + f.Name()
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := t.(*types.Named)
	if !ok {
		return ""
	}
	return f.Pkg().Path() + "." + n.Obj().Name() + "." + f.Name()
}

// isGeneric reports whether it is the name of a function with type parameters.
func (r *rewriter) isGeneric(id *ast.Ident) bool {
	f, ok := r.info.Uses[id].(*types.Func)
	return ok && f.Signature().TypeParams().Len() > 0
}

func (r *rewriter) call(n *ast.CallExpr) {
	if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && unseen[r.fullName(s.Sel)] && r.isGeneric(s.Sel) {
		r.around(n.Args[0], lang+".Unseen("+strconv.Quote(r.fullName(s.Sel))+", ", ")")
	}
	name, id := r.builtin(n.Fun)
	switch {
	case name == "close":
		r.put(id.Pos(), len(id.Name), lang+".Close")
		r.after(n.Args[0], r.named(n.Args[0]))
	case name == "cap" && isChan(r.info.TypeOf(n.Args[0])) && !r.onlySends(n.Args[0]):
		r.put(id.Pos(), len(id.Name), lang+".Cap")
	case name != "" && name != "len":
		r.builtinCall(n, name, id)
	case strings.HasPrefix(r.function(n.Fun), "sync/atomic.") && len(n.Args) > 0 && !r.info.Types[n.Fun].IsType():
		r.around(n.Args[0], lang+".Named(", r.named(n.Args[0])+")")
	case name == "len" && isChan(r.info.TypeOf(n.Args[0])):
		f := ".Len"
		if r.onlySends(n.Args[0]) {
			f = ".LenToSend"
		}
		r.put(id.Pos(), len(id.Name), lang+f)
		r.after(n.Args[0], r.named(n.Args[0]))
	case name == "len":
		r.mapUse(n.Args[0], nil, false)
	case name == "":
		r.library(n)
	}
}

// builtinCall tells of the elements that a built-in function reads and writes.
func (r *rewriter) builtinCall(n *ast.CallExpr, name string, id *ast.Ident) {
	if _, ok := r.parents[n].(*ast.GoStmt); ok || len(n.Args) == 0 {
		return
	}
	first := n.Args[0]
	_, isSlice := under(r.info.TypeOf(first)).(*types.Slice)
	_, isMap := under(r.info.TypeOf(first)).(*types.Map)
	call := func(f string) { r.put(id.Pos(), len(id.Name), lang+f) }
	switch {
	case name == "delete" && isMap:
		call(".Delete")
		r.curry(n, r.named(first))
	case name == "clear" && isMap:
		call(".ClearMap")
		r.after(first, r.named(first))
	case name == "clear" && isSlice:
		call(".ClearSlice")
		r.after(first, r.elements(first))
	case name == "copy" && isSlice:
		call(".Copy")
		if _, ok := under(r.info.TypeOf(n.Args[1])).(*types.Slice); !ok {
			call(".CopyString")
		}
		r.after(n.Args[1], r.elements(first)+r.elements(n.Args[1]))
	case name == "append" && isSlice && len(n.Args) > 1:
		last := n.Args[len(n.Args)-1]
		if _, ok := under(r.info.TypeOf(last)).(*types.Slice); n.Ellipsis.IsValid() && !ok && !r.info.Types[last].IsNil() {
			call(".AppendString")
			r.after(last, r.elements(first))
			r.put(n.Ellipsis, len("..."), "")
			return
		}
		if n.Ellipsis.IsValid() && !r.info.Types[last].IsNil() {
			r.around(last, lang+".ReadSlice(", r.elements(last)+")")
		}
		call(".Append")
		r.curry(n, r.elements(first))
	}
}

// curry ends a call after its first argument, and the name; what follows is another one's.
func (r *rewriter) curry(n *ast.CallExpr, name string) {
	at := r.at(n.Args[0].End())
	for rest := r.src[at:]; rest[0] != ','; rest = r.src[at:] {
		switch {
		case bytes.HasPrefix(rest, []byte("/*")):
			at += bytes.Index(rest, []byte("*/")) + 2
		case bytes.HasPrefix(rest, []byte("//")):
			at += bytes.IndexByte(rest, '\n')
		default:
			at++
		}
	}
	r.changed = true
	r.replace(at, at+1, name+")(")
}

// receiver names what a method of a twin is called on, finds the test of the execution, and puts a
// logger of ours in the place of one that is to end the process.
func (r *rewriter) receiver(n *ast.SelectorExpr) {
	s := r.info.Selections[n]
	if s == nil || s.Kind() != types.MethodVal {
		return
	}
	if f := testOf(s.Recv()); f != "" {
		r.around(n.X, f, ")")
	}
	if s.Obj().Pkg() == nil {
		return
	}
	begin, end := lang+".Named(", func(name string) string { return name + ")" }
	switch s.Obj().Pkg().Path() {
	case "sync", "sync/atomic":
	case "reflect":
		switch s.Obj().Name() {
		case "Send", "Recv", "TrySend", "TryRecv", "Close":
			if s.Recv().String() == "reflect.Value" {
				r.around(n.X, lang+".Reflected(", ")")
			}
		}
		return
	case "log":
		if !strings.HasPrefix(s.Obj().Name(), "Fatal") {
			return
		}
		begin, end = lang+".Logs(", func(string) string { return ")" }
	default:
		return
	}
	if types.IsInterface(s.Obj().(*types.Func).Signature().Recv().Type()) {
		begin = lang + ".NamedLocker("
	}
	r.receive(n, s, begin, end)
}

// receive puts a call around what a method is called on, or the pointer to that: it begins so, and
// ends as end says, given the argument that is the name.
func (r *rewriter) receive(n *ast.SelectorExpr, s *types.Selection, begin string, end func(name string) string) {
	if len(s.Index()) > 1 && !types.IsInterface(s.Recv()) {
		path, name, pointer := r.pathOf(s)
		if path == "" {
			return
		}
		if !pointer {
			begin += "&"
		}
		if r.embedded(n, s) != nil {
			path = "" // implicit has put it there
		}
		argument := ", " + strconv.Quote(name)
		if name == "" {
			argument = r.named(n.X)
		}
		r.around(n.X, begin, path+end(argument))
		return
	}
	if byAddress(s) {
		begin += "&"
	}
	r.around(n.X, begin, end(r.named(n.X)))
}

// testOf returns what begins the call that finds the test of the execution in a value of type t,
// or "".
func testOf(t types.Type) string {
	switch types.TypeString(t, nil) {
	case "*testing.T":
		return lang + ".T("
	case "testing.TB":
		return lang + ".TB("
	}
	return ""
}

// given finds the test of the execution where other code is given a test as an interface.
func (r *rewriter) given(e ast.Expr) {
	f := testOf(r.info.TypeOf(e))
	if !strings.HasSuffix(f, ".T(") || r.info.Types[e].IsType() || r.useOf(e) != reads {
		return
	}
	if _, ok := under(r.target(e)).(*types.Interface); ok {
		r.around(e, f, ")")
	}
}

// target returns the type that the value of e is converted to where it stands, if it is, or nil.
func (r *rewriter) target(e ast.Expr) types.Type {
	switch p := r.parents[e].(type) {
	case *ast.CallExpr:
		i := slices.Index(p.Args, e)
		if i < 0 {
			return nil
		} else if r.info.Types[p.Fun].IsType() {
			return r.info.TypeOf(p)
		}
		f, ok := under(r.info.TypeOf(p.Fun)).(*types.Signature)
		switch {
		case !ok:
			return nil
		case f.Variadic() && i >= f.Params().Len()-1 && !p.Ellipsis.IsValid():
			if s, ok := f.Params().At(f.Params().Len() - 1).Type().Underlying().(*types.Slice); ok {
				return s.Elem()
			}
		case i < f.Params().Len():
			if t := f.Params().At(i).Type(); !isTypeParam(t) {
				return t
			}
		}
	case *ast.AssignStmt:
		if i := slices.Index(p.Rhs, e); i >= 0 && len(p.Lhs) == len(p.Rhs) && p.Tok == token.ASSIGN {
			return r.info.TypeOf(p.Lhs[i])
		}
	case *ast.ValueSpec:
		return r.info.TypeOf(p.Type)
	case *ast.KeyValueExpr:
		if k, ok := p.Key.(*ast.Ident); ok && e == p.Value {
			if v, ok := r.info.Uses[k].(*types.Var); ok && v.IsField() {
				return v.Type()
			}
		}
	case *ast.CompositeLit:
		if s, ok := under(r.info.TypeOf(p)).(*types.Struct); ok {
			if i := slices.Index(p.Elts, e); i >= 0 {
				return s.Field(i).Type()
			}
		}
	}
	return nil
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// pathOf returns the path to the embedded field that a method is of, if it can be named here, what
// a reader calls that, or "" if as the whole, and whether it is a pointer or an interface.
func (r *rewriter) pathOf(s *types.Selection) (path, name string, pointer bool) {
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok || !st.Field(i).Exported() && st.Field(i).Pkg() != r.pkg {
			return "", "", false
		}
		f := st.Field(i)
		path += "." + f.Name()
		if n, ok := types.Unalias(t).(*types.Named); ok {
			name = n.Obj().Name() + "." + f.Name()
		} // or it is a part of a part, and is called as that
		t = f.Type()
	}
	return path, name, isPointer(t) || types.IsInterface(t)
}

// named is the argument that gives the name of a variable: with the values of its indexes.
func (r *rewriter) named(e ast.Expr) string {
	var indexes []ast.Expr
	r.indexes = &indexes
	name := r.nameOf(e)
	r.indexes = nil
	parts := strings.Split(name, indexMark)
	if len(parts) != len(indexes)+1 {
		return ", " + strconv.Quote(strings.ReplaceAll(name, indexMark, "…"))
	}
	text := strconv.Quote(parts[0])
	for i, x := range indexes {
		text = lang + ".Index(" + text + ", " + string(r.src[r.at(x.Pos()):r.at(x.End())]) + ", " + strconv.Quote(parts[i+1]) + ")"
	}
	return ", " + text
}

// indexMark stands for an index in a name.
const indexMark = "\x00"

// index returns what stands for an index in a name: its value, if nothing is lost by computing it
// once more, or else its text.
func (r *rewriter) index(e ast.Expr) string {
	b, ok := r.info.TypeOf(e).Underlying().(*types.Basic)
	if r.indexes == nil || !ok || b.Info()&(types.IsInteger|types.IsString) == 0 || r.info.Types[e].Value != nil || !r.pure(e) {
		return r.nameOf(e)
	}
	*r.indexes = append(*r.indexes, e)
	return indexMark
}

// pure reports whether e is made of variables, constants and operators, in one line.
func (r *rewriter) pure(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.BasicLit, *ast.ParenExpr, *ast.SelectorExpr, *ast.BinaryExpr:
		case *ast.CallExpr:
			name, _ := r.builtin(n.Fun)
			ok = ok && (name == "len" && !isChan(r.info.TypeOf(n.Args[0])) || r.info.Types[n.Fun].IsType() && len(n.Args) == 1)
		default:
			ok = false
		}
		return ok
	})
	return ok && !strings.Contains(string(r.src[r.at(e.Pos()):r.at(e.End())]), "\n")
}

// nameOf returns what a reader calls the variable: Cache.mu, x, xs[i].
func (r *rewriter) nameOf(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		s, ok := r.info.Selections[e]
		if !ok {
			break
		}
		if s.Kind() != types.FieldVal {
			return r.nameOf(e.X) + "." + e.Sel.Name
		}
		t := types.Unalias(s.Recv())
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if t, ok := t.(*types.Named); ok {
			return t.Obj().Name() + "." + e.Sel.Name
		}
		return r.nameOf(e.X) + "." + e.Sel.Name
	case *ast.IndexExpr:
		return r.nameOf(e.X) + "[" + r.index(e.Index) + "]"
	case *ast.StarExpr:
		return "*" + r.nameOf(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return r.nameOf(e.X)
		}
	case *ast.BasicLit:
	case *ast.CallExpr:
		args := ""
		if len(e.Args) > 0 {
			args = "…"
		}
		return r.nameOf(e.Fun) + "(" + args + ")"
	}
	s := string(r.src[r.at(e.Pos()):r.at(e.End())])
	if len(s) > 30 || strings.ContainsAny(s, "\n\"`") {
		return "…"
	}
	return s
}

// rangeStmt makes a range over a channel a loop that receives, and one over a map a loop over
// its keys in order. One over the elements of a slice reads each in its turn.
func (r *rewriter) rangeStmt(n *ast.RangeStmt) {
	switch t := under(r.info.TypeOf(n.X)).(type) {
	case *types.Chan:
		r.rangeChan(n)
		return
	case *types.Map:
		r.rangeOver(n, "RangeMap", r.named(n.X))
		return
	case *types.Slice:
		if !isBlank(n.Value) {
			r.rangeOver(n, "RangeSlice", r.elements(n.X))
			return
		}
	case *types.Pointer:
		if _, ok := under(t.Elem()).(*types.Array); ok && !isBlank(n.Value) {
			r.around(n.X, "(", ")[:]")
			r.rangeOver(n, "RangeSlice", r.elements(n.X))
			return
		}
	}
	if text := r.rangeVariables(n); text != "" {
		r.changed = true
		r.open(r.at(n.Body.Lbrace)+1, " "+text)
	}
}

func (r *rewriter) rangeChan(n *ast.RangeStmt) {
	values := r.temp()
	key := n.Key
	if isBlank(key) {
		key = nil
	}
	begin, more := values+" := "+lang+".Range(", values+".More()"
	assign, wrote := "", r.rangeVariables(n) // by their own names
	switch {
	case key == nil:
	case n.Tok == token.DEFINE:
		r.before(key, values+", ")
		begin, more = lang+".Range1(", values+".Next(&"+key.(*ast.Ident).Name+")"
	default:
		assign = r.now(key) + " = " + values + ".V; "
	}
	r.open(r.at(n.Body.Lbrace)+1, " "+assign+wrote)
	if n.Key != nil && (key == nil || n.Tok == token.ASSIGN) {
		r.replace(r.at(n.Key.Pos()), r.at(n.Range), "")
	}
	r.put(n.Range, len("range"), begin)
	r.after(n.X, r.named(n.X)+"); "+more+";")
}

func (r *rewriter) rangeOver(n *ast.RangeStmt, function, name string) {
	entries := r.temp()
	which, vars, elements, news, pointers := "", []string{}, []string{}, []string{entries}, []string{}
	for i, e := range []ast.Expr{n.Key, n.Value} {
		if isBlank(e) {
			continue
		}
		field := string("KV"[i])
		which += field
		vars = append(vars, r.now(e))
		elements = append(elements, entries+"."+field)
		news = append(news, r.now(e))
		pointers = append(pointers, "&"+r.now(e))
	}
	begin, more := entries+" := "+lang+"."+function+"(", entries+".More()"
	assign := ""
	switch {
	case which == "":
	case n.Tok == token.DEFINE:
		begin = strings.Join(news, ", ") + " := " + lang + "." + function + which + "("
		more = entries + ".Next" + which + "(" + strings.Join(pointers, ", ") + ")"
	default:
		assign = strings.Join(vars, ", ") + " = " + strings.Join(elements, ", ") + "; "
	}
	r.open(r.at(n.Body.Lbrace)+1, " "+assign+r.rangeVariables(n))
	at := n.Range
	if n.Key != nil {
		at = n.Key.Pos()
	}
	r.changed = true
	r.replace(r.at(at), r.at(n.Range)+len("range"), begin+r.lines(r.at(at), r.at(n.Range)))
	r.after(n.X, name+"); "+more+";")
}

// goStmt evaluates the function and its arguments at once, and calls it in a thread.
func (r *rewriter) goStmt(n *ast.GoStmt) {
	c := n.Call
	if lit, ok := c.Fun.(*ast.FuncLit); ok {
		r.goLiteral(n, lit)
		return
	}
	var names, values []string
	keep := func(e ast.Expr, value string) string {
		id := r.temp()
		names = append(names, id)
		values = append(values, r.line(e.Pos())+value)
		return id
	}
	fun := r.now(c.Fun)
	if !r.isFunction(c.Fun) {
		fun = keep(c.Fun, fun)
	}
	var args []string
	for _, a := range c.Args {
		tv := r.info.Types[a]
		tuple, _ := tv.Type.(*types.Tuple)
		switch {
		case tuple != nil: // f(g())
			for i := range tuple.Len() {
				id := r.temp()
				names = append(names, id)
				args = append(args, id)
				if i == 0 {
					values = append(values, r.line(a.Pos())+r.now(a))
				}
			}
		case tv.Value != nil || tv.IsNil() || tv.IsType() || r.isFunction(a):
			args = append(args, r.now(a))
		default:
			value := r.now(a)
			if r.untyped(a) {
				value = types.TypeString(tv.Type, r.qualify) + "(" + value + ")"
			}
			// The name that Close is given is not a part of the channel.
			name := ""
			if b, _ := r.builtin(c.Fun); b == "close" {
				name = r.named(a)
			}
			args = append(args, keep(a, strings.TrimSuffix(value, name))+name)
		}
	}
	if c.Ellipsis.IsValid() {
		args[len(args)-1] += "..."
	}
	begin, end := "", ""
	if len(names) == len(values) && len(names) > 0 {
		begin, end = "{ "+strings.Join(names, ", ")+" := "+strings.Join(values, ", ")+"; ", " }"
	} else if len(names) > 0 { // a tuple, and perhaps the function
		begin, end = "{ ", " }"
		if len(values) == 2 {
			begin += names[0] + " := " + values[0] + "; "
			names, values = names[1:], values[1:]
		}
		begin += strings.Join(names, ", ") + " := " + values[0] + "; "
	}
	text := begin + r.goes(c.Fun) + "func() { " + fun + "(" + strings.Join(args, ", ") + ") })" + end
	r.changed = true
	r.replace(r.at(n.Pos()), r.at(n.End()), text+r.line(n.End()))
}

// goLiteral keeps the literal's parameters, which are evaluated at once.
func (r *rewriter) goLiteral(n *ast.GoStmt, lit *ast.FuncLit) {
	results := ""
	if f := lit.Type.Results; f != nil {
		results = " " + r.now(f)
		r.replace(r.at(f.Pos()), r.at(f.End()), "")
	}
	goes := r.goes(lit)
	first, last := goes+"func() {", "})"
	if results != "" {
		first, last = goes+"func() { func()"+results+" {", "}() })"
	}
	if lit.Type.Params.NumFields() > 0 { // perhaps of no arguments
		r.put(n.Go, len("go"), "")
		r.put(lit.Body.Lbrace, len("{"), "{ "+first)
		r.text.close(r.at(lit.Body.Rbrace), last)
		return
	}
	// The literal is the thread's function.
	if results == "" {
		r.put(n.Go, len("go"), goes)
		r.put(n.Call.Lparen, int(n.Call.Rparen-n.Call.Lparen)+1, ")")
		return
	}
	r.put(n.Go, len("go"), "")
	r.put(lit.Body.Lbrace, len("{"), "{ "+first)
	r.text.close(r.at(lit.Body.Rbrace), last)
}

// isFunction reports whether e names a function, so that there is nothing to evaluate.
func (r *rewriter) isFunction(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		switch r.info.Uses[e].(type) {
		case *types.Func, *types.Builtin:
			return true
		}
	case *ast.SelectorExpr:
		_, ok := r.info.Uses[e.Sel].(*types.Func)
		return ok && r.info.Selections[e] == nil
	case *ast.IndexExpr:
		return r.isFunction(e.X)
	case *ast.IndexListExpr:
		return r.isFunction(e.X)
	}
	return false
}

// untyped reports whether the expression, in a definition, might not get the type that it
// has here.
func (r *rewriter) untyped(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return true
		case token.SHL, token.SHR:
			return r.info.Types[e.X].Value != nil
		}
		return r.untyped(e.X) && r.untyped(e.Y)
	case *ast.UnaryExpr:
		return r.untyped(e.X)
	}
	return r.info.Types[e].Value != nil
}

// qualify names a package as the file does.
func (r *rewriter) qualify(p *types.Package) string {
	if p == r.pkg {
		return ""
	}
	for q := range r.uses {
		if q.Imported() == p && q.Name() == "." {
			return ""
		} else if q.Imported() == p {
			return q.Name()
		}
	}
	return p.Name()
}

// selectStmt makes a switch of a select: break means the same in both, and so does a label.
func (r *rewriter) selectStmt(n *ast.SelectStmt) {
	if len(n.Body.List) == 0 {
		at, end := r.at(n.Pos()), r.at(n.End())
		r.changed = true
		r.replace(at, end, "for { "+lang+".Forever(); "+r.lines(at, end)+"}")
		return
	}
	var names, heads []string
	hasDefault := false
	for _, s := range n.Body.List {
		c := s.(*ast.CommClause)
		if c.Comm == nil {
			hasDefault = true
			continue
		}
		name := r.temp()
		var head, then string
		switch m := c.Comm.(type) {
		case *ast.SendStmt:
			head = lang + ".OnSend(" + r.now(m.Chan) + r.named(m.Chan) + ")(" + r.now(m.Value) + ")"
		case *ast.ExprStmt:
			u := received(m).(*ast.UnaryExpr)
			head = lang + ".OnRecv(" + r.now(u.X) + r.named(u.X) + ")"
		case *ast.AssignStmt:
			u := received(m).(*ast.UnaryExpr)
			head = lang + ".OnRecv(" + r.now(u.X) + r.named(u.X) + ")"
			then = r.now(m.Lhs[0])
			value := name + ".Value()"
			if len(m.Lhs) == 2 {
				then += ", " + r.now(m.Lhs[1])
				value = name + ".Value2()"
				if t := r.okType(u); t != "" {
					value = lang + ".Value2As[" + t + "](" + name + ")"
				}
			}
			then = " " + then + " " + m.Tok.String() + " " + value + ";"
			if m.Tok == token.ASSIGN {
				then += " " + r.wrote(r.places(m.Lhs...))
			}
		}
		at, end := r.at(c.Comm.Pos()), r.at(c.Comm.End())
		r.replace(at, end, strconv.Itoa(len(heads)))
		r.open(r.at(c.Colon)+1, r.lines(at, end)+then)
		names = append(names, name)
		heads = append(heads, r.line(c.Comm.Pos())+head)
	}
	args := strings.Join(append([]string{strconv.FormatBool(hasDefault)}, names...), ", ")
	text := "switch "
	if len(names) > 0 {
		text += strings.Join(names, ", ") + " := " + strings.Join(heads, ", ") + "; "
	}
	text += r.line(n.Pos()) + lang + ".Select(" + args + ") "
	r.put(n.Select, len("select"), text+r.line(n.Select+token.Pos(len("select"))))
	if !hasDefault {
		// A select without one can be the end of a function.
		r.text.close(r.at(n.Body.Rbrace), "\ndefault: for {}"+r.line(n.Body.Rbrace))
	}
}
