package census_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/census"
)

// A way is one of the three ways to take a census.
type way struct {
	name string
	take func(context.Context, fs.FS, ...census.Option) (*census.Census, error)
}

// ways returns all of them, the pool with and without eager publishing.
func ways(t *testing.T) []way {
	pooled := func(opts ...pool.Option) func(context.Context, fs.FS, ...census.Option) (*census.Census, error) {
		p, err := pool.New(opts...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		return func(ctx context.Context, fsys fs.FS, opts ...census.Option) (*census.Census, error) {
			return census.Pool(ctx, p, fsys, opts...)
		}
	}
	return []way{
		{"sequential", census.Sequential},
		{"goroutines", census.Goroutines},
		{"pool", pooled(pool.WithWorkers(4))},
		{"pool/eager", pooled(pool.WithWorkers(4), pool.WithEagerPublish())},
		{"pool/workers=1", pooled(pool.WithWorkers(1))},
	}
}

// everyWay takes the census in every way and fails if any two differ, or one does not report each file.
func everyWay(t *testing.T, fsys fs.FS) *census.Census {
	t.Helper()
	var first *census.Census
	for _, w := range ways(t) {
		var reported atomic.Int64
		c, err := w.take(t.Context(), fsys, census.WithProgress(func() { reported.Add(1) }))
		if err != nil {
			t.Fatalf("%s: %v", w.name, err)
		}
		if n := reported.Load(); n != c.Total().Files {
			t.Errorf("%s reports %d files of %d", w.name, n, c.Total().Files)
		}
		if first == nil {
			first = c
		}
		if dirs := first.Diff(c); len(dirs) > 0 {
			t.Errorf("%s differs from sequential in %v:\n%+v\n%+v", w.name, dirs, c, first)
		}
		if !slices.Equal(first.Unreadable, c.Unreadable) {
			t.Errorf("%s lists other problems than sequential: %+v %+v", w.name, c, first)
		}
	}
	return first
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var (
	void  = &fstest.MapFile{Mode: fs.ModeDir}
	small = fstest.MapFS{
		"a.txt":       {Data: []byte("one two\nthree")},
		"b/empty":     {},
		"b/c/d.go":    {Data: []byte("package d\n\n// F does nothing.\nfunc F(x int) { const y = x }\n\ntype T struct{ a, b int }\n\nvar u, v = 1, 2\n")},
		"b/c/e.txt":   {Data: []byte(" \t\n\r\v\fword\n")},
		"b/c/void":    void,
		"bad/bad.go":  {Data: []byte("package bad\n\nfunc {\n")},
		"bad/good.go": {Data: []byte("package bad\n")},
		"b.txt":       {Data: []byte("x")},
	}
)

// What is counted, of real files. The order of directories and problems is that of a walk by
// name, so that two outputs can be compared line by line.
func TestCounts(t *testing.T) {
	dir := t.TempDir()
	must(t, os.CopyFS(dir, small))
	c := everyWay(t, os.DirFS(dir))

	// Bytes, lines and words are what wc prints. The declarations of d.go are F, y, T, and u with v.
	d := census.Counts{
		Files: 2, Directories: 2, Bytes: 104 + 11, Lines: 8 + 2, Words: 28 + 1,
		GoFiles: 1, Decls: 4,
	}
	b, all := d, d
	b.Files, b.Directories = 3, 3
	all.Files, all.Directories, all.GoFiles = 7, 5, 3
	all.Bytes, all.Lines, all.Words = d.Bytes+32+13+1, d.Lines+4+1, d.Words+6+3+1
	all.Unparsable = 1
	want := []census.Dir{
		{Path: ".", Counts: all}, {Path: "b", Counts: b}, {Path: "b/c", Counts: d},
		{Path: "b/c/void", Counts: census.Counts{Directories: 1}},
		{Path: "bad", Counts: census.Counts{Files: 2, Directories: 1, Bytes: 20 + 12, Lines: 3 + 1, Words: 4 + 2, GoFiles: 2, Unparsable: 1}},
	}
	for i := range min(len(want), len(c.Dirs)) {
		want[i].Digest = c.Dirs[i].Digest
	}
	if !slices.Equal(c.Dirs, want) {
		t.Errorf("got %+v\nwant %+v", c.Dirs, want)
	}
	const summary = "files: 7, directories: 5, bytes: 161\nlines: 15, words: 39\nGo files: 3, declarations: 4\nGo files that do not parse: 1\n"
	if got := c.Summary(); got != summary {
		t.Errorf("the summary is\n%s\nwant\n%s", got, summary)
	}
	if files, bytes, err := census.Warm(t.Context(), small); err != nil || files != 7 || bytes != 161 {
		t.Errorf("Warm: %d files of %d bytes, error %v; want 7 of 161", files, bytes, err)
	}
	empty := everyWay(t, os.DirFS(t.TempDir())).Total().Counts
	if want := (census.Counts{Directories: 1}); empty != want {
		t.Errorf("an empty directory: %+v, want %+v", empty, want)
	}
}

// Links are counted and not followed, also those that lead in a circle, to
// nowhere, or out of the tree.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	must(t, os.CopyFS(dir, fstest.MapFS{"a/f": {Data: []byte("x\n")}}))
	for name, target := range map[string]string{
		"a/up": "..", "a/self": "self", "gone": "nowhere", "out": t.TempDir(), "file": "a/f",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	c := everyWay(t, os.DirFS(dir))
	if want := (census.Counts{Files: 1, Directories: 2, Skipped: 5, Bytes: 2, Lines: 1, Words: 1}); c.Total().Counts != want {
		t.Errorf("got %+v, want %+v", c.Total().Counts, want)
	}
}

// hookedFS has a function called before each file is opened, which may fail, or change the
// file.
type hookedFS struct {
	fs.FS
	opened func(name string, f fs.File) (fs.File, error)
}

func (h hookedFS) Open(name string) (fs.File, error) {
	f, err := h.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return h.opened(name, f)
}

// A hookedFile is read by another function, and its end is heard of.
type hookedFile struct {
	fs.File
	read   func(p []byte) (int, error)
	list   func(n int) ([]fs.DirEntry, error)
	closed func()
}

func hook(f fs.File) hookedFile {
	h := hookedFile{File: f, read: f.Read, closed: func() {}}
	if d, ok := f.(fs.ReadDirFile); ok {
		h.list = d.ReadDir
	}
	return h
}

func (h hookedFile) Read(p []byte) (int, error)           { return h.read(p) }
func (h hookedFile) ReadDir(n int) ([]fs.DirEntry, error) { return h.list(n) }
func (h hookedFile) Close() error                         { h.closed(); return h.File.Close() }

// What cannot be read is listed and counted, and the rest of the tree counts as if it were not
// there. The summary names the first few, so that no name can change a terminal.
func TestUnreadable(t *testing.T) {
	torn := errors.New("torn tape")
	c := everyWay(t, hookedFS{
		FS: fstest.MapFS{
			"closed/hidden": {Data: []byte("never seen\n")},
			"ha\x1blf/1":    {Data: []byte("first\n")},
			"ha\x1blf/2":    {Data: []byte("second\n")},
			"locked.go":     {Data: []byte("package p\n")},
			"torn.txt":      {Data: []byte("lost\n")},
			"well":          {Data: []byte("well\n")},
		},
		opened: func(name string, f fs.File) (fs.File, error) {
			h := hook(f)
			switch name {
			case "closed", "locked.go":
				return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
			case "torn.txt", "ha\x1blf":
				h.read = func([]byte) (int, error) { return 0, torn }
				h.list = func(int) ([]fs.DirEntry, error) { // one entry and then the error, as a disk may do
					d, err := f.(fs.ReadDirFile).ReadDir(1)
					return d, errors.Join(err, torn)
				}
			}
			return h, nil
		},
	})
	want := []census.Problem{
		{"closed", fs.ErrPermission.Error()}, {"ha\x1blf", "torn tape"}, {"locked.go", fs.ErrPermission.Error()}, {"torn.txt", "torn tape"},
	}
	if !slices.Equal(c.Unreadable, want) {
		t.Errorf("unreadable:\n got %+v\nwant %+v", c.Unreadable, want)
	}
	const listed = "unreadable: 4\n  closed: permission denied\n  ha\\x1blf: torn tape\n  locked.go: permission denied\n  and 1 more\n"
	if got := c.Summary(); !strings.HasSuffix(got, listed) {
		t.Errorf("the summary is\n%s\nwant at its end\n%s", got, listed)
	}
	if want := (census.Counts{Files: 4, Directories: 3, Bytes: 11, Lines: 2, Words: 2, GoFiles: 1, Unreadable: 4}); c.Total().Counts != want {
		t.Errorf("got %+v, want %+v", c.Total().Counts, want)
	}
}

// Each change of the tree changes the digest of the root: were one missed, agreement between
// the ways would mean less. Diff names exactly the directories on the way to it.
func TestDigest(t *testing.T) {
	base := everyWay(t, small)
	if again := everyWay(t, maps.Clone(small)).Total().Digest; again != base.Total().Digest {
		t.Fatalf("the same tree again: %v, want %v", again, base.Total().Digest)
	}
	seen := map[census.Digest]string{base.Total().Digest: "base"}
	for _, test := range []struct {
		change, old, new string
		content          *fstest.MapFile
		differs          string
	}{
		{"content", "", "b.txt", &fstest.MapFile{Data: []byte("y")}, "."},
		{"name", "b.txt", "bb.txt", small["b.txt"], "."},
		{"place", "b.txt", "b/b.txt", small["b.txt"], ". b"},
		{"new", "", "b/c/void/f", &fstest.MapFile{}, ". b b/c b/c/void"},
		{"new dir", "", "b/c/void/g", void, ". b b/c b/c/void b/c/void/g"},
		{"gone", "b/empty", "", nil, ". b"},
		{"gone dir", "b/c/void", "", nil, ". b b/c b/c/void"},
		{"kind", "", "b/empty", void, ". b b/empty"},
	} {
		files := maps.Clone(small)
		delete(files, test.old)
		if test.new != "" {
			files[test.new] = test.content
		}
		c := everyWay(t, files)
		if other, ok := seen[c.Total().Digest]; ok {
			t.Errorf("%s: the digest is the one of %s", test.change, other)
		}
		seen[c.Total().Digest] = test.change
		for _, got := range [][]string{base.Diff(c), c.Diff(base)} {
			if strings.Join(got, " ") != test.differs {
				t.Errorf("%s: it differs in %q, want %q", test.change, got, test.differs)
			}
		}
	}
}

// A walk that is given up ends at once with the error of its context: before it begins, between files, and in a long
// file. A failure means that Ctrl-C does nothing for minutes.
func TestCancel(t *testing.T) {
	warm := way{"Warm", func(ctx context.Context, fsys fs.FS, _ ...census.Option) (*census.Census, error) {
		_, _, err := census.Warm(ctx, fsys)
		return nil, err
	}}
	tree := maps.Clone(small)
	tree["zero"] = &fstest.MapFile{}
	for _, w := range append(ways(t), warm) {
		for after := range int64(20) {
			ctx, cancel := context.WithCancel(t.Context())
			if after == 0 {
				cancel()
			}
			var reads, late atomic.Int64
			endless := hookedFS{tree, func(name string, f fs.File) (fs.File, error) {
				h := hook(f)
				h.read = func(p []byte) (int, error) {
					if ctx.Err() != nil {
						late.Add(1)
					}
					if reads.Add(1) == after {
						cancel()
					}
					if name == "zero" && reads.Load() < 1000 {
						return len(p), nil
					}
					return f.Read(p)
				}
				return h, nil
			}}
			c, err := w.take(ctx, endless)
			// Each file may have been about to read.
			if n := late.Load(); c != nil || !errors.Is(err, context.Canceled) || n > int64(len(tree)) {
				t.Errorf("%s, given up at read %d: %d more, got %v, error %v", w.name, after, n, c, err)
			}
		}
	}
}

// No way keeps more files open than the platform allows, and none leaks one.
func TestOpenFiles(t *testing.T) {
	tree := fstest.MapFS{}
	for i := range 1000 {
		tree[filepath.ToSlash(filepath.Join("d", strings.Repeat("e/", i%3), string(rune('a'+i%26))+strings.Repeat("x", i)))] = &fstest.MapFile{Data: []byte("some words\n")}
	}
	for _, w := range ways(t) {
		var open, most atomic.Int64
		fsys := hookedFS{tree, func(_ string, f fs.File) (fs.File, error) {
			n := open.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			h := hook(f)
			h.read = func(p []byte) (int, error) {
				runtime.Gosched() // Others open theirs meanwhile.
				return f.Read(p)
			}
			h.closed = func() { open.Add(-1) }
			return h, nil
		}}
		c, err := w.take(t.Context(), fsys)
		if err != nil || c.Total().Files != 1000 {
			t.Fatalf("%s: %v", w.name, err)
		}
		if n := open.Load(); n != 0 {
			t.Errorf("%s: %d files left open", w.name, n)
		}
		if n := most.Load(); n > 128 {
			t.Errorf("%s: %d files open at once", w.name, n)
		}
	}
}

// A Go file without end does not end up in memory, and the beginning of it is not parsed. A failure means that one
// file ends the command.
func TestHugeSource(t *testing.T) {
	const size = 32 << 20 // twice what is kept of a Go file
	text := bytes.Repeat([]byte("\n"), size)
	copy(text, "package p")
	huge := fstest.MapFS{"huge.go": {Data: text}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c, err := census.Sequential(t.Context(), huge)
	runtime.ReadMemStats(&after)
	// To grow to what is kept takes 83 MB in all, and to grow to the whole file twice that.
	if allocated := after.TotalAlloc - before.TotalAlloc; err != nil || allocated > 4*size {
		t.Fatalf("%d MB for a file of %d MB, error %v", allocated>>20, size>>20, err)
	}
	if total := c.Total(); total.Bytes != size || total.GoFiles != 1 || total.Unparsable != 1 {
		t.Errorf("got %+v", total)
	}
}

// Words and lines are those of the whole file, however it is cut up by reads.
func TestWordsAcrossReads(t *testing.T) {
	text := []byte("  ab c\n\td\vefg \r\nh")
	for cut := range text {
		fsys := hookedFS{fstest.MapFS{"f.txt": {Data: text}}, func(_ string, f fs.File) (fs.File, error) {
			h := hook(f)
			h.read = func(p []byte) (int, error) { return io.LimitReader(f, int64(cut+1)).Read(p) }
			return h, nil
		}}
		c, err := census.Sequential(t.Context(), fsys)
		if err != nil {
			t.Fatal(err)
		}
		got, want := c.Total(), int64(len(bytes.Fields(text)))
		if got.Words != want || got.Lines != 2 || got.Bytes != int64(len(text)) {
			t.Errorf("read %d bytes at a time: %+v, want %d words", cut+1, got.Counts, want)
		}
	}
}
