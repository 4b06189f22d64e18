package pool

import (
	"container/list"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// A completion tells any number of waiters that a job has ended. The zero completion has not.
type completion struct {
	// waiters is a Treiber stack, or completed.
	//
	// Writers: waiters, by CAS; complete, by a swap.
	// Pairs:   the swap publishes how the job has ended.
	waiters prim.Pointer[waiter]
}

// A waiter is the part of an entry that does not depend on the kind of the wait.
type waiter struct {
	kind waiterKind // the waiter itself
	next *waiter
	// others is the first waiter beneath that is not a worker's: many workers' may lie above.
	others *waiter
}

// A waiterKind says what waits: a worker, all callers from outside, all that have asked for
// a channel, functions that a context would start, or all workers that may give up.
type waiterKind interface {
	header() *waiter
	// release releases all that wait here, and reports whether there were any. by is
	// as for rouse.
	release(by *Worker) (awaited bool)
}

func (n *waiter) header() *waiter { return n }

var completed waiter

func (c *completion) isDone() bool { return c.waiters.Load() == &completed }

// complete releases all that wait, now or later, and reports whether any did now. The job's worker
// calls it once, in the last step of the job. If the job was taken back, no worker does.
func (c *completion) complete(by *Worker) (awaited bool) {
	for n := c.waiters.Swap(&completed); n != nil; {
		next := n.next
		awaited = n.kind.release(by) || awaited
		n = next
	}
	return awaited
}

// push adds a waiter, unless all is done.
func (c *completion) push(kind waiterKind) bool {
	for {
		top := c.waiters.Load()
		if top == &completed {
			return false
		}
		if c.put(kind, top) {
			return true
		}
	}
}

// put puts a waiter on top, unless top is no longer the top one.
func (c *completion) put(kind waiterKind, top *waiter) bool {
	n := kind.header()
	n.kind, n.next, n.others = kind, top, top.shared()
	return c.waiters.CompareAndSwap(top, n)
}

// shared returns the first waiter, from n on, that is not a worker's, or nil. So a wait from
// outside does not pass by all workers that wait.
func (n *waiter) shared() *waiter {
	if n != nil {
		if _, ok := n.kind.(*workerWaiter); ok {
			return n.others
		}
	}
	return n
}

// share returns a waiter that others can share: the one of that kind that is there, or a new
// one, or nil if all is done. So waits that are given up, however many, leave nothing behind.
func share[K any, P interface {
	*K
	waiterKind
}](c *completion, made func() P) P {
	var own P
	for {
		top := c.waiters.Load()
		for n := top.shared(); n != nil; n = n.next.shared() {
			if n == &completed {
				return nil
			}
			if there, ok := n.kind.(P); ok {
				return there
			}
		}
		if own == nil {
			own = made()
		}
		if c.put(own, top) {
			return own
		}
	}
}

// A workerWaiter is a worker that waits for the end.
type workerWaiter struct {
	waiter
	worker *Worker
	latch  latch.Core
}

// enter makes w wait at the latch of the waiter returned, which is nil if all
// is done.
func (c *completion) enter(w *Worker) *workerWaiter {
	n := &workerWaiter{worker: w}
	if !c.push(n) {
		return nil
	}
	return n
}

func (n *workerWaiter) release(by *Worker) bool {
	if n.latch.Set() {
		n.worker.rouse(by)
	}
	return true
}

// An outsideWaiter has all that wait from outside: they share a latch.
type outsideWaiter struct {
	waiter
	latch latch.Outside
	// present counts the waits here that were not given up.
	//
	// Pairs: a wait that is given up is taken off, then asks whether all is done; complete
	// says that it is, then reads the count. So a wait that is not told is not counted.
	present prim.Int32
}

// enterOutside is enter for a caller that is no worker.
func (c *completion) enterOutside() *outsideWaiter {
	n := share(c, func() *outsideWaiter { return new(outsideWaiter) })
	if n != nil {
		n.present.Add(1)
	}
	return n
}

func (n *outsideWaiter) release(*Worker) (awaited bool) {
	awaited = n.present.Load() > 0
	n.latch.Set()
	return awaited
}

// A channelWaiter has the channel for all that ask for one.
type channelWaiter struct {
	waiter
	end chan struct{}
}

// channel returns the one that complete closes, or has closed.
func (c *completion) channel() <-chan struct{} {
	n := share(c, func() *channelWaiter { return &channelWaiter{end: make(chan struct{})} })
	if n == nil {
		return closed
	}
	return n.end
}

// closed is the channel for all that ask for one when all is done.
var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

func (n *channelWaiter) release(*Worker) bool {
	close(n.end)
	return true
}

// A contextWaiter stops what a context would start.
type contextWaiter struct {
	waiter
	stop func() bool
}

// attach keeps, until all is done, a function that stops what a context would start. That may
// have started already, and be why all is done.
func (c *completion) attach(stop func() bool) { c.push(&contextWaiter{stop: stop}) }

func (n *contextWaiter) release(*Worker) bool {
	n.stop()
	return false
}

// A crowd has the workers that wait for a completion and may give up, because a context ends. They
// are taken off then.
type crowd struct {
	waiter
	mu      prim.Mutex
	over    bool      // guarded by mu; all are released
	waiting list.List // of *onlooker; guarded by mu, and does not change once it is over
}

// An onlooker is a worker that waits in a crowd.
type onlooker struct {
	worker *Worker
	latch  latch.Core
	crowd  *crowd
	place  *list.Element
}

// enterCrowd makes w wait at the latch of the onlooker returned, which is nil if all is
// done. The caller calls leave when it waits no more.
func (c *completion) enterCrowd(w *Worker) *onlooker {
	n := share(c, func() *crowd { return new(crowd) })
	if n == nil {
		return nil
	}
	o := &onlooker{worker: w, crowd: n}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.over {
		return nil
	}
	o.place = n.waiting.PushBack(o)
	return o
}

// leave takes the onlooker off. A caller that gives up then asks whether all is done.
//
// Pairs: complete says that all is done, then releases the crowd. So an onlooker that is not told
// is not counted.
func (o *onlooker) leave() {
	c := o.crowd
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over {
		c.waiting.Remove(o.place)
	}
}

func (o *onlooker) release(by *Worker) {
	if o.latch.Set() {
		o.worker.rouse(by)
	}
}

// release releases all, for complete, and reports whether there were any.
func (c *crowd) release(by *Worker) (awaited bool) {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	for e := c.waiting.Front(); e != nil; e = e.Next() {
		e.Value.(*onlooker).release(by)
		awaited = true
	}
	return awaited
}
