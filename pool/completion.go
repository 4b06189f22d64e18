package pool

import (
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// A completion tells any number of waiters, workers and others, that a job has
// ended. The zero completion has not.
type completion struct {
	// waiters is a Treiber stack, or completed.
	//
	// Writers: waiters, by CAS; the one who completes, by a swap.
	// Pairs:   the swap publishes how the job has ended.
	waiters prim.Pointer[waiter]
}

// A waiter waits as the worker that it names, or, if there is none, is a latch
// for all who wait from outside.
type waiter struct {
	next    *waiter
	worker  *Worker
	latch   latch.Core
	outside latch.Outside
}

var completed waiter

func (c *completion) isDone() bool { return c.waiters.Load() == &completed }

// complete releases everybody who waits, or will. It may be called once, by the
// worker that has run the job, in the last step of that, or by none.
func (c *completion) complete(by *Worker) {
	for n := c.waiters.Swap(&completed); n != nil; {
		next := n.next
		n.release(by)
		n = next
	}
}

func (n *waiter) release(by *Worker) {
	if n.worker == nil {
		n.outside.Set()
	} else if n.latch.Set() {
		n.worker.rouse(by)
	}
}

// enter makes w wait at the latch of the waiter returned, which is nil if all
// is done.
func (c *completion) enter(w *Worker) *waiter {
	n := &waiter{worker: w}
	for {
		n.next = c.waiters.Load()
		if n.next == &completed {
			return nil
		}
		if c.waiters.CompareAndSwap(n.next, n) {
			return n
		}
	}
}

// enterOutside is enter for one who is no worker. All of those share a latch,
// so that waits given up, however many, leave nothing behind.
func (c *completion) enterOutside() *waiter {
	for n := c.waiters.Load(); n != nil; n = n.next {
		if n == &completed {
			return nil
		}
		if n.worker == nil {
			return n
		}
	}
	return c.enter(nil)
}
