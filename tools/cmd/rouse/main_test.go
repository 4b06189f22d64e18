package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// outcome is what a command line leads to.
type outcome struct {
	status         int
	stdout, stderr string
}

func do(t *testing.T, args ...string) outcome {
	t.Helper()
	return doContext(t.Context(), args...)
}

func doContext(ctx context.Context, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	status := rouse(ctx, args, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

// plant makes a tree of the given files.
func plant(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A mistake gets one line on standard error that says what to do instead, and
// nothing on standard output.
func TestMistakes(t *testing.T) {
	dir := plant(t, map[string]string{"file": ""})
	file, missing := filepath.Join(dir, "file"), filepath.Join(dir, "missing")
	for _, test := range []struct {
		args string
		says string
	}{
		{"run " + missing, missing},
		{"run " + file, "is not a directory"},
		{"run " + dir + " " + dir, "at most 1 arg"},
		{"run " + dir + " --deque heap", `unknown deque "heap"; there are: chaselev, locked`},
		{"run " + dir + " --deque locked,heap", `unknown deque "heap"`},
		{"run " + dir + " --sleep coffee", `unknown sleep backend "coffee"; there are: jec, futex`},
		{"run " + dir + " --workers 0", "pool: WithWorkers(0)"},
		{"run " + dir + " --workers -1", "pool: WithWorkers(-1)"},
		{"run " + dir + " --workers 65536", "pool: WithWorkers(65536)"},
		{"run " + dir + " --workers many", `invalid argument "many"`},
		{"run " + dir + " --repeat 0", "--repeat is 0"},
		{"run --colour", "unknown flag"},
		{"walk", `unknown command "walk"`},
	} {
		got := do(t, strings.Fields(test.args)...)
		if got.status != statusFailed || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, test.says) {
			t.Errorf("rouse %s: status %d, stdout %q, stderr %q; want 1, nothing, and a line with %q",
				test.args, got.status, got.stdout, got.stderr, test.says)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, command := range []string{"run .", "run"} {
		want := outcome{statusInterrupted, "", "rouse: interrupted\n"}
		if got := doContext(ctx, strings.Fields(command)...); got != want {
			t.Errorf("rouse %s: got %+v, want %+v", command, got, want)
		}
	}
}
