package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/rouse-go/rouse/examples/internal/programtest"
)

// each runs a test with each version.
func each(t *testing.T, f func(t *testing.T, sum func(context.Context, *job) error)) {
	programtest.Each(t, sumAll, sumPlain, f)
}

// tree is so many files, and the output that they lead to.
func tree(n int) (files fstest.MapFS, want string) {
	files = fstest.MapFS{"d0/link": {Data: []byte("d000"), Mode: fs.ModeSymlink}}
	var b strings.Builder
	for i := range n {
		path, data := fmt.Sprintf("d%d/f%04d", i*3/n, i), bytes.Repeat([]byte{byte(i)}, i*7)
		files[path] = &fstest.MapFile{Data: data}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), path)
	}
	return files, b.String()
}

// Both versions write the same lines, in the order of the walk, whatever the window.
func TestSameResult(t *testing.T) {
	files, want := tree(300)
	each(t, func(t *testing.T, sum func(context.Context, *job) error) {
		for _, window := range []int{1, 2, 7, 1000} {
			var out strings.Builder
			j := &job{files: files, out: &out, window: window}
			if err := sum(t.Context(), j); err != nil || out.String() != want {
				t.Errorf("window %d: %v, %d bytes, want %d, in the order of the names", window, err, out.Len(), len(want))
			}
			if j.sums != 300 || j.bytes != 7*299*300/2 {
				t.Errorf("window %d: counted %d files and %d bytes", window, j.sums, j.bytes)
			}
		}
	})
}

// A watched file system counts the files that have been opened, and fails as told.
type watched struct {
	fstest.MapFS
	opened atomic.Int64
	open   func(name string) error
}

func (w *watched) Open(name string) (fs.File, error) {
	if info, err := fs.Stat(w.MapFS, name); err == nil && info.Mode().IsRegular() {
		w.opened.Add(1)
		if err := w.open(name); err != nil {
			return nil, err
		}
	}
	return w.MapFS.Open(name)
}

// What was not begun when a file could not be read never is: no more than a window.
func TestFirstError(t *testing.T) {
	files, _ := tree(300)
	broken := errors.New("broken")
	each(t, func(t *testing.T, sum func(context.Context, *job) error) {
		w := &watched{MapFS: files, open: func(name string) error {
			if strings.HasSuffix(name, "f0100") {
				return broken
			}
			return nil
		}}
		var out strings.Builder
		err := sum(t.Context(), &job{files: w, out: &out, window: 10})
		if !errors.Is(err, broken) {
			t.Errorf("error %v, want that of the file", err)
		}
		if n := w.opened.Load(); n < 101 || n > 111 {
			t.Errorf("%d files were opened, want no more than a window after the 101st", n)
		}
		if lines := strings.Count(out.String(), "\n"); lines > 100 {
			t.Errorf("%d lines were written, although the 101st file is broken", lines)
		}
	})
}

// The walk does not run ahead of the output.
func TestBounded(t *testing.T) {
	files, _ := tree(300)
	each(t, func(t *testing.T, sum func(context.Context, *job) error) {
		w := &watched{MapFS: files, open: func(string) error { return nil }}
		written := int64(0)
		out := writer(func([]byte) error {
			if ahead := w.opened.Load() - written; ahead > 11 {
				t.Errorf("%d files were opened before line %d was written, want at most the window, and the one in hand", ahead, written+1)
			}
			written++
			return nil
		})
		if err := sum(t.Context(), &job{files: w, out: out, window: 10}); err != nil {
			t.Error(err)
		}
	})
}

// An error of the output stops all, and so does the end of the context.
func TestStops(t *testing.T) {
	files, _ := tree(300)
	full := errors.New("disk full")
	each(t, func(t *testing.T, sum func(context.Context, *job) error) {
		j := &job{files: files, out: writer(func([]byte) error { return full }), window: 10}
		if err := sum(t.Context(), j); err != full {
			t.Errorf("error %v, want that of the output", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		j = &job{files: files, out: writer(func([]byte) error { cancel(); return nil }), window: 10}
		if err := sum(ctx, j); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that of the context", err)
		}
		if j.sums > 11 {
			t.Errorf("%d lines were written after the context had ended with the first", j.sums)
		}
	})
}

type writer func([]byte) error

func (f writer) Write(p []byte) (int, error) { return len(p), f(p) }

// A name of a file cannot change what a terminal shows, nor become two lines that sha256sum reads.
func TestNames(t *testing.T) {
	hash := strings.Repeat("00", sha256.Size)
	for path, want := range map[string][2]string{
		"a b":              {hash + "  a b\n", hash + "  a b\n"},
		"a\nb\\":           {`\` + hash + `  a\nb\\` + "\n", `\` + hash + `  a\nb\\` + "\n"},
		"\x1b]0;x\a\u202e": {hash + "  \x1b]0;x\a\u202e\n", hash + `  \x1b]0;x\a\u202e` + "\n"},
	} {
		for i, quote := range []bool{false, true} {
			if got := (sum{path: path}).line(quote); got != want[i] {
				t.Errorf("%q, for a terminal: %v: %q, want %q", path, quote, got, want[i])
			}
		}
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, log, err := programtest.Try(t.Context(), run, dir)
	if err != nil || out != "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  a\n" || !strings.HasPrefix(log, "1 files, 1 bytes, ") {
		t.Errorf("error %v, %q, log %q", err, out, log)
	}
	programtest.Refuses(t, run, map[string]string{file + ".gone": file + ".gone: no such file or directory", file: "not a directory", "-window 0 .": "must be positive", "-window 9223372036854775807 .": "must be at most"})
}
