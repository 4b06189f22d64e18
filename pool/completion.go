package pool

import (
	"container/list"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// A completion tells any number of waiters that a job has ended. The zero completion has not.
//
// Most jobs have one waiter, or none: so there is nothing but a pointer until somebody waits. All
// that wait then share the waiters behind it, and a wait that is given up is taken off. So waits
// that are given up, however many, leave nothing behind.
type completion struct {
	// waiters is nil before anybody waits, and completed in the end.
	//
	// Writers: the first that waits, by CAS; complete, by a swap.
	// Pairs:   the swap publishes how the job has ended.
	waiters prim.Pointer[waiters]
}

// waiters are all that wait for a job.
type waiters struct {
	// outside is the latch of goroutines that are no workers; present counts those of them that have
	// not given up.
	//
	// Pairs: a wait that is given up is taken off, then asks whether all is done; complete
	// says that it is, then reads the count. So a wait that is not told is not counted.
	outside latch.Outside
	present prim.Int32

	mu   prim.Mutex
	over bool // guarded by mu; all are released, and what follows does not change any more
	// workers has a *workerWaiter for each worker, guarded by mu.
	workers list.List
	// end is the channel for all that have asked for one, or nil, guarded by mu.
	end chan struct{}
	// stop stops what a context would start, or is nil, guarded by mu.
	stop func() bool
}

var completed waiters

func (c *completion) isDone() bool { return c.waiters.Load() == &completed }

// complete releases all that wait, now or later, and reports whether any did now. The job's worker
// calls it once, in the last step of the job. If the job was taken back, no worker does. by is as
// for rouse.
func (c *completion) complete(by *Worker) (awaited bool) {
	all := c.waiters.Swap(&completed)
	if all == nil {
		return false
	}
	all.mu.Lock()
	all.over = true
	all.mu.Unlock()
	if all.stop != nil {
		all.stop() // it may have started already, and be why all is done
	}
	awaited = all.present.Load() > 0 || all.workers.Len() > 0 || all.end != nil
	all.outside.Set()
	if all.end != nil {
		close(all.end)
	}
	for e := all.workers.Front(); e != nil; e = e.Next() {
		e.Value.(*workerWaiter).release(by)
	}
	return awaited
}

// await returns what all that wait share, or nil if all is done.
func (c *completion) await() *waiters {
	all := c.waiters.Load()
	if all == nil {
		made := new(waiters)
		prim.Declare(made)
		c.waiters.CompareAndSwap(nil, made)
		all = c.waiters.Load()
	}
	if all == &completed {
		return nil
	}
	return all
}

// add calls f, which adds a waiter, unless all is done. It reports whether it did.
func (c *completion) add(f func(all *waiters)) bool {
	all := c.await()
	if all == nil {
		return false
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.over {
		return false
	}
	f(all)
	return true
}

// A workerWaiter is a worker that waits for the end, or until it is released otherwise.
type workerWaiter struct {
	worker *Worker
	latch  latch.Core
	among  *waiters
	place  *list.Element
}

// enter makes w wait at the latch of the waiter returned, which is nil if all is done.
func (c *completion) enter(w *Worker) *workerWaiter {
	n := &workerWaiter{worker: w}
	if !c.add(func(all *waiters) { n.among, n.place = all, all.workers.PushBack(n) }) {
		return nil
	}
	return n
}

func (n *workerWaiter) release(by *Worker) {
	if n.latch.Set() {
		n.worker.rouse(by)
	}
}

// leave takes the waiter off. A caller that gives up then asks whether all is done.
//
// Pairs: complete says that all is done, then has the workers that are there. So a worker that is not
// told is not counted.
func (n *workerWaiter) leave() {
	all := n.among
	all.mu.Lock()
	defer all.mu.Unlock()
	if !all.over {
		all.workers.Remove(n.place)
	}
}

// enterOutside is enter for a caller that is no worker, and waits at the latch of what is returned.
func (c *completion) enterOutside() *waiters {
	all := c.await()
	if all != nil {
		all.present.Add(1)
	}
	return all
}

// channel returns the one that complete closes, or has closed.
func (c *completion) channel() (end <-chan struct{}) {
	ok := c.add(func(all *waiters) {
		if all.end == nil {
			all.end = make(chan struct{})
		}
		end = all.end
	})
	if !ok {
		return closed
	}
	return end
}

// closed is the channel for all that ask for one when all is done.
var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// stopAfter keeps, until all is done, a function that stops what a context would start.
func (c *completion) stopAfter(stop func() bool) {
	c.add(func(all *waiters) { all.stop = stop })
}
