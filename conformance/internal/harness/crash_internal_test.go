package harness

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
)

// crashing says in the environment of a process that it is to crash.
const crashing = "ROUSE_CRASH_TEST"

// If this fails, a panic on a goroutine of a pool kills the process without a word that says
// which rule was at stake, and in which subtest.
func TestCrashNamesRule(t *testing.T) {
	if os.Getenv(crashing) != "" {
		cfg := NewConfig()
		cfg.Subtest(t, "before", "P2", func(*Run) {})
		cfg.Subtest(t, "sub", "P5", func(*Run) {
			prim.Go(func() { panic("crash") })
			<-make(chan bool)
		})
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), crashing+"=1")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Skipf("no other process can be started here: %v", err)
	}
	want := "P5: panic: crash, while: sub, in TestCrashNamesRule/sub\nRule P5: " + Rules["P5"] + "\n"
	if !strings.HasPrefix(string(out), want) {
		t.Errorf("a crash does not begin with %q:\n%s", want, out)
	}
}

// A panic of the part under test that a library recovers, and a rule that its report cites.
func TestReportsOfLibraries(t *testing.T) {
	for said, want := range map[string]string{
		"[rapid] panic after 3 tests: index out of range": "D3: [rapid] panic after 3 tests: index out of range\nRule D3: ",
		"[rapid] failed after 1 tests: D2: Pop is wrong":  "D2: [rapid] failed after 1 tests: D2: Pop is wrong\nRule D2: ",
	} {
		r := newRun(new(testing.T), NewConfig(), "D3", "a model")
		<-r.Go(func() { r.TB().Fatalf("%s", said) })
		if err := r.failure.Load(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("the report of %q is %v, want %q", said, err, want)
		}
	}
}
