package harness

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// hanging says in the environment of a process which of the hangs is to happen there.
const hanging = "ROUSE_HANG_TEST"

const still, busy = "no progress: in 100 beats", "of processor time, and may use "

// What uses processor time without an end may use less than what is blocked.
const limitOfBusy, limitOfStill = 300 * time.Millisecond, time.Second

// hangs are bodies of subtests that have no end, and what the report must say of each.
var hangs = []struct {
	name string
	body func(r *Run)
	want string
}{
	{"blocked", func(*Run) { <-make(chan bool) }, still},
	{"wait", func(r *Run) { r.Wait(make(chan struct{})) }, still},
	{"until", func(r *Run) { r.Until(func() bool { return false }) }, still},
	{"wait_in_bubble", func(r *Run) { r.Wait(make(chan struct{})) }, "all that is in the bubble is blocked"},
	{"until_in_bubble", func(r *Run) { r.Until(func() bool { return false }) }, "all that is in the bubble is blocked"},
	{"spins", func(r *Run) {
		for !r.Aborted() {
			continue
		}
	}, busy + limitOfBusy.String()},
	{"polls", func(r *Run) {
		for !r.Aborted() {
			time.Sleep(time.Millisecond)
			for end := time.Now().Add(time.Millisecond); time.Now().Before(end); {
				continue
			}
		}
	}, busy + limitOfBusy.String()},
}

// TestHangs runs subtests that do not end, each in a process of its own. It fails if one
// is not reported, or for another reason than that for which it hangs, or if what waits
// is not told to give up.
func TestHangs(t *testing.T) {
	if which := os.Getenv(hanging); which != "" {
		hang(t, which)
		return
	}
	var all sync.WaitGroup
	defer all.Wait()
	for _, h := range hangs {
		all.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestHangs$", "-test.timeout=5m")
			cmd.Env = append(os.Environ(), hanging+"="+h.name)
			out, err := cmd.CombinedOutput()
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
				t.Logf("no other process can be started here: %v", err)
				return
			}
			said := string(out)
			if !strings.Contains(said, "P1: no end of: it ends (") || !strings.Contains(said, h.want) {
				t.Errorf("%s: the report does not say %q:\n%s", h.name, h.want, said)
			}
			if h.name != "blocked" && !strings.Contains(said, "cleared up") {
				t.Errorf("%s: the body was not told to give up:\n%s", h.name, said)
			}
		})
	}
}

func hang(t *testing.T, which string) {
	cfg := NewConfig()
	cfg.Timeout, cfg.Stress = limitOfStill, 0
	cfg.Synctest = strings.Contains(which, "bubble")
	for _, h := range hangs {
		if h.name == which {
			if h.want != still && !cfg.Synctest {
				cfg.Timeout = limitOfBusy
			}
			cfg.Bubbled(t, "sub", "P1", func(r *Run) {
				defer println("cleared up")
				r.During("P1", "it ends")
				h.body(r)
			})
			return
		}
	}
	t.Fatalf("%s=%s: there is no such hang", hanging, which)
}

// In a bubble the clock goes on when nothing else does. A wait must still end there for
// what comes late.
func TestWaitInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRun(t, NewConfig(), "P1", "it ends")
		r.bubble = true
		defer r.pulse.Start()()
		done := make(chan struct{})
		time.AfterFunc(bubbleTime/2, func() { close(done) })
		r.Wait(done)
		r.Until(func() bool {
			select {
			case <-done:
				return true
			default:
				return false
			}
		})
	})
}
