package docs

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// A Finding is one thing that is pointed at and does not exist, or a test that points
// at nothing.
type Finding struct {
	File string // relative to the root
	Line int
	Text string
}

func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text) }

// A checker holds what was read of one tree.
type checker struct {
	root        string
	fset        *token.FileSet
	modules     map[string]string // their paths, by directory
	pages       map[string]*page
	sources     map[string]*ast.File
	packages    symbols
	moduleRules map[string]map[string]bool // the labels that comments of a module define, once asked for
	findings    []Finding
}

// Check reads the Go and Markdown files beneath root and returns the findings, by
// file and line. It returns an error if a file cannot be read or parsed.
func Check(root string) ([]Finding, error) {
	c := &checker{
		moduleRules: map[string]map[string]bool{},
		root:        root, fset: token.NewFileSet(), modules: map[string]string{},
		pages: map[string]*page{}, sources: map[string]*ast.File{}, packages: symbols{},
	}
	if err := c.read(); err != nil {
		return nil, err
	}
	for name, p := range c.pages {
		c.checkPage(name, p)
	}
	for name, f := range c.sources {
		c.checkSource(name, f)
	}
	c.checkTests()
	c.checkMeanings()
	slices.SortFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(c.findings), nil
}

func (c *checker) read() error {
	return filepath.WalkDir(c.root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(c.root, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch base := d.Name(); {
		case d.IsDir():
			if base == "testdata" || name != "." && strings.HasPrefix(base, ".") {
				return fs.SkipDir
			}
			return nil
		case base == "go.mod":
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			c.modules[path.Dir(name)] = modfile.ModulePath(data)
		case filepath.Ext(base) == ".md":
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			c.pages[name] = parsePage(data)
		case filepath.Ext(base) == ".go":
			f, err := parser.ParseFile(c.fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			c.sources[name] = f
			c.packages.add(path.Dir(name), f, strings.HasSuffix(base, "_test.go"))
		}
		return nil
	})
}

// moduleOf returns the directory of the module that a file belongs to, or "."
// if it belongs to none.
func (c *checker) moduleOf(name string) string {
	best := "."
	for dir := range c.modules {
		if strings.HasPrefix(name, dir+"/") && len(dir) > len(best) {
			best = dir
		}
	}
	return best
}

func (c *checker) report(file string, line int, format string, args ...any) {
	c.findings = append(c.findings, Finding{file, line, fmt.Sprintf(format, args...)})
}
