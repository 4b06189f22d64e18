package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/tools/census"
)

// A user reads at once what is going to happen, then of each way that it has
// ended, and at the end what the columns are.
func TestRunTells(t *testing.T) {
	dir := plant(t, map[string]string{"a.go": "package a\n"})
	got := do(t, "run", dir, "--workers", "3", "--deque", "locked", "--repeat", "2").stdout
	at := 0
	for _, want := range []string{
		"Census of " + dir + ", in ", " ways, 2 times each:\n", "sequential  one", "goroutines  a goroutine", "3 workers; deque: locked; sleep backend: jec, futex",
		"Ctrl-C ends it", "1 files", "Less than a second from here.\n",
		"[ 1 of 1", "] sequential ", "[ 2 of 1", "] goroutines ", "[ 3 of 1", "] pool/deque=locked/sleep=jec ",
		"speed-up  forks  published  steals  wakes  parks\n",
		"\nwall s  ", "\nCPU s  ", "\nspeed-up  ", "\nforks  ", "\npublished  ", "\nsteals  ", "\nwakes  ", "\nparks  ",
		"ways agree",
	} {
		i := strings.Index(got[at:], want)
		if i < 0 {
			t.Fatalf("no %q at its place in:\n%s", want, got)
		}
		at += i + len(want)
	}
}

// A reader of JSON gets nothing else.
func TestJSONTellsNothing(t *testing.T) {
	if got := do(t, "run", t.TempDir(), "--json"); !strings.HasPrefix(got.stdout, "{") || !strings.HasSuffix(got.stdout, "}\n") || got.stderr != "" {
		t.Errorf("%+v", got)
	}
}

// An interrupt ends the command with a table of the ways that ended before it.
func TestInterruptedBetweenWays(t *testing.T) {
	dir := plant(t, map[string]string{"a.go": "package a\n"})
	for _, test := range []struct {
		after, says string
		rows        int
	}{
		{"[1 of 4]", "Interrupted: only one of 4 ways ended.\n", 1},
		{"[2 of 4]", "Interrupted: 2 of 4 ways ended. They agree, in every directory.\n", 2},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		var stderr bytes.Buffer
		stdout := &trigger{at: test.after, pull: cancel}
		status := rouse(ctx, []string{"run", dir, "--deque", "locked", "--sleep", "jec,futex"}, stdout, &stderr)
		cancel()
		text := stdout.text.String()
		_, table, found := strings.Cut(text, "-----\n")
		table, _, _ = strings.Cut(table, "\n\n")
		if rows := strings.Count(table, "\n") + 1; status != statusInterrupted || stderr.String() != "rouse: interrupted\n" || !found || rows != test.rows {
			t.Errorf("interrupted after %s: status %d, stderr %q, stdout\n%s", test.after, status, &stderr, text)
		}
		if !strings.HasSuffix(text, test.says) {
			t.Errorf("interrupted after %s: no %q at the end of\n%s", test.after, test.says, text)
		}
	}
}

// A trigger is a writer that calls a function when the text comes.
type trigger struct {
	text bytes.Buffer
	at   string
	pull func()
}

func (w *trigger) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(w.at)) {
		w.pull()
	}
	return w.text.Write(p)
}

// The command would go on for hours. On a pipe the plan comes at once, and a way
// as it ends; a signal ends it with a table.
func TestRunOnPipe(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("a process cannot send this signal here")
	}
	cmd := child(t, "run", t.TempDir(), "--repeat", "1000000")
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
	exit := (*exec.ExitError)(nil)
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != statusInterrupted || stderr.String() != "rouse: interrupted\n" {
		t.Errorf("error %v, stderr %q; want status %d", err, &stderr, statusInterrupted)
	}
	if !strings.Contains(string(rest), "\nsequential ") || !strings.Contains(string(rest), "\nspeed-up ") {
		t.Errorf("no table after the signal:\n%s", rest)
	}
}

// Whether the machine is busy is in the report, so a user who keeps it knows.
func TestBusy(t *testing.T) {
	for _, test := range []struct {
		share float64
		busy  bool
	}{{0.5, true}, {0.89, true}, {0.95, false}} {
		r := failing()
		r.Share = &test.share
		var b strings.Builder
		if err := r.writeTable(&b); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "The machine is busy") != test.busy {
			t.Errorf("a share of %v is said to be busy: %v\n%s", test.share, !test.busy, &b)
		}
	}
	if got := machineIsBusy(0.5); !strings.Contains(got, "50 %") {
		t.Errorf("no share in %q", got)
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
		{4 * rate, 1, true, "About 60 s"}, // 3 * (4 s + 8 * 2 s)
		{4 * rate, 0.5, true, "About 120 s"},
		{4 * rate, 0, false, "About 60 s"},
	} {
		if got := m.estimate(test.bytes, test.share, test.known); got != test.want {
			t.Errorf("%d bytes with a share of %v: %q, want %q", test.bytes, test.share, got, test.want)
		}
	}
}
