package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/pick"
)

// plant makes a tree of the given files, which are pairs of a name and a text.
func plant(t *testing.T, files ...string) (dir string) {
	t.Helper()
	tree := fstest.MapFS{}
	for f := range slices.Chunk(files, 2) {
		tree[f[0]] = &fstest.MapFile{Data: []byte(f[1])}
	}
	dir = t.TempDir()
	if err := os.CopyFS(dir, tree); err != nil {
		t.Fatal(err)
	}
	return dir
}

// inOrder checks that the text has all of these, in this order.
func inOrder(t *testing.T, text string, all ...string) {
	t.Helper()
	at := 0
	for _, want := range all {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("no %q at its place in:\n%s", want, text)
		}
		at += i + len(want)
	}
}

// A user reads at once what is going to happen, then of each way that it has
// ended, and at the end what was found, what it cost, and what the columns are.
func TestRun(t *testing.T) {
	dir := plant(t, "a/b.go", "package b\n", "a/bad.go", "none", "c", "one two\n")
	got := do(t.Context(), "run", dir, "--workers", "3", "--deque", "locked", "--sleep", "jec", "--repeat", "2")
	if got.status != pick.StatusOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	inOrder(t, got.stdout,
		"Census of "+dir+", in 3 ways, 2 times each:\n", "sequential  one", "goroutines  a goroutine", "3 workers; deque: locked; sleep backend: jec",
		"Ctrl-C ends it", "3 files", "Less than a second from here.\n",
		"[1 of 6] sequential ", "[2 of 6] goroutines ", "[3 of 6] pool/deque=locked/sleep=jec ", "[6 of 6] ",
		dir+"\n", "3 files in 2 directories: 22 bytes, 2 lines, 5 words\n", "2 Go files: 0 declarations, 1 identifiers\n",
		"1 unparsable:\n  a/bad.go: 1:1: expected 'package', found none\n",
		"speed-up  forks  published  steals  wakes  parks\n", "\nsequential ", "\ngoroutines ", "\npool  ", "locked  jec",
		"\nwall s  ", "\nCPU s  ", "\nspeed-up  ", "\nforks  ", "\npublished  ", "\nsteals  ", "\nwakes  ", "\nparks  ",
		// Which of its places has most of the span differs from run to run.
		"\nYour span is ", "because of ", "census.(*survey).fork", "; 4 forks.\n",
		"The span lies in\n", "census.(*survey).fork", "\nAll 3 ways agree")
	for _, not := range []string{"chaselev", "futex", "unreadable", "differs", "links"} {
		if strings.Contains(got.stdout, not) {
			t.Errorf("%q in:\n%s", not, got.stdout)
		}
	}
}

// The names in the JSON are what other programs rely on, so they are spelled
// out here once more. There is nothing else in the output.
func TestRunJSON(t *testing.T) {
	dir := plant(t, "a/b.go", "package b\n", "a/bad.go", "none")
	got := do(t.Context(), "run", dir, "--json", "--repeat", "3", "--workers", "2")
	var r map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || got.status != pick.StatusOK || got.stderr != "" {
		t.Fatalf("%v: %+v", err, got)
	}
	results, directories := r["results"].([]any), r["directories"].([]any)
	last := results[len(results)-1].(map[string]any)
	const counts = "path files directories skipped bytes lines words go_files declarations identifiers unreadable unparsable digest"
	for _, test := range []struct {
		object any
		names  string
	}{
		{r, "root go os arch gomaxprocs processor_share agree results profile total directories unreadable unparsable"},
		{results[0], "way wall_seconds cpu_seconds speedup all_wall_seconds pool differs"},
		{last, "way deque sleep wall_seconds cpu_seconds speedup all_wall_seconds pool differs"},
		{last["pool"], "workers forks published steals injected borrowed parks wakes"},
		{r["profile"], "work_seconds span_seconds burdened_span_seconds waited_seconds parallelism forks sites differs"},
		{r["profile"].(map[string]any)["sites"].([]any)[0], "function file line span_seconds"},
		{r["total"], counts},
		{directories[1], counts},
		{r["unparsable"].([]any)[0], "path error"},
	} {
		want := slices.Sorted(slices.Values(strings.Fields(test.names)))
		if keys := slices.Sorted(maps.Keys(test.object.(map[string]any))); !slices.Equal(keys, want) {
			t.Errorf("got the names %q, want %q", keys, want)
		}
	}
	if n := len(last["all_wall_seconds"].([]any)); n != 3 || len(directories) != 2 || directories[1].(map[string]any)["path"] != "a" {
		t.Errorf("%d times, want 3; directories %v", n, directories)
	}
	if u, ok := r["unreadable"].([]any); !ok || len(u) != 0 {
		t.Errorf("unreadable is %v, want an empty list", r["unreadable"])
	}
}

