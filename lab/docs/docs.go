package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A checker holds what was read of one tree. Files are named relative to the root.
type checker struct {
	root     string
	fset     *token.FileSet
	modules  map[string]bool // by directory
	pages    map[string]*page
	sources  map[string]*ast.File
	texts    map[string]string   // of the sources
	packages map[string]*pkg     // by directory
	meaning  map[string][]string // the files that say what a label means
	findings scanner.ErrorList
}

// Check reads the Go and Markdown files beneath root. It returns a [scanner.ErrorList] of what is pointed at and does
// not exist, and of tests that point at nothing, or another error if a file cannot be read.
func Check(root string) error {
	c := &checker{
		root: root, fset: token.NewFileSet(), modules: map[string]bool{}, pages: map[string]*page{},
		sources: map[string]*ast.File{}, texts: map[string]string{}, packages: map[string]*pkg{}, meaning: map[string][]string{},
	}
	if err := c.read(); err != nil {
		return err
	}
	c.addMeanings()
	for name, p := range c.pages {
		c.checkPage(name, p)
	}
	for name, f := range c.sources {
		c.checkSource(name, f)
	}
	c.checkTests()
	c.findings.Sort()
	c.findings = slices.CompactFunc(c.findings, func(a, b *scanner.Error) bool { return *a == *b })
	return c.findings.Err()
}

func (c *checker) read() error {
	return fs.WalkDir(os.DirFS(c.root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base, ext := d.Name(), path.Ext(name)
		switch {
		case d.IsDir() && (base == "testdata" || name != "." && strings.HasPrefix(base, ".")):
			return fs.SkipDir
		case d.IsDir() || base != "go.mod" && ext != ".md" && ext != ".go":
			return nil
		}
		text, err := os.ReadFile(filepath.Join(c.root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		switch ext {
		case ".mod":
			c.modules[path.Dir(name)] = true
		case ".md":
			c.pages[name] = parsePage(text)
		case ".go":
			f, err := parser.ParseFile(c.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			c.sources[name], c.texts[name] = f, string(text)
			if !strings.HasSuffix(name, "_test.go") { // no document should need what tests declare
				c.declare(path.Dir(name), f)
			}
		}
		return nil
	})
}

// moduleOf returns the directory of the module that a file belongs to, or "."
// if it belongs to none.
func (c *checker) moduleOf(name string) string {
	dir := path.Dir(name)
	for dir != "." && !c.modules[dir] {
		dir = path.Dir(dir)
	}
	return dir
}

func (c *checker) report(file string, line int, format string, args ...any) {
	c.findings.Add(token.Position{Filename: file, Line: line}, fmt.Sprintf(format, args...))
}

func (c *checker) line(n ast.Node) int { return c.fset.Position(n.Pos()).Line }
