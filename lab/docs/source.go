package docs

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
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
		if !strings.HasSuffix(name, "_test.go") {
			c.checkDocLinks(name, group)
		}
		for _, m := range section.FindAllStringSubmatch(group.Text(), -1) {
			if title := strings.Join(strings.Fields(m[1]), " "); !c.sectionExists(name, title) {
				c.report(name, c.line(group), "the README has no section %q", title)
			}
		}
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

// docLink matches a link to a Go name in a comment: in brackets, with a package or a type before it, or both.
var docLink = regexp.MustCompile(`(?:^|[\s(])\[\*?(?:(\w+)\.)?(\p{Lu}\w*)(?:\.(\w+))?\](?:[\s.,;:)']|$)`)

// checkDocLinks checks the links of a comment that lead into the tree.
func (c *checker) checkDocLinks(name string, group *ast.CommentGroup) {
	own := c.packages[path.Dir(name)]
	for _, m := range docLink.FindAllStringSubmatch(group.Text(), -1) {
		in, first, second := []*pkg{own}, m[2], m[3]
		switch {
		case ast.IsExported(m[1]):
			first, second = m[1], m[2]
		case m[1] != "":
			in = c.packages.named(m[1])
		}
		if len(in) > 0 && !slices.ContainsFunc(in, func(p *pkg) bool { return p.declares(first, second) }) {
			c.report(name, c.line(group), "doc link to %s, which package %s does not declare", strings.TrimSuffix(first+"."+second, "."), in[0].name)
		}
	}
}
