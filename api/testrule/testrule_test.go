package testrule_test

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/api/testrule"
)

func TestMain(m *testing.M) { testrule.Main(m) }

// environment names the way in which a process is to fail.
const environment = "ROUSE_TESTRULE"

func fail() { panic("broken") }

func hang() { <-make(chan bool) }

// If this fails, a panic or a hang does not begin with the rule that it breaks.
func TestNames(t *testing.T) {
	switch os.Getenv(environment) {
	case "panic":
		t.Log("D1: this message is for what comes before")
		fail()
	case "panic_in_subtest":
		t.Run("sub", func(*testing.T) { fail() })
	case "panic_in_bubble":
		testrule.Bubble(t, func(*testing.T) { fail() })
	case "panic_of_goroutine":
		prim.Go(fail)
		hang()
	case "hang":
		hang()
	default:
		failsSo(t, "panic", "panic_in_subtest", "panic_in_bubble", "panic_of_goroutine", "hang")
		return
	}
	t.Fatal("D2: this one is for the call before it")
}

func failsSo(t *testing.T, ways ...string) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^TestNames$", "-test.timeout=2s")
			cmd.Env = append(os.Environ(), environment+"="+way)
			out, err := cmd.CombinedOutput()
			if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
				t.Skipf("no other process can be started here: %v", err)
			}
			if what, _, _ := strings.Cut(way, "_"); !regexp.MustCompile(`^(D\d, )*D2: (no end|` + what + `)`).Match(out) {
				t.Errorf("testrule.Main: a failure does not begin with its rule:\n%s", out)
			}
		})
	}
}
