package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/census"
)

func TestRun(t *testing.T) {
	dir := plant(t, map[string]string{"a/b.go": "package b\n", "a/bad.go": "none", "c": "one two\n"})
	got := do(t, "run", dir, "--workers", "3", "--deque", "locked", "--sleep", "jec", "--repeat", "2")
	if got.status != statusOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{
		dir + "\n", "3 files in 2 directories: 22 bytes, 2 lines, 5 words\n", "2 Go files: 0 declarations, 1 identifiers\n",
		"1 unparsable:\n  a/bad.go: 1:1: expected 'package', found none\n",
		"sequential", "goroutines", "locked", "jec", "All 3 ways agree",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in:\n%s", want, got.stdout)
		}
	}
	for _, not := range []string{"chaselev", "futex", "unreadable", "differs", "links"} {
		if strings.Contains(got.stdout, not) {
			t.Errorf("%q in:\n%s", not, got.stdout)
		}
	}
}

func TestRunEmptyDirectory(t *testing.T) {
	got := do(t, "run", t.TempDir())
	if got.status != statusOK || !strings.Contains(got.stdout, "0 files") || !strings.Contains(got.stdout, "ways agree") {
		t.Errorf("%+v", got)
	}
}

// The names in the JSON are what other programs rely on, so they are spelled
// out here once more.
func TestRunJSON(t *testing.T) {
	dir := plant(t, map[string]string{"a/b.go": "package b\n", "a/bad.go": "none"})
	got := do(t, "run", dir, "--json", "--repeat", "3", "--workers", "2")
	if got.status != statusOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	var r map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
		t.Fatal(err)
	}
	wantKeys(t, r, "root go os arch gomaxprocs processor_share agree results total directories unreadable unparsable")
	results := r["results"].([]any)
	wantKeys(t, results[0], "way wall_seconds cpu_seconds speedup all_wall_seconds pool differs")
	last := results[len(results)-1].(map[string]any)
	wantKeys(t, last, "way deque sleep wall_seconds cpu_seconds speedup all_wall_seconds pool differs")
	wantKeys(t, last["pool"], "workers forks published steals injected borrowed parks wakes")
	if n := len(last["all_wall_seconds"].([]any)); n != 3 {
		t.Errorf("%d times, want 3", n)
	}
	counts := "path files directories skipped bytes lines words go_files declarations identifiers unreadable unparsable digest"
	wantKeys(t, r["total"], counts)
	directories := r["directories"].([]any)
	wantKeys(t, directories[1], counts)
	if len(directories) != 2 || directories[1].(map[string]any)["path"] != "a" {
		t.Errorf("directories %v", directories)
	}
	wantKeys(t, r["unparsable"].([]any)[0], "path error")
	if u, ok := r["unreadable"].([]any); !ok || len(u) != 0 {
		t.Errorf("unreadable is %v, want an empty list", r["unreadable"])
	}
}

func wantKeys(t *testing.T, object any, want string) {
	t.Helper()
	var keys []string
	for k := range object.(map[string]any) {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	names := strings.Fields(want)
	slices.Sort(names)
	if !slices.Equal(keys, names) {
		t.Errorf("got the names %q, want %q", keys, names)
	}
}

// failing is a report with more of everything that is wrong than a table
// names.
func failing() *report {
	c := &census.Census{Dirs: []census.Dir{{Path: "."}}}
	var dirs []string
	for i := range 12 {
		c.Unreadable = append(c.Unreadable, census.Problem{Path: fmt.Sprint("u", i), Error: "permission denied"})
		dirs = append(dirs, fmt.Sprint("d", i))
	}
	return newReport("/tree", c, []census.Result{
		{Variant: census.Variant{Way: "sequential"}, Runs: []census.Run{{Wall: 3 * time.Second}}},
		{
			Variant: census.Variant{Way: "pool", Deque: "d", Sleep: "s"},
			Runs:    []census.Run{{Wall: 2 * time.Second, Stats: &pool.Stats{Workers: 2, Forks: 7}}},
			Differs: dirs,
		},
	})
}

func TestTable(t *testing.T) {
	r := failing()
	if r.Agree {
		t.Error("results that differ are said to agree")
	}
	var b strings.Builder
	if err := r.writeTable(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"12 unreadable:\n  u0: permission denied\n", "  u2: permission denied\n  and 9 more\n",
		"pool/deque=d/sleep=s differs from sequential:\n  d0\n", "  d2\n  and 9 more\n", "1.50",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "agree") {
		t.Errorf("said to agree:\n%s", b.String())
	}
}

// Where the platform does not say what CPU time was used, the table has a
// dash, and JSON null.
func TestNoCPUTime(t *testing.T) {
	r := failing()
	for i := range r.Results {
		r.Results[i].CPU = nil
	}
	if table := r.table(); !strings.Contains(table, " - ") {
		t.Errorf("no dash in:\n%s", table)
	}
	var b strings.Builder
	if err := r.writeJSON(&b); err != nil || !strings.Contains(b.String(), `"cpu_seconds": null`) {
		t.Errorf("error %v, no null in:\n%s", err, b.String())
	}
}

// JSON lists everything.
func TestJSONIsWhole(t *testing.T) {
	var b strings.Builder
	if err := failing().writeJSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"u11"`, `"d11"`, `"agree": false`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in:\n%s", want, b.String())
		}
	}
}

// What cannot be written is an error, as when the disk is full.
func TestWriteFails(t *testing.T) {
	full := errors.New("disk full")
	for name, write := range map[string]func() error{
		"table": func() error { return failing().writeTable(brokenWriter{full}) },
		"json":  func() error { return failing().writeJSON(brokenWriter{full}) },
	} {
		if err := write(); !errors.Is(err, full) {
			t.Errorf("%s: error %v, want %v", name, err, full)
		}
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestDefaultTree(t *testing.T) {
	dir, err := treeRoot(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkDir(filepath.Join(dir, "fmt")); err != nil {
		t.Errorf("the default tree is not the source of Go: %v", err)
	}
}
