package conformance

import (
	"sync/atomic"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
)

// seatCases are for S9.
func seatCases() []sleepCase {
	cases := []sleepCase{
		{"Seat/LentOnceEach", "S9", 3, lentOnceEach},
		{"Seat/NotWhileAwake", "S9", 2, notWhileAwake},
		{"Seat/PostedWhileLent", "S9", 1, postedWhileLent},
		// A worker ends whose seat is lent.
		{"Seat/StopWhileLent", "S9", 1, func(_ *run, c *crew) { c.rest(); c.borrow(func(h *hand) { c.set(&h.root) }) }},
		{"Seat/BorrowerLooks", "S9", 1, borrowerLooks},
		{"Seat/BorrowerSucceeds", "S2", 2, borrowerSucceeds},
		{"Seat/BorrowedAsItFinds", "S9", 2, severalTimes(borrowedAsItFinds)},
		{"Seat/PostedAsBorrowed", "S9", 2, postedAsBorrowed},
	}
	for _, p := range []point{atReturn, atReturned} {
		cases = append(cases, sleepCase{"Seat/PostedAt=" + string(p), "S9", 1, func(r *run, c *crew) { postedAtReturn(r, c, p) }})
	}
	for _, p := range onTheWay {
		cases = append(cases, sleepCase{"Seat/BorrowedAt=" + string(p), "S9", 2, func(r *run, c *crew) { borrowedAt(r, c, p) }})
	}
	return cases
}

// lentOnceEach borrows all seats, each within the last one.
func lentOnceEach(r *run, c *crew) {
	workers := len(c.hands)
	c.rest()
	var deeper func(n int)
	deeper = func(n int) {
		ok := c.borrow(func(h *hand) {
			r.Check(n < workers, "S9", "Borrow lent %d seats of %d", n+1, workers)
			inactive, sleeping := c.s.Counts()
			want := workers - n - 1
			r.Check(inactive == want && sleeping == want, "S9", "with %d of %d seats lent, %d are counted as inactive and %d as sleeping, want %d", n+1, workers, inactive, sleeping, want)
			searches := h.searches.Load()
			r.Check(!c.s.Wake(h.id), "S9", "Wake(%d) woke somebody while the seat was lent and its borrower awake", h.id)
			deeper(n + 1)
			r.Check(h.searches.Load() == searches, "S9", "the goroutine of worker %d searched while its seat was lent", h.id)
		})
		r.Check(ok || n == workers, "S9", "Borrow found no seat, with %d of %d asleep", workers-n, workers)
	}
	deeper(0)
	inactive, sleeping := c.s.Counts()
	r.Check(inactive == workers && sleeping == workers, "S9", "with all %d seats given back, %d are counted as inactive and %d as sleeping", workers, inactive, sleeping)
}

// notWhileAwake asks for seats while all workers are active, or idle.
func notWhileAwake(r *run, c *crew) {
	free := occupy(r, c, 0)
	_, ok := c.lender.Borrow()
	r.Check(!ok, "S9", "Borrow lent the seat of a worker that ran a job")
	free()
	c.rest()
	release := c.hold(func(*hand) bool { return true })
	c.s.Wake(0)
	c.s.Wake(1)
	_, ok = c.lender.Borrow()
	r.Check(!ok, "S9", "Borrow lent the seat of a worker that looked for work")
	release()
}

// postedWhileLent has the borrower of the only seat leave a job in the seat's own queue.
// Nobody can be woken for it then, so Return must see it.
func postedWhileLent(r *run, c *crew) {
	for round := 0; r.More(round, 20); round++ {
		c.rest()
		job, done := signal()
		r.Check(c.borrow(func(h *hand) { h.spawn(job) }), "S9", "Borrow found no seat, with all workers asleep")
		r.During("S9", "a job is run that was posted while the only seat was lent")
		r.Wait(done)
	}
}

// postedAtReturn posts while the only seat is about to be given back.
func postedAtReturn(r *run, c *crew, p point) {
	c.rest()
	job, done := signal()
	c.once(p, 0, func() { c.inject(job) })
	c.borrow(func(*hand) {})
	r.During("S9", "a job is run that was posted as the only seat was given back, at the point %q", p)
	r.Wait(done)
}

// borrowedAt takes the seat of a worker on its way to sleep, keeps it, and
// then posts a job, which the other worker must take.
func borrowedAt(r *run, c *crew, p point) {
	c.rest()
	job, done := signal()
	passed, back := make(chan struct{}), make(chan struct{})
	c.once(p, 0, func() {
		defer close(back)
		ok := c.borrow(func(*hand) {
			c.inject(job)
			close(passed)
			r.Receive(done)
		})
		if !ok {
			c.inject(job)
			close(passed)
		}
	})
	r.During("S9", "worker 0 passes the point %q, at which a seat is borrowed", p)
	c.s.Wake(0)
	r.Wait(passed)
	r.During("S9", "a job is run that was posted by a borrower who took a seat as worker 0 passed the point %q", p)
	r.Wait(done)
	r.Wait(back)
}

