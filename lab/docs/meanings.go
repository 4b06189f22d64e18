package docs

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// A label has one meaning in the whole tree. A page gives it in bold, at the beginning of a list item,
// or before a sentence that begins with a capital; a comment in the list of rules. A table may say
// more about a label, and gives it no meaning: so a page can explain the steps of another one.

// means matches the labels to which a piece of text gives a meaning.
var (
	means     = regexp.MustCompile(`(?:^|\. )([A-Z][1-9][0-9]?) \p{Lu}`)
	itemMeans = regexp.MustCompile(`^([A-Z][1-9][0-9]?): `)
	boldMeans = regexp.MustCompile(`^([A-Z][1-9][0-9]?)\b`)
)

// addMeanings notes the labels to which a node of a page gives a meaning.
func (p *page) addMeanings(n ast.Node, text string, line int) {
	found := means.FindAllStringSubmatch(text, -1)
	switch n := n.(type) {
	case *ast.Emphasis:
		found = boldMeans.FindAllStringSubmatch(text, -1)
	default:
		if n.Parent().Kind() == ast.KindListItem {
			found = append(found, itemMeans.FindAllStringSubmatch(text, -1)...)
		}
	}
	for _, m := range found {
		p.meanings = append(p.meanings, reference{m[1], line})
	}
}

// checkMeanings reports each label that has a meaning in two files.
func (c *checker) checkMeanings() {
	first := map[string]string{} // the file that gives the meaning
	add := func(file, label string, line int) {
		if other := first[label]; other != "" && other != file {
			c.report(file, line, "%s has another meaning in %s", label, other)
			return
		}
		first[label] = file
	}
	for _, name := range slices.Sorted(maps.Keys(c.sources)) {
		for _, group := range c.sources[name].Comments {
			for _, m := range ruleItem.FindAllStringSubmatch(group.Text(), -1) {
				add(name, m[1], c.line(group))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.pages)) {
		for _, m := range c.pages[name].meanings {
			if !strings.HasSuffix(name, "CHANGELOG.md") {
				add(name, m.text, m.line)
			}
		}
	}
}
