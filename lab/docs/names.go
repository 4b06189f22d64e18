package docs

import (
	"go/ast"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A pkg is one package, and what it declares: a name such as Deque, a member such as Deque.Push. Deque.* says
// that there may be members which are not seen here: it is not a type, or is made from another one, or embeds one.
type pkg struct {
	name  string
	names map[string]bool
}

// declare takes in the declarations of a file.
func (c *checker) declare(dir string, f *ast.File) {
	if c.packages[dir] == nil {
		c.packages[dir] = &pkg{f.Name.Name, map[string]bool{}}
	}
	names := c.packages[dir].names
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			name := n.Name.Name
			if n.Recv != nil {
				name = typeName(n.Recv.List[0].Type) + "." + name
			}
			names[name], names[name+".*"] = true, true
			return false
		case *ast.ValueSpec:
			for _, name := range n.Names {
				names[name.Name], names[name.Name+".*"] = true, true
			}
			return false
		case *ast.TypeSpec:
			names[n.Name.Name] = true
			for _, member := range members(n.Type) {
				names[n.Name.Name+"."+member] = true
			}
			return false
		}
		return true
	})
}

// members returns the members that a type is declared with.
func members(of ast.Expr) (all []string) {
	var fields *ast.FieldList
	switch t := of.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		return []string{"*"}
	default:
		return nil
	}
	for _, f := range fields.List {
		if len(f.Names) == 0 {
			all = append(all, typeName(f.Type), "*")
		}
		for _, n := range f.Names {
			all = append(all, n.Name)
		}
	}
	return all
}

// typeName returns the name of a type without pointer, package and arguments.
func typeName(e ast.Expr) string { return around.ReplaceAllString(types.ExprString(e), "") }

var around = regexp.MustCompile(`^\*?(?:\w+\.)?|\[.*$`)

// declares reports whether the package declares the name, and the member of it unless that is "".
func (p *pkg) declares(name, member string) bool {
	return p.names[name] && (member == "" || p.names[name+".*"] || p.names[name+"."+member])
}

// qualified matches a name with one or two qualifiers before it, and type
// arguments and call parentheses after it.
var qualified = regexp.MustCompile(`^\*?(\w+)\.([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?(?:\[[^()]*\])?(?:\([^()]*\))?$`)

// fileSuffixes make the word before them, and a dot, a file name.
var fileSuffixes = strings.Fields("go md mod sum work txt py json zig rs c h")

// checkCode says why a piece of code names something of the tree that does
// not exist, or returns "", also where it cannot be sure. A variable may bear the name of a package, as
// in latch.Set().
func (c *checker) checkCode(code string, variables bool) (why string) {
	m := qualified.FindStringSubmatch(code)
	if m == nil || slices.Contains(fileSuffixes, m[2]) {
		return ""
	}
	first, second, third := m[1], m[2], m[3]
	isPackage, isType := false, false
	for _, p := range c.packages {
		switch {
		case p.name == first && p.declares(second, third), third == "" && p.declares(first, second):
			return ""
		case p.name == first && third == "" && variables:
			for name := range p.names {
				if strings.HasSuffix(name, "."+second) {
					return ""
				}
			}
		}
		isPackage, isType = isPackage || p.name == first, isType || p.names[first]
	}
	switch {
	case isPackage:
		return "package " + first + " has no such name"
	case third != "" || !ast.IsExported(first):
		return ""
	case isType:
		return "type " + first + " has no such field or method"
	case ast.IsExported(second):
		return "there is no type " + first
	}
	return ""
}

// docLink matches a link to a Go name in a comment, in brackets.
var docLink = regexp.MustCompile(`(?:^|[\s(])\[\*?([\w.]*\p{Lu}[\w.]*)\](?:[\s.,;:)']|$)`)

// checkDocLinks checks the links of a comment that lead into the tree. One without a package leads into its own.
func (c *checker) checkDocLinks(name string, group *ast.CommentGroup) {
	for _, m := range docLink.FindAllStringSubmatch(group.Text(), -1) {
		link := m[1]
		if ast.IsExported(link) {
			link = c.packages[path.Dir(name)].name + "." + link
		}
		if why := c.checkCode(link, false); why != "" {
			c.report(name, c.line(group), "doc link to %s: %s", link, why)
		}
	}
}
