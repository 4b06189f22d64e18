package pages_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/explore/internal/pages"
)

// files returns the names in a directory.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Each page has a file of its own, and the next run removes them, but nothing else. A failure means
// that a failure is not to be seen, that an old one is taken for a new one, or that a user's file is
// lost.
func TestPages(t *testing.T) {
	for name, all := range map[string][]string{
		"page.html": {"page-2.html", "page-3.html", "page.html"}, "page": {"page", "page-2", "page-3"}, "a.b-2.html": {"a.b-2-2.html", "a.b-2-3.html", "a.b-2.html"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		create := func() {
			for range all {
				f, err := pages.Create(path)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := f.WriteString("<html>\n" + pages.Mark); err != nil {
					t.Fatal(err)
				}
				f.Close()
			}
		}
		create()
		if got := files(t, dir); !slices.Equal(got, all) {
			t.Errorf("%s: the pages are %q, want %q", name, got, all)
		}
		if err := os.Remove(filepath.Join(dir, all[0])); err != nil { // a gap
			t.Fatal(err)
		}
		others := []string{"other-2.html", "page-02.html", "page-1.html", "page-4.html", "page-x.html", "page2.html"}
		for _, other := range others {
			text := pages.Mark
			if other == "page-4.html" {
				text = "of the user"
			}
			if err := os.WriteFile(filepath.Join(dir, other), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if err := pages.Remove(path); err != nil {
				t.Error(err)
			}
			if got := files(t, dir); !slices.Equal(got, others) {
				t.Errorf("%s: after the pages were removed there are %q, want %q", name, got, others)
			}
		}
	}
	none := filepath.Join(t.TempDir(), "none", "page.html")
	if err := pages.Remove(none); err != nil {
		t.Errorf("without a directory: %v", err)
	}
	if f, err := pages.Create(none); !os.IsNotExist(err) {
		t.Errorf("without a directory: %v, %v", f, err)
	}
}

// What is not a file stays, and gets the pages.
func TestDevice(t *testing.T) {
	if err := pages.Remove(os.DevNull); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		f, err := pages.Create(os.DevNull)
		if err != nil || f.Name() != os.DevNull {
			t.Fatal(f, err)
		}
		f.Close()
	}
}
