package pool

import "testing"

// If this fails, each wait from outside for a handle that many jobs join takes time in proportion
// to the number of those.
func TestOutsideWaitsPassByWorkers(t *testing.T) {
	l := newLone(t, 1)
	var c completion
	join := func() {
		for range 100 {
			c.enter(l.Worker)
		}
	}
	join()
	first := c.enterOutside()
	join()
	done := c.channel()
	join()
	steps := 0
	for n := c.waiters.Load().shared(); n != nil; n = n.next.shared() {
		steps++
	}
	if steps != 2 {
		t.Errorf("Cost: a wait passes by %d waiters, must by two: one that all waits from outside share, and a channel", steps)
	}
	if c.enterOutside() != first || c.channel() != done {
		t.Error("P8: each wait from outside leaves a waiter of its own")
	}
}
