package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rouse-go/rouse/examples/internal/programtest"
)

func TestCounts(t *testing.T) {
	files, want, names := fstest.MapFS{}, counts{}, []string(nil)
	for i := range 500 {
		var text strings.Builder
		for j := range i {
			w := fmt.Sprintf("w%c%cé", 'a'+i*j%26, 'a'+j%5)
			want[w]++
			fmt.Fprint(&text, w, []string{" ", "\n", "1", "-x-", "\xff"}[j%5])
		}
		name := fmt.Sprintf("d%d/f%03d", i*7/500, i)
		files[name], names = &fstest.MapFile{Data: []byte(text.String())}, append(names, name)
	}
	programtest.Each(t, counted, countedPlain, func(t *testing.T, count func(context.Context, fs.FS, []string) (counts, error)) {
		if got, err := count(t.Context(), files, names); err != nil || !maps.Equal(got, want) {
			t.Errorf("%d different words, want %d; %v", len(got), len(want), err)
		}
		if _, err := count(programtest.Canceled(nil), files, names); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, and the context had ended", err)
		}
	})
	delete(files, names[3])
	delete(files, names[300])
	if _, err := counted(t.Context(), files, names); err == nil || !strings.Contains(err.Error(), names[3]) {
		t.Errorf("two files are missing, and the error is %v, want that of the first, %s", err, names[3])
	}
}

// endless is a file that goes on with a text until its context ends.
type endless struct {
	fs.File
	text string
	read func()
}

func (e endless) Open(string) (fs.File, error) { return e, nil }
func (e endless) Close() error                 { return nil }
func (e endless) Read(p []byte) (n int, err error) {
	e.read()
	for n = 0; n < len(p); {
		n += copy(p[n:], e.text)
	}
	return n, nil
}

// A file without end, and a word without end, take little memory, and an interrupt ends them. A
// failure means that one large file ends the program.
func TestEndless(t *testing.T) {
	for _, text := range []string{"word ", "é", "  "} {
		ctx, cancel := context.WithCancel(t.Context())
		heap := func() int64 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		reads, before, n := 0, heap(), int64(0)
		file := endless{text: text, read: func() {
			if reads++; reads == 100 { // 6.4 MB
				n = heap() - before
				cancel()
			}
		}}
		if _, err := wordsOf(ctx, file, "x"); !errors.Is(err, context.Canceled) || reads != 100 || n > 2<<20 {
			t.Errorf("%q: error %v after %d reads, and it has %d bytes", text, err, reads, n)
		}
	}
	long := strings.Repeat("a", 2*maxWord)
	got, err := wordsOf(t.Context(), fstest.MapFS{"x": {Data: []byte(long + " b" + long[:5])}}, "x")
	if want := (counts{long[:maxWord]: 2, "baaaaa": 1}); err != nil || !maps.Equal(got, want) {
		t.Errorf("a long word: %d words, %v", len(got), err)
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a": "fork join fork a", "b": "join, fork! park"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, flag := range []string{"-plain=false", "-plain"} {
		if out, _, err := programtest.Try(t.Context(), run, flag, "-top", "2", dir); err != nil || out != "       3 fork\n       2 join\n" {
			t.Errorf("words %s: %v, %q", flag, err, out)
		}
	}
	programtest.Refuses(t, run, map[string]string{"-top 0 " + dir: "must be positive", filepath.Join(dir, "none"): "none: no such file"})
}
