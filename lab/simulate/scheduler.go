//go:build explore

package simulate

import (
	"container/heap"
	"math/bits"
	"slices"
)

// Go's scheduler, as far as it takes time: run queues, its one lock, and the threads of
// the system that it wakes one by one.
//
// A goroutine that is made ready waits in the run queue of its waker's processor. From
// there the first that looks for one takes it: that processor, if its goroutine parks
// or yields; any processor that becomes free; or the thread that is woken for it. One
// such thread is on its way at a time, and wakes the next one before it runs its
// goroutine, while others wait. That is why 64 workers that sleep by goroutines wake one
// after the other.
//
// The queue of a processor and the global one are first in, first out, as one. Go looks
// into the global queue less often; that no thread starves there is all that matters.
type scheduler struct {
	// idle are the processors without a thread. free is when each of them lost its
	// last one.
	idle set
	free [MaxProcessors]Time
	// queue has all goroutines that wait for a processor, in order.
	queue []*thread
	lock  line
	// arrival is when the thread of the system that was woken for a goroutine is up.
	arrival Time
}

// global is the home of a goroutine that no processor made ready.
const global = -1

// enqueue makes a thread wait in the run queue of a processor, or in the global one.
func (s *scheduler) enqueue(u *thread, home int) {
	u.state, u.home = queued, home
	s.queue = append(s.queue, u)
}

// nextFor returns where the thread is in the queue that processor p runs next: one of its
// own or of the global queue, or else any if it takes from others, too. It returns -1 if
// there is none.
func (s *scheduler) nextFor(p int, others bool) int {
	i := slices.IndexFunc(s.queue, func(u *thread) bool { return u.home == p || u.home == global })
	if i < 0 && others && len(s.queue) > 0 {
		i = 0
	}
	return i
}

func (s *scheduler) take(i int) *thread {
	u := s.queue[i]
	s.queue = slices.Delete(s.queue, i, i+1)
	return u
}

// occupy makes u the thread of processor p from start on. The caller then charges what
// the processor does for it first, before u joins those that can run.
func (e *engine) occupy(u *thread, p int, start Time) {
	e.idle &^= only(p)
	u.state, u.processor, u.held = active, p, nil
	u.clock, u.booked = e.free[p], e.free[p]
	e.charge(u, idling, start-u.clock)
}

// turn lets u have the processor of t, at its clock. The caller has changed the state
// of t.
func (e *engine) turn(t, u *thread) {
	e.free[t.processor] = t.clock
	e.occupy(u, t.processor, t.clock)
	e.charge(u, idling, e.costs[switching])
	heap.Push(&e.runnable, u)
}

// vacate gives up the processor of t, at its clock. The caller has changed the state of
// t.
func (e *engine) vacate(t *thread) {
	if i := e.nextFor(t.processor, true); i >= 0 {
		e.turn(t, e.take(i))
		return
	}
	e.free[t.processor] = t.clock
	e.idle |= only(t.processor)
}

// block blocks the thread until it is released, which may be before it has got so far.
// The caller has put it where the one that releases it looks.
func (e *engine) block(t *thread, cost Time, where string) {
	e.charge(t, idling, cost)
	e.sync()
	if len(e.queue) == 0 {
		e.takeLock(t) // to become an idle processor
		e.sync()
	}
	if t.released {
		return
	}
	t.state, t.blockedIn = blocked, where
	e.vacate(t)
	t.pause()
	e.sync()
}

// ready releases a goroutine. The thread is in sync.
func (e *engine) ready(t, u *thread) {
	e.charge(t, idling, e.costs[ready])
	e.sync()
	u.released = true
	if u.state == blocked {
		e.dispatch(t, u)
	}
}

// dispatch makes a goroutine wait in the run queue of the caller's processor.
func (e *engine) dispatch(t, u *thread) {
	e.enqueue(u, t.processor)
	e.wakeThread(t)
}

// wakeThread wakes the thread of an idle processor if goroutines wait, and none is on
// its way.
func (e *engine) wakeThread(t *thread) {
	if len(e.queue) == 0 || e.idle == 0 || e.arrival != never {
		return
	}
	e.takeLock(t)
	e.charge(t, idling, e.costs[startThread])
	e.arrival = t.clock + e.costs[threadLatency]
}

// arrive is called when a thread that was woken is up. It takes a goroutine, and wakes
// the next thread. If no goroutine waits any more, or all processors run others, it
// sleeps again.
func (e *engine) arrive() {
	at := e.arrival
	e.arrival = never
	if e.idle == 0 || len(e.queue) == 0 {
		return
	}
	p := e.idle.least()
	u := e.take(e.nextFor(p, true))
	e.occupy(u, p, at)
	e.wakeThread(u)
	heap.Push(&e.runnable, u)
}

// wakeDirectly gives the thread an idle processor after the latency of a futex: the one
// that it had, or the first. Otherwise the thread joins the global queue.
func (e *engine) wakeDirectly(u *thread, at Time) {
	if e.idle == 0 {
		e.enqueue(u, global)
		return
	}
	p := u.processor
	if e.idle&only(p) == 0 {
		p = e.idle.least()
	}
	e.occupy(u, p, at+e.costs[futexLatency])
	heap.Push(&e.runnable, u)
}

// giveTurn lets those go first that wait in the queue of the processor, or in the
// global one, and sends the thread to the end of the global one.
func (e *engine) giveTurn(t *thread) {
	e.charge(t, idling, e.costs[yield])
	e.sync()
	e.takeLock(t)
	e.sync()
	if i := e.nextFor(t.processor, false); i >= 0 {
		u := e.take(i)
		e.enqueue(t, global)
		e.turn(t, u)
		t.pause()
		e.sync()
	}
}

// takeLock takes and gives up the lock of the scheduler. The thread is in sync.
func (e *engine) takeLock(t *thread) {
	l, p := &e.lock, t.processor
	start := max(t.clock, l.busy)
	if l.sharers|only(p) != only(p) {
		start += e.distance(p, l.sharers)
	}
	l.busy, l.sharers = start+e.costs[schedulerLock], only(p)
	e.charge(t, idling, l.busy-t.clock)
}

// A set is one of processors.
type set uint64

func only(p int) set     { return 1 << p }
func (s set) least() int { return bits.TrailingZeros64(uint64(s)) }
