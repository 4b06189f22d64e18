package conformance

import (
	"runtime"
	"slices"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/pulse"
)

// rest watches workers that have nothing to do: they must not take a step, nor
// use processor time, also while a seat is lent. Those of both kinds are watched at the same
// time.
func (s sleepSuite) rest(r *run) {
	const workers = 3
	s.with(r, workers, func(r *run, c *crew) {
		c.rest()
		if !s.lends {
			s.atRest(r, resting{c, ""})
			return
		}
		s.with(r, workers, func(r *run, lending *crew) {
			lending.rest()
			lending.borrow(func(*hand) { s.atRest(r, resting{c, ""}, resting{lending, " with one seat lent"}) })
		})
	})
}

// A resting is a crew at rest, with a text that describes it.
type resting struct {
	*crew
	how string
}

// How much processor time a process may use that is at rest. One whose workers sleep
// uses 0.2 to 1 ms in 40 ms. On a busy machine a worker that spins gets a slice of a
// millisecond or more at a time, and not in each period, so it takes more than one
// period without to tell that there is none.
const (
	restPeriod    = 25 * time.Millisecond
	restPeriods   = 8
	restInPeriod  = 2 * time.Millisecond
	restInPeriods = 8 * time.Millisecond
)

// atRest observes crews for as many periods. The first ones may still see somebody on the last
// instructions of the way to sleep, or work of the runtime, and then it begins anew; that
// happens a few times, but a crew that does not rest has no end of it.
func (s sleepSuite) atRest(r *run, crews ...resting) {
	r.T.Helper()
	type counts struct {
		meter    api.Metered
		searches int64
	}
	count := func() (all []counts) {
		for _, c := range crews {
			all = append(all, counts{c.counted(), c.searches()})
		}
		return all
	}
	for tries := 25; ; tries-- {
		runtime.GC() // so that it does not happen meanwhile
		before, start := count(), time.Now()
		cpu, highest := restingTime()
		wall := time.Since(start)
		after := count()
		rests := highest < restInPeriod && cpu < restInPeriods
		if slices.Equal(before, after) && rests {
			return
		}
		if tries > 1 && !r.Aborted() {
			continue
		}
		for i, c := range crews {
			was, is := before[i], after[i]
			r.Check(is.searches == was.searches, "S7", "workers that slept%s searched %d times in %v", c.how, is.searches-was.searches, wall)
			r.Check(is.meter == was.meter, "S7", "while workers slept%s, the meter went from %+v to %+v", c.how, was.meter, is.meter)
		}
		r.Check(rests, "S8", "while workers slept, the process used %v of processor time in %v, %v of it within %v", cpu, wall, highest, restPeriod)
	}
}

// restingTime returns the processor time that the process uses in as many periods as
// show that it is at rest, and the most in one of them. It ends early if it is not.
func restingTime() (used, highest time.Duration) {
	for range restPeriods {
		before, _ := pulse.CPUTime()
		time.Sleep(restPeriod)
		after, _ := pulse.CPUTime()
		used += after - before
		if highest = max(highest, after-before); highest >= restInPeriod || used >= restInPeriods {
			break
		}
	}
	return used, highest
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
	r.Check(looked, "S7", "a worker that finds nothing does not come to sleep after a post: Park has returned %d times without a last look", parks)
}

// wokenInLastLook has the only worker be woken in its last look, again and again: it
// need not block then, and traces of that wake must not be in the way of the next one.
func (s sleepSuite) wokenInLastLook(r *run) {
	h := s.alone(r)
	r.During("S4", "Wake and Park return, again and again, when the only worker is woken in its last look")
	r.Wait(r.Go(func() {
		idle := h.s.StartLooking(h.id)
		for range 5 {
			h.tire(&idle)
			var woken chan struct{}
			h.s.Park(&idle, &h.root, func() bool {
				woken = r.Go(func() { // It waits if the backend holds a lock here.
					for !h.s.Wake(h.id) && !r.Aborted() {
						time.Sleep(10 * time.Microsecond)
					}
				})
				nudge(woken)
				return false
			})
			r.Receive(woken)
		}
		h.s.Found(&idle)
	}))
}

// alone returns the only worker of a backend, whose part the caller plays.
func (s sleepSuite) alone(r *run) *hand {
	r.T.Helper()
	backend, err := s.new(1)
	r.Check(err == nil, "C6", "a backend for 1 worker is refused: %v", err)
	h := &hand{crew: &crew{r: r, s: backend}}
	h.root.hand = h
	return h
}

// tire says that searches were in vain until it is time to park.
func (h *hand) tire(idle *api.Idle) {
	for !h.s.NoWork(idle) && !h.r.Aborted() {
		continue
	}
}
