package explore_test

import (
	"log"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/explore"
)

// childVariable tells a test that it is run in a process of its own, which it
// may leave with goroutines that hang.
const childVariable = "EXPLORE_TEST_CHILD"

// A writer calls a function.
type writer func()

func (f writer) Write(p []byte) (int, error) { f(); return len(p), nil }

// If this fails, a thread that blocks on what is not instrumented, or spins on it, makes
// an exploration hang, or is not shown.
func TestStuck(t *testing.T) {
	needsTag(t)
	var spun atomic.Bool
	for name, c := range map[string]struct {
		body      func()
		why, seen string
	}{
		"blocks": {func() { <-make(chan struct{}) }, "no progress", "chan receive"},
		"writes what it logs": {func() {
			var l *log.Logger
			l = log.New(writer(func() { l.Print("again") }), "", 0)
			l.Print("once")
		}, "no progress", "log.(*Logger).Print, called at watchdog_test.go:"},
		"spins": {func() {
			for n := 0; !spun.Load(); {
				n += strings.Count("what a library does", "t")
			}
		}, "and may use 500ms", "thread 1 receiver is at watchdog_test.go:"},
	} {
		if os.Getenv(childVariable) == "" {
			cmd := exec.Command(os.Args[0], "-test.run=^TestStuck$")
			cmd.Env = append(os.Environ(), childVariable+"="+name)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		}
		if os.Getenv(childVariable) != name {
			continue
		}
		f := explore.Explore(func(x *explore.Exec) {
			x.Go("receiver", c.body)
		}, explore.Hung(500*time.Millisecond)).Failure
		if f == nil || f.Kind != explore.Stuck || !contains(f.Message, c.why) || !contains(f.Message, c.seen) {
			t.Errorf("a thread %s: %v", name, f)
		}
		if f := explore.Explore(func(*explore.Exec) {}).Failure; f == nil || f.Kind != explore.Stuck {
			t.Errorf("explored on while a thread of another scenario may come back: %v", f)
		}
	}
}
