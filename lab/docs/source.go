package docs

import (
	"go/ast"
	"go/doc/comment"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// section matches the citation of a section of the module's README.
var section = regexp.MustCompile(`README\s+"([^"]+)"`)

// checkSource checks the comments of one Go file.
func (c *checker) checkSource(name string, f *ast.File) {
	for _, group := range f.Comments {
		for _, line := range group.List {
			for _, l := range label.FindAllString(line.Text, -1) {
				if !c.labelExists(name, l) {
					c.report(name, c.line(line), "no page of %[2]s says what %[1]s means, nor does api", l, c.moduleOf(name))
				}
			}
		}
		for _, m := range section.FindAllStringSubmatch(group.Text(), -1) {
			if title := strings.Join(strings.Fields(m[1]), " "); !c.sectionExists(name, title) {
				c.report(name, c.line(group), "the README has no section %q", title)
			}
		}
	}
	if !strings.HasSuffix(name, "_test.go") {
		c.checkDocLinks(name, f)
	}
}

func (c *checker) line(n ast.Node) int { return c.fset.Position(n.Pos()).Line }

// labelExists reports whether a page of the file's own module defines the
// label, or one that such a page links to, or a comment of the module or of api.
func (c *checker) labelExists(name, label string) bool {
	module := c.moduleOf(name)
	for page := range c.pages {
		if c.moduleOf(page) == module && c.defines(page, label) {
			return true
		}
	}
	return c.rulesOf(module)[label] || c.rules()[label]
}

// ruleItem matches the list item of a comment that defines a rule.
var ruleItem = regexp.MustCompile(`(?m)^\s*- ([A-Z][1-9][0-9]?)\. `)

// rules returns the labels that the comments of module api define.
func (c *checker) rules() map[string]bool { return c.rulesOf("api") }

// rulesOf returns the labels that the comments of a module define.
func (c *checker) rulesOf(module string) map[string]bool {
	if c.moduleRules[module] == nil {
		rules := map[string]bool{}
		for name, f := range c.sources {
			if c.moduleOf(name) != module {
				continue
			}
			for _, group := range f.Comments {
				for _, m := range ruleItem.FindAllStringSubmatch(group.Text(), -1) {
					rules[m[1]] = true
				}
			}
		}
		c.moduleRules[module] = rules
	}
	return c.moduleRules[module]
}

// sectionExists reports whether the nearest README above the file has a
// heading with the title.
func (c *checker) sectionExists(name, title string) bool {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if p, ok := c.pages[path.Join(dir, "README.md")]; ok {
			return p.headings[title]
		}
		if dir == "." {
			return false
		}
	}
}

// checkDocLinks checks the links to Go names, in the form of [pool.Fork], of
// all doc comments in the file that lead into the tree.
func (c *checker) checkDocLinks(name string, f *ast.File) {
	imports := map[string]string{}
	for _, spec := range f.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		local := path.Base(importPath)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		imports[local] = importPath
	}
	parser := comment.Parser{
		LookupPackage: func(local string) (string, bool) {
			importPath, ok := imports[local]
			return importPath, ok || local == f.Name.Name
		},
		// Every name that looks like a link is taken for one, and judged below.
		LookupSym: func(string, string) bool { return true },
	}
	own := c.packages[path.Dir(name)]
	for n := range ast.Preorder(f) {
		group := docOf(n)
		if group == nil {
			continue
		}
		eachLink(parser.Parse(group.Text()).Content, func(link *comment.DocLink) {
			p := own
			if link.ImportPath != "" {
				p = c.packageAt(link.ImportPath)
			}
			switch {
			case p == nil || link.Name == "":
			case link.Recv == "" && !p.declares(link.Name, ""):
				c.report(name, c.line(group), "doc link to %s, which package %s does not declare", link.Name, p.name)
			case link.Recv != "" && !p.declares(link.Recv, link.Name):
				c.report(name, c.line(group), "doc link to %s.%s, which package %s does not declare", link.Recv, link.Name, p.name)
			}
		})
	}
}

func docOf(n ast.Node) *ast.CommentGroup {
	switch n := n.(type) {
	case *ast.File:
		return n.Doc
	case *ast.FuncDecl:
		return n.Doc
	case *ast.GenDecl:
		return n.Doc
	case *ast.TypeSpec:
		return n.Doc
	case *ast.ValueSpec:
		return n.Doc
	case *ast.Field:
		return n.Doc
	}
	return nil
}

// eachLink calls f with the links to Go names in blocks of a doc comment.
func eachLink(blocks []comment.Block, f func(*comment.DocLink)) {
	for _, b := range blocks {
		var texts []comment.Text
		switch b := b.(type) {
		case *comment.Heading:
			texts = b.Text
		case *comment.Paragraph:
			texts = b.Text
		case *comment.List:
			for _, item := range b.Items {
				eachLink(item.Content, f)
			}
		}
		for _, t := range texts {
			if link, ok := t.(*comment.DocLink); ok {
				f(link)
			}
		}
	}
}
