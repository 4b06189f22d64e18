package conformance

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// hanging says in the environment of a process which of the hangs is to happen there.
const hanging = "ROUSE_HANG_TEST"

const still, busy = "nothing goes on: in 100 beats", "of processor time, and may use "

// hangs are bodies of subtests that have no end, and what the report must say of each.
var hangs = []struct {
	name string
	body func(r *run)
	want string
}{
	{"blocked", func(*run) { <-make(chan bool) }, still},
	{"wait", func(r *run) { r.wait(make(chan struct{})) }, still},
	{"until", func(r *run) { r.until(func() bool { return false }) }, still},
	{"until_collected", func(r *run) { r.until(func() bool { runtime.GC(); return false }) }, still},
	{"wait_in_bubble", func(r *run) { r.wait(make(chan struct{})) }, "all that is in the bubble is blocked"},
	{"until_in_bubble", func(r *run) { r.until(func() bool { return false }) }, "all that is in the bubble is blocked"},
	{"spins", func(r *run) {
		for !r.aborted() {
			continue
		}
	}, busy + "1s"},
	{"polls", func(r *run) {
		for !r.aborted() {
			time.Sleep(time.Millisecond)
			for end := time.Now().Add(time.Millisecond); time.Now().Before(end); {
				continue
			}
		}
	}, busy + "1s"},
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
	cfg := newConfig([]Option{WithTimeout(time.Second), WithStress(0)})
	cfg.synctest = strings.Contains(which, "bubble")
	for _, h := range hangs {
		if h.name == which {
			bubbled(t, cfg, "sub", "P1", func(r *run) {
				defer println("cleared up")
				r.during("P1", "it ends")
				h.body(r)
			})
			return
		}
	}
	t.Fatalf("%s=%s: there is no such hang", hanging, which)
}

// TestPulse feeds a pulse with the processor time that a process gets in each beat, in
// microseconds. It fails if a process that gets on is taken for one that hangs, however
// many other programs take the processors from it, or if one that hangs is not.
func TestPulse(t *testing.T) {
	const unknown = -1
	for _, c := range []struct {
		name string
		used func(beat int) int
		hung int // after so many beats, or 0
		want string
	}{
		{"alone", func(int) int { return 2 * 20_000 }, 1500, busy},
		{"beside many others", func(int) int { return 1000 }, 60_000, busy},
		{"beside many others, in long slices", func(beat int) int { return beat % 50 / 49 * 80_000 }, 23_265, busy},
		{"blocked", func(int) int { return 200 }, 100, still},
		{"blocked after a while", func(beat int) int {
			if beat < 1000 {
				return 20_000
			}
			return 200
		}, 1100, still},
		{"polls", func(int) int { return 700 }, 60_000, busy},
		{"unknown", func(int) int { return unknown }, 3000, "in 3000 beats of 20ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var cpu time.Duration
			n := 0
			p := pulse{limit: time.Minute, cpuTime: func() (time.Duration, bool) {
				if d := c.used(n); d != unknown {
					cpu += time.Duration(d) * time.Microsecond
					return cpu, true
				}
				return 0, false
			}}
			defer p.start()()
			for n = 1; n < 100_000; n++ {
				if why := p.beat(1); why != "" {
					if n != c.hung || !strings.Contains(why, c.want) {
						t.Errorf("after %d beats: %s; want %q after %d", n, why, c.want, c.hung)
					}
					return
				}
			}
			t.Errorf("it does not count as hung after %d beats, want after %d", n, c.hung)
		})
	}
}

// Two that share a process share its processor time. What one uses to ask whether its
// wait is over does not count.
func TestPulseCountsOwnTime(t *testing.T) {
	var cpu time.Duration
	cpuTime := func() (time.Duration, bool) { return cpu, true }
	a, b := pulse{limit: time.Second, cpuTime: cpuTime}, pulse{limit: time.Second, cpuTime: cpuTime}
	defer a.start()()
	defer b.start()()
	cpu += 800 * time.Millisecond
	a.ask(func() bool { cpu += time.Minute; return true })
	if why := a.beat(1); why != "" || a.used != 400*time.Millisecond {
		t.Errorf("a has used %v, want half of 800ms; %s", a.used, why)
	}
}

// In a bubble the clock goes on when nothing else does. A wait must still end there for
// what comes late.
func TestWaitInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRun(t, newConfig(nil), "P1", "it ends")
		r.bubble = true
		done := make(chan struct{})
		time.AfterFunc(bubbleTime/2, func() { close(done) })
		r.wait(done)
		r.until(func() bool { return closed(done) })
	})
}
