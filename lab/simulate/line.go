//go:build explore

package simulate

// A line is the state of a cache line. A processor has it or not; one that writes
// is the only one that has it.
type line struct {
	owner int // the one that wrote last, or first used it
	dirty bool
	// sharers are the processors that have it, the owner among them.
	sharers set
	// busy is when the next request is served.
	busy Time
}

// noThread is the owner of a line that was not used yet.
const noThread = -1

// An access is what is done to a line.
type access uint8

const (
	read   access = iota
	modify        // an atomic write or a read-modify-write
	write         // a plain one, into the store buffer
)

func (l *line) only(p int) bool {
	var one set
	one.add(p)
	return l.sharers == one
}

// apart returns how long a line takes between p and others: within is whether they are all, or
// one of them is, among the given processors, which are near.
func (e *engine) apart(p int, within func(near *set) bool) Time {
	switch q := &e.processors[p]; {
	case within(&q.cluster):
		return e.cost.near
	case within(&q.socket):
		return e.cost.far
	}
	return e.cost.across
}

// distance returns how long a line takes from one processor to another.
func (e *engine) distance(from, to int) Time {
	if from == to {
		return 0
	}
	return e.apart(to, func(near *set) bool { return near.has(from) })
}

// beyond reports whether the set has processors outside of the given one.
func (s *set) beyond(near *set) bool {
	for i := range s {
		if s[i]&^near[i] != 0 {
			return true
		}
	}
	return false
}

func (s *set) meets(o *set) bool {
	for i := range s {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// farthest returns the distance of the farthest other processor that has the line:
// all of them must give it up.
func (e *engine) farthest(l *line, p int) Time {
	return e.apart(p, func(near *set) bool { return !l.sharers.beyond(near) })
}

// nearest returns the distance of the nearest other processor that has the line.
func (e *engine) nearest(l *line, p int) Time { return e.apart(p, l.sharers.meets) }

// own is what an access takes when the line is here.
func (e *engine) own(a access) Time {
	switch a {
	case read:
		return e.cost.load
	case modify:
		return e.cost.atomic
	}
	return 0
}

// here reports whether the thread can access the line without a request, and
// notes the access.
func (t *thread) here(l *line, a access) bool {
	if l.owner == noThread { // as if the thread had allocated it
		l.owner = t.processor
		l.sharers.add(t.processor)
	}
	switch {
	case t.held == l && t.clock <= t.heldUntil:
		// It stays as long, no matter which threads ask for it meanwhile.
		return true
	case a == read:
		return l.sharers.has(t.processor)
	case l.only(t.processor):
		l.owner, l.dirty = t.processor, true
		return true
	}
	return false
}

// access is one by the current thread, which is in sync. It returns when the
// access takes effect: at once if the line is here, else when it has come.
func (e *engine) access(t *thread, c *cell, l *line, a access) {
	if !t.here(l, a) {
		took := e.request(t, l, a)
		e.charge(t, missing, took)
		e.missed(c, took)
		e.sync()
	}
	e.charge(t, local, e.own(a))
}

// request asks for a line that is elsewhere, and returns how long that takes. The
// requests for a line are served one by one, in their order.
func (e *engine) request(t *thread, l *line, a access) (took Time) {
	p := t.processor
	start := max(t.clock, l.busy)
	if a == read {
		distance := e.nearest(l, p)
		if l.dirty {
			distance = e.distance(l.owner, p)
		}
		l.busy = start + e.cost.share
		l.sharers.add(p)
		l.dirty = false
		return start + distance - t.clock
	}
	come := start + e.farthest(l, p)
	l.busy = come + e.own(a) + e.cost.hold
	t.held, t.heldUntil = l, l.busy
	l.owner, l.dirty, l.sharers = p, true, set{}
	l.sharers.add(p)
	return come - t.clock
}
