package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
)

// both runs a test with the pool and with goroutines.
func both(t *testing.T, f func(t *testing.T, plain bool)) {
	t.Run("pool", func(t *testing.T) { f(t, false) })
	t.Run("plain", func(t *testing.T) { f(t, true) })
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
	both(t, func(t *testing.T, plain bool) {
		for _, window := range []int{1, 2, 7, 1000} {
			var out strings.Builder
			j := &job{files: files, out: &out, workers: 3, window: window}
			if err := sumAll(t.Context(), j, plain); err != nil || out.String() != want {
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
	both(t, func(t *testing.T, plain bool) {
		w := &watched{MapFS: files, open: func(name string) error {
			if strings.HasSuffix(name, "f0100") {
				return broken
			}
			return nil
		}}
		var out strings.Builder
		err := sumAll(t.Context(), &job{files: w, out: &out, workers: 2, window: 10}, plain)
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
	both(t, func(t *testing.T, plain bool) {
		w := &watched{MapFS: files, open: func(string) error { return nil }}
		out := &lineCounter{check: func(written int64) {
			if ahead := w.opened.Load() - written; ahead > 11 {
				t.Errorf("%d files were opened before line %d was written, want at most the window, and the one in hand", ahead, written+1)
			}
		}}
		if err := sumAll(t.Context(), &job{files: w, out: out, workers: 2, window: 10}, plain); err != nil {
			t.Error(err)
		}
	})
}

type lineCounter struct {
	lines int64
	check func(lines int64)
}

func (c *lineCounter) Write(p []byte) (int, error) {
	c.check(c.lines)
	c.lines++
	return len(p), nil
}

// An error of the output stops all, and so does the end of the context.
func TestStops(t *testing.T) {
	files, _ := tree(300)
	full := errors.New("disk full")
	both(t, func(t *testing.T, plain bool) {
		j := &job{files: files, out: writer(func([]byte) error { return full }), workers: 2, window: 10}
		if err := sumAll(t.Context(), j, plain); err != full {
			t.Errorf("error %v, want that of the output", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		j = &job{files: files, out: writer(func([]byte) error { cancel(); return nil }), workers: 2, window: 10}
		if err := sumAll(ctx, j, plain); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that of the context", err)
		}
		if j.sums > 11 {
			t.Errorf("%d lines were written after the context had ended with the first", j.sums)
		}
	})
}

type writer func([]byte) error

func (f writer) Write(p []byte) (int, error) { return len(p), f(p) }

// A failure leaves the output as it was, and nothing beside it.
func TestOutputIsWholeOrOld(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	if err := errors.Join(os.Mkdir(in, 0o777), os.WriteFile(filepath.Join(in, "a"), []byte("x"), 0o666), os.WriteFile(out, []byte("old"), 0o666)); err != nil {
		t.Fatal(err)
	}
	check := func(want string) {
		t.Helper()
		got, err := os.ReadFile(out)
		if err != nil || string(got) != want {
			t.Errorf("%v, the output is %q, want %q", err, got, want)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".*")); left != nil {
			t.Errorf("left behind: %s", left)
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(canceled, []string{"-o", out, in}, io.Discard, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	check("old")
	var log strings.Builder
	if err := run(t.Context(), []string{"-o", out, in}, io.Discard, &log); err != nil || !strings.HasPrefix(log.String(), "1 files, 1 bytes, ") {
		t.Errorf("error %v, log %q", err, &log)
	}
	check("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  a\n")
}

func TestBadInput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{file + ".gone"}, "no such file or directory"},
		{[]string{file}, "is not a directory"},
		{[]string{"-workers", "-1", "."}, "must be positive"},
		{[]string{"-o", filepath.Join(file, "out"), t.TempDir()}, "not a directory"},
		{nil, flag.ErrHelp.Error()},
		{[]string{"-size"}, flag.ErrHelp.Error()},
	} {
		if err := run(t.Context(), test.args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.args, err, test.want)
		}
	}
}
