package latch

import (
	"sync"
	"sync/atomic"
	"testing"
)

// A waiter that enters while the latch is set must not undo that, and must be
// released if it got in. This is TestStressOutside without what a Wait does
// before and after, so that the two meet often.
func TestStressEnterMeetsSet(t *testing.T) {
	rounds := 60_000
	if testing.Short() {
		rounds = 6_000
	}
	for round := range rounds {
		var o Outside
		var w waiter
		var ready atomic.Int32
		var entered, released bool
		var wg sync.WaitGroup
		meet := func() {
			ready.Add(1)
			for spins := 0; ready.Load() < 2 && spins < 1000; spins++ {
			}
		}
		wg.Go(func() {
			meet()
			entered = o.enter(&w)
		})
		wg.Go(func() {
			meet()
			for range round % 8 {
			}
			if o.state.Swap(outsideSet) == outsideWaiting {
				o.mu.Lock()
				released = o.head == &w
				o.mu.Unlock()
			}
		})
		wg.Wait()
		if !o.Probe() {
			t.Fatalf("L6: Outside.Set: round %d: the waiter undid it", round)
		}
		if entered != released {
			t.Fatalf("L6: Outside.Set: round %d: the waiter is in the list: %v; Set found it there: %v", round, entered, released)
		}
	}
}
