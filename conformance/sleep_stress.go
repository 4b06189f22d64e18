package conformance

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
)

// restless is a backend whose Park returns too early, every other time. The
// other times another goroutine parks than the one that has looked.
type restless struct {
	api.Sleep
	r *run
}

func (s restless) Park(idle *api.Idle, latch api.Latch, look func() bool) (awake bool) {
	if rand.IntN(2) == 0 {
		return true
	}
	<-s.r.Go(func() { awake = s.Sleep.Park(idle, latch, look) })
	return awake
}

func (s restless) StartBy(start func(worker int)) (leaves bool) {
	starter, ok := s.Sleep.(api.Starter)
	return ok && starter.StartBy(start)
}

// spurious runs the stress with returns from Park before a worker has slept,
// and with wakes for no reason after it has.
func (s sleepSuite) spurious(r *run) {
	s.stress(r, func(workers int) (api.Sleep, error) {
		inner, err := s.new(workers)
		return restless{inner, r}, err
	}, false)
	s.stress(r, s.new, true)
}

// stress runs trees of jobs, posted from outside and on borrowed seats. A pest
// wakes workers for no reason, which must do no harm, but may cover up a
// missed wake.
func (s sleepSuite) stress(r *run, newSleep newSleep, pest bool) {
	for round := 0; r.More(round, 2); round++ {
		c := startCrew(r, newSleep, []int{1, 2, 4}[round%3])
		stopPest := func() {}
		if pest {
			stopPest = c.pester()
		}
		s.load(r, c)
		stopPest()
		c.rest()
		c.stop()
		if r.Failed() {
			return
		}
	}
}

// pester wakes workers until it is stopped.
func (c *crew) pester() (stop func()) {
	over := make(chan struct{})
	done := c.r.Go(func() {
		for !closed(over) && !c.r.Aborted() {
			c.s.Wake(rand.IntN(len(c.hands)))
			runtime.Gosched()
		}
	})
	return func() { close(over); c.r.Wait(done) }
}

func (s sleepSuite) load(r *run, c *crew) {
	r.During("S1", "trees of jobs end that were posted from outside and on borrowed seats")
	const trees, depth = 8, 4
	// grow has a tree grow by a job that is posted, or on a seat that is borrowed.
	//
	// Several goroutines do so at once, therefore no WaitGroup counts the leaves. Before Go 1.25.2
	// two that meet their bubble at the same time spoil the runtime's memory (golang/go#75134).
	grow := func(post func(root task)) {
		var left atomic.Int32
		left.Store(1 << depth)
		ended := make(chan struct{})
		post(tree(depth, func() {
			if left.Add(-1) == 0 {
				close(ended)
			}
		}))
		r.Wait(ended)
	}
	poster := func() {
		rng := harness.NewRNG()
		for range trees {
			grow(c.inject)
			harness.Pause(rng)
		}
	}
	borrower := func() {
		rng := harness.NewRNG()
		for range trees {
			grow(func(root task) {
				if c.lender == nil || !c.borrow(func(h *hand) { h.serve(root) }) {
					c.inject(root)
				}
			})
			harness.Pause(rng)
		}
	}
	r.Together(poster, poster, borrower, borrower)
}

// serve is the work of a borrower: it runs a job, and others for as long as it finds some. Jobs
// that it leaves behind, or that are posted then, are for Return to see.
func (h *hand) serve(job task) {
	for ; job != nil; job = h.lookOut() {
		job(h)
	}
}
