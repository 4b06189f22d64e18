//go:build explore

package simulate

import "math"

// Go's scheduler, as far as it takes time: its one lock, and the threads that it
// wakes one by one.

// takeLock takes and gives up the lock of Go's scheduler. The thread is in sync.
func (e *engine) takeLock(t *thread, k kind) {
	l, p := &e.lock, t.processor
	if l.owner == noThread {
		l.owner = p
	}
	start := max(t.clock, l.busy)
	l.busy = start + e.distance(l.owner, p) + e.cost.schedulerLock
	l.owner = p
	e.charge(t, k, l.busy-t.clock)
}

// block blocks the thread until it is released, which may be before it has got so
// far. It has been put where the one that releases it looks.
func (e *engine) block(t *thread, cost Time, where string) {
	e.leave(t, cost)
	if t.released {
		return
	}
	e.Parks++
	t.state, t.blockedIn = blocked, where
	e.vacate(t)
	t.pause()
	e.sync()
}

// leave is what a thread does before it gives up its processor.
func (e *engine) leave(t *thread, cost Time) {
	e.charge(t, waking, cost)
	e.sync()
	if e.waiting == 0 && !e.expired(t.clock) {
		e.takeLock(t, waking) // to become an idle processor
		e.sync()
	}
}

// ready releases a goroutine. The thread is in sync.
func (e *engine) ready(t, u *thread) {
	e.Wakes++
	e.charge(t, waking, e.cost.ready)
	e.sync()
	u.released = true
	if u.state == blocked {
		e.dispatch(t, u)
	}
}

// dispatch makes a goroutine wait in the run queue of the caller's processor. From
// there the first that comes takes it: the thread that is woken for it, or a
// processor that becomes free.
func (e *engine) dispatch(t, u *thread) {
	e.enqueue(u, t.processor, t.clock)
	e.wakeThread(t)
}

// wakeThread wakes the thread of an idle processor if goroutines wait, and none is
// on its way: there is one at a time.
func (e *engine) wakeThread(t *thread) {
	if e.waiting == 0 || e.idle.empty() || e.started != never {
		return
	}
	e.takeLock(t, waking)
	e.charge(t, waking, e.cost.startThread)
	e.follow(t.clock)
}

// follow has a thread on its way from the given time on, if none is.
func (e *engine) follow(at Time) {
	if e.started == never {
		e.started = at + e.cost.threadLatency
		e.foresee()
	}
}

// arrive is called when a thread that was woken is up. It takes a goroutine, and before it runs
// that, it wakes the next thread. If there is no goroutine any more, or all processors run
// others, it sleeps again.
func (e *engine) arrive(at Time) {
	if e.idle.empty() {
		return
	}
	p := e.idle.least()
	if q := e.wanted(); q >= 0 && e.idle.has(q) {
		p = q
	}
	expired := e.expire(p, at)
	u := e.take(p)
	if u == nil {
		return
	}
	e.occupy(u, p, at)
	e.charge(u, waking, e.ending(expired))
	e.wakeThread(u)
	e.runnable.push(u)
}

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

// Events that no thread causes at their time: a thread of the system that was woken for
// goroutines is up, or a sleep is over.

// never is the time of what is not expected.
const never = Time(math.MaxInt64)

// sleep is [Sleep].
func (e *engine) sleep(d Time) {
	t := e.sync()
	e.observe(t, -2, nil)
	e.begins(t)
	until := t.clock + max(d, 0)
	e.leave(t, e.cost.sleep/2+e.cost.park)
	e.Parks++
	t.state = asleep
	e.vacate(t)
	t.clock = until
	e.timers.push(t)
	e.foresee()
	t.pause()
	e.sync()
}

// foresee notes the time of the next event.
func (e *engine) foresee() {
	e.event = min(e.started, e.polled)
	if e.polled == never && len(e.timers) > 0 {
		e.event = min(e.event, max(e.reached, e.timers[0].clock+e.cost.timer))
	}
}

// happen handles the next event.
func (e *engine) happen() {
	at := e.event
	e.reached = at
	switch {
	case e.started == at:
		e.started = never
		e.arrive(at)
	case e.polled == at:
		e.polled = never
		e.arrive(at)
	case e.idle.empty():
		e.expire(global, at)
	default: // the idle processor's thread waits for that time, and wakes
		e.polled = at + e.cost.threadLatency
	}
	e.foresee()
}

// ending is what it takes to end n sleeps, for the processor that has noticed.
func (e *engine) ending(n Time) Time { return n * (e.cost.sleep/2 + e.cost.ready) }

// expired reports whether a sleep is over.
func (e *engine) expired(at Time) bool { return len(e.timers) > 0 && e.timers[0].clock <= at }

// expire ends the sleeps that are over. The threads wait in the run queue of p, or
// in the global one. It returns how many there are.
func (e *engine) expire(p int, at Time) (n Time) {
	for ; e.expired(at); n++ {
		e.Wakes++
		e.enqueue(e.timers.pop(), p, at)
	}
	if n > 0 {
		e.foresee()
	}
	return n
}
