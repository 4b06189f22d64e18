package census_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
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

// everyWay takes the census in every way and fails if any two differ.
func everyWay(t *testing.T, fsys fs.FS) *census.Census {
	t.Helper()
	var first *census.Census
	for _, w := range ways(t) {
		c, err := w.take(t.Context(), fsys)
		if err != nil {
			t.Fatalf("%s: %v", w.name, err)
		}
		if first == nil {
			first = c
		}
		if dirs := first.Diff(c); len(dirs) > 0 {
			t.Errorf("%s differs from sequential in %v:\n%+v\n%+v", w.name, dirs, c, first)
		}
		if !slices.Equal(first.Unreadable, c.Unreadable) || !slices.Equal(first.Unparsable, c.Unparsable) {
			t.Errorf("%s lists other problems than sequential: %+v %+v", w.name, c, first)
		}
	}
	return first
}

// plant makes a tree of real files; a name that ends in a slash is an empty
// directory.
func plant(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(path, 0o777))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must(t, os.WriteFile(path, []byte(content), 0o666))
	}
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var small = map[string]string{
	"a.txt":       "one two\nthree",
	"b/empty":     "",
	"b/c/d.go":    "package d\n\n// F does nothing.\nfunc F(x int) { const y = x }\n\ntype T struct{ a, b int }\n\nvar u, v = 1, 2\n",
	"b/c/e.txt":   " \t\n\r\v\fword\n",
	"b/c/void/":   "",
	"bad/bad.go":  "package bad\n\nfunc {\n",
	"bad/good.go": "package bad\n",
	"b.txt":       "x",
}

func TestCounts(t *testing.T) {
	c := everyWay(t, os.DirFS(plant(t, small)))

	// Bytes, lines and words are what wc prints. The identifiers of d.go are
	// d F x int y x T a b int u v, its declarations F, y, T, and u with v.
	d := census.Counts{
		Files: 2, Directories: 2, Bytes: 104 + 11, Lines: 8 + 2, Words: 28 + 1,
		GoFiles: 1, Decls: 4, Idents: 12,
	}
	want := map[string]census.Counts{
		"b/c": d,
		"b": {
			Files: d.Files + 1, Directories: d.Directories + 1, Bytes: d.Bytes, Lines: d.Lines, Words: d.Words,
			GoFiles: d.GoFiles, Decls: d.Decls, Idents: d.Idents,
		},
		"b/c/void": {Directories: 1},
		"bad":      {Files: 2, Directories: 1, Bytes: 20 + 12, Lines: 3 + 1, Words: 4 + 2, GoFiles: 2, Idents: 1, Unparsable: 1},
		".": {
			Files: 7, Directories: 5, Bytes: d.Bytes + 32 + 13 + 1, Lines: d.Lines + 4 + 1, Words: d.Words + 6 + 3 + 1,
			GoFiles: 3, Decls: d.Decls, Idents: d.Idents + 1, Unparsable: 1,
		},
	}
	for _, dir := range c.Dirs {
		if dir.Counts != want[dir.Path] {
			t.Errorf("%s:\n got %+v\nwant %+v", dir.Path, dir.Counts, want[dir.Path])
		}
		delete(want, dir.Path)
	}
	if len(want) > 0 {
		t.Errorf("not reported: %v", want)
	}
	if len(c.Unparsable) != 1 || c.Unparsable[0].Path != "bad/bad.go" ||
		!strings.HasPrefix(c.Unparsable[0].Error, "3:6: expected 'IDENT'") {
		t.Errorf("unparsable: %+v", c.Unparsable)
	}
	if len(c.Unreadable) != 0 {
		t.Errorf("unreadable: %+v", c.Unreadable)
	}
}

// The order of directories and problems is that of a walk by name, so that
// two outputs can be compared line by line.
func TestOrder(t *testing.T) {
	c := everyWay(t, os.DirFS(plant(t, small)))
	var paths []string
	for _, d := range c.Dirs {
		paths = append(paths, d.Path)
	}
	if want := []string{".", "b", "b/c", "b/c/void", "bad"}; !slices.Equal(paths, want) {
		t.Errorf("directories %q, want %q", paths, want)
	}
}

func TestEmpty(t *testing.T) {
	c := everyWay(t, os.DirFS(t.TempDir()))
	if want := (census.Counts{Directories: 1}); c.Total().Counts != want {
		t.Errorf("got %+v, want %+v", c.Total().Counts, want)
	}
}

