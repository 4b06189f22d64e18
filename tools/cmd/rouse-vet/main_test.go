package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// With this variable in its environment, the test binary is the command.
const asCommand = "ROUSE_VET_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// Both ways to run the command report what is bad, with a status for scripts, and
// are silent where all is well. A failure means that a user's checks pass although
// the program is wrong, or the other way round.
func TestCommand(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range [][]string{{self}, {"go", "vet", "-vettool=" + self}} {
		for program, want := range map[string]string{
			"bad":  "bad.go:24:39: w is a worker from outside this function",
			"good": "",
		} {
			cmd := exec.Command(way[0], append(way[1:], "../../vet/testdata/"+program)...)
			cmd.Env = append(os.Environ(), asCommand+"=1")
			out, err := cmd.CombinedOutput()
			var status *exec.ExitError
			if err != nil && !errors.As(err, &status) {
				t.Fatal(err)
			}
			if failed := err != nil; failed != (want != "") || !strings.Contains(string(out), want) || want == "" && len(out) > 0 {
				t.Errorf("%q of the %s program ends with error %v and prints\n%swant %q", way, program, err, out, want)
			}
		}
	}
}
