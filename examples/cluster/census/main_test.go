package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/census"
)

// The test program is the program itself if the environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("CENSUS_TEST") != "" {
		main()
	}
	m.Run()
}

func plant(t *testing.T) string {
	t.Helper()
	tree := fstest.MapFS{"a/b/c.go": {Data: []byte("package c\n")}, "d.txt": {Data: []byte("some words\n")}}
	for i := range 2 * partSize {
		tree["many/"+strings.Repeat("x", 1+i%200)+string(rune('a'+i/200))] = &fstest.MapFile{Data: []byte{byte(i)}}
	}
	dir := filepath.Join(t.TempDir(), "tree")
	if err := os.CopyFS(dir, tree); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Several processes find what one finds.
func TestSameDigest(t *testing.T) {
	dir := plant(t)
	c, err := census.Sequential(t.Context(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, dir, "--workers", "2")
	cmd.Env = append(os.Environ(), "CENSUS_TEST=1")
	out, err := cmd.CombinedOutput()
	if want := dir + "\n" + c.Summary() + "digest " + c.Total().Digest.String() + "\n"; err != nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("error %v; got\n%s\nwant at the beginning\n%s", err, out, want)
	}
}

// A worker that has another tree under the same path says so, and names the part.
func TestOtherTree(t *testing.T) {
	dir := plant(t)
	p, err := plan(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "d.txt")); err != nil {
		t.Fatal(err)
	}
	for _, key := range p.Keys {
		result, err := take(t.Context(), pool.Default(), key)
		switch named := strings.Contains(label(key), "d.txt"); {
		case named && (err == nil || result != nil || !strings.Contains(err.Error(), "this is another tree")):
			t.Errorf("%s: error %v, want one that says that the tree is another", label(key), err)
		case !named && err != nil:
			t.Errorf("%s: %v", label(key), err)
		}
	}
	if _, err := plan(t.Context(), nil); err == nil {
		t.Error("no directory is no error")
	}
}
