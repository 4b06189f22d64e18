package docs

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// A failure of a module's own test must say which promise is broken. These modules
// make none: they check, or show, those of the others.
var promiseless = map[string]bool{"conformance": true, "explore": true, "examples": true, "lab": true, "tools": true, ".": true}

// promises reports whether a module makes promises. Those below the examples are examples.
func promises(module string) bool {
	return !promiseless[module] && !strings.HasPrefix(module, "examples/")
}

// promise matches the beginning of a message that says what is broken: the label of a
// rule, or a name or a heading before a colon.
var promise = regexp.MustCompile(`^(?:([CDFILSP][1-9][0-9]?)\b|(package \w+|\w+)(?:\.(\w+))?: |([^:]+): )`)

// ownMessage matches the methods by which a test has a message of its own.
var ownMessage = regexp.MustCompile(`^(Error|Fatal)f?$`)

// checkTests checks that each test of a module cites a promise: in its own messages
// or, if it has none, in a function or table of the tests that it names.
func (c *checker) checkTests() {
	declared := map[string]map[string][]ast.Node{} // by directory and name
	for name, f := range c.sources {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		dir := path.Dir(name)
		if declared[dir] == nil {
			declared[dir] = map[string][]ast.Node{}
		}
		for _, d := range f.Decls {
			for _, ident := range declares(d) {
				declared[dir][ident] = append(declared[dir][ident], d)
			}
		}
	}
	for name, f := range c.sources {
		if !strings.HasSuffix(name, "_test.go") || !promises(c.moduleOf(name)) {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Test") || fn.Name.Name == "TestMain" {
				continue
			}
			if !c.testCites(name, fn, declared[path.Dir(name)]) {
				c.report(name, c.line(fn), "no message of %s begins with a rule's label, or with a name or heading of the module and a colon", fn.Name.Name)
			}
		}
	}
}

// declares returns the names that a declaration declares.
func declares(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok {
				for _, n := range spec.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

func (c *checker) testCites(name string, fn *ast.FuncDecl, declared map[string][]ast.Node) bool {
	if c.cites(name, fn, declared) {
		return true
	}
	helped := false
	for n := range ast.Preorder(fn.Body) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if t, ok := n.X.(*ast.Ident); ok && t.Name == "t" && ownMessage.MatchString(n.Sel.Name) {
				return false
			}
		case *ast.Ident:
			for _, d := range declared[n.Name] {
				helped = helped || c.cites(name, d, declared)
			}
		}
	}
	return helped
}

// cites reports whether a string in n, of the named file, cites a promise.
func (c *checker) cites(name string, n ast.Node, declared map[string][]ast.Node) bool {
	for n := range ast.Preorder(n) {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			continue
		}
		text, err := strconv.Unquote(lit.Value)
		if m := promise.FindStringSubmatch(text); err == nil && m != nil && c.isPromise(name, m, declared) {
			return true
		}
	}
	return false
}

// isPromise reports whether there is the promise that was matched: a rule, a
// declaration of the module or of api, a heading of a page, or a function of the
// tests, for those that test the tests.
func (c *checker) isPromise(name string, m []string, declared map[string][]ast.Node) bool {
	rule, first, second, heading := m[1], m[2], m[3], m[4]
	module := c.moduleOf(name)
	for file, p := range c.pages {
		// What a panic says begins with the module's name.
		if title := first + heading; path.Dir(file) == module && p.headings[title] && title != path.Base(module) {
			return true
		}
	}
	for dir, p := range c.packages {
		in := c.moduleOf(dir + "/x")
		if (in == module || in == "api") && (p.declares(first, second) && ast.IsExported(first) || "package "+p.name == first) {
			return true
		}
	}
	for _, m := range []string{module, "api", "counters", "pool"} { // or that of what it is built on
		if c.rulesOf(m)[rule] {
			return true
		}
	}
	return declared[first] != nil
}
