package vet

import (
	"bytes"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ignoring returns the pass of the analyzer with a name, without what the source says to ignore:
//
//	//lint:ignore rousetree every leaf takes a second
//
// This is for the next line, or, after code, for its own. The form is that of staticcheck, so one
// comment may name checks of both, with commas between them. Names may be patterns, as rouse*. A
// comment that gives no reason is reported.
//
// Rejected: //nolint:name, which golangci-lint reads, and needs no reason.
func ignoring(name string, pass *analysis.Pass) *analysis.Pass {
	ignored := make(map[line]bool)
	for _, f := range pass.Files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				words := strings.Fields(c.Text)
				if len(words) < 2 || words[0] != "//lint:ignore" || !matches(words[1], name) {
					continue
				}
				if len(words) == 2 {
					pass.ReportRangef(c, "this comment gives no reason: want //lint:ignore %s and why that is right", words[1])
					continue
				}
				at := lineOf(pass.Fset, c.Pos())
				if !followsCode(pass, c) {
					at.number++
				}
				ignored[at] = true
			}
		}
	}
	filtered := *pass
	filtered.Report = func(d analysis.Diagnostic) {
		if !ignored[lineOf(pass.Fset, d.Pos)] {
			pass.Report(d)
		}
	}
	return &filtered
}

// matches reports whether one of the patterns is of the name.
func matches(patterns, name string) bool {
	return slices.ContainsFunc(strings.Split(patterns, ","), func(pattern string) bool {
		ok, _ := path.Match(pattern, name) // not ok with an error
		return ok
	})
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

// followsCode reports whether there is code before a comment in its line.
func followsCode(pass *analysis.Pass, c *ast.Comment) bool {
	at := pass.Fset.PositionFor(c.Pos(), false)
	text, err := pass.ReadFile(at.Filename)
	return err == nil && at.Offset <= len(text) && len(bytes.TrimSpace(text[at.Offset-at.Column+1:at.Offset])) > 0
}
