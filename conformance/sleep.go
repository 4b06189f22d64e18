package conformance

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/api"
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
	s.each(t, cfg, sleepCases)
	cfg.Bubbled(t, "WokenInLastLook", "S4", s.wokenInLastLook)
	cfg.Bubbled(t, "WakesPerPost", "S6", s.wakesPerPost)
	s.missedWakes(t, cfg)
	var cases []sleepCase
	for _, w := range conservation {
		cases = append(cases, sleepCase{"Conservation/" + w.name, "S2", 4, func(r *run, c *crew) { conserve(r, c, w.post) }})
	}
	if s.starts {
		cases = append(cases, sleepCase{"StartedOnce", "S11", 1, startedOnce})
	}
	if s.lends {
		cases = append(cases, seatCases()...)
		cfg.Bubbled(t, "Seat/BorrowedInLastLook", "S9", func(r *run) {
			for try := 0; try < tries && !r.Failed(); try++ {
				s.borrowedInLastLook(r)
			}
		})
	}
	if _, err := newSleep(manyWorkers); err == nil { // or it is for few workers
		cases = append(cases, sleepCase{"EachOfMany", "S1", manyWorkers, eachOfMany})
		if s.lends {
			cases = append(cases, sleepCase{"Seat/LentOnceEachOfMany", "S9", manyWorkers, lentOnceEach})
		}
	}
	s.each(t, cfg, cases)
	cfg.Subtest(t, "Rest", "S7", s.rest)
	cfg.Subtest(t, "RestAfterPost", "S7", s.restAfterPost)
	if s.counts {
		cfg.Bubbled(t, "Meter", "S10", s.metered)
	}
	cfg.Bubbled(t, "SpuriousReturns", "S5", s.spurious)
	for _, procs := range []int{1, 2, 4} {
		cfg.Bubbled(t, fmt.Sprintf("Stress/procs=%d", procs), "S1", func(r *run) {
			defer r.Procs(procs)()
			s.stress(r, s.new, false)
		})
	}
}

// A sleepCase is a subtest that gets a crew of so many workers.
type sleepCase struct {
	name, rule string
	workers    int
	run        func(r *run, c *crew)
}

var sleepCases = []sleepCase{
	{"WakeReachesItsTarget", "S4", 4, target},
	{"NoWakeWhenAllActive", "S6", 2, allActive},
	{"Cascade", "S2", 3, cascade},
	{"NoMissedWake/CounterWraps", "S1", 2, severalTimes(counterWraps)},
}

// tries are how often what is to come just as a worker passes a point is tried: on a busy machine
// it may come too late.
const tries = 4

func severalTimes(once func(r *run, c *crew)) func(r *run, c *crew) {
	return func(r *run, c *crew) {
		for try := 0; try < tries && !r.Failed(); try++ {
			once(r, c)
		}
	}
}

func (s sleepSuite) each(t *testing.T, cfg config, cases []sleepCase) {
	for _, c := range cases {
		cfg.Bubbled(t, c.name, c.rule, func(r *run) { s.with(r, c.workers, c.run) })
	}
}

// with calls body with a crew of its own, which is stopped then.
func (s sleepSuite) with(r *run, workers int, body func(r *run, c *crew)) {
	r.T.Helper()
	c := startCrew(r, s.new, workers)
	defer c.stop()
	body(r, c)
}

type sleepSuite struct {
	new    newSleep
	lends  bool
	counts bool
	starts bool
}

// A source is a way in which a worker on its way to sleep can be needed. A backend cannot
// tell who posts a job, so a job from outside stands for all.
type source struct {
	name, rule string
	// need makes worker 0 be needed, and returns a channel that is closed when it has come.
	need func(c *crew) (came <-chan struct{})
}

var sources = []source{
	{"injected", "S1", func(c *crew) <-chan struct{} {
		job, done := signal()
		c.inject(job)
		return done
	}},
	{"stop", "S3", func(c *crew) <-chan struct{} {
		c.set(&c.hands[0].root)
		return c.hands[0].ended
	}},
}

// missedWakes has worker 0 be needed in each way, just when it passes a point on its way to
// sleep.
func (s sleepSuite) missedWakes(t *testing.T, cfg config) {
	for _, src := range sources {
		name := "NoMissedWake/source=" + src.name
		for _, p := range onTheWay {
			cfg.Bubbled(t, name+"/At="+string(p), src.rule, func(r *run) {
				for try := 0; try < tries && !r.Failed(); try++ {
					s.with(r, 2, func(r *run, c *crew) { missedAt(r, c, src, p) })
				}
			})
		}
	}
}

// missedAt has the other workers be of no help: they are blocked.
func missedAt(r *run, c *crew, src source, p point) {
	free := occupy(r, c, 1)
	r.During("S7", "worker 0 passes the point %q on its way to sleep", p)
	var came <-chan struct{}
	passed := make(chan struct{})
	c.once(p, 0, func() {
		r.During(src.rule, "worker 0 comes when it is needed (source %s) just as it passes the point %q on its way to sleep", src.name, p)
		came = src.need(c)
		close(passed)
	})
	c.rouse(0, passed)
	r.Wait(passed)
	r.Wait(came)
	free()
}

// counterWraps posts two jobs while worker 0 is on its way to sleep. Worker 1
// announces its own sleep after that, then takes one of the jobs and blocks. To
// a jobs event counter of one bit nothing has happened, so that it is for the
// last look of worker 0 to see the other job.
func counterWraps(r *run, c *crew) {
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
