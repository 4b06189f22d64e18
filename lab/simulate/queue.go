//go:build explore

package simulate

// Run queues, as Go's scheduler has them: one for each processor, and a global one
// for threads that gave their processor up, and for those that the system woke.

// globalFirst is every how many dispatches a processor looks into the global queue
// first, so that none starves there.
const globalFirst = 61

// global is where enqueue puts a thread that no processor made ready.
const global = -1

// enqueue makes a thread wait in the run queue of processor p, or in the global
// one.
func (e *engine) enqueue(u *thread, p int, at Time) {
	u.state, u.readied = queued, at
	e.waiting++
	if p == global {
		e.global = append(e.global, u)
		return
	}
	e.processors[p].queue = append(e.processors[p].queue, u)
}

// hasNext reports whether processor p would run another thread if the one that it
// runs gave it up at the given time, and went to the end of the global queue.
func (e *engine) hasNext(p int, at Time) bool {
	return e.waiting > 0 && len(e.processors[p].queue)+len(e.global) > 0 || e.expired(at)
}

// take returns the thread that processor p runs next, or nil: one of its own, of
// the global queue, or of another processor, which it takes half of the queue
// from.
func (e *engine) take(p int) *thread {
	if e.waiting == 0 {
		return nil
	}
	own := &e.processors[p]
	own.dispatches++
	switch {
	case len(e.global) > 0 && (len(own.queue) == 0 || own.dispatches%globalFirst == 0):
		return e.shift(&e.global)
	case len(own.queue) == 0:
		own.queue = e.half(e.longest())
	}
	return e.shift(&own.queue)
}

func (e *engine) shift(queue *[]*thread) *thread {
	u := (*queue)[0]
	*queue = (*queue)[1:]
	e.waiting--
	return u
}

// longest returns the processor whose first thread has waited longest. There is
// one.
func (e *engine) longest() *processor {
	var found *processor
	for i := range e.processors {
		p := &e.processors[i]
		if len(p.queue) > 0 && (found == nil || p.queue[0].readied < found.queue[0].readied) {
			found = p
		}
	}
	return found
}

// half takes the first half of a queue, rounded up.
func (e *engine) half(p *processor) []*thread {
	n := (len(p.queue) + 1) / 2
	taken := append([]*thread(nil), p.queue[:n]...)
	p.queue = p.queue[n:]
	return taken
}

// wanted returns the processor that the thread had which take would return first,
// or -1 if there is none.
func (e *engine) wanted() int {
	switch {
	case e.waiting == 0:
		return -1
	case len(e.global) > 0:
		return e.global[0].processor
	}
	return e.longest().queue[0].processor
}
