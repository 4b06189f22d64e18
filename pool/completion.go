package pool

import (
	"container/list"

	"github.com/rouse-go/rouse/api/prim"
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
	mu   prim.Mutex
	over bool // guarded by mu; all are released, and what follows does not change any more
	// all has a func(by *Worker) for each of them, which releases it. Guarded by mu.
	all list.List
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
	w := c.waiters.Swap(&completed)
	if w == nil {
		return false
	}
	w.mu.Lock()
	w.over = true
	w.mu.Unlock()
	if w.stop != nil {
		w.stop() // it may have started already, and be why all is done
	}
	for e := w.all.Front(); e != nil; e = e.Next() {
		e.Value.(func(*Worker))(by)
	}
	return w.all.Len() > 0
}

// change calls f, which may add a waiter, unless all is done. It reports whether it did.
func (c *completion) change(f func(w *waiters)) bool {
	w := c.waiters.Load()
	if w == nil {
		made := new(waiters)
		prim.Declare(made)
		c.waiters.CompareAndSwap(nil, made)
		w = c.waiters.Load()
	}
	if w == &completed {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return false
	}
	f(w)
	return true
}

// add has release called in the end, unless remove is called before. remove is nil if all is done.
//
// Pairs: a wait that is given up is removed, then asks whether all is done; complete says that it is, then
// releases those that are there. So a waiter that is not told is not counted.
func (c *completion) add(release func(by *Worker)) (remove func()) {
	c.change(func(w *waiters) {
		place := w.all.PushBack(release)
		remove = func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			if !w.over {
				w.all.Remove(place)
			}
		}
	})
	return remove
}

// channel returns the one that complete closes, or has closed.
func (c *completion) channel() (end <-chan struct{}) {
	ok := c.change(func(w *waiters) {
		if w.end == nil {
			made := make(chan struct{})
			w.end = made
			w.all.PushBack(func(*Worker) { close(made) })
		}
		end = w.end
	})
	if !ok {
		return closed
	}
	return end
}

// closed is the channel for all that ask for one when all is done.
var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// stopAfter calls stop, which stops what a context would start, when all is done.
func (c *completion) stopAfter(stop func() bool) {
	if !c.change(func(w *waiters) { w.stop = stop }) {
		stop()
	}
}
