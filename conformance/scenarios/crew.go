package scenarios

import (
	"math/bits"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/latch"
)

// A crew is the least that can use an [api.Sleep], since each of its steps
// multiplies the schedules: all jobs that wait are in one word.
//
// A job here has no end: a worker that takes one is active for good, as if it
// blocked, unless the scenario says otherwise. So a job that is left waiting
// while somebody sleeps shows as a deadlock, and nobody need be stopped.
type crew struct {
	x      *explore.Exec
	s      api.Sleep
	lender api.Lender // nil if the backend lends nothing
	meter  api.Meter  // nil if the backend counts nothing

	// waiting has a bit for each job that is posted and not taken.
	waiting prim.Uint32
	// A job from a source calls run, if it is not nil.
	run func(h *hand, from source)
	// vain, if it is not nil, is called after each search in vain, with how
	// many there were since the worker turned idle.
	vain  func(h *hand, searches int)
	hands []*hand
	// seen counts the last looks that found work. The explorer runs one goroutine at
	// a time, so it is plain.
	seen int
}

// A hand is one worker of a crew.
type hand struct {
	*crew
	id   int
	root latch.Core // set to end the worker
	// occupants is how many act as this worker. It is a plain variable: a
	// seat with one occupant at a time passes from one to the next in order.
	// So are those that follow.
	occupants int
	// left is how many jobs the worker is still to take.
	left int
	// parked is true from the call of Park until one goes on as the worker.
	parked bool
	state  api.Idle
	// searches counts those in vain.
	searches int
	// Whether a borrower has had the seat, and has looked for work and found some.
	lent, looked, found bool
}

type newSleep = func(workers int) (api.Sleep, error)

func newCrew(x *explore.Exec, newSleep newSleep, workers int) *crew {
	s, err := newSleep(workers)
	if err != nil {
		x.Fatalf("C6: a backend for %d workers is refused: %v", workers, err)
	}
	c := &crew{x: x, s: s}
	c.lender, _ = s.(api.Lender)
	c.meter, _ = s.(api.Meter)
	for i := range workers {
		c.hands = append(c.hands, &hand{crew: c, id: i})
	}
	if starter, ok := s.(api.Starter); ok {
		starter.StartBy(func(id int) { c.hands[id].goOn() })
	}
	return c
}

// A source is a queue whose jobs share the word with those of others: that of
// the worker of the number, or one for jobs from outside.
type source int

const (
	sourceBits = 4 // jobs that a source has room for

	outside  source = 6
	outside2 source = 7

	nowhere source = -1
)

// post posts a number of jobs, at most sourceBits for each source in all.
func (c *crew) post(from source, jobs int) { c.s.Post(jobs, c.push(from, jobs)) }

// push puts a number of jobs where workers look, and reports whether none was there.
func (c *crew) push(from source, jobs int) (wasEmpty bool) {
	mask := uint32(1<<sourceBits-1) << (sourceBits * from)
	for {
		old := c.waiting.Load()
		added := old
		for range jobs {
			free := mask &^ added
			added |= free & -free
		}
		if c.waiting.CompareAndSwap(old, added) {
			return old&mask == 0
		}
	}
}

// take takes a job, from the worker of the lowest number first, and returns
// where it was.
func (c *crew) take() source {
	for {
		w := c.waiting.Load()
		if w == 0 {
			return nowhere
		}
		i := bits.TrailingZeros32(w)
		if c.waiting.CompareAndSwap(w, w&^(1<<i)) {
			return source(i / sourceBits)
		}
	}
}

// hasWork reports whether take would find something.
func (c *crew) hasWork() bool {
	if c.waiting.Load() == 0 {
		return false
	}
	c.seen++
	return true
}

// idle looks for work until there is some, or the root latch is set; then it
// returns nowhere. slept says that the worker has slept without a goroutine; awake is
// false if it does so now.
func (h *hand) idle(slept bool) (found source, awake bool) {
	found = nowhere
	if slept {
		h.root.WakeUp()
	} else {
		h.state, h.searches = h.s.StartLooking(h.id), 0
	}
	for !h.root.Probe() {
		if found = h.take(); found != nowhere {
			break
		}
		h.searches++
		if h.vain != nil {
			h.vain(h, h.searches)
		}
		if h.s.NoWork(&h.state) {
			h.occupants--
			h.parked = true
			if !h.s.Park(&h.state, &h.root, h.hasWork) {
				return nowhere, false
			}
			h.comes()
		}
	}
	h.s.Found(&h.state)
	return found, true
}

// goOn goes on as a worker that sleeps without a goroutine.
func (h *hand) goOn() {
	h.comes()
	h.x.Go("worker", func() { h.takeJobs(true) })
}

// comes begins to act as the worker again, after Park.
func (h *hand) comes() {
	if !h.parked {
		h.x.Fatalf("S11: worker %d goes on a second time after it has parked", h.id)
	}
	h.parked = false
	h.occupy()
}

// lookOut looks for work as a borrower does: it returns nowhere when a worker
// would park.
func (h *hand) lookOut() (found source) {
	found = nowhere
	idle := h.s.StartLooking(h.id)
	for tired := false; found == nowhere && !tired; {
		if found = h.take(); found == nowhere {
			tired = h.s.NoWork(&idle)
		}
	}
	h.looked, h.found = true, h.found || found != nowhere
	h.s.Found(&idle)
	return found
}

// occupy begins to act as the worker.
func (h *hand) occupy() {
	h.occupants++
	if h.occupants != 1 {
		h.x.Errorf("S9: seat %d has %d occupants", h.id, h.occupants)
	}
}

// work takes a number of jobs and ends. It ends earlier if the root latch is
// set and no job waits.
func (h *hand) work(jobs int) {
	h.occupy()
	h.left = jobs
	h.takeJobs(false)
}

// takeJobs takes the jobs that are left. It returns earlier, too, if the worker sleeps
// without a goroutine.
func (h *hand) takeJobs(slept bool) {
	for ; h.left > 0; h.left-- {
		from, awake := h.idle(slept)
		if !awake {
			return
		}
		slept = false
		if from == nowhere {
			from = h.take()
		}
		if from == nowhere {
			return
		}
		if h.run != nil {
			h.run(h, from)
		}
	}
}

// start starts all workers, each to take a number of jobs.
func (c *crew) start(jobs int) {
	for _, h := range c.hands {
		c.x.Go("worker", func() { h.work(jobs) })
	}
}

// untilStopped is a number of jobs that is never reached.
const untilStopped = 1 << 10

// stop ends all workers.
func (c *crew) stop() {
	for _, h := range c.hands {
		if h.root.Set() {
			c.s.Wake(h.id)
		}
	}
}

// borrow runs fn on a borrowed seat, or returns false if there is none.
func (c *crew) borrow(fn func(h *hand)) bool {
	id, ok := c.lender.Borrow()
	if !ok {
		return false
	}
	h := c.hands[id]
	h.occupy()
	h.lent = true
	fn(h)
	h.occupants--
	c.lender.Return(id, h.hasWork)
	if h.root.Probe() {
		c.s.Wake(id)
	}
	return true
}

// end waits until all threads of the scenario have ended, and checks that
// nothing is left behind.
func (c *crew) end() {
	c.x.Wait()
	if w := c.waiting.Load(); w != 0 {
		c.x.Errorf("S1: all have ended, and jobs wait: %b", w)
	}
	if inactive, sleeping := c.s.Counts(); inactive != 0 || sleeping != 0 {
		c.x.Errorf("C4: all have ended, and %d are counted as inactive and %d as sleeping", inactive, sleeping)
	}
}
