package docs

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	// A failure of a module's own test must say which promise is broken. These modules
	// make none: they check, or show, those of the others.
	promiseless = regexp.MustCompile(`^(\.|conformance|explore|examples|lab|tools|examples/.*)$`)
	// cited matches the beginnings of strings, up to the label of a rule or a colon.
	cited = regexp.MustCompile("[\"`](?:([CDFILSP][1-9][0-9]?)\\b|([^\"`:]+): )")
	// fails matches where a test fails with a message of its own.
	fails = regexp.MustCompile(`\bt\.(Error|Fatal)f?\(`)
	words = regexp.MustCompile(`\w+`)
)

// checkTests checks that each test of a module cites a promise: in its own messages
// or, if it has none, in a function or table of the tests that it names.
func (c *checker) checkTests() {
	declared := map[string]map[string]string{} // the text of what tests declare, by directory and name
	for file, f := range c.sources {
		dir := path.Dir(file)
		if !strings.HasSuffix(file, "_test.go") || promiseless.MatchString(c.moduleOf(file)) {
			continue
		}
		if declared[dir] == nil {
			declared[dir] = map[string]string{}
		}
		add := func(name *ast.Ident, of ast.Node) bool {
			declared[dir][name.Name] += c.texts[file][of.Pos()-f.FileStart : of.End()-f.FileStart]
			return false
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				return add(n.Name, n)
			case *ast.ValueSpec:
				return add(n.Names[0], n)
			}
			return true
		})
	}
	for name, f := range c.sources {
		decls := declared[path.Dir(name)]
		if decls == nil || !strings.HasSuffix(name, "_test.go") {
			continue
		}
		titles := c.titles(c.moduleOf(name))
		cites := func(text string) bool {
			return slices.ContainsFunc(cited.FindAllStringSubmatch(text, -1), func(m []string) bool {
				return c.meaning[m[1]] != nil || titles[m[2]] || decls[m[2]] != ""
			})
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(fn.Name.Name, "Test") || fn.Name.Name == "TestMain" {
				continue
			}
			text := decls[fn.Name.Name]
			helped := func(name string) bool { return cites(decls[name]) }
			if !cites(text) && (fails.MatchString(text) || !slices.ContainsFunc(words.FindAllString(text, -1), helped)) {
				c.report(name, c.line(fn), "no message of %s begins with a rule's label, or with a name or heading of the module and a colon", fn.Name.Name)
			}
		}
	}
}

// titles returns what a message may begin with: what the module or api declares, and the headings of the
// module's pages. The module's own name is none, for what a panic says begins with it.
func (c *checker) titles(module string) map[string]bool {
	titles := map[string]bool{}
	for dir, p := range c.packages {
		if in := c.moduleOf(dir + "/x"); in == module || in == "api" {
			titles["package "+p.name] = true
			for name := range p.names {
				titles[name] = ast.IsExported(name)
			}
		}
	}
	for name, p := range c.pages {
		for title := range p.headings {
			titles[title] = titles[title] || path.Dir(name) == module && title != path.Base(module)
		}
	}
	return titles
}
