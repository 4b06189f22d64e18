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
		{"run " + dir + " " + dir, "run takes at most one argument, DIR, and was given 2"},
		{"run " + dir + " --deque heap", `unknown deque "heap"; there are: chaselev, locked`},
		{"run " + dir + " --deque locked,heap", `unknown deque "heap"`},
		{"run " + dir + " --sleep coffee", `unknown sleep backend "coffee"; there are: jec, futex`},
		{"run " + dir + " --workers 0", "pool: WithWorkers(0)"},
		{"run " + dir + " --workers -1", "pool: WithWorkers(-1)"},
		{"run " + dir + " --workers 65536", "pool: WithWorkers(65536)"},
		{"run " + dir + " --workers many", `invalid value "many" for flag -workers`},
		{"run " + dir + " --repeat 0", "--repeat is 0"},
		{"run " + dir + " --deque", `flag needs an argument: -deque; "rouse help run" lists the flags`},
		{"run --colour", `-colour; "rouse help run" lists the flags`},
		{"run -- " + dir + " --colour", "takes at most one argument"}, // nothing there is a flag
		{"rest " + dir, `rest takes no argument`},
		{"walk", `unknown command "walk"; there are: run, rest, waits, help`},
		{"help walk", `unknown command "walk"; there are: run, rest, waits, help`},
	} {
		got := do(t, strings.Fields(test.args)...)
		if got.status != statusFailed || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, test.says) {
			t.Errorf("rouse %s: status %d, stdout %q, stderr %q; want 1, nothing, and a line with %q",
				test.args, got.status, got.stdout, got.stderr, test.says)
		}
	}
}

// Whatever way a user asks for help, the answer names all commands, or all flags.
func TestHelp(t *testing.T) {
	all := do(t)
	for _, want := range []string{"Usage:", "run", "rest", "waits", "Take the census", "rouse help COMMAND"} {
		if !strings.Contains(all.stdout, want) {
			t.Errorf("no %q in:\n%s", want, all.stdout)
		}
	}
	for _, args := range []string{"", "help", "-h", "-help", "--help"} {
		if got := do(t, strings.Fields(args)...); got != all || got.status != statusOK {
			t.Errorf("rouse %s: %+v", args, got)
		}
	}
	for command, flags := range map[string]string{
		"run":   "[DIR] --workers --deque --sleep --repeat --json",
		"rest":  "--seconds --workers",
		"waits": "--program --impl --workers --tries --patience --peers --json",
	} {
		help := do(t, "help", command)
		if help.status != statusOK || help.stderr != "" || strings.Contains(help.stdout, "--as") {
			t.Errorf("rouse help %s: %+v", command, help)
		}
		for _, want := range append(strings.Fields(flags), prefix+" "+command) {
			if !strings.Contains(help.stdout, want) {
				t.Errorf("rouse help %s: no %q in:\n%s", command, want, help.stdout)
			}
		}
		for _, flag := range []string{"-h", "--help"} {
			if got := do(t, command, flag); got != help {
				t.Errorf("rouse %s %s is not rouse help %s: %+v", command, flag, command, got)
			}
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, command := range []string{"run . --json", "run", "rest"} {
		want := outcome{statusInterrupted, "", "rouse: interrupted\n"}
		if got := doContext(ctx, strings.Fields(command)...); got != want {
			t.Errorf("rouse %s: got %+v, want %+v", command, got, want)
		}
	}
}
