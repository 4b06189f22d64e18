package scenarios

import "github.com/rouse-go/rouse/api/prim"

// seatCases are for S9.
var seatCases = []sleepCase{
	// A job is posted at any time while the only seat is borrowed and given back.
	{name: "seat/posted_while_lent", rule: "S9", lends: true, bound: Complete, workers: 1, body: func(c *crew) {
		c.start(1)
		c.x.Go("borrower", func() { c.borrow(func(*hand) {}) })
		c.post(outside, 1)
	}},
	// A borrower leaves a job behind in the seat's own queue.
	{name: "seat/left_in_the_seat", rule: "S9", lends: true, bound: Complete, workers: 1, body: func(c *crew) {
		c.start(1)
		if !c.borrow(func(h *hand) { c.post(source(h.id), 1) }) {
			c.post(outside, 1)
		}
	}},
	// Two jobs are posted at any time while one of two seats is borrowed and given back.
	// The other worker may look for work then, and take one of them.
	{name: "seat/returned_beside", rule: "S9", lends: true, bound: 3, deep: 4, workers: 2, body: func(c *crew) {
		c.x.Settle(func() { c.x.Go("worker 1", func() { c.hands[1].work(1) }) })
		c.x.Go("worker 0", func() { c.hands[0].work(1) })
		c.x.Go("borrower", func() { c.borrow(func(*hand) {}) })
		c.post(outside, 1)
		c.post(outside2, 1)
	}},
	// Two jobs are posted as one, which counts on the only worker that looks for work.
	// That one announces its sleep, then takes one of the jobs, and keeps its seat until
	// the other was taken; just then the other seat is given back. There are no
	// preemptions up to the post.
	{name: "seat/returned_as_found", rule: "S2", lends: true, bound: Complete, workers: 2, body: func(c *crew) {
		var searched, posted, taken prim.WaitGroup
		searched.Add(1)
		posted.Add(1)
		taken.Add(2)
		c.vain = func(h *hand, searches int) {
			if h.id == 0 && searches == 1 {
				searched.Done()
				posted.Wait()
			}
		}
		c.run = func(*hand, source) { taken.Done(); taken.Wait() }
		c.x.Settle(func() { c.x.Go("worker 1", func() { c.hands[1].work(1) }) })
		c.x.Go("worker 0", func() { c.hands[0].work(1) })
		post := func(*hand) {
			searched.Wait()
			c.s.Post(1, c.push(outside, 2))
			posted.Done()
		}
		if !c.borrow(post) {
			post(nil)
		}
	}},
	// A borrower keeps one of two seats until a job was taken that is posted from
	// elsewhere.
	{name: "seat/kept", rule: "S9", lends: true, bound: 2, deep: 3, workers: 2, body: func(c *crew) {
		var taken prim.WaitGroup
		taken.Add(1)
		c.run = func(*hand, source) { taken.Done() }
		c.start(1)
		c.x.Go("borrower", func() {
			c.borrow(func(*hand) { taken.Wait() })
			taken.Wait()
			c.stop()
		})
		c.post(outside, 1)
	}},
	{name: "seat/stop", rule: "S9", lends: true, bound: Complete, workers: 1, body: stopWhileLent},
	// Two compete for the only seat.
	{name: "seat/two_borrowers", rule: "S9", lends: true, bound: Complete, workers: 1, body: func(c *crew) {
		c.start(untilStopped)
		c.x.Go("borrower", func() { c.borrow(func(*hand) {}) })
		c.borrow(func(*hand) {})
		c.stop()
	}},
	// A worker that looks for work and does not park has a job that waits: that would be
	// lost with its seat.
	{name: "seat/not_while_it_looks", rule: "S9", bound: Complete, workers: 1, body: func(c *crew) {
		c.x.Go("worker", func() { c.hands[0].lookOut() })
		if _, ok := c.lender.Borrow(); ok {
			c.x.Fatalf("S9: the seat of a worker was lent that looked for work")
		}
	}},
	{name: "seat/looks", rule: "S9", lends: true, bound: 3, deep: Complete, workers: 1, body: borrowerLooks},
	{name: "seat/looks_two_workers", rule: "S9", lends: true, bound: 2, deep: 3, workers: 2, body: borrowerLooks},
	// Two workers sleep. A borrower, on which a post has counted, takes one of two jobs and
	// keeps the seat until the other worker has taken the other.
	{name: "seat/finds", rule: "S2", lends: true, bound: 2, deep: 3, workers: 2, body: func(c *crew) {
		var taken prim.WaitGroup
		taken.Add(2)
		c.run = func(*hand, source) { taken.Done() }
		c.x.Settle(func() { c.start(untilStopped) })
		c.x.Go("borrower", func() {
			c.borrow(func(h *hand) {
				if h.lookOut() != nowhere {
					taken.Done()
					taken.Wait()
				}
			})
		})
		c.post(outside, 1)
		c.post(outside2, 1)
		taken.Wait()
		c.x.Settle(c.stop)
	}},
	// Worker 0 sees a job in its last look. A borrower has its seat, and keeps it until
	// the job is taken: so worker 1 must be woken for it. The job was posted while
	// workers 0 and 2 were awake, and worker 1 slept. Worker 2 then announced its
	// sleep, so that to a jobs event counter of one bit nothing has happened, and took
	// another job. There are no preemptions up to where worker 0 falls asleep.
	{name: "seat/passed_on", rule: "S9", lends: true, bound: Complete, workers: 3, body: func(c *crew) {
		var searched, posted, took, last prim.WaitGroup
		searched.Add(2)
		posted.Add(1)
		took.Add(1)
		last.Add(1)
		c.vain = func(h *hand, searches int) {
			switch {
			case h.id == 0 && searches == 2:
				searched.Done()
				took.Wait()
			case h.id == 2 && searches == 1:
				searched.Done()
				posted.Wait()
			}
		}
		c.run = func(_ *hand, from source) {
			if from == outside {
				took.Done()
			} else {
				last.Done()
			}
		}
		c.x.Settle(func() { c.x.Go("worker 1", func() { c.hands[1].work(1) }) })
		c.x.Go("worker 0", func() { c.hands[0].work(1) })
		c.x.Go("worker 2", func() { c.hands[2].work(1) })
		searched.Wait()
		c.post(outside, 1)
		c.post(outside2, 1)
		posted.Done()
		took.Wait()
		c.borrow(func(*hand) { last.Wait() })
		last.Wait()
		c.stop()
	}},
	{name: "seat/spurious_return", rule: "S5", lends: true, bound: Complete, workers: 1, spurious: 1, body: stopWhileLent},
}

// stopWhileLent ends the worker at any time while its seat is borrowed and
// given back.
func stopWhileLent(c *crew) {
	c.start(untilStopped)
	c.x.Go("borrower", func() { c.borrow(func(*hand) {}) })
	c.stop()
}

// borrowerLooks has a borrower look for work as the worker that it is. It
// leaves what it finds in the seat's own queue, and gives the seat back.
func borrowerLooks(c *crew) {
	c.start(1)
	c.x.Go("borrower", func() {
		c.borrow(func(h *hand) {
			if h.lookOut() != nowhere {
				c.post(source(h.id), 1)
			}
		})
	})
	for range c.hands {
		c.post(outside, 1)
	}
}
