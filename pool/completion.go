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

// A waiter waits as the worker that it names. If there is none, it is a latch for all
// that wait from outside, or a channel for all that asked for one, or what a context would
// start, or all workers that may give up.
type waiter struct {
	next *waiter
	// others is the first waiter beneath that is not a worker's: there may be any number of those.
	others  *waiter
	worker  *Worker
	outside latch.Outside
	closed  chan struct{}
	stop    func() bool
	crowd   *crowd
	latch   latch.Core
	// present counts the waits here that were not given up, a channel as one.
	//
	// Pairs: a wait that is given up is taken off, then asks whether all is done; complete
	// says that it is, then reads the count. So a wait that is not told is not counted.
	present prim.Int32
}

var completed waiter

// closed is the channel for all that ask for one when all is done.
var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

func (c *completion) isDone() bool { return c.waiters.Load() == &completed }

// complete releases all that wait, now or later, and reports whether any did just now. It
// may be called once, by the worker that has run the job, in the last step of that, or
// by none.
func (c *completion) complete(by *Worker) (awaited bool) {
	first := c.waiters.Swap(&completed)
	for n := first; n != nil; {
		next := n.next
		awaited = n.release(by) || awaited
		n = next
	}
	return awaited
}

// release releases whoever waits here, and reports whether anybody did.
func (n *waiter) release(by *Worker) (awaited bool) {
	awaited = n.present.Load() > 0
	switch {
	case n.crowd != nil:
		return n.crowd.release(by)
	case n.closed != nil:
		close(n.closed)
	case n.stop != nil:
		n.stop()
	case n.worker == nil:
		n.outside.Set()
	case n.latch.Set():
		n.worker.rouse(by)
	}
	return awaited
}

// enter makes w wait at the latch of the waiter returned, which is nil if all
// is done.
func (c *completion) enter(w *Worker) *waiter {
	n := &waiter{worker: w}
	n.present.Store(1)
	if !c.push(n) {
		return nil
	}
	return n
}

// attach keeps what a context would start, until all is done. It may then be done
// already, by just that.
func (c *completion) attach(stop func() bool) { c.push(&waiter{stop: stop}) }

// push adds a waiter, unless all is done.
func (c *completion) push(n *waiter) bool {
	for {
		n.next = c.waiters.Load()
		if n.next == &completed {
			return false
		}
		n.others = n.next.shared()
		if c.waiters.CompareAndSwap(n.next, n) {
			return true
		}
	}
}

// enterOutside is enter for a caller that is no worker. All of those share a latch,
// so that waits given up, however many, leave nothing behind.
func (c *completion) enterOutside() *waiter {
	n := c.share(
		func(n *waiter) bool {
			return n.worker == nil && n.closed == nil && n.stop == nil && n.crowd == nil
		},
		func() *waiter { return new(waiter) })
	if n != nil {
		n.present.Add(1)
	}
	return n
}

// channel returns the one that complete closes, or has closed.
func (c *completion) channel() <-chan struct{} {
	n := c.share(
		func(n *waiter) bool { return n.closed != nil },
		func() *waiter {
			n := &waiter{closed: make(chan struct{})}
			n.present.Store(1)
			return n
		})
	if n == nil {
		return closed
	}
	return n.closed
}

// share returns a waiter of a kind of which one will do, the one that is there or a new
// one, or nil if all is done.
func (c *completion) share(is func(*waiter) bool, made func() *waiter) *waiter {
	var own *waiter
	for {
		top := c.waiters.Load()
		for n := top.shared(); n != nil; n = n.next.shared() {
			if n == &completed {
				return nil
			}
			if is(n) {
				return n
			}
		}
		if own == nil {
			own = made()
		}
		own.next, own.others = top, top.shared()
		if c.waiters.CompareAndSwap(top, own) {
			return own
		}
	}
}

// shared returns the first waiter, from n on, that is not a worker's, or nil. So a wait from outside
// does not pass by all workers that wait.
func (n *waiter) shared() *waiter {
	if n == nil || n.worker == nil {
		return n
	}
	return n.others
}