// An interrupt ends the command with a table of the ways that ended before it.
func TestInterruptedBetweenWays(t *testing.T) {
	dir := plant(t, "a.go", "package a\n")
	for _, test := range []struct {
		after, says string
		rows        int
	}{
		{"[1 of 4]", "Interrupted: only one of 4 ways ended.\n", 1},
		{"[2 of 4]", "Interrupted: 2 of 4 ways ended. They agree, in every directory.\n", 2},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		var stdout, stderr bytes.Buffer
		status := rouse(ctx, []string{"run", dir, "--deque", "locked", "--sleep", "jec,futex"}, writer(func(p []byte) (int, error) {
			if bytes.Contains(p, []byte(test.after)) {
				cancel()
			}
			return stdout.Write(p)
		}), &stderr)
		cancel()
		_, table, found := strings.Cut(stdout.String(), "-----\n")
		table, _, _ = strings.Cut(table, "\n\n")
		if rows := strings.Count(table, "\n") + 1; status != pick.StatusInterrupted || stderr.String() != "rouse: interrupted\n" || !found || rows != test.rows ||
			!strings.HasSuffix(stdout.String(), test.says) {
			t.Errorf("interrupted after %s: status %d, stderr %q, stdout\n%s", test.after, status, &stderr, &stdout)
		}
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// The command would go on for hours. On a pipe the plan comes at once, and a way
// as it ends; a signal ends it with a table.
func TestRunOnPipe(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("a process cannot send this signal here")
	}
	cmd := asChild(t, "run", t.TempDir(), "--repeat", "1000000")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	if line, err := out.ReadString('\n'); err != nil || !strings.HasPrefix(line, "Census of ") {
		t.Errorf("the first line is %q, error %v", line, err)
	}
	for line := ""; !strings.Contains(line, "] goroutines "); {
		if line, err = out.ReadString('\n'); err != nil {
			t.Fatalf("there was no line of a way: %v", err)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, string(rest), "\nsequential ", "\nspeed-up ")
	exit := (*exec.ExitError)(nil)
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != pick.StatusInterrupted || stderr.String() != "rouse: interrupted\n" {
		t.Errorf("error %v, stderr %q; want status %d", err, &stderr, pick.StatusInterrupted)
	}
}

// failing is a report with more of everything that is wrong than a table names.
func failing() *report {
	c := &census.Census{Dirs: []census.Dir{{Path: "."}}}
	var dirs []string
	for i := range 12 {
		c.Unreadable = append(c.Unreadable, census.Problem{Path: fmt.Sprint("u", i), Error: "permission denied"})
		dirs = append(dirs, fmt.Sprint("d", i))
	}
	r := newReport("/tree", c, []census.Result{
		{Variant: census.Variant{Way: "sequential"}, Runs: []census.Run{{Wall: 3 * time.Second}}},
		{
			Variant: census.Variant{Way: "pool", Deque: "d", Sleep: "s"},
			Runs:    []census.Run{{Wall: 2 * time.Second, Stats: &pool.Stats{Workers: 2, Forks: 7}}},
			Differs: dirs,
		},
	})
	for i := range r.Results {
		r.Results[i].CPU = nil // as where the platform does not say
	}
	return r
}

// A table names the first of what is wrong, JSON lists everything. Where the platform does not
// say what CPU time was used, the table has a dash, and JSON null. What cannot be written is an
// error, as when the disk is full.
func TestReport(t *testing.T) {
	r := failing()
	var table, js strings.Builder
	if err := errors.Join(r.writeTable(&table), pick.WriteJSON(&js, r)); err != nil {
		t.Fatal(err)
	}
	inOrder(t, table.String(), "12 unreadable:\n  u0: permission denied\n", "  u2: permission denied\n  and 9 more\n",
		" - ", "1.50", "pool/deque=d/sleep=s differs from sequential:\n  d0\n", "  d2\n  and 9 more\n")
	inOrder(t, js.String(), `"agree": false`, `"cpu_seconds": null`, `"d11"`, `"u11"`)
	if r.Agree || strings.Contains(table.String(), "agree") {
		t.Errorf("results that differ are said to agree:\n%s", &table)
	}
	full := errors.New("disk full")
	broken := writer(func([]byte) (int, error) { return 0, full })
	for _, err := range []error{r.writeTable(broken), pick.WriteJSON(broken, r)} {
		if !errors.Is(err, full) {
			t.Errorf("error %v, want %v", err, full)
		}
	}
}

// Whether the machine is busy is in the report, so a user who keeps it knows.
func TestBusy(t *testing.T) {
	for share, says := range map[float64]string{0.5: "The machine is busy: of the processor time that this command could use, it gets 50 %", 0.89: "it gets 89 %", 0.95: ""} {
		r := failing()
		r.Share = &share
		var b strings.Builder
		if err := r.writeTable(&b); err != nil || !strings.Contains(b.String(), says) || strings.Contains(b.String(), "busy") != (says != "") {
			t.Errorf("error %v; a share of %v is told wrongly:\n%s", err, share, &b)
		}
	}
}

func TestEstimate(t *testing.T) {
	m := &comparison{variants: make([]census.Variant, 9), workers: 2, repeat: 3}
	for _, test := range []struct {
		bytes int64
		share float64
		known bool
		want  string
	}{
		{0, 1, true, "Less than a second"},
		{4 * rate, 1, true, "About 72 s"}, // 3 * (4 s + 8 * 2 s) + 3 * 4 s
		{4 * rate, 0.5, true, "About 144 s"},
		{4 * rate, 0, false, "About 72 s"},
	} {
		if got := m.estimate(test.bytes, test.share, test.known); got != test.want {
			t.Errorf("%d bytes with a share of %v: %q, want %q", test.bytes, test.share, got, test.want)
		}
	}
}

func TestDefaultTree(t *testing.T) {
	dir, err := treeRoot(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkDir(filepath.Join(dir, "fmt")); err != nil {
		t.Errorf("the default tree is not the source of Go: %v", err)
	}
}

// The files of a recording are there at the end, and say what they should. If one cannot be
// written, the user hears of that before the work begins, and nothing is lost.
func TestRunRecords(t *testing.T) {
	dir, out := plant(t, "a/b.go", "package b\n", "c", "one two\n"), t.TempDir()
	page, trace := filepath.Join(out, "a & b.html"), filepath.Join(out, "b.json")
	old := strings.Repeat("old", 1<<20)
	if err := os.WriteFile(trace, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", dir, "--workers", "2", "--deque", "locked", "--sleep", "jec", "--picture", page}
	for _, wrong := range []string{page, out, filepath.Join(out, "none", "b.json")} {
		got := do(t.Context(), append(args, "--trace", wrong)...)
		if got.status != pick.StatusFailed || got.stdout != "" || !strings.Contains(got.stderr, wrong) {
			t.Errorf("a trace that cannot be written, %s: %+v", wrong, got)
		}
		if _, err := os.Stat(page); err == nil {
			t.Errorf("after the error for %s there is an empty page", wrong)
		}
	}
	got := do(t.Context(), append(args, "--trace", trace)...)
	if got.status != pick.StatusOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	inOrder(t, got.stdout, "One more run was recorded: "+page+" (open it in a browser), "+trace+" (open it at https://ui.perfetto.dev).")
	for path, want := range map[string]string{page: "<title>Census of " + dir, trace: "forkJoin"} {
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "oldold") {
			t.Errorf("%s, which should say %q: %v, %.2000s", path, want, err, text)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := do(ctx, args...); got.status != pick.StatusInterrupted {
		t.Errorf("interrupted: %+v", got)
	}
	if text, err := os.ReadFile(page); err != nil || len(text) == 0 {
		t.Errorf("a run that was interrupted has cleared the page of another one: %v", err)
	}
}
