package census

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash"
	"io"
	"io/fs"
	"path"
)

// An entry is what was found out about one name in a directory. Its fields are exported for
// package encoding/gob, which keeps names that are no UTF-8.
type entry struct {
	Name    string
	Kind    kind
	Counts  Counts
	Digest  Digest
	Problem string  // why it could not be read; "" if it could
	Entries []entry // of a directory, by name
}

// A kind is the letter that stands for an entry's type in digests.
type kind byte

const (
	directory kind = 'd'
	file      kind = 'f'
	other     kind = 'o'
)

// sum returns the directory that the entries make up. err is what ended the
// reading of the directory early, if anything did.
func sum(name string, entries []entry, err error) entry {
	d := entry{Name: name, Kind: directory, Entries: entries}
	d.Counts.Directories = 1
	if err != nil {
		d.fail(err)
	}
	h := sha256.New()
	for i := range entries {
		e := &entries[i]
		d.Counts.add(&e.Counts)
		// Quoted, a name cannot run into its neighbours. A problem shows in the
		// counts, without its text, which may depend on the system's language.
		fmt.Fprintf(h, "%c %x %v %q\n", e.Kind, e.Digest, e.Counts, e.Name)
	}
	h.Sum(d.Digest[:0])
	return d
}

// fail notes that the entry cannot be read. The error is kept without the path, which stands
// beside it.
func (e *entry) fail(err error) {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	e.Problem = err.Error()
	e.Counts.Unreadable++
}

// measure reads one file, and parses it if it is a Go file.
func (s *survey) measure(name string) entry {
	e := entry{Name: path.Base(name), Kind: file}
	e.Counts.Files = 1
	t := tally{hash: sha256.New()}
	var source source
	to := io.Writer(&t)
	if path.Ext(name) == ".go" { // Others may be too large to hold in memory.
		e.Counts.GoFiles = 1
		to = io.MultiWriter(&t, &source)
	}
	if _, err := s.read(to, name); err != nil {
		e.fail(err)
		return e
	}
	e.Counts.Bytes, e.Counts.Lines, e.Counts.Words = t.bytes, t.lines, t.words
	t.hash.Sum(e.Digest[:0])
	if e.Counts.GoFiles > 0 {
		e.parse(source)
	}
	return e
}

// maxSource is the size of a Go file that is parsed: no program has one that large, and many may be in
// memory at the same time.
const maxSource = 16 << 20

// A source is what is written to it, but not much beyond maxSource.
type source []byte

func (s *source) Write(p []byte) (int, error) {
	if len(*s) <= maxSource {
		*s = append(*s, p...)
	}
	return len(p), nil
}

// parse counts the declarations of a Go file.
func (e *entry) parse(source source) {
	if len(source) > maxSource {
		e.Counts.Unparsable++
		return
	}
	tree, err := parser.ParseFile(token.NewFileSet(), "", []byte(source), parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		e.Counts.Unparsable++
		return
	}
	for n := range ast.Preorder(tree) {
		switch n.(type) {
		case *ast.FuncDecl, *ast.TypeSpec, *ast.ValueSpec:
			e.Counts.Decls++
		}
	}
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