// borrowedInLastLook has the only worker see work in its last look, when somebody has
// borrowed its seat: the goroutine must block, until the seat is back and it is woken.
func (s sleepSuite) borrowedInLastLook(r *run) {
	h := s.alone(r)
	lender := h.s.(api.Lender)
	h.meter, _ = h.s.(api.Meter)
	var lent atomic.Bool
	looked, tried := false, make(chan struct{})
	r.During("S9", "a worker blocks whose seat was borrowed in its last look")
	returned := r.Go(func() {
		idle := h.s.StartLooking(h.id)
		h.tire(&idle)
		h.s.Park(&idle, &h.root, func() bool {
			if looked {
				return false
			}
			looked = true
			go func() { // It waits, and finds no seat, if the backend holds a lock here.
				defer close(tried)
				defer r.Recovered()
				_, ok := lender.Borrow()
				lent.Store(ok)
			}()
			nudge(tried)
			return true
		})
		if lent.Load() {
			r.Report("S9", "Park has returned, for what the last look saw, to the goroutine of a seat that was lent by then")
			return
		}
		h.s.Found(&idle)
	})
	r.Wait(tried)
	if lent.Load() {
		if h.meter != nil {
			r.Until(func() bool { return h.counted().Parks > 0 })
		} else {
			nudge(returned)
		}
		lent.Store(false)
		lender.Return(h.id, func() bool { return false })
	}
	r.During("S4", "Park returns after Wake")
	r.Until(func() bool { h.s.Wake(h.id); return closed(returned) })
}

// borrowedAsItFinds has worker 0 see a job in its last look, of a poster that is slow to
// post, when somebody has borrowed its seat. The other worker must run the job. Both
// sleep then, also worker 0, whose last look was not in vain.
func borrowedAsItFinds(r *run, c *crew) {
	c.rest()
	job, done := signal()
	back := make(chan struct{})
	c.hookOnce(atLook, 0, func() {
		// The worker sees the job in any case. If its seat was not borrowed by then, it runs the
		// job itself; otherwise it would sleep, and nobody posts.
		c.injected.push(job)
		nudge(r.Go(func() {
			defer close(back)
			c.borrow(func(*hand) {
				r.Receive(done)
				r.Until(func() bool { inactive, sleeping := c.s.Counts(); return inactive == 1 && sleeping == 1 })
			})
		}))
	})
	r.During("S9", "a job is run that worker 0 saw in its last look, as its seat was borrowed")
	c.s.Wake(0)
	r.Wait(done)
	r.Wait(back)
	c.rest()
	c.s.Post(1, true)
}

// postedAsBorrowed injects a job at the time that somebody borrows one of two
// seats, and does not give it back before the job was run by the other worker.
// Counted in two steps, the borrower would look like an idle worker to a post
// in between.
func postedAsBorrowed(r *run, c *crew) {
	for round := 0; r.More(round, 50); round++ {
		c.rest()
		job, done := signal()
		rng := harness.NewRNG()
		r.During("S9", "a job is run that was posted as a seat was borrowed, by somebody who waits for it there")
		r.Together(func() {
			c.borrow(func(*hand) { r.Receive(done) })
		}, func() { harness.Pause(rng); c.inject(job) })
		r.Wait(done)
	}
}

// borrowerLooks has a borrower look for work, with nobody else awake. A post
// counts on it, so that it takes the job, or leaves it to the one that gets the
// seat back. Meanwhile nobody may have the seat or be woken.
func borrowerLooks(r *run, c *crew) {
	for round := 0; r.More(round, 20); round++ {
		c.rest()
		job, done := signal()
		c.borrow(func(h *hand) {
			idle := c.s.StartLooking(h.id)
			for tired := false; !tired; tired = c.s.NoWork(&idle) {
				_, ok := c.lender.Borrow()
				r.Check(!ok, "S9", "Borrow lent a seat whose borrower looked for work")
				r.Check(!c.s.Wake(h.id), "S9", "Wake(%d) woke somebody while the seat was lent and its borrower looked for work", h.id)
				inactive, sleeping := c.s.Counts()
				r.Check(inactive == 1 && sleeping == 0, "S9", "while the borrower of the only seat looked for work, %d were counted as inactive and %d as sleeping", inactive, sleeping)
			}
			if round%2 == 0 {
				c.inject(job)
			}
			c.s.Found(&idle)
			if round%2 == 1 {
				c.inject(job)
			}
		})
		r.During("S9", "a job is run that was posted while the borrower of the only seat looked for work, or just after")
		r.Wait(done)
	}
}

// borrowerSucceeds has a borrower take a job that it has found, as the last one
// that was awake and idle, with another job waiting and a worker asleep.
func borrowerSucceeds(r *run, c *crew) {
	for round := 0; r.More(round, 20); round++ {
		c.rest()
		job, done := signal()
		c.borrow(func(h *hand) {
			idle := c.s.StartLooking(h.id)
			c.inject(job) // counts on the borrower
			c.s.Found(&idle)
			r.During("S2", "a job is run that was posted while only a borrower was awake and idle, which then took another job")
			r.Wait(done)
		})
	}
}
