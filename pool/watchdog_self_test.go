package pool_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// inChild says which test is to hang, or to crash, in a process of its own.
const inChild = "ROUSE_WATCHDOG_TEST"

// If this fails, a test that hangs ends without a word that says which test, at
// what and where.
func TestWatchdogReports(t *testing.T) {
	out := child(t, func() {
		subtest(t, "sub", "P9", "what never ends", func(t *testing.T) {
			t.Log("logged before")
			poolOf(t, 2)
			patience = func() time.Duration { return 30 * time.Millisecond }
			during(t, "P5", "a worker does what it never does", func() {
				until(t, "pigs fly", func() bool { return false })
			})
		})
	})
	says(t, "the report of a hang", out,
		"--- FAIL: TestWatchdogReports (", "--- FAIL: TestWatchdogReports/sub (", "logged before",
		"P5: no end of: a worker does what it never does\n", "It waits until pigs fly.\n",
		"pool: jobs begun: 0; workers: 2, without a job: 2, asleep: 2; queued: 0",
		"panic: TestWatchdogReports/sub hangs: P5: no end of: a worker does what it never does",
		"pool_test.TestWatchdogReports", "pool.(*seat).main(")
	expect(t, !strings.Contains(out, "P9"), "the report of a hang says P9, which does not matter:\n%s", out)
}

// child runs the calling test in another process, which must fail, and returns the output.
// There child calls fail and does not return.
func child(t *testing.T, fail func()) string {
	t.Helper()
	if os.Getenv(inChild) == t.Name() {
		fail()
		t.SkipNow()
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), inChild+"="+t.Name())
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Skipf("no other process can be started here: %v", err)
	}
	check(t, err != nil, "the process that should have failed did not:\n%s", out)
	return string(out)
}
