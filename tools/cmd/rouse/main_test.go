package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/tools/pick"
)

// With this variable in its environment, the test binary is the command.
const asCommand = "ROUSE_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	sample /= 20
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// asChild returns the command in a process of its own, which may start itself.
func asChild(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// outcome is what a command line leads to.
type outcome struct {
	status         int
	stdout, stderr string
}

func do(ctx context.Context, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	status := rouse(ctx, args, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

// A mistake gets one line on standard error that says what to do instead, and
// nothing on standard output.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ args, says string }{
		{"run " + filepath.Join(dir, "missing"), "missing"},
		{"run main_test.go", "is not a directory"},
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
		{"walk", `unknown command "walk"; there are: run, help`},
		{"help walk", `unknown command "walk"; there are: run, help`},
	} {
		got := do(t.Context(), strings.Fields(test.args)...)
		if got.status != pick.StatusFailed || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, test.says) {
			t.Errorf("rouse %s: %+v; want status 1, and a line with %q on standard error", test.args, got, test.says)
		}
	}
}

// Whatever way a user asks for help, the answer names all commands, or all flags.
func TestHelp(t *testing.T) {
	for command, want := range map[string]string{
		"":    "Usage: run rouse help COMMAND",
		"run": "[DIR] --workers --deque --sleep --repeat --json",
	} {
		help := do(t.Context(), "help", command)
		if command == "" {
			help = do(t.Context())
		}
		if help.status != pick.StatusOK || help.stderr != "" || strings.Contains(help.stdout, "--as") {
			t.Errorf("rouse help %s: %+v", command, help)
		}
		for _, word := range strings.Fields(want + " " + prefix + " " + command) {
			if !strings.Contains(help.stdout, word) {
				t.Errorf("rouse help %s: no %q in:\n%s", command, word, help.stdout)
			}
		}
		for _, flag := range []string{"-h", "-help", "--help"} {
			if got := do(t.Context(), strings.Fields(command+" "+flag)...); got != help {
				t.Errorf("rouse %s %s is not rouse help %s: %+v", command, flag, command, got)
			}
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, command := range []string{"run . --json", "run"} {
		want := outcome{pick.StatusInterrupted, "", "rouse: interrupted\n"}
		if got := do(ctx, strings.Fields(command)...); got != want {
			t.Errorf("rouse %s: got %+v, want %+v", command, got, want)
		}
	}
}
