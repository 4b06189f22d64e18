package pool

import (
	"container/list"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// A crowd has the workers that wait for a completion and may give up, because a context
// ends. They are taken off then, so that waits given up, however many, leave nothing
// behind.
type crowd struct {
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
	n := c.share(
		func(n *waiter) bool { return n.crowd != nil },
		func() *waiter { return &waiter{crowd: new(crowd)} })
	if n == nil {
		return nil
	}
	o := &onlooker{worker: w, crowd: n.crowd}
	n.crowd.mu.Lock()
	defer n.crowd.mu.Unlock()
	if n.crowd.over {
		return nil
	}
	o.place = n.crowd.waiting.PushBack(o)
	return o
}

// leave takes the onlooker off, if it is there. A caller that gives up asks then whether all
// is done.
//
// Pairs: complete says that all is done, then releases those that are here. So an onlooker
// that is not told is not counted.
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
