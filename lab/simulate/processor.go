//go:build explore

package simulate

import "math/bits"

// A processor runs one thread, or is idle.
type processor struct {
	// free is when its last thread left it.
	free Time
	// queue has the threads that were made ready here, in order.
	queue      []*thread
	dispatches int
	// cluster and socket are the processors that are near.
	cluster, socket set
}

// A set is one of processors.
type set [MaxProcessors / 64]uint64

func (s *set) add(p int)      { s[p>>6] |= 1 << (p & 63) }
func (s *set) remove(p int)   { s[p>>6] &^= 1 << (p & 63) }
func (s *set) has(p int) bool { return s[p>>6]>>(p&63)&1 != 0 }
func (s *set) empty() bool    { return *s == set{} }

// least returns the lowest number in the set, or -1.
func (s *set) least() int {
	for i, w := range s {
		if w != 0 {
			return i<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// topology makes the processors, all of them idle.
func (e *engine) topology() {
	m := e.machine
	e.processors = make([]processor, m.Processors)
	for i := range e.processors {
		e.idle.add(i)
		for j := range e.processors {
			if i/m.cluster == j/m.cluster {
				e.processors[i].cluster.add(j)
			}
			if i/m.socket == j/m.socket {
				e.processors[i].socket.add(j)
			}
		}
	}
}

// place gives the thread an idle processor from start on, if there is one: the
// one that it had, or the first. Otherwise the thread joins the global queue, at
// the time at.
func (e *engine) place(t *thread, at, start Time) {
	if e.idle.empty() {
		e.enqueue(t, global, at)
		return
	}
	e.occupy(t, e.idleFor(t), start)
	e.runnable.push(t)
}

// idleFor returns an idle processor for a thread: the one that it had, or the
// first. There is one.
func (e *engine) idleFor(t *thread) int {
	if e.idle.has(t.processor) {
		return t.processor
	}
	return e.idle.least()
}

// occupy makes t the thread of processor p from start on. The caller then charges what the
// processor does for it first, before t joins those that can run.
func (e *engine) occupy(t *thread, p int, start Time) {
	e.idle.remove(p)
	t.state, t.processor, t.held = running, p, nil
	t.clock = e.processors[p].free
	t.log = t.log[:0]
	e.charge(t, idling, start-t.clock)
	t.since = start
}

// vacate gives the processor of t, at its clock, to a thread that waits for one.
// The caller has changed the state of t.
func (e *engine) vacate(t *thread) {
	p, at := t.processor, t.clock
	e.processors[p].free = at
	expired := e.expire(p, at)
	if u := e.take(p); u != nil {
		e.turnTo(u, p, at, expired)
		return
	}
	e.idle.add(p)
}

// giveTurn lets the next thread have the processor of the current one, which goes
// to the end of the global queue. There is a next one: see hasNext.
func (e *engine) giveTurn(t *thread) {
	p, at := t.processor, t.clock
	e.processors[p].free = at
	expired := e.expire(p, at)
	u := e.take(p)
	e.enqueue(t, global, at)
	e.turnTo(u, p, at, expired)
	t.pause()
	e.sync()
}

// turnTo makes u the next thread of a processor that another one has just left,
// and has ended so many sleeps.
func (e *engine) turnTo(u *thread, p int, at, expired Time) {
	start := max(at, u.readied)
	e.occupy(u, p, start)
	e.charge(u, waking, e.cost.dispatch+e.ending(expired))
	if expired > 0 {
		e.wakeThread(u)
	}
	e.runnable.push(u)
}
