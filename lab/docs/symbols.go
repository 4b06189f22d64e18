package docs

import (
	"go/ast"
	"regexp"
)

// symbols are the packages of the tree, by directory.
type symbols map[string]*pkg

// A pkg is what one package declares.
type pkg struct {
	name  string
	decls map[string]bool
	types map[string]*typ
}

// A typ is a type with its members: fields, methods, and what it embeds.
type typ struct {
	members map[string]bool
	// open means that it may have members which are not seen here: it is made
	// from another type, or embeds one.
	open bool
}

// add takes in the declarations of a file. Those of tests do not count: no
// document should need them.
func (s symbols) add(dir string, f *ast.File, isTest bool) {
	if isTest {
		return
	}
	p := s[dir]
	if p == nil {
		p = &pkg{name: f.Name.Name, decls: map[string]bool{}, types: map[string]*typ{}}
		s[dir] = p
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				p.decls[d.Name.Name] = true
			} else if len(d.Recv.List) > 0 {
				p.typ(typeName(d.Recv.List[0].Type)).members[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						p.decls[n.Name] = true
					}
				case *ast.TypeSpec:
					p.decls[spec.Name.Name] = true
					p.typ(spec.Name.Name).add(spec.Type)
				}
			}
		}
	}
}

func (p *pkg) typ(name string) *typ {
	t := p.types[name]
	if t == nil {
		t = &typ{members: map[string]bool{}}
		p.types[name] = t
	}
	return t
}

func (t *typ) add(e ast.Expr) {
	var fields *ast.FieldList
	switch e := e.(type) {
	case *ast.StructType:
		fields = e.Fields
	case *ast.InterfaceType:
		fields = e.Methods
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		// Predeclared types have no methods of their own, but an alias does.
		t.open = true
		return
	default:
		return
	}
	for _, f := range fields.List {
		if len(f.Names) == 0 {
			t.members[typeName(f.Type)] = true
			t.open = true
		}
		for _, n := range f.Names {
			t.members[n.Name] = true
		}
	}
}

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
// not exist, or returns "". What it cannot be sure about it lets pass.
func (s symbols) resolveCode(code string) string {
	m := qualified.FindStringSubmatch(code)
	if m == nil || isFileSuffix(m[2]) {
		return ""
	}
	first, second, third := m[1], m[2], m[3]

	known := false
	for _, p := range s {
		if p.name != first {
			continue
		}
		known = true
		if p.declares(second, third) {
			return ""
		}
		// A variable may bear the name of the package, as in latch.Set().
		if third == "" && p.anyHas(second) {
			return ""
		}
	}
	if known {
		return "package " + first + " has no such name"
	}

	if !ast.IsExported(first) || third != "" {
		return ""
	}
	for _, p := range s {
		if t, ok := p.types[first]; ok && p.decls[first] {
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

// isFileSuffix reports whether what stands after a dot makes the word before
// it a file name.
func isFileSuffix(s string) bool {
	switch s {
	case "go", "md", "mod", "sum", "work", "txt", "py", "json", "zig", "rs", "c", "h":
		return true
	}
	return false
}

func (t *typ) has(member string) bool { return t.open || t.members[member] }

// declares reports whether the package declares the name and, if that is a
// type, whether it has the member, unless that is "".
func (p *pkg) declares(name, member string) bool {
	t := p.types[name]
	return p.decls[name] && (member == "" || t == nil || t.has(member))
}

func (p *pkg) anyHas(member string) bool {
	for _, t := range p.types {
		if t.members[member] {
			return true
		}
	}
	return false
}
