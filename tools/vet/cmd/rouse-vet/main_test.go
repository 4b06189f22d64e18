package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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
	if _, err := os.Stat("../../testdata"); err != nil {
		t.Skip("the programs are a module of their own, which only a checkout has")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatalf("rouse-vet: %v", err)
	}
	for _, test := range []struct {
		args   []string
		prints string
		status int
	}{
		{[]string{"go", "vet", "-vettool=" + self, "./workers"}, "workers.go:29:39: w is a worker from outside this function", 1},
		{[]string{"go", "vet", "-vettool=" + self, "-rousetree=false", "./trees"}, "", 0},
		{[]string{self, "./trees"}, "trees.go:20:2: the 2 elements of par.Do", 1},
		{[]string{self, "./elements"}, "elements.go:30:29: the caller of Write may overwrite b", 1},
		{[]string{self, "-rousetree=false", "./trees"}, "", 0},
		{[]string{self, "-json", "./workers"}, `"rouseworker"`, 0},
		{[]string{self, "./nowhere"}, "nowhere", 1},
		{[]string{self, "-nonsense", "./workers"}, "nonsense", 2},
		{[]string{self, "help", "rouseworker"}, "report uses of a *pool.Worker outside its job", 0},
		{[]string{self, "help", "rousetree"}, "report parallel loops over two to four elements", 0},
		{[]string{self, "help", "rouseelement"}, "report elements of streams whose memory is reused", 0},
	} {
		run(t, test.args, test.prints, test.status)
	}
}

// run runs the command and checks what it prints and how it ends.
func run(t *testing.T, args []string, prints string, status int) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = filepath.FromSlash("../../testdata")
	cmd.Env = append(os.Environ(), asCommand+"=1", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != status || !strings.Contains(string(out), prints) || prints == "" && len(out) > 0 {
		t.Errorf("rouse-vet: %q ends with status %d and prints\n%swant status %d and %q", args, got, out, status, prints)
	}
}
