package scenarios

import (
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/explore"
)

// seats returns the scenarios for S9.
func seats(newSleep newSleep) []Scenario {
	return []Scenario{
		{Name: "seat/posted_while_lent", Rule: "S9", Bound: 3, Deep: 4, Body: postedWhileLent(newSleep)},
		{Name: "seat/left_in_the_seat", Rule: "S9", Bound: 3, Deep: 5, Body: leftInTheSeat(newSleep)},
		{Name: "seat/returned_beside", Rule: "S9", Bound: 3, Deep: 4, Body: returnedBeside(newSleep)},
		{Name: "seat/returned_as_found", Rule: "S2", Bound: 2, Deep: 3, Body: returnedAsFound(newSleep)},
		{Name: "seat/kept", Rule: "S9", Bound: 2, Deep: 3, Body: kept(newSleep)},
		{Name: "seat/stop", Rule: "S9", Bound: 3, Deep: 4, Body: stopWhileLent(newSleep)},
		{Name: "seat/two_borrowers", Rule: "S9", Bound: 3, Deep: 4, Body: twoBorrowers(newSleep)},
		{Name: "seat/not_while_it_looks", Rule: "S9", Bound: 3, Deep: 5, Body: notWhileItLooks(newSleep)},
		{Name: "seat/looks", Rule: "S9", Bound: 3, Deep: 4, Body: borrowerLooks(newSleep, 1)},
		{Name: "seat/looks_two_workers", Rule: "S9", Bound: 2, Deep: 3, Body: borrowerLooks(newSleep, 2)},
		{Name: "seat/finds", Rule: "S2", Bound: 2, Deep: 3, Body: borrowerFinds(newSleep)},
		{Name: "seat/passed_on", Rule: "S9", Bound: 2, Deep: 3, Body: passedOn(newSleep)},
		{Name: "seat/spurious_return", Rule: "S5", Bound: 3, Deep: 4, Options: []explore.Option{explore.Spurious(1)}, Body: stopWhileLent(newSleep)},
	}
}

// postedWhileLent posts a job at any time while the only seat is borrowed and
// given back.
func postedWhileLent(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 1)
		c.start(1)
		x.Go("borrower", func() { c.borrow(func(*hand) {}) })
		c.post(outside, 1)
		c.end()
	}
}

// leftInTheSeat has a borrower leave a job behind in the seat's own queue.
func leftInTheSeat(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 1)
		c.start(1)
		if !c.borrow(func(h *hand) { c.post(source(h.id), 1) }) {
			c.post(outside, 1)
		}
		c.end()
	}
}

// returnedBeside posts two jobs at any time while one of two seats is borrowed and
// given back. The other worker may look for work then, and take one of them.
func returnedBeside(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 2)
		c.start(1)
		x.Go("borrower", func() { c.borrow(func(*hand) {}) })
		c.post(outside, 1)
		c.post(outside2, 1)
		c.end()
	}
}

// returnedAsFound posts two jobs as one, which counts on the only worker that looks for
// work. That one announces its sleep, then takes one of the jobs, and keeps its seat
// until the other was taken; just then the other seat is given back. There are no
// preemptions up to the post.
func returnedAsFound(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 2)
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
		c.run = func(*hand, source) {
			taken.Done()
			taken.Wait()
		}
		x.Go("worker 1", func() { c.hands[1].work(1) })
		for sleeping := 0; sleeping == 0; _, sleeping = c.s.Counts() {
			prim.Yield()
		}
		x.Go("worker 0", func() { c.hands[0].work(1) })
		post := func(*hand) {
			searched.Wait()
			c.s.Post(1, c.push(outside, 2))
			posted.Done()
		}
		if !c.borrow(post) {
			post(nil)
		}
		c.end()
	}
}

// kept has a borrower keep one of two seats until a job was taken that is
// posted from elsewhere.
func kept(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 2)
		var taken prim.WaitGroup
		taken.Add(1)
		c.run = func(*hand, source) { taken.Done() }
		c.start(1)
		x.Go("borrower", func() {
			c.borrow(func(*hand) { taken.Wait() })
			taken.Wait()
			c.stop()
		})
		c.post(outside, 1)
		c.end()
	}
}

// stopWhileLent ends the worker at any time while its seat is borrowed and
// given back.
func stopWhileLent(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 1)
		c.start(untilStopped)
		x.Go("borrower", func() { c.borrow(func(*hand) {}) })
		c.stop()
		c.end()
	}
}

// twoBorrowers compete for the only seat.
func twoBorrowers(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 1)
		c.start(untilStopped)
		x.Go("borrower", func() { c.borrow(func(*hand) {}) })
		c.borrow(func(*hand) {})
		c.stop()
		c.end()
	}
}

// borrowerLooks has a borrower look for work as the worker that it is. What it
// finds it leaves in the seat's own queue, and gives the seat back.
func borrowerLooks(newSleep newSleep, workers int) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, workers)
		c.start(1)
		x.Go("borrower", func() {
			c.borrow(func(h *hand) {
				if h.lookOut() != nowhere {
					c.post(source(h.id), 1)
				}
			})
		})
		for range workers {
			c.post(outside, 1)
		}
		c.end()
	}
}

// borrowerFinds has a borrower, on which a post has counted, take one of two jobs
// and keep the seat until the other worker has taken the other.
func borrowerFinds(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 2)
		var taken prim.WaitGroup
		taken.Add(2)
		c.run = func(*hand, source) { taken.Done() }
		c.start(untilStopped)
		x.Go("borrower", func() {
			c.borrow(func(h *hand) {
				if h.lookOut() != nowhere {
					taken.Done()
					taken.Wait()
				}
			})
			taken.Wait()
			c.stop()
		})
		c.post(outside, 1)
		c.post(outside2, 1)
		c.end()
	}
}

// passedOn has worker 0 see a job in its last look, with a borrower on its seat
// who keeps that until the job is taken, so that worker 1 must be woken for it.
// The job was posted while workers 0 and 2 were awake, and worker 1 slept.
// Worker 2 then announced its sleep, so that to a jobs event counter of one bit
// nothing has happened, and took another job. There are no preemptions up to
// where worker 0 falls asleep.
func passedOn(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 3)
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
		x.Go("worker 1", func() { c.hands[1].work(1) })
		for sleeping := 0; sleeping == 0; _, sleeping = c.s.Counts() {
			prim.Yield()
		}
		x.Go("worker 0", func() { c.hands[0].work(1) })
		x.Go("worker 2", func() { c.hands[2].work(1) })
		searched.Wait()
		c.post(outside, 1)
		c.post(outside2, 1)
		posted.Done()
		took.Wait()
		c.borrow(func(*hand) { last.Wait() })
		last.Wait()
		c.stop()
		c.end()
	}
}

// notWhileItLooks asks for the seat of a worker that looks for work and does not
// park, because it has a job that waits: that job would be lost with the seat.
func notWhileItLooks(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 1)
		x.Go("worker", func() { c.hands[0].lookOut() })
		if _, ok := c.lender.Borrow(); ok {
			x.Fatalf("S9: the seat of a worker was lent that looked for work")
		}
		c.end()
	}
}
