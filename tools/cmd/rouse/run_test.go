package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rouse-go/rouse/tools/cli"
	"github.com/rouse-go/rouse/tools/cli/clitest"
)

// plant makes a tree of two files, one of Go.
func plant(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "tree")
	files := fstest.MapFS{"a/b.go": {Data: []byte("package b\n")}, "c": {Data: []byte("one two\n")}}
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	return dir
}

// inOrder checks that the text has all of these, in this order.
func inOrder(t *testing.T, text string, all ...string) {
	t.Helper()
	rest := text
	for _, want := range all {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("no %q at its place in:\n%s", want, text)
		}
		rest = after
	}
}

// A user reads at once what is going to happen, then a row for each way, and then what that shows.
// All of it fits a narrow terminal, but for the name of the directory.
func TestRun(t *testing.T) {
	dir := plant(t)
	got := clitest.Do(t.Context(), rouse, "run", dir)
	if got.Status != cli.StatusOK || got.Stderr != "" {
		t.Fatalf("%+v", got)
	}
	pools := []string{"\n  rouse, chaselev, jec ", "\n  rouse, chaselev, futex ", "\n  rouse, locked, jec ", "\n  rouse, locked, futex "}
	inOrder(t, got.Stdout, append(append(append([]string{"What forks and loops cost", "Ctrl-C", "time  speed-up\n",
		"\nSum over a tree", "\n  plain Go ", "  1.00", "\n  a goroutine for each fork", "\n  goroutines, cut off"}, pools...),
		"\nA loop", "\n  plain Go ", "\n  rouse, par.For ", "\nA sort", "\n  plain Go, slices.Sort ", "\n  rouse, par.Sort ",
		"of files: 2, 18 bytes\n"+dir, "\n  plain Go ", "\n  a goroutine for each file "), append(pools, "\ntime ", "\nspeed-up ", "\nrouse ",
		"\nAll ways found the same in every directory:\nfiles: 2, directories: 2, bytes: 18\n", "\nWhat this shows")...)...)
	ways := 0
	for line := range strings.Lines(got.Stdout) {
		if strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "   ") {
			ways++
		}
		if n := len([]rune(line)) - 1; n > width && !strings.HasPrefix(line, dir) {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if runtime.GOOS == "linux" && (ways != 21 || !strings.Contains(got.Stdout, "21 ways")) {
		t.Errorf("%d ways, want 21, in:\n%s", ways, got.Stdout)
	}
}

// changing is a tree with a file that has other content each time.
type changing struct {
	fstest.MapFS
	opened int
}

func (c *changing) Open(name string) (fs.File, error) {
	if name == "a\x1b[2J/b" {
		c.opened++
		return fstest.MapFS{name: {Data: bytes.Repeat([]byte("x"), c.opened)}}.Open(name)
	}
	return c.MapFS.Open(name)
}

// Ways that disagree are an error, and the table says where. The explanation is left out. A failure
// means that a pool may lose a file, and nobody hears of it.
func TestDisagree(t *testing.T) {
	tree := &changing{MapFS: fstest.MapFS{"a\x1b[2J/b": {}, "b/c": {}}}
	var out strings.Builder
	c := &comparison{out: &out, progress: cli.Show(&out)}
	err := c.do(t.Context(), "tree", tree, nil)
	c.progress.Stop()
	if !errors.Is(err, errDisagree) || strings.Contains(out.String(), "found the same") || strings.Contains(out.String(), "\x1b") {
		t.Errorf("error %v, and it prints\n%s", err, &out)
	}
	inOrder(t, out.String(), "\n  a goroutine for each file ", "\n    disagrees with plain Go in .\n    disagrees with plain Go in a\\x1b[2J\n  rouse, chaselev, jec ")
}

// A wrong result counts whenever it comes, and of whatever way.
func TestCompare(t *testing.T) {
	for _, test := range []struct {
		results [2][]uint64 // of each way, run by run
		wrong   bool
	}{{[2][]uint64{{7}, {7}}, false}, {[2][]uint64{{7}, {8}}, true}, {[2][]uint64{{7}, {7, 8, 7}}, true}, {[2][]uint64{{7, 7, 8, 7}, {7}}, true}} {
		var ways []way[uint64]
		for _, results := range test.results {
			ways = append(ways, way[uint64]{"a way", func(context.Context) (uint64, error) {
				n := results[0]
				results = results[min(1, len(results)-1):]
				return n, nil
			}})
		}
		c := &comparison{out: io.Discard, progress: cli.Show(io.Discard)}
		got, err := compare(t.Context(), c, task[uint64]{ways: ways, differs: unequal})
		c.progress.Stop()
		if err != nil || c.wrong != test.wrong || len(got) != 2 {
			t.Errorf("%v: wrong is %v, %d times, error %v", test.results, c.wrong, len(got), err)
		}
	}
}

// Ctrl-C ends the command with the rows that were there, and a status that scripts know.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("a process cannot send this signal here")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// It is there from the first row on, and read for hours.
	dir := plant(t)
	if err := os.WriteFile(filepath.Join(dir, "long"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "long"), 1<<42); err != nil {
		t.Skip("no sparse files here:", err)
	}
	cmd := exec.CommandContext(t.Context(), self, "run", dir)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	var stdout, stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.Stdout = writer(func(p []byte) (int, error) {
		if bytes.Contains(p, []byte("par.Sort")) {
			_ = cmd.Process.Signal(os.Interrupt)
		}
		return stdout.Write(p)
	})
	err = cmd.Run()
	exit := (*exec.ExitError)(nil)
	if !errors.As(err, &exit) || exit.ExitCode() != cli.StatusInterrupted || stderr.String() != "rouse: interrupted\n" {
		t.Errorf("error %v, stderr %q; want status %d", err, &stderr, cli.StatusInterrupted)
	}
	inOrder(t, stdout.String(), "\n  plain Go ", "\n  rouse, par.Sort ")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	want := clitest.Outcome{Status: cli.StatusInterrupted, Stderr: "rouse: interrupted\n"}
	if got := clitest.Do(ctx, rouse, "run"); got != want {
		t.Errorf("interrupted before it began: %+v", got)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// The text after the table says what its numbers say.
func TestExplain(t *testing.T) {
	const ms = time.Millisecond
	f := findings{
		forks: times{10 * ms, 400 * ms, 5 * ms, 6 * ms, 5 * ms, 6 * ms, 100 * ms}, loop: times{10 * ms, 5 * ms}, sort: times{10 * ms, 10 * ms},
		files: times{1000 * ms, 520 * ms, 500 * ms, 510 * ms, 530 * ms},
	}
	few, behind, ahead, lost := f, f, f, f
	few.files = times{ms, ms, ms}
	behind.files = times{1000 * ms, 900 * ms, 500 * ms}
	ahead.files = times{1000 * ms, 500 * ms, 900 * ms}
	lost.forks = times{10 * ms, 400 * ms, 5 * ms, 12 * ms}
	for _, test := range []struct {
		name     string
		f        findings
		has, not []string
	}{
		{"all pays", f, []string{"goroutines are 40.0 times as slow", "they are 2.0 times as fast", "Rouse is 1.7 times as fast", "This is where it pays",
			"par.For is 2.0 times as fast", "par.Sort is as fast", "goroutines are 1.9 times as fast", "Goroutines are as good"}, []string{"too few"}},
		{"few files", few, []string{"too few or too small"}, []string{"as good", "large pieces"}},
		{"goroutines are behind", behind, []string{"goroutines are 1.1 times as fast, Rouse is 2.0 times as fast"}, []string{"as good"}},
		{"goroutines are ahead", ahead, []string{"Goroutines are better"}, []string{"as good"}},
		{"forks do not pay", lost, []string{"Rouse is 1.2 times as slow"}, []string{"where it pays"}},
	} {
		got := strings.Join(strings.Fields(test.f.explain()), " ")
		for _, has := range test.has {
			if !strings.Contains(got, has) {
				t.Errorf("%s: no %q in %s", test.name, has, got)
			}
		}
		for _, not := range test.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q in %s", test.name, not, got)
			}
		}
	}
}

