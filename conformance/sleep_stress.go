package conformance

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"

	"github.com/rouse-go/rouse/api"
)

// restless is a backend whose NoWork returns too early, every other time.
type restless struct{ api.Sleep }

func (s restless) NoWork(idle *api.Idle, latch api.Latch, look func() bool) {
	if rand.IntN(2) == 0 {
		s.Sleep.NoWork(idle, latch, look)
	}
}

// spurious runs the stress with returns from NoWork before a worker has slept,
// and with wakes for no reason after it has.
func (s sleepSuite) spurious(r *run) {
	s.stress(r, func(workers int) (api.Sleep, error) {
		inner, err := s.new(workers)
		return restless{inner}, err
	}, false)
	s.stress(r, s.new, true)
}

// stress runs trees of jobs, posted from outside and on borrowed seats. A pest
// wakes workers for no reason, which must do no harm, but may cover up a
// missed wake.
func (s sleepSuite) stress(r *run, newSleep newSleep, pest bool) {
	for round := 0; r.more(round, 2); round++ {
		c := startCrew(r, newSleep, []int{1, 2, 4}[round%3])
		stopPest := func() {}
		if pest {
			stopPest = c.pester()
		}
		s.load(r, c)
		stopPest()
		c.rest()
		c.stop()
		if r.hasFailed() {
			return
		}
	}
}

// pester wakes workers until it is stopped.
func (c *crew) pester() (stop func()) {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		defer c.r.recovered()
		for !closed(over) && !c.r.aborted() {
			c.s.Wake(rand.IntN(len(c.hands)))
			runtime.Gosched()
		}
	}()
	return func() { close(over); c.r.wait(done) }
}

func (s sleepSuite) load(r *run, c *crew) {
	r.during("S1", "trees of jobs end that were posted from outside and on borrowed seats")
	const trees, depth = 8, 4
	var leaves atomic.Int64
	post := func() {
		done := make(chan struct{})
		job := tree(depth, &leaves)
		c.inject(func(h *hand) { job(h); close(done) })
		r.wait(done)
	}
	poster := func() {
		rng := newRNG()
		for range trees {
			post()
			pause(rng)
		}
	}
	borrower := func() {
		rng := newRNG()
		for range trees {
			if c.lender == nil || !c.borrow(tree(depth, &leaves)) {
				post()
			}
			pause(rng)
		}
	}
	r.together(poster, poster, borrower, borrower)
	want := int64(4 * trees << depth)
	r.check(leaves.Load() == want, "S2", "%d leaves of the trees were run, want %d", leaves.Load(), want)
}
