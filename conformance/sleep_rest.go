package conformance

import (
	"runtime"
	"time"

	"github.com/rouse-go/rouse/api"
)

// rest watches workers that have nothing to do: they must not take a step, nor
// use processor time, also while a seat is lent.
func (s sleepSuite) rest(r *run) {
	const workers = 3
	c := startCrew(r, s.new, workers)
	defer c.stop()

	c.rest()
	s.atRest(r, c, "")
	if s.lends {
		c.borrow(func(*hand) { s.atRest(r, c, " with one seat lent") })
	}
}

// atRest observes for a while. The first look may still see somebody on the
// last instructions of the way to sleep, so it takes more than one to complain.
func (s sleepSuite) atRest(r *run, c *crew, where string) {
	const while = 40 * time.Millisecond
	for try := 1; ; try++ {
		runtime.GC() // so that it does not happen meanwhile
		meter, searches, cpu := c.counted(), c.searches(), cpuTime()
		start := time.Now()
		time.Sleep(while)
		cpu, wall := cpuTime()-cpu, time.Since(start)
		m, n := c.counted(), c.searches()-searches
		if n == 0 && m == meter && cpu < wall/2 {
			return
		}
		if try < 4 {
			continue
		}
		r.check(n == 0, "S7", "workers that slept%s searched %d times in %v", where, n, wall)
		r.check(m == meter, "S7", "while workers slept%s, the meter went from %+v to %+v", where, meter, m)
		r.check(cpu < wall/2, "S8", "while workers slept%s, the process used %v of processor time in %v", where, cpu, wall)
	}
}

// restAfterPost posts a job when the only worker is about to park, as if another had
// posted and taken it. The worker must announce its sleep anew, and come to its last
// look: otherwise it searches without end.
func (s sleepSuite) restAfterPost(r *run) {
	h := s.alone(r)
	idle := h.s.StartLooking(h.id)
	h.tire(&idle)
	h.s.Post(1, true)
	looked := false
	look := func() bool { looked = true; return true }
	const parks = 100
	for range parks {
		if h.s.Park(&idle, &h.root, look); looked {
			break
		}
		h.tire(&idle)
	}
	h.s.Found(&idle)
	r.check(looked, "S7", "a worker that finds nothing does not come to sleep after a post: Park has returned %d times without a last look", parks)
}

// wokenInLastLook has the only worker be woken in its last look, again and again: it
// need not block then, and what the wake has left for it must not be in the way of the
// next one.
func (s sleepSuite) wokenInLastLook(r *run) {
	h, returned := s.alone(r), make(chan struct{})
	r.during("S4", "Wake and Park return, again and again, when the only worker is woken in its last look")
	go func() {
		defer close(returned)
		defer r.recovered()
		idle := h.s.StartLooking(h.id)
		for range 5 {
			h.tire(&idle)
			woken := make(chan struct{})
			h.s.Park(&idle, &h.root, func() bool {
				go func() { // It waits if the backend holds a lock here.
					defer close(woken)
					for !h.s.Wake(h.id) && !r.aborted() {
						time.Sleep(10 * time.Microsecond)
					}
				}()
				nudge(woken)
				return false
			})
			r.receive(woken)
		}
		h.s.Found(&idle)
	}()
	r.wait(returned)
}

// alone returns the only worker of a backend, whose part the caller plays.
func (s sleepSuite) alone(r *run) *hand {
	r.t.Helper()
	backend, err := s.new(1)
	r.check(err == nil, "C6", "a backend for 1 worker is refused: %v", err)
	h := &hand{crew: &crew{r: r, s: backend}}
	h.root.hand = h
	return h
}

// tire says that searches were in vain until it is time to park.
func (h *hand) tire(idle *api.Idle) {
	for !h.s.NoWork(idle) && !h.r.aborted() {
		continue
	}
}