func TestRow(t *testing.T) {
	for took, want := range map[time.Duration]string{
		0: "0.00 µs      1.00\n", 999 * time.Microsecond: "999.00 µs      1.00\n", time.Second - 1: "1000.00 ms      1.00\n", 4000 * time.Second: "4000.00 s      1.00\n",
	} {
		if got := row("x", took, 1); !strings.HasSuffix(got, want) || len([]rune(got)) != 57 {
			t.Errorf("%v: %q, want %q", took, got, want)
		}
	}
	for ratio, want := range map[float64]string{1.234: "1.23", 0.0123: "0.012", 20: "20.00"} {
		if got := digits(ratio); got != want {
			t.Errorf("%v: %q, want %q", ratio, got, want)
		}
	}
}

// A machine that is busy is said to be so, and only that one.
func TestBusy(t *testing.T) {
	if s := share(10 * time.Millisecond); s <= 0 || s > 1.5 {
		t.Errorf("the share of the processors is %v", s)
	}
	if text := busy(0.5); !strings.Contains(text, "only 50 %") || busy(0.95) != "" {
		t.Errorf("busy: %q, not busy: %q", text, busy(0.95))
	}
}

// The picture is there at the end. Until then, and after an interrupt, there is the old one.
func TestPicture(t *testing.T) {
	dir, out := plant(t), t.TempDir()
	path := filepath.Join(out, "a & b.html")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func() string {
		text, err := os.ReadFile(path)
		files, err2 := os.ReadDir(out)
		if err := errors.Join(err, err2); err != nil || len(files) != 1 {
			t.Fatalf("%d files, error %v", len(files), err)
		}
		return string(text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var stderr bytes.Buffer
	rouse(ctx, []string{"run", dir, "--picture", path}, writer(func(p []byte) (int, error) {
		cancel()
		return len(p), nil
	}), &stderr)
	if text := read(); text != "old" || stderr.String() != "rouse: interrupted\n" {
		t.Errorf("after an interrupt the page is %q, and standard error %q", text, &stderr)
	}
	got := clitest.Do(t.Context(), rouse, "run", dir, "--picture="+path)
	if text := read(); got.Status != cli.StatusOK || !strings.Contains(text, "<title>Files of "+dir) || !strings.Contains(got.Stdout, "The picture is in "+path) {
		t.Errorf("%+v, and the page begins %.300q", got, text)
	}
}
