package latch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/latch"
)

// at returns a Core in the named state, got there by its own methods.
func at(state string) *latch.Core {
	c := new(latch.Core)
	switch state {
	case "set":
		c.Set()
	case "sleepy":
		c.GetSleepy()
	case "sleeping":
		c.GetSleepy()
		c.FallAsleep()
	}
	return c
}

// outcome is what a call did: its result, and the state that it left.
func outcome(c *latch.Core, call func(*latch.Core) any) (result any, state string) {
	defer func() {
		if p := recover(); p != nil {
			result = "panic"
		}
		state = c.String()
	}()
	return call(c), ""
}

// The whole table of README "Transitions": every call in every state. A wrong
// cell is a missed or a wasted wake (L1, L2), or a second waiter unnoticed (L4).
func TestTransitions(t *testing.T) {
	const refused = "panic"
	calls := []struct {
		name, rule string
		call       func(*latch.Core) any
		// what comes of it in the states unset, sleepy, sleeping, set
		result [4]any
		state  [4]string
	}{
		{"Probe", "L2", func(c *latch.Core) any { return c.Probe() },
			[4]any{false, false, false, true}, [4]string{"unset", "sleepy", "sleeping", "set"}},
		{"GetSleepy", "L2", func(c *latch.Core) any { return c.GetSleepy() },
			[4]any{true, refused, refused, false}, [4]string{"sleepy", "sleepy", "sleeping", "set"}},
		{"FallAsleep", "L2", func(c *latch.Core) any { return c.FallAsleep() },
			[4]any{refused, true, refused, false}, [4]string{"unset", "sleeping", "sleeping", "set"}},
		{"WakeUp", "L2", func(c *latch.Core) any { c.WakeUp(); return nil },
			[4]any{nil, nil, nil, nil}, [4]string{"unset", "unset", "unset", "set"}},
		{"Set", "L1", func(c *latch.Core) any { return c.Set() },
			[4]any{false, false, true, false}, [4]string{"set", "set", "set", "set"}},
		{"Reset", "Core.Reset", func(c *latch.Core) any { c.Reset(); return nil },
			[4]any{nil, nil, nil, nil}, [4]string{"unset", "unset", "unset", "unset"}},
	}
	for _, tt := range calls {
		for i, from := range []string{"unset", "sleepy", "sleeping", "set"} {
			c := at(from)
			if got := c.String(); got != from {
				t.Fatalf("L2: the latch is %s, want %s", got, from)
			}
			result, state := outcome(c, tt.call)
			if result != tt.result[i] || state != tt.state[i] {
				rule := tt.rule
				if (result == refused) != (tt.result[i] == refused) {
					rule = "L4"
				}
				t.Errorf("%s: %s in state %s: result %v, left %s; want %v, %s", rule, tt.name, from, result, state, tt.result[i], tt.state[i])
			}
		}
	}
}

// L4: the panic must say what happened.
func TestSecondWaiterMessage(t *testing.T) {
	defer func() {
		want := "latch: GetSleepy in state sleeping, must be unset: a latch has one waiter"
		if got := fmt.Sprint(recover()); got != want {
			t.Errorf("L4: panicked with %q, want %q", got, want)
		}
	}()
	at("sleeping").GetSleepy()
}

