package docs

import (
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	// label matches those of protocol steps and of rules.
	label = regexp.MustCompile(`\b[A-Z][1-9][0-9]?\b`)
	// ruleItem matches the list item of a comment that defines a rule.
	ruleItem = regexp.MustCompile(`(?m)^\s*- ([A-Z][1-9][0-9]?)\. `)
)

// addMeanings notes where each label gets its meaning: on a page, or in the list of rules of a comment. It
// reports a label that has a meaning in two files.
func (c *checker) addMeanings() {
	add := func(file, label string, line int) {
		if others := c.meaning[label]; len(others) > 0 && others[0] != file {
			c.report(file, line, "%s has another meaning in %s", label, others[0])
		}
		c.meaning[label] = append(c.meaning[label], file)
	}
	for _, name := range slices.Sorted(maps.Keys(c.sources)) {
		for _, group := range c.sources[name].Comments {
			for _, m := range ruleItem.FindAllStringSubmatch(group.Text(), -1) {
				add(name, m[1], c.line(group))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.pages)) {
		for _, l := range c.pages[name].labels {
			if path.Base(name) != "CHANGELOG.md" {
				add(name, l.text, l.line)
			}
		}
	}
}

// checkSource checks the comments of one Go file.
func (c *checker) checkSource(name string, f *ast.File) {
	module := c.moduleOf(name)
	for _, group := range f.Comments {
		for _, line := range group.List {
			for _, l := range label.FindAllString(line.Text, -1) {
				if !c.explains(module, l) {
					c.report(name, c.line(line), "no page of %s says what %s means, nor does api", module, l)
				}
			}
		}
		if !strings.HasSuffix(name, "_test.go") {
			c.checkDocLinks(name, group)
		}
	}
}

// explains reports whether a label gets its meaning in the module, on a page that one of its pages links to,
// or in the rules of api.
func (c *checker) explains(module, label string) bool {
	for _, file := range c.meaning[label] {
		if in := c.moduleOf(file); in == module || in == "api" && path.Ext(file) == ".go" {
			return true
		}
		for name, p := range c.pages {
			leads := func(l reference) bool { target, _ := resolve(name, l.text); return target == file }
			if c.moduleOf(name) == module && slices.ContainsFunc(p.links, leads) {
				return true
			}
		}
	}
	return false
}
