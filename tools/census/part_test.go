package census_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/census"
)

// crowded has directories with more entries than a part takes, one with nothing but another one,
// and names that are not UTF-8, or stand otherwise beside a slash than alone.
func crowded() fstest.MapFS {
	tree := maps.Clone(small)
	for _, name := range []string{"only/deep/1", "only/deep/2/x", "only/deep/2-", "only/deep/3", "only/deep/4", "\xff/\xfe", "\xff/y"} {
		tree[name] = &fstest.MapFile{Data: []byte(name)}
	}
	tree["link"] = &fstest.MapFile{Mode: fs.ModeSymlink}
	return tree
}

// A census that is taken in parts is the one of the whole, also if its parts were encoded and are
// joined in another process. A failure here means that a tree divided among machines has another
// digest.
func TestParts(t *testing.T) {
	p, err := pool.New(pool.WithWorkers(2))
	must(t, err)
	t.Cleanup(func() { must(t, p.Close()) })
	dim := hookedFS{crowded(), func(name string, f fs.File) (fs.File, error) {
		if name == "only/deep" || name == "a.txt" {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
		}
		return f, nil
	}}
	for _, tree := range []fs.FS{crowded(), small, fstest.MapFS{".": void}, dim} {
		whole, err := census.Sequential(t.Context(), tree)
		must(t, err)
		for _, most := range []int{1, 2, 3, 5, 1000} {
			parts, err := census.Split(t.Context(), tree, most)
			must(t, err)
			if most == 1000 && len(parts) > 1 {
				t.Errorf("%d parts of a tree that fits into one", len(parts))
			}
			var sent bytes.Buffer
			for _, part := range parts {
				piece, err := part.Take(t.Context(), p, tree)
				must(t, err)
				total := census.Join([]census.Part{{Dir: "."}}, []census.Piece{*piece}).Total()
				if all := total.Files + total.Directories - 1 + total.Skipped; all > int64(most) {
					t.Errorf("at most %d: %+v has %+v", most, part, total)
				}
				must(t, gob.NewEncoder(&sent).Encode(piece))
			}
			pieces := make([]census.Piece, len(parts))
			for i := range pieces {
				must(t, gob.NewDecoder(&sent).Decode(&pieces[i]))
			}
			c := census.Join(parts, pieces)
			if dirs := whole.Diff(c); len(dirs) > 0 || !slices.Equal(whole.Unreadable, c.Unreadable) {
				t.Errorf("at most %d: it differs in %q:\n%+v\nwant %+v", most, dirs, c, whole)
			}
		}
	}
}

// What a taker cannot read it says, and so it does if the tree is not the one that was divided.
func TestTakeFails(t *testing.T) {
	tree := fstest.MapFS{"a/1": {}, "a/2": {}, "a/dark/f": {}, "b/locked": {}, "c": {}}
	parts, err := census.Split(t.Context(), tree, 4)
	must(t, err)
	// With itself, a is one more than fits.
	want := []census.Part{{Dir: "a", From: "1", To: "dark", Names: 3}, {Dir: ".", From: "b", To: "c", Names: 2}}
	if !slices.Equal(parts, want) {
		t.Fatalf("parts %+v, want %+v", parts, want)
	}
	p, err := pool.New(pool.WithWorkers(1))
	must(t, err)
	without := func(names ...string) fs.FS {
		return hookedFS{tree, func(name string, f fs.File) (fs.File, error) {
			if slices.Contains(names, name) {
				return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
			}
			return f, nil
		}}
	}
	var dirs, files []census.Problem
	for _, part := range parts {
		piece, err := part.Take(t.Context(), p, without("a/dark", "b/locked"))
		must(t, err)
		d, f := piece.Unreadable(part.Dir)
		dirs, files = append(dirs, d...), append(files, f...)
	}
	denied := fs.ErrPermission.Error()
	if !slices.Equal(dirs, []census.Problem{{"a/dark", denied}}) || !slices.Equal(files, []census.Problem{{"b/locked", denied}}) {
		t.Errorf("unreadable directories %v, files %v", dirs, files)
	}

	if _, err := parts[0].Take(t.Context(), p, fstest.MapFS{"a/1": {}, "a/dark/f": {}}); err == nil || !strings.Contains(err.Error(), "another tree") {
		t.Errorf("of another tree: error %v", err)
	}
	if _, err := parts[0].Take(t.Context(), p, without("a")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("of a directory that cannot be read: error %v", err)
	}
	if _, err := census.Split(t.Context(), without("."), 1); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("of a root that cannot be read: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := parts[0].Take(ctx, p, tree); !errors.Is(err, context.Canceled) {
		t.Errorf("in a context that has ended: error %v", err)
	}
	if _, err := census.Split(ctx, tree, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("split in a context that has ended: error %v", err)
	}
	must(t, p.Close())
	if _, err := parts[0].Take(t.Context(), p, tree); !errors.Is(err, pool.ErrClosed) {
		t.Errorf("on a closed pool: error %v", err)
	}
}
