package conformance_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/jec"
)

// overriding says in the environment of a process which of the factories is used there.
const overriding = "ROUSE_OVERRIDING_TEST"

// overridden are factories that do not let the options of the suite prevail.
var overridden = map[string]func(opts ...pool.Option) (*pool.Pool, error){
	"ignores": func(...pool.Option) (*pool.Pool, error) { return pool.New() },
	"deque": func(opts ...pool.Option) (*pool.Pool, error) {
		mine := pool.WithDeque(func() api.Deque[pool.Job] { return deque.NewLocked[pool.Job]() })
		return pool.New(append(opts, mine)...)
	},
	"sleep": func(opts ...pool.Option) (*pool.Pool, error) {
		mine := pool.WithSleep(func(workers int) (api.Sleep, error) { return jec.New(workers) })
		return pool.New(append(opts, mine)...)
	},
	"nothing": func(...pool.Option) (*pool.Pool, error) { return nil, nil },
}

// If this fails, the suite does not say of a factory that overrides its options that it
// does, and blames the pool, or breaks.
func TestOptionsPrevail(t *testing.T) {
	if which := os.Getenv(overriding); which != "" {
		conformance.TestPool(t, overridden[which], conformance.WithStress(0))
		return
	}
	for name := range overridden {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOptionsPrevail$", "-test.short", "-test.failfast")
		cmd.Env = append(os.Environ(), overriding+"="+name)
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Skipf("no other process can be started here: %v", err)
		}
		said := string(out)
		if err == nil || !strings.Contains(said, "newPool ignores or overrides its options") || strings.Contains(said, "\nRule ") || strings.Contains(said, "panic") {
			t.Errorf("%s: the suite does not say that, or more than that: %v\n%s", name, err, said)
		}
	}
}
