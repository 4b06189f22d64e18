package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/tools/cli"
	"github.com/rouse-go/rouse/tools/cli/clitest"
)

// With this variable in its environment, the test binary is the command.
const asCommand = "ROUSE_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	size.nodes, size.loop, size.sort = 1000, 1000, 1000
	size.enough, size.sample = time.Millisecond, time.Millisecond
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// A mistake gets one line on standard error that says what is wrong, and nothing on standard
// output. A failure means that a user waits for a run that was not asked for, or that a script
// takes a mistake for a success.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ args, says string }{
		{"run " + filepath.Join(dir, "missing\x1b[31m"), `missing\x1b[31m`},
		{"run main_test.go", "main_test.go: not a directory"},
		{"run " + dir + " " + dir, "run takes one directory, not both " + dir},
		{"run " + dir + " --picture", `flag needs an argument: -picture; "rouse help" says more`},
		{"run " + dir + " --picture " + dir, dir + " is not a file"},
		{"run --picture " + filepath.Join(dir, "none", "page.html"), filepath.Join(dir, "none")},
		{"run --colour", `-colour; "rouse help" says more`},
		{"run -- -missing", " -missing: "},
		{"walk", `unknown command "walk"; there are: run, top, version, help`},
	} {
		got := clitest.Do(t.Context(), rouse, strings.Split(test.args, " ")...)
		if got.Status != cli.StatusFailed || got.Stdout != "" || strings.Count(got.Stderr, "\n") != 1 || !strings.Contains(got.Stderr, test.says) {
			t.Errorf("rouse %s: %+v; want status 1, and a line with %q on standard error", test.args, got, test.says)
		}
	}
	if got := clitest.Do(t.Context(), rouse, "run", ""); got.Status != cli.StatusFailed || !strings.Contains(got.Stderr, "is empty") {
		t.Errorf("an empty name: %+v", got)
	}
}

// Whatever way a user asks for help, the answer is the same.
func TestHelp(t *testing.T) {
	want := clitest.Outcome{Status: cli.StatusOK, Stdout: usage}
	for _, args := range []string{"", "help", "-h", "--help", "run -h", "run . --help"} {
		if got := clitest.Do(t.Context(), rouse, strings.Fields(args)...); got != want {
			t.Errorf("rouse %s: %+v", args, got)
		}
	}
	if got := clitest.Do(t.Context(), rouse, "version"); got.Status != cli.StatusOK || !strings.HasPrefix(got.Stdout, "rouse ") {
		t.Errorf("rouse version: %+v", got)
	}
}

// If this fails, rouse top does not find its command, hides what that says, or has another exit status.
func TestTop(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a command is a file with another ending there")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if got := clitest.Do(t.Context(), rouse, "top", "URL"); got.Status != cli.StatusFailed || !strings.Contains(got.Stderr, "rouse top: there is no command rouse-top: go install ") {
		t.Errorf("rouse top without its command: %+v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, topCommand), []byte("#!/bin/sh\necho \"says $*\"\necho fails >&2\nexit 7\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, want := clitest.Do(t.Context(), rouse, "top", "--times", "1", "URL"), (clitest.Outcome{Status: 7, Stdout: "says --times 1 URL\n", Stderr: "fails\n"}); got != want {
		t.Errorf("rouse top: %+v, want %+v", got, want)
	}
}
