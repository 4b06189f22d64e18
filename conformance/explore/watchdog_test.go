package explore_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/rouse-go/rouse/conformance/explore"
)

// childVariable tells a test that it is run in a process of its own, which it
// may leave with goroutines that hang.
const childVariable = "EXPLORE_TEST_CHILD"

func TestStuck(t *testing.T) {
	needsTag(t)
	if os.Getenv(childVariable) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestStuck$")
		cmd.Env = append(os.Environ(), childVariable+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	f := explore.Explore(func(x *explore.Exec) {
		x.Go("receiver", func() { <-make(chan struct{}) })
	}, explore.Hung(200*time.Millisecond)).Failure
	if f == nil || f.Kind != explore.Stuck || !contains(f.Message, "chan receive") {
		t.Errorf("a thread that blocks on a channel: %v", f)
	}
	if f := explore.Explore(func(*explore.Exec) {}).Failure; f == nil || f.Kind != explore.Stuck {
		t.Errorf("explored on while a thread of another scenario may come back: %v", f)
	}
}
