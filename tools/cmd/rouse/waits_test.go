package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

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

// child returns the command in a process of its own, which may start itself.
func child(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// The command is its own child. On one worker nothing can hang.
func TestWaits(t *testing.T) {
	out, err := child(t, "waits", "--workers", "1", "--tries", "2", "--patience", "1m", "--json").Output()
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
}

// A peer that is not installed has a row that says so; the exit status tells.
func TestWaitsMissingPeer(t *testing.T) {
	got := do(t, "waits", "--program", "late", "--impl", "rayon", "--workers", "2", "--tries", "1", "--peers", t.TempDir())
	if got.status != statusFailed || !strings.Contains(got.stdout, "late on rayon, 2 workers: not installed") || !strings.Contains(got.stderr, "see the report") {
		t.Errorf("%+v", got)
	}
}

func TestWaitsMistakes(t *testing.T) {
	for _, test := range []struct{ args, says string }{
		{"--program coffee", `unknown program "coffee"; there are: locks-once, locks-mutex, late, beside, beside-busy`},
		{"--impl coffee", `unknown implementation "coffee"; there are: rouse, goroutine, rayon, onetbb`},
		{"--impl rouse,rayon", "rayon needs --peers DIR"},
		{"--workers 0", "--workers is 0, must be 1 to"},
		{"--tries 0", "--tries is 0"},
		{"--patience 0s", "--patience is 0s"},
		{"--peers waits_test.go", "--peers: waits_test.go is not a directory"},
		{"--as coffee", `unknown implementation "coffee"; there are: rouse, goroutine`},
		{"coffee", `waits takes no argument, and was given "coffee"`},
		{"--workers 1,x", `invalid value "1,x" for flag -workers`},
	} {
		got := do(t, append([]string{"waits"}, strings.Fields(test.args)...)...)
		if got.status != statusFailed || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, test.says) {
			t.Errorf("rouse waits %s: %+v; want status 1 and a line with %q", test.args, got, test.says)
		}
	}
}
