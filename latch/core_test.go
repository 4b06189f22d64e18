package latch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/latch"
)

func TestMain(m *testing.M) { testrule.Main(m) }

// panicked returns what a call panics with.
func panicked(call func()) (value any) {
	defer func() { value = recover() }()
	call()
	return nil
}

// L4: the panic must say what happened.
func TestSecondWaiterMessage(t *testing.T) {
	var c latch.Core
	c.GetSleepy()
	c.FallAsleep()
	const want = "latch: GetSleepy in state sleeping, must be unset: a latch has one waiter"
	if got := panicked(func() { c.GetSleepy() }); got != want {
		t.Errorf("L4: panicked with %q, want %q", got, want)
	}
}

// L5: a count that goes below zero or overflows is a job counted wrong: waits
// would end too early, or never. A refused step must leave the count as it was: others
// still use it.
func TestCountRefuses(t *testing.T) {
	for _, tt := range []struct {
		name  string
		count int // before the step, and after it
		step  func(c *latch.Count)
		want  string
	}{
		{"Init", 1, func(c *latch.Count) { c.Init(-1) }, "latch: count of -1"},
		{"Set too often", 0, func(c *latch.Count) { c.Set() }, "latch: count 0 - 1"},
		{"Add to a latch that is set", 0, func(c *latch.Count) { c.Add(1) }, "latch: count 0 + 1"},
		{"Add past the end", latch.MaxCount, func(c *latch.Count) { c.Add(1) }, fmt.Sprintf("latch: count %d + 1", latch.MaxCount)},
		{"Add of many past the end", 3, func(c *latch.Count) { c.Add(latch.MaxCount) }, fmt.Sprintf("latch: count 3 + %d", latch.MaxCount)},
		{"Add of nothing", 1, func(c *latch.Count) { c.Add(0) }, "latch: Add(0)"},
		{"Sub of more than is pending", 3, func(c *latch.Count) { c.Sub(4) }, "latch: count 3 - 4"},
		{"Sub of less than nothing", 1, func(c *latch.Count) { c.Sub(-1) }, "latch: Sub(-1)"},
	} {
		var c latch.Count
		c.Init(tt.count)
		if got := panicked(func() { tt.step(&c) }); got != tt.want {
			t.Errorf("L5: %s: panicked with %q, want %q", tt.name, got, tt.want)
		}
		if n := c.Pending(); n != int64(tt.count) || c.Probe() != (n == 0) {
			t.Errorf("L5: %s: refused, it left %d, and a latch that is set: %t; want %d", tt.name, n, c.Probe(), tt.count)
		}
	}
	var unmade latch.Count
	if got, want := panicked(func() { unmade.Set() }), "latch: count 0 - 1"; got != want {
		t.Errorf("L5: Set before Init: panicked with %q, want %q", got, want)
	}
}

// Only the call that reaches zero opens the latch, and only it may say that the waiter slept.
func TestCountOpensAtZero(t *testing.T) {
	var c latch.Count
	for _, steps := range [][]int{{1, 1, 1}, {2, 1}, {30, 3}} {
		total := 0
		for _, n := range steps {
			total += n
		}
		c.Init(1)
		c.Add(total - 1)
		c.GetSleepy()
		c.FallAsleep()
		for _, n := range steps {
			total -= n
			if woken := c.Sub(n); woken != (total == 0) || c.Probe() != woken || c.Pending() != int64(total) {
				t.Fatalf("L7: Count.Sub: of %v, after it has taken %d, it says that the waiter slept: %t; the latch is set: %t, and %d are pending, want %d",
					steps, n, woken, c.Probe(), c.Pending(), total)
			}
		}
	}
	c.Init(0)
	if !c.Probe() {
		t.Fatal("L7: Count.Init: a latch of count 0 is not set")
	}
	c.Reset()
	if c.Probe() {
		t.Fatal("L7: Count.Reset: the latch is set after it")
	}
}

// If this fails, a latch that was used cannot be used again.
func TestCoreReset(t *testing.T) {
	var c latch.Core
	for range 2 {
		if c.Probe() || !c.GetSleepy() || !c.FallAsleep() {
			t.Fatal("Core.Reset: the latch is not unset after it")
		}
		c.Reset()
		if c.Set() {
			t.Fatal("Core.Reset: it has left the waiter asleep")
		}
		c.Reset()
	}
}

func TestInvalidStateIsNamed(t *testing.T) {
	if got := latch.StateName(7); !strings.Contains(got, "7") {
		t.Errorf("States: state 7 is called %q", got)
	}
}
