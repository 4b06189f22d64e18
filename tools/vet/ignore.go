package vet

import (
	"go/ast"
	"go/token"
	"path"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ignoring returns run, of the analyzer with a name, without what the source says to ignore:
//
//	//lint:ignore rousetree every leaf takes a second
//
// This is for the next line, or, after code, for its own. The form is that of staticcheck, so one
// comment may name checks of both, with commas between them. Names may be patterns, as rouse*. A
// comment that gives no reason is reported.
//
// Rejected: //nolint:name, which golangci-lint reads, and needs no reason.
func ignoring(name string, run func(*analysis.Pass) (any, error)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (any, error) {
		ignored := make(map[line]bool)
		for _, f := range pass.Files {
			for _, c := range comments(f) {
				names, reason, ok := directive(c.Text)
				if !ok || !matches(names, name) {
					continue
				}
				if reason == "" {
					pass.ReportRangef(c, "this comment gives no reason: want //lint:ignore %s and why that is right", names)
					continue
				}
				at := lineOf(pass.Fset, c.Pos())
				if !hasCode(pass.Fset, f, at) {
					at.number++
				}
				ignored[at] = true
			}
		}
		filtered := *pass
		filtered.Report = func(d analysis.Diagnostic) {
			if !ignored[lineOf(pass.Fset, d.Pos)] {
				pass.Report(d)
			}
		}
		return run(&filtered)
	}
}

// A line is one of a file.
type line struct {
	file   string
	number int
}

func lineOf(files *token.FileSet, at token.Pos) line {
	p := files.PositionFor(at, false)
	return line{p.Filename, p.Line}
}

// hasCode reports whether code begins or ends in a line.
func hasCode(files *token.FileSet, f *ast.File, at line) (has bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		}
		has = has || lineOf(files, n.Pos()) == at || lineOf(files, n.End()) == at
		return !has
	})
	return has
}

func comments(f *ast.File) (all []*ast.Comment) {
	for _, g := range f.Comments {
		all = append(all, g.List...)
	}
	return all
}

// directive returns the names and the reason of a comment //lint:ignore.
func directive(text string) (names, reason string, ok bool) {
	text, ok = strings.CutPrefix(text, "//lint:ignore")
	if !ok || text != "" && !strings.ContainsAny(text[:1], " \t") {
		return "", "", false
	}
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return "", "", false
	}
	return fields[0], strings.Join(fields[1:], " "), true
}

func matches(names, name string) bool {
	for _, pattern := range strings.Split(names, ",") {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			return true
		}
	}
	return false
}
