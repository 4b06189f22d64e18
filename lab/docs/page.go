package docs

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// A page is one Markdown file.
type page struct {
	links    []reference
	code     []reference     // what stands in backticks
	anchors  map[string]bool // as GitHub makes them
	headings map[string]bool
	labels   map[string]bool // defined here
	prose    []reference     // lines that are more or less than a sentence
	meanings []reference     // labels to which the page gives a meaning
}

// A reference is a piece of text that points at something.
type reference struct {
	text string
	line int
}

var (
	// label matches those of protocol steps and of rules.
	label = regexp.MustCompile(`\b[A-Z][1-9][0-9]?\b`)
	// first matches the label that a piece of text begins with.
	first = regexp.MustCompile(`^[A-Z][1-9][0-9]?\b`)
	// sentence matches one that begins with a label and goes on to explain it,
	// as a step of a protocol does that is told in one paragraph.
	sentence = regexp.MustCompile(`\. ([A-Z][1-9][0-9]?) \p{Lu}`)
	// htmlAnchor matches the anchors that are written as HTML.
	htmlAnchor = regexp.MustCompile(`\b(?:id|name)="([^"]+)"`)
)

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()

func parsePage(source []byte) *page {
	p := &page{anchors: map[string]bool{}, headings: map[string]bool{}, labels: map[string]bool{}}
	for _, m := range htmlAnchor.FindAllSubmatch(source, -1) {
		p.anchors[string(m[1])] = true
	}
	at := func(n ast.Node, text string) reference {
		return reference{text, 1 + bytes.Count(source[:n.Pos()], []byte("\n"))}
	}
	_ = ast.Walk(markdown.Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			title := plain(n, source)
			p.headings[title] = true
			p.addAnchor(slug(title))
			p.define(title)
		case *ast.Paragraph, *ast.TextBlock, *east.TableCell:
			text := plain(n, source)
			p.define(text)
			if n.Kind() != east.KindTableCell {
				p.addMeanings(n, text, at(n, "").line)
				p.addProse(n.Lines(), at(n, "").line, source)
			}
			for _, m := range sentence.FindAllStringSubmatch(text, -1) {
				p.labels[m[1]] = true
			}
		case *ast.Emphasis:
			if n.Level == 2 {
				p.define(plain(n, source))
				p.addMeanings(n, plain(n, source), at(n, "").line)
			}
		case *ast.Link:
			p.links = append(p.links, at(n, string(n.Destination)))
		case *ast.Image:
			p.links = append(p.links, at(n, string(n.Destination)))
		case *ast.CodeSpan:
			p.code = append(p.code, at(n, plain(n, source)))
		}
		return ast.WalkContinue, nil
	})
	return p
}

// define notes the label that a text begins with: the text says what it means.
func (p *page) define(text string) {
	if l := first.FindString(text); l != "" {
		p.labels[l] = true
	}
}

// addAnchor adds the anchor of a heading; the second of the same name gets a
// number.
func (p *page) addAnchor(slug string) {
	anchor := slug
	for n := 1; p.anchors[anchor]; n++ {
		anchor = fmt.Sprintf("%s-%d", slug, n)
	}
	p.anchors[anchor] = true
}

// slug returns the anchor that GitHub gives to a heading.
func slug(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

// plain returns the text of a node without its markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func (c *checker) checkPage(name string, p *page) {
	for _, s := range p.prose {
		c.report(name, s.line, "%s", s.text)
	}
	for _, l := range p.links {
		if why := c.checkLink(name, l.text); why != "" {
			c.report(name, l.line, "link %s: %s", l.text, why)
		}
	}
	for _, s := range p.code {
		if why := c.packages.resolveCode(s.text); why != "" {
			c.report(name, s.line, "`%s`: %s", s.text, why)
		}
	}
}

// checkLink says why a link leads nowhere, or returns "".
func (c *checker) checkLink(name, link string) string {
	target, fragment, ok := resolve(name, link)
	if !ok {
		return ""
	}
	if !filepath.IsLocal(target) {
		return "it leads out of the repository"
	}
	if _, err := os.Stat(filepath.Join(c.root, filepath.FromSlash(target))); err != nil {
		return "there is no " + target
	}
	if p, ok := c.pages[target]; ok && fragment != "" && !p.anchors[fragment] {
		return target + " has no heading with this anchor"
	}
	return ""
}

// resolve returns the file, relative to the root, and the anchor to which a
// link on the named page leads; ok is false if it leads elsewhere than into
// the tree.
func resolve(name, link string) (target, fragment string, ok bool) {
	u, err := url.Parse(link)
	if err != nil || u.IsAbs() || u.Host != "" {
		return "", "", false
	}
	switch {
	case u.Path == "":
		target = name
	case strings.HasPrefix(u.Path, "/"): // the root of the repository
		target = path.Clean("." + u.Path)
	default:
		target = path.Join(path.Dir(name), u.Path)
	}
	return target, u.Fragment, true
}

// defines reports whether the named page says what a label means, or a page
// that it links to.
func (c *checker) defines(name, label string) bool {
	p := c.pages[name]
	if p.labels[label] {
		return true
	}
	for _, l := range p.links {
		target, _, ok := resolve(name, l.text)
		if linked := c.pages[target]; ok && linked != nil && linked.labels[label] {
			return true
		}
	}
	return false
}
