//go:build explore

package simulate

// Go's scheduler, as far as it takes time: its one lock, and the threads that it
// wakes one by one.

// takeLock takes and gives up the lock of Go's scheduler. The thread is in sync.
func (e *engine) takeLock(t *thread, k kind) {
	l, p := &e.lock, t.processor
	if l.owner == nobody {
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
