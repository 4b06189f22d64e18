package conformance

// A source is a way in which a worker on its way to sleep can be needed.
type source struct {
	name string
	rule string
	// prepare returns a function that makes worker 0 of the crew be needed,
	// and a channel that is closed when it has come. All but worker 0 must be
	// of no help: it finds them blocked, and cleanup frees them.
	prepare func(r *run, c *crew) (need func(), came <-chan struct{}, cleanup func())
}

func (s sleepSuite) sources() []source {
	all := []source{
		{"injected", "S1", needInjected},
		{"internal", "S1", needInternal},
		{"stop", "S3", needStop},
	}
	if s.lends {
		all = append(all, source{"seat", "S1", needSeat})
	}
	return all
}

// needInjected injects a job.
func needInjected(r *run, c *crew) (func(), <-chan struct{}, func()) {
	free := occupy(r, c, 1)
	job, done := signal()
	return func() { c.inject(job) }, done, free
}

// spawnsLater is a task that spawns a job when that is asked for, and then blocks until it
// was run.
func spawnsLater(r *run) (does task, begun <-chan struct{}, spawn func(), done <-chan struct{}) {
	job, ran := signal()
	begins, asked, spawned := make(chan struct{}), make(chan struct{}), make(chan struct{})
	does = func(h *hand) {
		close(begins)
		r.Receive(asked)
		h.spawn(job)
		close(spawned)
		r.Receive(ran)
	}
	return does, begins, func() { close(asked); r.Receive(spawned) }, ran
}

// needInternal has worker 1 spawn a job and then block until it was run.
func needInternal(r *run, c *crew) (func(), <-chan struct{}, func()) {
	does, begun, spawn, done := spawnsLater(r)
	c.sendTo(r, 1, does)
	r.Wait(begun)
	return spawn, done, func() {}
}

// needSeat has somebody on the borrowed seat of worker 1 do the same.
func needSeat(r *run, c *crew) (func(), <-chan struct{}, func()) {
	does, begun, spawn, done := spawnsLater(r)
	back := make(chan struct{})
	c.onlySeat(r, 1, does, back)
	r.Wait(begun)
	return spawn, done, func() { r.Wait(back) }
}

// needStop sets the root latch of worker 0.
func needStop(r *run, c *crew) (func(), <-chan struct{}, func()) {
	free := occupy(r, c, 1)
	h := c.hands[0]
	return func() { c.set(&h.root) }, h.ended, free
}

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
			c.inject(sent)
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

// onlySeat has somebody from outside borrow the seat of the given worker and
// run fn there. back is closed when the seat was given back.
func (c *crew) onlySeat(r *run, id int, fn task, back chan struct{}) {
	r.T.Helper()
	c.rest()
	r.During("S9", "the seat of worker %d is lent while all sleep", id)
	// Seats that come before the right one are given back when it is found.
	found := make(chan struct{})
	var others []chan struct{}
	for range c.hands {
		right, done := make(chan bool, 1), make(chan struct{})
		go func() {
			defer r.Recovered()
			mine := false
			ok := c.borrow(func(h *hand) {
				mine = h.id == id
				right <- mine
				if mine {
					fn(h)
				} else {
					r.Receive(found)
				}
			})
			if !ok {
				r.Report("S9", "Borrow found no seat to lend, with all workers asleep")
				right <- true
			}
			if mine {
				close(back)
			} else {
				close(done)
			}
		}()
		if <-right {
			break
		}
		others = append(others, done)
	}
	close(found)
	for _, done := range others {
		r.Wait(done)
	}
}
