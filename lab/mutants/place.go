package mutants

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// located returns the changes with the file of each in place of the folder.
func (c Changes) located(root string) (Changes, error) {
	c = slices.Clone(c)
	for i := range c {
		switch change := &c[i]; {
		case strings.HasSuffix(change.File, ".go"):
		case change.Do == Add:
			change.File = c[i-1].File
		default:
			files, err := filesOf(root, change.File)
			if err == nil && files[change.In] == "" {
				err = fmt.Errorf("%s has no %s, or several", change.File, change.In)
			}
			if err != nil {
				return nil, err
			}
			change.File = files[change.In]
		}
	}
	return c, nil
}

// packages have what filesOf returns, by the path of the folder.
var packages sync.Map

// filesOf returns which file of a package has which declaration.
func filesOf(root, folder string) (map[string]string, error) {
	if known, ok := packages.Load(path.Join(root, folder)); ok {
		return known.(map[string]string), nil
	}
	names, _ := filepath.Glob(filepath.Join(root, folder, "*.go")) // the pattern is one
	files := make(map[string]string)
	for _, name := range names {
		if name = path.Join(folder, filepath.Base(name)); strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := read(root, name)
		if err != nil {
			return nil, err
		}
		s, err := parse(name, text)
		if err != nil {
			return nil, err
		}
		for decl := range s.decls {
			at := name
			if _, another := files[decl]; another {
				at = "" // Of several files the row must name one.
			}
			files[decl] = at
		}
	}
	packages.Store(path.Join(root, folder), files)
	return files, nil
}

// apply returns the files that the changes touch, as they leave them, by their names from
// the root.
func (c Changes) apply(root string) (map[string]string, error) {
	c, err := c.located(root)
	if err != nil {
		return nil, err
	}
	changed := make(map[string]string)
	for _, change := range c {
		text, ok := changed[change.File]
		if !ok {
			if text, err = read(root, change.File); err != nil {
				return nil, err
			}
		}
		text, err := change.apply(text)
		if err != nil {
			return nil, err
		}
		changed[change.File] = text
	}
	return changed, nil
}

// read returns the text of a file that is named from the root.
func read(root, name string) (string, error) {
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	return string(b), err
}

// apply returns the text of the file with the change.
func (c Change) apply(text string) (string, error) {
	if c.Do == Add {
		return text + "\n" + c.With + "\n", nil
	}
	s, err := parse(c.File, text)
	if err != nil {
		return "", err
	}
	decl := s.decls[c.In]
	if decl == nil {
		return "", fmt.Errorf("%s has no %s", c.File, c.In)
	}
	from, to, err := s.find(decl, c.Find)
	if err != nil {
		return "", fmt.Errorf("%s, %s: %w", c.File, c.In, err)
	}
	if c.Do == Replace {
		return text[:from] + c.With + text[to:], nil
	}
	switch c.Do {
	case Never, Always:
		cond := s.condition(decl, from, to)
		if cond == nil {
			return "", fmt.Errorf("%s, %s: %q is in no condition of an if or a for", c.File, c.In, c.Find)
		}
		// The condition stays in the text, or a variable might be unused.
		fixed := "false && "
		if c.Do == Always {
			fixed = "true || "
		}
		from, to := s.offset(cond.Pos()), s.offset(cond.End())
		return text[:from] + fixed + "(" + text[from:to] + ")" + text[to:], nil
	}
	list, i := s.statement(decl, from, to)
	if list == nil {
		return "", fmt.Errorf("%s, %s: no statement contains %q", c.File, c.In, c.Find)
	}
	at, end := s.offset(list[i].Pos()), s.offset(list[i].End())
	switch c.Do {
	case Drop:
		return text[:at] + text[end:], nil
	case Before:
		return text[:at] + c.With + "\n" + text[at:], nil
	case After:
		return text[:end] + "\n" + c.With + text[end:], nil
	case Swap:
		if i+1 == len(list) {
			return "", fmt.Errorf("%s, %s: nothing follows %q", c.File, c.In, c.Find)
		}
		next, last := s.offset(list[i+1].Pos()), s.offset(list[i+1].End())
		return text[:at] + text[next:last] + text[end:next] + text[at:end] + text[last:], nil
	}
	return "", fmt.Errorf("%s, %s: there is no operation %q", c.File, c.In, c.Do)
}

// A source is a parsed file.
type source struct {
	text  string
	file  *ast.File
	fset  *token.FileSet
	decls map[string]ast.Node
}

func parse(name, text string) (*source, error) {
	s := &source{text: text, fset: token.NewFileSet(), decls: make(map[string]ast.Node)}
	var err error
	s.file, err = parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			s.decls[nameOf(d)] = d
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					s.decls["type "+spec.Name.Name] = spec
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						s.decls[d.Tok.String()+" "+name.Name] = spec
					}
				}
			}
		}
	}
	return s, nil
}

// nameOf is how a row names a function.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver, _, _ := strings.Cut(types.ExprString(f.Recv.List[0].Type), "[")
	return strings.TrimPrefix(receiver, "*") + "." + f.Name.Name
}

func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

// find returns where the only occurrence of a fragment in a declaration is.
func (s *source) find(decl ast.Node, fragment string) (from, to int, err error) {
	words := strings.Fields(fragment)
	if len(words) == 0 {
		return 0, 0, errors.New("the fragment is empty")
	}
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	start := s.offset(decl.Pos())
	found := regexp.MustCompile(strings.Join(words, `\s+`)).FindAllStringIndex(s.text[start:s.offset(decl.End())], 2)
	switch len(found) {
	case 0:
		return 0, 0, fmt.Errorf("there is no %q", fragment)
	case 1:
		return start + found[0][0], start + found[0][1], nil
	}
	return 0, 0, fmt.Errorf("%q is there more than once", fragment)
}

// condition returns the innermost condition of an if or a for that contains the range.
func (s *source) condition(decl ast.Node, from, to int) (cond ast.Expr) {
	for n := range ast.Preorder(decl) {
		var c ast.Expr
		switch n := n.(type) {
		case *ast.IfStmt:
			c = n.Cond
		case *ast.ForStmt:
			c = n.Cond
		}
		if c != nil && s.contains(c, from, to) {
			cond = c
		}
	}
	return cond
}

// statement returns the innermost list of statements one of which contains the range, and
// which one.
func (s *source) statement(decl ast.Node, from, to int) (list []ast.Stmt, i int) {
	for n := range ast.Preorder(decl) {
		var inside []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			inside = n.List
		case *ast.CaseClause:
			inside = n.Body
		case *ast.CommClause:
			inside = n.Body
		}
		if at := slices.IndexFunc(inside, func(x ast.Stmt) bool { return s.contains(x, from, to) }); at >= 0 {
			list, i = inside, at
		}
	}
	return list, i
}

func (s *source) contains(n ast.Node, from, to int) bool {
	return s.offset(n.Pos()) <= from && to <= s.offset(n.End())
}
