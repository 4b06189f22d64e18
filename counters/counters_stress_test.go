package counters_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/counters"
)

// scale returns n, or a tenth of it under -short.
func scale(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// All steps at once, on a JEC of every interesting width. C1 must hold in
// whatever anybody reads, and C4 at the end. A step that is not atomic loses
// another's, so that some later one is refused and panics.
func TestStressCounts(t *testing.T) {
	for _, bits := range []int{1, 2, 32} {
		const workers = 4
		c := mustNew(t, workers, counters.WithJobsBits(bits))
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for i := range scale(10_000) {
					c.AddInactive()
					for !c.TrySleep(c.Announce()) {
					}
					if i%2 == 0 {
						c.Lend()
						c.Restore()
					}
					if inactive, sleeping := c.Post(); sleeping > inactive || inactive > workers {
						t.Errorf("C1: Post met inactive=%d sleeping=%d of %d workers", inactive, sleeping, workers)
					}
					c.SubSleeping(1)
					c.SubInactive()
				}
			})
		}
		wg.Wait()
		wantCounts(t, "C4", c, 0, 0)
	}
}

// Exactly one of the workers that turn active together is the last one awake.
// If two were, or none, a wake would be wasted or missed.
func TestStressOneLast(t *testing.T) {
	const workers = 3
	c := mustNew(t, workers+1)
	fill(t, c, 1, 1) // the one who sleeps
	for round := range scale(10_000) {
		for range workers {
			c.AddInactive()
		}
		var last atomic.Int32
		inStep(workers, func(int) {
			if inactive, sleeping := c.SubInactive(); inactive == sleeping {
				last.Add(1)
			}
		})
		if last.Load() != 1 {
			t.Fatalf("C1: round %d: SubInactive left nobody awake for %d workers, want 1", round, last.Load())
		}
	}
}

// One worker falls asleep while one poster posts. Either the worker finds the
// work, or its ticket is void, or the poster learns that somebody sleeps.
func TestStressNoMissedPost(t *testing.T) {
	c := mustNew(t, 1)
	for round := range scale(30_000) {
		c.AddInactive()
		if round%2 == 0 {
			c.Post() // so that Announce has a step to make every other time
		}
		var work atomic.Bool
		var slept, learned bool
		inStep(2, func(i int) {
			if i == 0 {
				ticket := c.Announce()
				slept = !work.Load() && c.TrySleep(ticket)
				return
			}
			work.Store(true)
			_, sleeping := c.Post()
			learned = sleeping > 0
		})
		if slept && !learned {
			t.Fatalf("C5: round %d: the worker sleeps, and the poster woke nobody: %v", round, c)
		}
		if slept {
			c.SubSleeping(1)
		}
		c.SubInactive()
	}
}

// A ticket is what Announce itself left, so it is even even if a post follows
// at once. An odd one would belong to that post, which would then be missed.
func TestStressTicketIsEven(t *testing.T) {
	c := mustNew(t, 1)
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !stop.Load() {
			c.Post()
		}
	})
	for range scale(100_000) {
		if ticket := c.Announce(); ticket%2 != 0 {
			t.Errorf("C3: Announce returned the odd ticket %d", ticket)
			break
		}
	}
	stop.Store(true)
	wg.Wait()
}

// inStep runs f(0) to f(n-1) at the same time. The wait for the others is a
// short spin, so that it does no harm on one processor.
func inStep(n int, f func(i int)) {
	var ready atomic.Int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			ready.Add(1)
			for spins := 0; int(ready.Load()) < n && spins < 1000; spins++ {
			}
			f(i)
		})
	}
	wg.Wait()
}
