//go:build explore

package simulate

// A line is the state of a cache line. A processor has it or not; one that writes is
// the only one that has it.
//
// An access takes effect when the line has come, not when it was requested: otherwise a
// compare-and-swap would fail by a rival that has not got the line yet.
type line struct {
	// sharers are the processors that have it: none before its first use.
	sharers set
	// busy is when the next request is served: one by one, in their order.
	busy Time
}

// An access is what is done to a line.
type access int

const (
	read   access = iota
	modify        // an atomic write or a read-modify-write
	write         // a plain one, into the store buffer
)

// neighbours is the set of processors that share a cache with p, and p.
func (e *engine) neighbours(p int) set {
	first := p / e.cluster * e.cluster
	return (only(e.cluster) - 1) << first
}

// distance is how long a line takes to p from the farthest of some processors.
func (e *engine) distance(p int, from set) Time {
	if from&^e.neighbours(p) == 0 {
		return e.costs[near]
	}
	return e.costs[far]
}

// own is what an access takes when the line is here.
func (e *engine) own(a access) Time {
	return [...]Time{read: e.costs[load], modify: e.costs[atomicOp], write: 0}[a]
}

// here reports whether the thread can access the line without a request.
func (t *thread) here(l *line, a access) bool {
	p := only(t.processor)
	if l.sharers == 0 { // as if the thread had allocated it
		l.sharers = p
	}
	switch {
	case t.held == l && t.clock <= t.heldUntil:
		return true // it stays as long, no matter which threads ask for it meanwhile
	case a == read:
		return l.sharers&p != 0
	}
	return l.sharers == p
}

// access is one by the current thread, which is in sync. It returns when the access
// takes effect: at once if the line is here, else when it has come.
func (e *engine) access(t *thread, c *cell, l *line, a access) {
	if !t.here(l, a) {
		took := e.request(t, l, a)
		e.charge(t, missing, took)
		e.missed(c, took)
		e.sync()
	}
	e.charge(t, local, e.own(a))
}

// request asks for a line that is elsewhere, and returns how long that takes. A reader
// gets it from the nearest processor that has it. A writer waits for the farthest one,
// since all others must give it up.
func (e *engine) request(t *thread, l *line, a access) (took Time) {
	p := t.processor
	start := max(t.clock, l.busy)
	if a == read {
		from := l.sharers
		if nearby := from & e.neighbours(p); nearby != 0 {
			from = nearby
		}
		l.busy = start + e.costs[share]
		l.sharers |= only(p)
		return start + e.distance(p, from) - t.clock
	}
	come := start + e.distance(p, l.sharers)
	l.busy = come + e.own(a) + e.costs[hold]
	l.sharers = only(p)
	t.held, t.heldUntil = l, l.busy
	return come - t.clock
}

// missed accounts for an access that had to get a line.
func (e *engine) missed(c *cell, took Time) {
	if c.name == "" {
		c.name = c.object.name(c.address)
	}
	if e.until == never {
		e.misses[c.name] += took
	}
}
