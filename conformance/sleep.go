package conformance

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
)

// TestSleep checks that the backend of newSleep keeps the rules of [api.Sleep], and
// those of [api.Lender], [api.Meter] and [api.Starter] if it implements them. Each
// subtest uses instances of its own. Few [api.Rounds] are a good choice: they make
// workers fall asleep all the time. With [WithSynctest] a missed wake is noticed at
// once, where that applies.
func TestSleep(t *testing.T, newSleep func(workers int) (api.Sleep, error), opts ...Option) {
	cfg := newConfig(opts)
	s := sleepSuite{new: newSleep}
	if probe, err := newSleep(1); err == nil {
		_, s.lends = probe.(api.Lender)
		_, s.counts = probe.(api.Meter)
		_, s.starts = probe.(api.Starter)
	}
	cfg.Bubbled(t, "WakeReachesItsTarget", "S4", s.target)
	cfg.Bubbled(t, "WokenInLastLook", "S4", s.wokenInLastLook)
	cfg.Bubbled(t, "WakesPerPost", "S6", s.wakesPerPost)
	cfg.Bubbled(t, "NoWakeWhenAllActive", "S6", s.allActive)
	cfg.Bubbled(t, "Cascade", "S2", s.cascade)
	many := false
	if _, err := newSleep(manyWorkers); err == nil { // or it is for few workers
		many = true
		cfg.Bubbled(t, "EachOfMany", "S1", s.eachOfMany)
	}
	t.Run("NoMissedWake", func(t *testing.T) {
		for _, src := range s.sources() {
			t.Run("source="+src.name, func(t *testing.T) {
				cfg.Bubbled(t, "Random", src.rule, func(r *run) { s.missedAtRandom(r, src) })
				for _, p := range onTheWay {
					cfg.Bubbled(t, "At="+string(p), src.rule, func(r *run) { s.missedAt(r, src, p) })
				}
			})
		}
	})
	cfg.Bubbled(t, "NoMissedWake/CounterWraps", "S1", s.counterWraps)
	for _, w := range conservation {
		cfg.Bubbled(t, "Conservation/"+w.name, "S2", func(r *run) { s.conserve(r, w.post) })
	}
	cfg.Subtest(t, "Rest", "S7", s.rest)
	cfg.Subtest(t, "RestAfterPost", "S7", s.restAfterPost)
	if s.counts {
		cfg.Bubbled(t, "Meter", "S10", s.metered)
	}
	if s.starts {
		cfg.Bubbled(t, "StartedOnce", "S11", s.startedOnce)
	}
	if s.lends {
		s.testLender(t, cfg)
		if many {
			cfg.Bubbled(t, "Seat/LentOnceEachOfMany", "S9", func(r *run) { s.lentOnceEach(r, manyWorkers) })
		}
	}
	cfg.Bubbled(t, "SpuriousReturns", "S5", s.spurious)
	for _, procs := range []int{1, 2, 4} {
		cfg.Bubbled(t, fmt.Sprintf("Stress/procs=%d", procs), "S1", func(r *run) {
			defer r.Procs(procs)()
			s.stress(r, s.new, false)
		})
	}
}

type sleepSuite struct {
	new    newSleep
	lends  bool
	counts bool
	starts bool
}

// missedAtRandom makes worker 0 be needed again and again, each time a little
// earlier or later on its way to sleep.
func (s sleepSuite) missedAtRandom(r *run, src source) {
	for round := 0; r.More(round, 10); round++ {
		c := startCrew(r, s.new, 2)
		need, came, cleanup := src.prepare(r, c)
		r.During(src.rule, "worker 0 comes when it is needed (source %s) at a moment left to chance", src.name)
		c.s.Wake(0) // on its way to sleep again
		harness.Pause(r.RNG)
		need()
		r.Wait(came)
		cleanup()
		if src.name == "injected" {
			s.again(r, c)
		}
		c.stop()
		if r.Failed() {
			return
		}
	}
}

// again injects jobs one after the other, each when the last one is done, to
// meet the workers at every point of falling asleep.
func (s sleepSuite) again(r *run, c *crew) {
	for i := range 100 {
		job, done := signal()
		r.During("S1", "job %d, injected at a moment left to chance, is run", i)
		c.inject(job)
		r.Wait(done)
		harness.Pause(r.RNG)
	}
}

// missedAt makes worker 0 be needed just when it passes a point on its way to
// sleep. On a busy machine that may come too late to be just then, so it tries more
// than once.
func (s sleepSuite) missedAt(r *run, src source, p point) {
	for range 4 {
		s.missedOnceAt(r, src, p)
		if r.Failed() {
			return
		}
	}
}

func (s sleepSuite) missedOnceAt(r *run, src source, p point) {
	c := startCrew(r, s.new, 2)
	defer c.stop()
	need, came, cleanup := src.prepare(r, c)
	r.During("S7", "worker 0 passes the point %q on its way to sleep", p)
	passed := make(chan struct{})
	c.once(p, 0, func() {
		r.During(src.rule, "worker 0 comes when it is needed (source %s) just as it passes the point %q on its way to sleep", src.name, p)
		need()
		close(passed)
	})
	c.rouse(0, passed)
	r.Wait(passed)
	r.Wait(came)
	cleanup()
}

// counterWraps posts two jobs while worker 0 is on its way to sleep. Worker 1
// announces its own sleep after that, then takes one of the jobs and blocks. To
// a jobs event counter of one bit nothing has happened, so that it is for the
// last look of worker 0 to see the other job.
func (s sleepSuite) counterWraps(r *run) {
	c := startCrew(r, s.new, 2)
	defer c.stop()
	c.rest()
	job, done := signal()
	blocker := make(chan struct{})
	posted := make(chan struct{})
	var held, fired atomic.Bool
	hook := func(at point, h *hand) {
		switch {
		case at == atSearched && h.id == 1 && !held.Swap(true):
			r.Receive(posted)
		case at == atGetSleepy && h.id == 0 && held.Load() && !fired.Swap(true):
			go func() { // It waits if the backend holds a lock here.
				defer r.Recovered()
				c.inject(func(*hand) { close(blocker); r.Receive(done) })
				c.inject(job)
				close(posted)
			}()
			nudge(blocker)
		}
	}
	c.hook.Store(&hook)
	r.During("S7", "two workers pass the points on their way to sleep")
	c.rouse(1, posted)
	r.Until(held.Load)
	c.rouse(0, posted)
	r.Wait(posted)
	r.During("S1", "a job is run that was posted before another worker announced its sleep, took another job and blocked")
	r.Wait(done)
}

// rouse wakes the worker once, when it sleeps, or not at all if it has passed
// meanwhile. A second wake could cover up that the worker has missed one.
func (c *crew) rouse(id int, passed <-chan struct{}) {
	c.r.T.Helper()
	c.r.Until(func() bool { return closed(passed) || c.hands[id].looked.Load() && c.s.Wake(id) })
}
