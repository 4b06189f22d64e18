package conformance

// occupy makes all workers from the given number on block in jobs until free
// is called.
func occupy(r *run, c *crew, from int) (free func()) {
	gate := make(chan struct{})
	for i := from; i < len(c.hands); i++ {
		begun := make(chan struct{})
		c.sendTo(r, i, func(*hand) { close(begun); r.Receive(gate) })
		r.Wait(begun)
	}
	return func() { close(gate) }
}

// sendTo has the given worker run a job, and the others keep their hands off
// it. It returns when the job has begun.
func (c *crew) sendTo(r *run, id int, job task) {
	r.T.Helper()
	r.During("S4", "worker %d runs a job that was injected, after Wake(%d)", id, id)
	taken := make(chan struct{})
	release := c.hold(func(h *hand) bool { return h.id != id })
	defer release()
	var sent task
	sent = func(h *hand) {
		if h.id != id { // it was past the point where it could be held
			if !r.Aborted() { // or the right one may never come
				c.inject(sent)
			}
			return
		}
		close(taken)
		job(h)
	}
	c.inject(sent)
	r.Until(func() bool {
		// The post may have woken or relied on another worker, which is held.
		c.s.Wake(id)
		return closed(taken)
	})
}

func closed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}
