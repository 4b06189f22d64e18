package conformance

import "github.com/rouse-go/rouse/api"

// metered compares the counts of a backend with its steps.
func (s sleepSuite) metered(r *run) {
	s.nothingToCount(r)
	c := startCrew(r, s.new, 1)
	defer c.stop()
	c.rest()
	r.During("S10", "a worker that blocks is counted")
	r.Until(func() bool { return c.counted().Parks > 0 })
	if s.lends {
		before := c.counted()
		c.borrow(func(*hand) {})
		before.Lent++
		after := c.counted()
		after.Syscalls = before.Syscalls
		r.Check(after == before, "S10", "after a seat was lent, and came back to a pool at rest, the counts are %+v, want %+v", after, before)
	}
	before := c.counted()
	r.Check(c.s.Wake(0), "S4", "Wake(0) woke nobody while worker 0 slept")
	r.Check(c.counted().Wakes == before.Wakes+1, "S10", "after a Wake of a sleeper the counts go from %+v to %+v", before, c.counted())
	r.During("S10", "a worker that blocks again is counted again")
	r.Until(func() bool { return c.counted().Parks > before.Parks })
	if n := c.counted().Syscalls; r.Config.Synctest {
		r.Check(n == 0, "S10", "a backend whose workers are parked by the Go runtime counts %d system calls of its own", n)
	}
}

// nothingToCount has the only worker not sleep, nobody be woken and no seat be lent.
func (s sleepSuite) nothingToCount(r *run) {
	for _, why := range []string{"its last look found work", "its latch was set"} {
		h := s.alone(r)
		h.meter = h.s.(api.Meter)
		idle := h.s.StartLooking(h.id)
		h.tire(&idle)
		if why == "its latch was set" {
			h.root.Set()
		}
		h.s.Park(&idle, &h.root, func() bool { return why == "its last look found work" })
		h.s.Found(&idle)
		h.s.Wake(h.id)
		h.s.Post(1, true)
		if lender, ok := h.s.(api.Lender); ok {
			lender.Borrow()
		}
		m := h.counted()
		m.Syscalls = 0
		r.Check(m == api.Metered{}, "S10", "a worker did not block, because %s, and nobody slept who could be woken or whose seat could be lent; the counts are %+v", why, m)
	}
}
