package harness

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
)

func init() { NameCrashes() }

// crashing says in the environment of a process that it is to crash.
const crashing = "ROUSE_CRASH_TEST"

// If this fails, a panic in a goroutine of a pool kills the process without a word
// that says which subtest it was.
func TestCrashNamesSubtest(t *testing.T) {
	if os.Getenv(crashing) != "" {
		NewConfig().Subtest(t, "sub", "P1", func(*Run) {
			go func() {
				pprof.SetGoroutineLabels(context.Background()) // as those of a pool have none
				panic("crash")
			}()
			<-make(chan bool)
		})
		return
	}
	if strings.HasPrefix(runtime.Version(), "go1.25") {
		t.Skip("Go 1.25 does not print the labels of goroutines")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), crashing+"=1")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Skipf("no other process can be started here: %v", err)
	}
	// Since Go 1.27, what needs no quotes has none.
	if !regexp.MustCompile(`"?test"?: "?TestCrashNamesSubtest/sub\b`).Match(out) {
		t.Errorf("a crash does not say which subtest it was in:\n%s", out)
	}
}
