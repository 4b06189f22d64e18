package census

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
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
	Fault   fault
	Reason  string  // of the fault
	Entries []entry // of a directory, by name
}

// A kind is the letter that stands for an entry's type in digests.
type kind byte

const (
	directory kind = 'd'
	file      kind = 'f'
	other     kind = 'o'
)

// A fault is the letter that stands in digests for what went wrong.
type fault byte

const (
	none       fault = '-'
	unreadable fault = 'r'
	unparsable fault = 'p'
)

// sum returns the directory that the entries make up. err is what ended the
// reading of the directory early, if anything did.
func sum(name string, entries []entry, err error) entry {
	d := entry{Name: name, Kind: directory, Fault: none, Entries: entries}
	d.Counts.Directories = 1
	if err != nil {
		d.fail(unreadable, err)
	}
	h := sha256.New()
	for i := range entries {
		e := &entries[i]
		d.Counts.add(&e.Counts)
		// Quoted, a name cannot run into its neighbours. The reason of a
		// fault is left out: it may depend on the system's language.
		fmt.Fprintf(h, "%c%c %x %v %q\n", e.Kind, e.Fault, e.Digest, e.Counts, e.Name)
	}
	h.Sum(d.Digest[:0])
	return d
}

func (e *entry) fail(f fault, err error) {
	e.Fault, e.Reason = f, reason(err)
	switch f {
	case unreadable:
		e.Counts.Unreadable++
	case unparsable:
		e.Counts.Unparsable++
	}
}

// measure reads one file, and parses it if it is a Go file.
func (s *survey) measure(name string) entry {
	e := entry{Name: path.Base(name), Kind: file, Fault: none}
	e.Counts.Files = 1
	t := tally{hash: sha256.New()}
	var source bytes.Buffer
	to := io.Writer(&t)
	if path.Ext(name) == ".go" { // Others may be too large to hold in memory.
		e.Counts.GoFiles = 1
		to = io.MultiWriter(&t, &source)
	}
	if err := s.read(to, name); err != nil {
		e.fail(unreadable, err)
		return e
	}
	e.Counts.Bytes, e.Counts.Lines, e.Counts.Words = t.bytes, t.lines, t.words
	t.hash.Sum(e.Digest[:0])
	if e.Counts.GoFiles > 0 {
		e.parse(source.Bytes())
	}
	return e
}

// parse counts the declarations of a Go file.
func (e *entry) parse(source []byte) {
	tree, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		e.fail(unparsable, err)
		return
	}
	for n := range ast.Preorder(tree) {
		switch n.(type) {
		case *ast.FuncDecl, *ast.TypeSpec, *ast.ValueSpec:
			e.Counts.Decls++
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
