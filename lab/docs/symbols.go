package docs

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// symbols are the packages of the tree, by directory.
type symbols map[string]*pkg

// A pkg is what one package declares: names, and the members of those that are types, their
// fields, methods, and what they embed.
type pkg struct {
	name  string
	decls map[string]members
}

// members are nil of what is no type. The member "" says that there may be some which are not
// seen here: the type is made from another one, or embeds one.
type members map[string]bool

// add takes in the declarations of a file. Those of tests do not count: no
// document should need them.
func (s symbols) add(dir string, f *ast.File, isTest bool) {
	if isTest {
		return
	}
	p := s[dir]
	if p == nil {
		p = &pkg{name: f.Name.Name, decls: map[string]members{}}
		s[dir] = p
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				p.decls[d.Name.Name] = nil
			} else if len(d.Recv.List) > 0 {
				p.membersOf(typeName(d.Recv.List[0].Type))[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						p.decls[n.Name] = nil
					}
				case *ast.TypeSpec:
					p.membersOf(spec.Name.Name).add(spec.Type)
				}
			}
		}
	}
}

func (p *pkg) membersOf(name string) members {
	if p.decls[name] == nil {
		p.decls[name] = members{}
	}
	return p.decls[name]
}

func (m members) add(e ast.Expr) {
	var fields *ast.FieldList
	switch e := e.(type) {
	case *ast.StructType:
		fields = e.Fields
	case *ast.InterfaceType:
		fields = e.Methods
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		// Predeclared types have no methods of their own, but an alias does.
		m[""] = true
		return
	default:
		return
	}
	for _, f := range fields.List {
		if len(f.Names) == 0 {
			m[typeName(f.Type)], m[""] = true, true
		}
		for _, n := range f.Names {
			m[n.Name] = true
		}
	}
}

func (m members) has(name string) bool { return m[""] || m[name] }

// typeName returns the name of a type without pointer, package and arguments.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// qualified matches a name with one or two qualifiers before it, and type
// arguments and call parentheses after it.
var qualified = regexp.MustCompile(`^\*?(\w+)\.([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?(?:\[[^()]*\])?(?:\([^()]*\))?$`)

// resolveCode says why a piece of code names something of the tree that does
// not exist, or returns "", also where it cannot be sure.
func (s symbols) resolveCode(code string) string {
	m := qualified.FindStringSubmatch(code)
	if m == nil || slices.Contains(fileSuffixes, m[2]) {
		return ""
	}
	first, second, third := m[1], m[2], m[3]

	for _, p := range s.named(first) {
		if p.declares(second, third) {
			return ""
		}
		// A variable may bear the name of the package, as in latch.Set().
		if third == "" && p.anyHas(second) {
			return ""
		}
	}
	if s.named(first) != nil {
		return "package " + first + " has no such name"
	}

	if !ast.IsExported(first) || third != "" {
		return ""
	}
	known := false
	for _, p := range s {
		if t := p.decls[first]; t != nil {
			known = true
			if t.has(second) {
				return ""
			}
		}
	}
	switch {
	case known:
		return "type " + first + " has no such field or method"
	case ast.IsExported(second):
		return "there is no type " + first
	}
	return ""
}

// fileSuffixes make the word before them, and a dot, a file name.
var fileSuffixes = strings.Fields("go md mod sum work txt py json zig rs c h")

// declares reports whether the package declares the name and, if that is a
// type, whether it has the member, unless that is "".
func (p *pkg) declares(name, member string) bool {
	t, ok := p.decls[name]
	return ok && (member == "" || t == nil || t.has(member))
}

// named returns the packages of a name.
func (s symbols) named(name string) (all []*pkg) {
	for _, p := range s {
		if p.name == name {
			all = append(all, p)
		}
	}
	return all
}

func (p *pkg) anyHas(member string) bool {
	for _, t := range p.decls {
		if t[member] {
			return true
		}
	}
	return false
}
