//go:build explore

package simulate

import "math/bits"

// A processor runs one thread, or is idle.
type processor struct {
	// free is when its last thread left it.
	free Time
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
// one that it had, or the first. Otherwise the thread joins the queue, at the time
// queued.
func (e *engine) place(t *thread, queuedAt, start Time) {
	p := e.idle.least()
	if p < 0 {
		t.state, t.readied = queued, queuedAt
		e.queue = append(e.queue, t)
		return
	}
	if e.idle.has(t.processor) {
		p = t.processor
	}
	e.idle.remove(p)
	e.occupy(t, p, start, 0)
}

// occupy makes t the thread of processor p from start on. The first thing that the
// processor does for it takes the time first.
func (e *engine) occupy(t *thread, p int, start, first Time) {
	t.state, t.processor, t.held = running, p, nil
	t.clock = e.processors[p].free
	t.log = t.log[:0]
	e.charge(t, idling, start-t.clock)
	t.since = start
	e.charge(t, waking, first)
	e.runnable.push(t)
}

// vacate gives the processor of t, at its clock, to the thread that waits longest
// in the queue. The caller has changed the state of t.
func (e *engine) vacate(t *thread) {
	p := t.processor
	e.processors[p].free = t.clock
	if len(e.queue) == 0 {
		e.idle.add(p)
		return
	}
	u := e.queue[0]
	e.queue = e.queue[1:]
	start := max(t.clock, u.readied)
	e.book.Queued += start - u.readied
	e.occupy(u, p, start, e.cost.dispatch)
}

// giveTurn lets the thread that waits longest in the queue have the processor of
// the current thread, which goes to the end.
func (e *engine) giveTurn(t *thread) {
	t.state, t.readied = queued, t.clock
	e.queue = append(e.queue, t)
	e.vacate(t)
	t.pause()
	e.sync()
}
