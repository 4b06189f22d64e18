package census

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"hash"
	"io"
	"io/fs"
	"path"
)

// measure reads one file, and parses it if it is a Go file.
func measure(fsys fs.FS, name string) entry {
	e := entry{name: path.Base(name), kind: file, fault: none}
	e.counts.Files = 1
	t := tally{hash: sha256.New()}
	var source []byte
	var err error
	if path.Ext(name) == ".go" {
		e.counts.GoFiles = 1
		if source, err = fs.ReadFile(fsys, name); err == nil {
			t.Write(source)
		}
	} else {
		// What is not to be parsed may be too large to hold in memory.
		_, err = stream(&t, fsys, name)
	}
	if err != nil {
		e.fail(unreadable, err)
		return e
	}

	e.counts.Bytes, e.counts.Lines, e.counts.Words = t.bytes, t.lines, t.words
	t.hash.Sum(e.digest[:0])
	if e.counts.GoFiles > 0 {
		e.parse(source)
	}
	return e
}

// stream writes the content of a file to w, and returns how long it is.
func stream(w io.Writer, fsys fs.FS, name string) (int64, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return io.Copy(w, f)
}

// parse counts the declarations and identifiers of a Go file.
func (e *entry) parse(source []byte) {
	tree, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		e.fail(unparsable, err)
		return
	}
	for n := range ast.Preorder(tree) {
		switch n.(type) {
		case *ast.FuncDecl, *ast.TypeSpec, *ast.ValueSpec:
			e.counts.Decls++
		case *ast.Ident:
			e.counts.Idents++
		}
	}
}

// reason returns the error without the path, which stands beside it.
func reason(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err.Error()
	}
	if l := (scanner.ErrorList)(nil); errors.As(err, &l) && len(l) > 0 {
		return l[0].Error()
	}
	return err.Error()
}

// A tally counts and hashes what is written to it.
type tally struct {
	hash                hash.Hash
	bytes, lines, words int64
	inWord              bool
}

func (t *tally) Write(p []byte) (int, error) {
	t.hash.Write(p)
	t.bytes += int64(len(p))
	t.lines += int64(bytes.Count(p, []byte{'\n'}))
	for _, b := range p {
		space := b == ' ' || '\t' <= b && b <= '\r'
		if !space && !t.inWord {
			t.words++
		}
		t.inWord = !space
	}
	return len(p), nil
}
