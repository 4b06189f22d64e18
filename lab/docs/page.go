package docs

import (
	"bytes"
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
	"github.com/yuin/goldmark/text"
)

// A page is one Markdown file.
type page struct {
	headings map[string]bool
	anchors  map[string]bool // as GitHub makes them
	links    []reference
	code     []reference // what stands in backticks
	labels   []reference // to which the page gives a meaning
	prose    []reference // what is wrong with a line
}

// A reference is a piece of text that points at something.
type reference struct {
	text string
	line int
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()

func parsePage(source []byte) *page {
	p := &page{headings: map[string]bool{}, anchors: map[string]bool{}}
	_ = ast.Walk(markdown.Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Kind() == ast.KindDocument {
			return ast.WalkContinue, nil
		}
		text, line := plain(n, source), 1+bytes.Count(source[:n.Pos()], []byte("\n"))
		switch n := n.(type) {
		case *ast.Heading:
			p.headings[text], p.anchors[slug(text)] = true, true
			p.define(starts, text, line)
		case *ast.Emphasis:
			if n.Level == 2 {
				p.define(starts, text, line)
			}
		case *ast.Paragraph, *ast.TextBlock:
			p.define(begins, text, line)
			if n.Parent().Kind() == ast.KindListItem {
				p.define(item, text, line)
			}
			p.addProse(n.Lines(), line, source)
		case *ast.Link:
			p.links = append(p.links, reference{string(n.Destination), line})
		case *ast.Image:
			p.links = append(p.links, reference{string(n.Destination), line})
		case *ast.CodeSpan:
			p.code = append(p.code, reference{text, line})
		}
		return ast.WalkContinue, nil
	})
	return p
}

// A page gives a label a meaning where a heading or bold text starts with it, a sentence begins with it, or a
// list item has it before a colon. A table may say more about a label, and gives it no meaning: so a page can explain the
// steps of another one.
var (
	starts = regexp.MustCompile(`^([A-Z][1-9][0-9]?)\b`)
	begins = regexp.MustCompile(`(?:^|\. )([A-Z][1-9][0-9]?) \p{Lu}`)
	item   = regexp.MustCompile(`^([A-Z][1-9][0-9]?): `)
)

// define notes the labels to which a text gives a meaning.
func (p *page) define(how *regexp.Regexp, text string, line int) {
	for _, m := range how.FindAllStringSubmatch(text, -1) {
		p.labels = append(p.labels, reference{m[1], line})
	}
}

// slug returns the anchor that GitHub gives to a heading, if it is the first one of its name.
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
		if why := c.checkCode(s.text, true); why != "" {
			c.report(name, s.line, "`%s`: %s", s.text, why)
		}
	}
}

// checkLink says why a link on the named page leads nowhere, or returns "".
func (c *checker) checkLink(name, link string) string {
	target, fragment := resolve(name, link)
	if target == "" {
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

// resolve returns the file, relative to the root, and the anchor to which a link on the named page
// leads. There is no file if it leads elsewhere than into the tree.
func resolve(name, link string) (target, fragment string) {
	u, err := url.Parse(link)
	switch {
	case err != nil || u.IsAbs() || u.Host != "":
		return "", ""
	case u.Path == "":
		return name, u.Fragment
	case strings.HasPrefix(u.Path, "/"): // the root of the repository
		return path.Clean("." + u.Path), u.Fragment
	}
	return path.Join(path.Dir(name), u.Path), u.Fragment
}
