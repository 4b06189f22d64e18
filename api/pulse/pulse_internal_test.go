package pulse

import (
	"strings"
	"testing"
	"time"
)

const still, busy = "no progress: in 100 beats", "of processor time, and may use "

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
			p := Pulse{Limit: time.Minute, cpuTime: func() (time.Duration, bool) {
				if d := c.used(n); d != unknown {
					cpu += time.Duration(d) * time.Microsecond
					return cpu, true
				}
				return 0, false
			}}
			defer p.Start()()
			for n = 1; n < 100_000; n++ {
				if why := p.Beat(1); why != "" {
					if n != c.hung || !strings.Contains(why, c.want) {
						t.Errorf("Pulse.Beat: after %d beats: %s; want %q after %d", n, why, c.want, c.hung)
					}
					return
				}
			}
			t.Errorf("Pulse.Beat: it does not count as hung after %d beats, want after %d", n, c.hung)
		})
	}
}

// Two that share a process share its processor time. What one uses to ask whether its
// wait is over does not count.
func TestPulseCountsOwnTime(t *testing.T) {
	var cpu time.Duration
	cpuTime := func() (time.Duration, bool) { return cpu, true }
	a, b := Pulse{Limit: time.Second, cpuTime: cpuTime}, Pulse{Limit: time.Second, cpuTime: cpuTime}
	defer a.Start()()
	defer b.Start()()
	cpu += 800 * time.Millisecond
	a.Ask(func() bool { cpu += time.Minute; return true })
	if why := a.Beat(1); why != "" || a.used != 400*time.Millisecond {
		t.Errorf("Pulse.Beat: a has used %v, want half of 800ms; %s", a.used, why)
	}
}
