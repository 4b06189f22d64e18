// Package planted writes trees of files for tests.
package planted

import (
	"os"
	"path/filepath"
	"testing"
)

// Tree writes the files into a directory of the test, and returns it.
func Tree(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	Into(t, dir, files)
	return dir
}

// Into writes the files, by their names with slashes, below a directory.
func Into(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
