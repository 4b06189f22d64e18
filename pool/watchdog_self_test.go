package pool_test

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/pool"
)

// If this fails, a hang of a test goes unnoticed, or what is only slow is taken
// for one.
func TestWatchdogNotices(t *testing.T) {
	release := make(chan bool)
	defer close(release)
	if e := await(10*time.Millisecond, t.Name(), func() { <-release }); e.ended {
		t.Error("the watchdog says that something ended that waits for ever")
	}
	if e := await(time.Hour, t.Name(), func() {}); !e.returned {
		t.Errorf("the watchdog does not say that a function returned: %+v", e)
	}
	if e := await(time.Hour, t.Name(), runtime.Goexit); !e.ended || e.returned || e.panicked != nil {
		t.Errorf("the watchdog does not say that a function exited: %+v", e)
	}
	e := await(time.Hour, t.Name(), func() { panic(errBoom) })
	if e.panicked != errBoom || e.returned || !strings.Contains(string(e.stack), "TestWatchdogNotices") {
		t.Errorf("the watchdog does not say that a function panicked, and where: %+v", e)
	}
	// The outer one has no patience, but its time does not count while the
	// inner one waits.
	e = await(time.Millisecond, t.Name(), func() {
		if e := await(20*time.Millisecond, t.Name(), func() { <-release }); e.ended {
			t.Error("the inner watchdog says that something ended that waits for ever")
		}
	})
	if !e.returned {
		t.Error("the outer watchdog did not let the inner one report")
	}
}

// inChild says which test is to hang, or to crash, in a process of its own.
const inChild = "ROUSE_WATCHDOG_TEST"

// If this fails, a test that hangs ends without a word that says which test, at
// what and where.
func TestWatchdogReports(t *testing.T) {
	if os.Getenv(inChild) == t.Name() {
		patience = func() time.Duration { return 30 * time.Millisecond }
		subtest(t, "sub", "P9", "what never ends", func(t *testing.T) {
			t.Log("logged before")
			newPool(t, pool.WithWorkers(2)) // whose Close must not hold up the report
			during(t, "P5", "a worker does what it never does", func() {
				until(t, "pigs fly", func() bool { return false })
			})
		})
		return
	}
	out := child(t)
	for _, want := range []string{
		"--- FAIL: TestWatchdogReports (", "--- FAIL: TestWatchdogReports/sub (", "logged before",
		"P5: no end of: a worker does what it never does\n", "It waits until pigs fly.\n",
		"pool_test.TestWatchdogReports", "2 at [", "pool.(*Worker).main  pool/worker.go:",
		"panic: TestWatchdogReports/sub hangs: P5: no end of: a worker does what it never does",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the report of a hang does not say %q:\n%s", want, out)
		}
	}
	for _, no := range []string{"P9", "pool_test.await", "digit"} {
		if strings.Contains(out, no) {
			t.Errorf("the report of a hang says %q, which does not matter:\n%s", no, out)
		}
	}
}

// If this fails, a panic in a goroutine of the pool kills the process without a
// word that says which test it was.
func TestCrashNamesTest(t *testing.T) {
	if os.Getenv(inChild) == t.Name() {
		during(t, "P5", "a worker calls what is missing, and the process dies", func() {
			newPool(t, pool.WithSleep(func(int) (api.Sleep, error) { return struct{ api.Sleep }{}, nil }))
			<-make(chan bool)
		})
		return
	}
	labels := false
	labelled(t.Name(), func() { labels = strings.Contains(allStacks(), "labels:") })
	if !labels {
		t.Skip("this version of Go does not print the labels of goroutines")
	}
	if out := child(t); !strings.Contains(out, `"test": "TestCrashNamesTest"`) {
		t.Errorf("a crash does not say which test it was in:\n%s", out)
	}
}

// child runs the calling test in another process, where it must fail, and
// returns the output.
func child(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), inChild+"="+t.Name())
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Skipf("no other process can be started here: %v", err)
	}
	if err == nil {
		t.Fatalf("the process that should have failed did not:\n%s", out)
	}
	return string(out)
}
