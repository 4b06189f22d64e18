package pool_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// These tests are about bubbles of testing/synctest, whose clock moves when all of their
// goroutines are blocked. They end in a fatal error if something that belongs to one
// bubble is used in another.

func inBubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	during(t, "P1", "jobs in a synctest bubble end", func() { synctest.Test(t, f) })
}

// allKinds uses the pool in all ways in which a job or a caller waits.
func allKinds(t *testing.T, p *pool.Pool) {
	t.Helper()
	if got := mustRun(t, p, fib, 15); got != 610 {
		t.Errorf("P1: fib(15) is %d, want 610", got)
	}
	nap := func(w *pool.Worker, n int) int { time.Sleep(time.Millisecond); return n }
	job := func(w *pool.Worker) int {
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			for range 4 {
				s.Spawn(w, func(w *pool.Worker) {
					nap(w, 0)
					w.Block(func() { nap(nil, 0) })
				})
			}
		})
		f := pool.Fork(w, nap, 1)
		nap(w, 0)
		h, err := pool.Submit(p, func(w *pool.Worker) int { return nap(w, 2) })
		if err != nil {
			t.Errorf("P1: Submit in a job: %v", err)
			return 0
		}
		n, err := h.Join(w)
		if err != nil {
			t.Errorf("P1: Join of a handle: %v", err)
		}
		return n + f.Join(w)
	}
	for range 5 {
		var all []*pool.Handle[int]
		for range 4 {
			h, err := pool.Submit(p, job)
			if err != nil {
				t.Fatalf("P1: Submit: %v", err)
			}
			all = append(all, h)
		}
		for _, h := range all {
			if n, err := h.Wait(background); n != 3 || err != nil {
				t.Errorf("P1: a job gave %d, %v, want 3", n, err)
			}
		}
	}
}

// If this fails, you cannot test code that uses a pool by the clock of a bubble.
func TestPoolMadeInBubble(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p, err := pool.New(pool.WithWorkers(2))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		defer p.Close()
		allKinds(t, p)
		start := time.Now()
		mustRun(t, p, func(w *pool.Worker, d time.Duration) int { time.Sleep(d); return 0 }, time.Hour)
		if took := time.Since(start); took != time.Hour {
			t.Errorf("P1: a job that sleeps for an hour of the bubble's time took %v of it", took)
		}
	})
}

// If this fails, you cannot test code that uses the default pool by the clock of a
// bubble, with a pool of the bubble's own in its place.
func TestDefaultSetInBubble(t *testing.T) {
	builtIn := pool.Default()
	inBubble(t, func(t *testing.T) {
		p, err := pool.New(pool.WithWorkers(2))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		defer p.Close()
		defer pool.SetDefault(pool.SetDefault(p))
		if pool.Default() != p {
			t.Error("P28: Default: it does not return the pool that was set in the bubble")
		}
		allKinds(t, pool.Default())
	})
	if pool.Default() != builtIn {
		t.Error("P28: Default: it does not return the built-in pool, which was put back in the bubble")
	}
}

// If this fails, the built-in pool cannot be used in a bubble, in several one after the
// other, or outside after one, although it is at rest between.
func TestBuiltInPoolInBubbles(t *testing.T) {
	for _, first := range []string{"outside", "inside"} {
		t.Run(first, func(t *testing.T) {
			defer pool.ForgetBuiltIn()()
			if first == "outside" {
				allKinds(t, pool.Default())
				untilAtRest(t)
			}
			for range 2 {
				inBubble(t, func(t *testing.T) { allKinds(t, pool.Default()) })
			}
			allKinds(t, pool.Default())
			untilAtRest(t)
			inBubble(t, func(t *testing.T) { allKinds(t, pool.Default()) })
		})
	}
}

// untilAtRest waits until no pool without an own goroutine has one.
func untilAtRest(t *testing.T) {
	t.Helper()
	during(t, "P22", "the goroutines of the default pool end", func() {
		for strings.Contains(allStacks(), "pool.(*seat).main") {
			time.Sleep(time.Millisecond)
		}
	})
}