// Links are counted and not followed, also those that lead in a circle, to
// nowhere, or out of the tree.
func TestLinks(t *testing.T) {
	dir := plant(t, map[string]string{"a/f": "x\n"})
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

// What cannot be read is listed and counted, and the rest of the tree counts
// as if it were not there.
func TestUnreadable(t *testing.T) {
	torn := errors.New("torn tape")
	open := map[string]error{"closed": fs.ErrPermission, "locked.go": fs.ErrPermission}
	read := map[string]error{"torn.txt": torn, "half": torn}
	c := everyWay(t, hookedFS{
		FS: fstest.MapFS{
			"closed/hidden": {Data: []byte("never seen\n")},
			"half/1":        {Data: []byte("first\n")},
			"half/2":        {Data: []byte("second\n")},
			"locked.go":     {Data: []byte("package p\n")},
			"torn.txt":      {Data: []byte("lost\n")},
			"well":          {Data: []byte("well\n")},
		},
		opened: func(name string, f fs.File) (fs.File, error) {
			if err := open[name]; err != nil {
				return nil, &fs.PathError{Op: "open", Path: name, Err: err}
			}
			err := read[name]
			if err == nil {
				return f, nil
			}
			h := hook(f)
			list := h.list
			h.read = func([]byte) (int, error) { return 0, err }
			// One entry and then the error, as a disk may do.
			h.list = func(int) ([]fs.DirEntry, error) {
				d, e := list(1)
				return d, errors.Join(e, err)
			}
			return h, nil
		},
	})
	want := []census.Problem{
		{"closed", "permission denied"}, {"half", "torn tape"}, {"locked.go", "permission denied"}, {"torn.txt", "torn tape"},
	}
	for i := range want {
		want[i].Error = strings.Replace(want[i].Error, "permission denied", fs.ErrPermission.Error(), 1)
	}
	if !slices.Equal(c.Unreadable, want) {
		t.Errorf("unreadable:\n got %+v\nwant %+v", c.Unreadable, want)
	}
	if want := (census.Counts{Files: 4, Directories: 3, Bytes: 11, Lines: 2, Words: 2, GoFiles: 1, Unreadable: 4}); c.Total().Counts != want {
		t.Errorf("got %+v, want %+v", c.Total().Counts, want)
	}
}

func TestNoPermission(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("nothing is forbidden to this user; TestUnreadable injects the error")
	}
	dir := plant(t, map[string]string{"closed/f": "x", "locked": "x", "open": "x"})
	for _, name := range []string{"closed", "locked"} {
		path := filepath.Join(dir, name)
		must(t, os.Chmod(path, 0))
		t.Cleanup(func() { os.Chmod(path, 0o700) })
	}
	c := everyWay(t, os.DirFS(dir))
	want := []census.Problem{{"closed", "permission denied"}, {"locked", "permission denied"}}
	if !slices.Equal(c.Unreadable, want) || c.Total().Bytes != 1 {
		t.Errorf("got %+v", c)
	}
}

// Each change of the tree changes the digest of the root: were one missed,
// agreement between the ways would mean less.
func TestDigest(t *testing.T) {
	base := everyWay(t, os.DirFS(plant(t, small))).Total().Digest
	if again := everyWay(t, os.DirFS(plant(t, small))).Total().Digest; again != base {
		t.Fatalf("the same tree elsewhere: %v, want %v", again, base)
	}
	seen := map[census.Digest]string{base: "base"}
	for name, change := range map[string]func(dir string) error{
		"content":  func(d string) error { return os.WriteFile(filepath.Join(d, "b.txt"), []byte("y"), 0o666) },
		"name":     func(d string) error { return os.Rename(filepath.Join(d, "b.txt"), filepath.Join(d, "bb.txt")) },
		"place":    func(d string) error { return os.Rename(filepath.Join(d, "b.txt"), filepath.Join(d, "b", "b.txt")) },
		"new":      func(d string) error { return os.WriteFile(filepath.Join(d, "b/c/void/f"), nil, 0o666) },
		"new dir":  func(d string) error { return os.Mkdir(filepath.Join(d, "b/c/void/g"), 0o777) },
		"gone":     func(d string) error { return os.Remove(filepath.Join(d, "b/empty")) },
		"gone dir": func(d string) error { return os.Remove(filepath.Join(d, "b/c/void")) },
		"kind": func(d string) error {
			return errors.Join(os.Remove(filepath.Join(d, "b/empty")), os.Mkdir(filepath.Join(d, "b/empty"), 0o777))
		},
	} {
		dir := plant(t, small)
		must(t, change(dir))
		digest := everyWay(t, os.DirFS(dir)).Total().Digest
		if other, ok := seen[digest]; ok {
			t.Errorf("%s: the digest is the one of %s", name, other)
		}
		seen[digest] = name
	}
}

// Diff names exactly the directories on the way to a difference.
func TestDiff(t *testing.T) {
	a := everyWay(t, os.DirFS(plant(t, small)))
	dir := plant(t, small)
	must(t, os.WriteFile(filepath.Join(dir, "b/c/e.txt"), []byte("other"), 0o666))
	must(t, os.Mkdir(filepath.Join(dir, "z"), 0o777))
	b := everyWay(t, os.DirFS(dir))
	want := []string{".", "b", "b/c", "z"}
	if got := a.Diff(b); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := b.Diff(a); !slices.Equal(got, want) {
		t.Errorf("the other way round: got %q, want %q", got, want)
	}
}

func TestProgress(t *testing.T) {
	fsys := os.DirFS(plant(t, small))
	files, bytes, err := census.Warm(t.Context(), fsys)
	if total := everyWay(t, fsys).Total(); err != nil || files != 7 || bytes != total.Bytes {
		t.Fatalf("Warm: %d files of %d bytes, error %v; want 7 of %d", files, bytes, err, total.Bytes)
	}
	for _, w := range ways(t) {
		var n atomic.Int64
		if _, err := w.take(t.Context(), fsys, census.WithProgress(func() { n.Add(1) })); err != nil || n.Load() != int64(files) {
			t.Errorf("%s: %d files, error %v; want %d", w.name, n.Load(), err, files)
		}
	}
}

// A walk that is given up at any file ends with the error of its context.
func TestCancel(t *testing.T) {
	fsys := os.DirFS(plant(t, small))
	for _, w := range ways(t) {
		for after := range 7 {
			ctx, cancel := context.WithCancel(t.Context())
			var n atomic.Int64
			if after == 0 {
				cancel()
			}
			c, err := w.take(ctx, fsys, census.WithProgress(func() {
				if n.Add(1) == int64(after) {
					cancel()
				}
			}))
			cancel()
			if c != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%s, after %d files: got %v, error %v", w.name, after, c, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := census.Warm(ctx, fsys); !errors.Is(err, context.Canceled) {
		t.Errorf("Warm: error %v", err)
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
