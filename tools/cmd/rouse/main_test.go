package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/tools/pick"
	"github.com/rouse-go/rouse/tools/waits"
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
		{"rest " + dir, `rest takes no argument`},
		{"rest --seconds 0", "--seconds is 0"},
		{"rest --as nonsense", `unknown sleep backend "nonsense"`},
		{"rest --as jec --workers 0", "pool: WithWorkers(0)"},
		{"waits --program coffee", `unknown program "coffee"; there are: locks-once, locks-mutex, late, beside, beside-busy`},
		{"waits --impl coffee", `unknown implementation "coffee"; there are: rouse, goroutine, rayon, onetbb`},
		{"waits --impl rouse,rayon", "rayon needs --peers DIR"},
		{"waits --workers 0", "--workers is 0, must be 1 to"},
		{"waits --tries 0", "--tries is 0"},
		{"waits --patience 0s", "--patience is 0s"},
		{"waits --peers main_test.go", "--peers: main_test.go is not a directory"},
		{"waits --as coffee", `unknown implementation "coffee"; there are: rouse, goroutine`},
		{"waits coffee", `waits takes no argument, and was given "coffee"`},
		{"waits --workers 1,x", `--workers has "x", which is no number`},
		{"walk", `unknown command "walk"; there are: run, rest, waits, help`},
		{"help walk", `unknown command "walk"; there are: run, rest, waits, help`},
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
		"":      "Usage: run rest waits rouse help COMMAND",
		"run":   "[DIR] --workers --deque --sleep --repeat --json",
		"rest":  "--seconds --workers",
		"waits": "--program --impl --workers --tries --patience --peers --json",
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
	for _, command := range []string{"run . --json", "run", "rest"} {
		want := outcome{pick.StatusInterrupted, "", "rouse: interrupted\n"}
		if got := do(ctx, strings.Fields(command)...); got != want && (command != "rest" || runtime.GOOS == "linux") {
			t.Errorf("rouse %s: got %+v, want %+v", command, got, want)
		}
	}
}

func TestRest(t *testing.T) {
	if runtime.GOOS != "linux" {
		if got := do(t.Context(), "rest"); got.status != pick.StatusFailed {
			t.Errorf("%+v where there is no Linux", got)
		}
		return
	}
	cmd := asChild(t, "rest", "--seconds", "0.1", "--workers", "3")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"no pool", "jec", "futex"} {
		if row := `(?m)^` + name + ` +\d+ +\d+ +\d+$`; !regexp.MustCompile(row).Match(out) {
			t.Errorf("no row like %s in\n%s", row, out)
		}
	}
}

// The command is its own child. On one worker nothing can hang.
func TestWaits(t *testing.T) {
	out, err := asChild(t, "waits", "--workers", "1", "--tries", "2", "--patience", "1m", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var r waits.Report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 10 || r.Command != "go run ./tools/cmd/rouse waits --workers 1 --tries 2 --patience 1m0s" {
		t.Errorf("%d rows of %q, want one for each of 5 programs on the pool and on goroutines", len(r.Rows), r.Command)
	}
	for _, row := range r.Rows {
		if row.Tries != 2 || row.Hangs != 0 || row.Error != "" || *row.Largest < *row.Median {
			t.Errorf("%+v", row)
		}
	}
	// A peer that is not installed has a row that says so; the exit status tells.
	got := do(t.Context(), "waits", "--program", "late", "--impl", "rayon", "--workers", "2", "--tries", "1", "--peers", t.TempDir())
	if got.status != pick.StatusFailed || !strings.Contains(got.stdout, "late on rayon, 2 workers: not installed") || !strings.Contains(got.stderr, "see the report") {
		t.Errorf("%+v", got)
	}
}