// L5: a count that goes below zero or overflows is a job counted wrong: waits
// would end too early, or never.
func TestCountRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		call func()
		want string
	}{
		{"Init", func() { new(latch.Count).Init(-1) }, "latch: count of -1"},
		{"Set before Init", func() { new(latch.Count).Set() }, "latch: count 0 - 1"},
		{"Set too often", func() {
			var c latch.Count
			c.Init(1)
			c.Set()
			c.Set()
		}, "latch: count 0 - 1"},
		{"Add to a latch that is set", func() {
			var c latch.Count
			c.Init(0)
			c.Add(1)
		}, "latch: count 0 + 1"},
		{"Add past the end", func() {
			var c latch.Count
			c.Init(latch.MaxCount)
			c.Add(1)
		}, fmt.Sprintf("latch: count %d + 1", latch.MaxCount)},
		{"Add of many past the end", func() {
			var c latch.Count
			c.Init(3)
			c.Add(latch.MaxCount)
		}, fmt.Sprintf("latch: count 3 + %d", latch.MaxCount)},
		{"Add of nothing", func() {
			var c latch.Count
			c.Init(1)
			c.Add(0)
		}, "latch: Add(0)"},
		{"Sub of more than is pending", func() {
			var c latch.Count
			c.Init(3)
			c.Sub(4)
		}, "latch: count 3 - 4"},
		{"Sub of less than nothing", func() {
			var c latch.Count
			c.Init(1)
			c.Sub(-1)
		}, "latch: Sub(-1)"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != tt.want {
					t.Errorf("L5: %s: panicked with %q, want %q", tt.name, got, tt.want)
				}
			}()
			tt.call()
		}()
	}
}

// A refused step must leave the count as it was: others still use it.
func TestCountSurvivesRefusal(t *testing.T) {
	var c latch.Count
	c.Init(latch.MaxCount)
	func() {
		defer func() { recover() }()
		c.Add(1)
	}()
	if got, want := c.Pending(), int64(latch.MaxCount); got != want {
		t.Fatalf("L5: a refused Add left %d, want %d", got, want)
	}
	c.Init(1)
	c.Set()
	func() {
		defer func() { recover() }()
		c.Set()
	}()
	if got := c.Pending(); got != 0 {
		t.Fatalf("L5: a refused Set left %d, want 0", got)
	}
	c.Init(3)
	func() {
		defer func() { recover() }()
		c.Sub(4)
	}()
	if got := c.Pending(); got != 3 || c.Probe() {
		t.Fatalf("L5: a refused Sub left %d, and a latch that is set: %v; want 3 and false", got, c.Probe())
	}
}

// If this fails, a latch from which several are taken at once opens early, or
// never, or nobody learns that its waiter sleeps.
func TestCountManyAtOnce(t *testing.T) {
	var c latch.Count
	c.Init(1)
	c.Add(32)
	c.GetSleepy()
	c.FallAsleep()
	if c.Sub(30) || c.Probe() {
		t.Fatal("L7: Count.Sub: 30 of 33 opened the latch")
	}
	if got := c.Pending(); got != 3 {
		t.Fatalf("L7: Count.Pending: %d are pending after 30 of 33, want 3", got)
	}
	if !c.Sub(3) || !c.Probe() {
		t.Fatal("L1: the last 3 did not open the latch, or did not report that the waiter slept")
	}
}

// Only the last Set opens the latch, and only it may say that the waiter slept.
func TestCountOpensAtZero(t *testing.T) {
	var c latch.Count
	c.Init(1)
	c.Add(1)
	c.Add(1)
	c.GetSleepy()
	c.FallAsleep()
	for i := range 2 {
		if c.Set() || c.Probe() {
			t.Fatalf("L7: Count.Set: number %d of 3 opened the latch", i+1)
		}
	}
	if !c.Set() {
		t.Fatal("L1: the last Set did not report that the waiter slept")
	}
	if !c.Probe() {
		t.Fatal("L2: the latch is not set after the last Set")
	}
	c.Init(1)
	if c.Probe() {
		t.Fatal("L7: Count.Init: the latch is set after a new Init")
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

// The pool waits on either kind by the interface.
func TestBothAreLatches(t *testing.T) {
	count := new(latch.Count)
	count.Init(1)
	for name, l := range map[string]api.Latch{"core": new(latch.Core), "count": count} {
		if !l.GetSleepy() || !l.FallAsleep() || !l.Set() || !l.Probe() {
			t.Errorf("L1: %s: a sleeper was not reported by Set", name)
		}
	}
}

func TestInvalidStateIsNamed(t *testing.T) {
	if got := latch.StateName(7); !strings.Contains(got, "7") {
		t.Errorf("States: state 7 is called %q", got)
	}
}
