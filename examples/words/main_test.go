package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

var versions = map[string]func(context.Context, fs.FS, []string) (counts, error){"par": counted, "plain": countedPlain}

func TestCounts(t *testing.T) {
	files, want := fstest.MapFS{}, counts{}
	for i := range 500 {
		var text strings.Builder
		for j := range i {
			w := fmt.Sprintf("w%c%cé", 'a'+i*j%26, 'a'+j%5)
			want[w]++
			fmt.Fprint(&text, w, []string{" ", "\n", "1", "-x-", "\xff"}[j%5])
		}
		files[fmt.Sprintf("d%d/f%03d", i%7, i)] = &fstest.MapFile{Data: []byte(text.String())}
	}
	names, err := regular(files)
	if err != nil || len(names) != 500 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for name, count := range versions {
		got, err := count(t.Context(), files, names)
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%s counts %d different words, want %d; %v", name, len(got), len(want), err)
		}
	}
	delete(files, names[3])
	delete(files, names[300])
	if _, err := counted(t.Context(), files, names); err == nil || !strings.Contains(err.Error(), names[3]) {
		t.Errorf("two files are missing, and the error is %v, want that of the first, %s", err, names[3])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, count := range versions {
		if _, err := count(ctx, files, names); !errors.Is(err, context.Canceled) {
			t.Errorf("%s returned %v, and the context had ended", name, err)
		}
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a": "fork join fork a", "b": "join, fork! park"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"-top", "2", dir}, {"-plain", "-top", "2", dir}} {
		var out strings.Builder
		if err := run(t.Context(), args, &out, io.Discard); err != nil || out.String() != "       3 fork\n       2 join\n" {
			t.Errorf("words %q: %v, %q", args, err, out.String())
		}
	}
	for _, bad := range [][]string{{}, {dir, dir}, {"-top", "x", dir}} {
		if err := run(t.Context(), bad, io.Discard, io.Discard); err != flag.ErrHelp {
			t.Errorf("words %q: %v", bad, err)
		}
	}
	for _, bad := range [][]string{{"-top", "0", dir}, {filepath.Join(dir, "none")}} {
		if err := run(t.Context(), bad, io.Discard, io.Discard); err == nil {
			t.Errorf("words %q: no error", bad)
		}
	}
}
