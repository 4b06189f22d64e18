//go:build explore

package simulate

// Go's scheduler, as far as it takes time: its one lock, the threads that it wakes
// one by one, and the queue for processors.

// takeLock takes and gives up the lock of Go's scheduler. The thread is in sync.
func (e *engine) takeLock(t *thread, k kind) {
	l, p := &e.lock, t.processor
	if l.owner == nobody {
		l.owner = p
	}
	start := max(t.clock, l.busy)
	e.SchedulerLock += start - t.clock
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
	if len(e.queue) == 0 {
		e.takeLock(t, waking) // to become an idle processor
		e.sync()
	}
}

// sleep is [Sleep].
func (e *engine) sleep(d Time) {
	t := e.sync()
	e.Ops++
	e.observe(t, -2, nil)
	e.begins(t)
	until := t.clock + max(d, 0)
	e.leave(t, e.cost.park)
	e.Parks++
	t.state = asleep
	e.vacate(t)
	t.clock = max(t.clock, until+e.cost.timer)
	e.runnable.push(t)
	t.pause()
	e.sync()
}

// rouse ends the sleep of a thread, at its clock. If a processor is idle, its
// thread waits for that time, and wakes by itself.
func (e *engine) rouse(t *thread) {
	e.Wakes++
	if !e.idle.empty() {
		e.follow(t.clock)
	}
	e.place(t, t.clock, e.started)
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

// dispatch finds a processor for a goroutine that is ready. If one is idle, its
// thread must be woken. There is one thread at a time that is on its way: the
// first one is woken by the caller, every other one by the one before.
func (e *engine) dispatch(t, u *thread) {
	if e.idle.empty() {
		e.place(u, t.clock, 0)
		return
	}
	if e.started <= t.clock {
		e.takeLock(t, waking)
		e.charge(t, waking, e.cost.startThread)
	}
	e.follow(t.clock)
	e.place(u, t.clock, e.started)
}

// follow sends a thread on its way to an idle processor at the given time, or
// behind the one that is on its way.
func (e *engine) follow(at Time) {
	if e.started <= at {
		e.started = at + e.cost.threadLatency
	} else {
		e.started += e.cost.schedulerLock + e.cost.startThread + e.cost.threadLatency
	}
}
