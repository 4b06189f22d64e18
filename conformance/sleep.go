package conformance

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/api"
)

// TestSleep checks that what newSleep returns keeps the rules of [api.Sleep],
// and those of [api.Lender] and [api.Meter] if it implements them. Each
// subtest uses instances of its own. Few [api.Rounds] are a good choice: they
// make workers fall asleep all the time. With [WithSynctest] a missed wake is
// noticed at once, where that applies.
func TestSleep(t *testing.T, newSleep func(workers int) (api.Sleep, error), opts ...Option) {
	cfg := newConfig(opts)
	s := sleepSuite{new: newSleep}
	if probe, err := newSleep(1); err == nil {
		_, s.lends = probe.(api.Lender)
	}
	bubbled(t, cfg, "WakeReachesItsTarget", "S4", s.target)
	bubbled(t, cfg, "WakesPerPost", "S6", s.wakesPerPost)
	bubbled(t, cfg, "NoWakeWhenAllActive", "S6", s.allActive)
	bubbled(t, cfg, "Cascade", "S2", s.cascade)
	t.Run("NoMissedWake", func(t *testing.T) {
		for _, src := range s.sources() {
			t.Run("source="+src.name, func(t *testing.T) {
				bubbled(t, cfg, "Random", src.rule, func(r *run) { s.missedAtRandom(r, src) })
				for _, p := range onTheWay {
					bubbled(t, cfg, "At="+string(p), src.rule, func(r *run) { s.missedAt(r, src, p) })
				}
			})
		}
	})
	bubbled(t, cfg, "NoMissedWake/CounterWraps", "S1", s.counterWraps)
	for _, w := range conservation {
		bubbled(t, cfg, "Conservation/"+w.name, "S2", func(r *run) { s.conserve(r, w.post) })
	}
	subtest(t, cfg, "Rest", "S7", s.rest)
	bubbled(t, cfg, "SpuriousReturns", "S5", s.spurious)
	if s.lends {
		s.testLender(t, cfg)
	}
	for _, procs := range []int{1, 2, 4} {
		bubbled(t, cfg, fmt.Sprintf("Stress/procs=%d", procs), "S1", func(r *run) {
			defer r.procs(procs)()
			s.stress(r, s.new, false)
		})
	}
}

type sleepSuite struct {
	new   newSleep
	lends bool
}

// A source is a way in which a worker on its way to sleep can be needed.
type source struct {
	name string
	rule string
	// prepare returns a function that makes worker 0 of the crew be needed,
	// and a channel that is closed when it has come. All but worker 0 must be
	// of no help: it finds them blocked, and cleanup frees them.
	prepare func(r *run, c *crew) (need func(), came <-chan struct{}, cleanup func())
}

func (s sleepSuite) sources() []source {
	all := []source{
		{"injected", "S1", needInjected},
		{"internal", "S1", needInternal},
		{"latch", "S3", needLatch},
		{"stop", "S3", needStop},
	}
	if s.lends {
		all = append(all, source{"seat", "S1", needSeat})
	}
	return all
}

// needInjected injects a job.
func needInjected(r *run, c *crew) (func(), <-chan struct{}, func()) {
	free := occupy(r, c, 1)
	job, done := signal()
	return func() { c.inject(job) }, done, free
}

// needInternal has worker 1 spawn a job and then block until it was run.
func needInternal(r *run, c *crew) (func(), <-chan struct{}, func()) {
	job, done := signal()
	begun, spawn := make(chan struct{}), make(chan struct{})
	spawned := make(chan struct{})
	c.sendTo(r, 1, func(h *hand) {
		close(begun)
		r.receive(spawn)
		h.spawn(job)
		close(spawned)
		r.receive(done)
	})
	r.wait(begun)
	return func() { close(spawn); r.receive(spawned) }, done, func() {}
}

// needSeat has somebody on the borrowed seat of worker 1 do the same.
func needSeat(r *run, c *crew) (func(), <-chan struct{}, func()) {
	job, done := signal()
	begun, spawn := make(chan struct{}), make(chan struct{})
	spawned, back := make(chan struct{}), make(chan struct{})
	c.onlySeat(r, 1, func(h *hand) {
		close(begun)
		r.receive(spawn)
		h.spawn(job)
		close(spawned)
		r.receive(done)
	}, back)
	r.wait(begun)
	return func() { close(spawn); r.receive(spawned) }, done, func() { r.wait(back) }
}

// needLatch has worker 0 wait for a latch, in a job.
func needLatch(r *run, c *crew) (func(), <-chan struct{}, func()) {
	free := occupy(r, c, 1)
	joined := make(chan struct{})
	latch := make(chan *flag, 1)
	c.sendTo(r, 0, func(h *hand) {
		l := &flag{hand: h}
		latch <- l
		h.join(l)
		close(joined)
	})
	var l *flag
	select {
	case l = <-latch:
	case <-r.abort:
		runtime.Goexit()
	}
	return func() { c.set(l) }, joined, free
}

// needStop sets the root latch of worker 0.
func needStop(r *run, c *crew) (func(), <-chan struct{}, func()) {
	free := occupy(r, c, 1)
	h := c.hands[0]
	return func() { c.set(&h.root) }, h.ended, free
}

// receive waits for a signal on behalf of a job.
func (r *run) receive(ch <-chan struct{}) {
	select {
	case <-ch:
	case <-r.abort:
	}
}

// occupy makes all workers from the given number on block in jobs until free
// is called.
func occupy(r *run, c *crew, from int) (free func()) {
	gate := make(chan struct{})
	for i := from; i < len(c.hands); i++ {
		begun := make(chan struct{})
		c.sendTo(r, i, func(*hand) {
			close(begun)
			r.receive(gate)
		})
		r.wait(begun)
	}
	return func() { close(gate) }
}

// sendTo has the given worker run a job, and the others keep their hands off
// it. It returns when the job has begun.
func (c *crew) sendTo(r *run, id int, job task) {
	r.t.Helper()
	r.during("S4", "worker %d runs a job that was injected, after Wake(%d)", id, id)
	taken := make(chan struct{})
	release := c.hold(func(h *hand) bool { return h.id != id })
	defer release()
	var sent task
	sent = func(h *hand) {
		if h.id != id { // it was past the point where it could be held
			c.inject(sent)
			return
		}
		close(taken)
		job(h)
	}
	c.inject(sent)
	r.until(func() bool {
		// The post may have woken another one, or relied on one, who is held.
		c.s.Wake(id)
		return closed(taken)
	})
}

func closed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

// onlySeat has somebody from outside borrow the seat of the given worker and
// run fn there. back is closed when the seat was given back.
func (c *crew) onlySeat(r *run, id int, fn task, back chan struct{}) {
	r.t.Helper()
	c.rest()
	r.during("S9", "the seat of worker %d is lent while all sleep", id)
	// Seats that come before the right one are given back when it is found.
	found := make(chan struct{})
	var others []chan struct{}
	for range c.hands {
		right, done := make(chan bool, 1), make(chan struct{})
		go func() {
			defer r.recovered()
			mine := false
			ok := c.borrow(func(h *hand) {
				mine = h.id == id
				right <- mine
				if mine {
					fn(h)
				} else {
					r.receive(found)
				}
			})
			if !ok {
				r.report("S9", "Borrow found no seat to lend, with all workers asleep at their roots")
				right <- true
			}
			if mine {
				close(back)
			} else {
				close(done)
			}
		}()
		if <-right {
			break
		}
		others = append(others, done)
	}
	close(found)
	for _, done := range others {
		r.wait(done)
	}
}

// missedAtRandom makes worker 0 be needed again and again, each time a little
// earlier or later on its way to sleep.
func (s sleepSuite) missedAtRandom(r *run, src source) {
	for round := 0; r.more(round, 10); round++ {
		c := startCrew(r, s.new, 2)
		need, came, cleanup := src.prepare(r, c)
		r.during(src.rule, "worker 0 comes when it is needed (source %s) at a moment left to chance", src.name)
		c.s.Wake(0) // on its way to sleep again
		pause(r.rng)
		need()
		r.wait(came)
		cleanup()
		if src.name == "injected" {
			s.again(r, c)
		}
		c.stop()
		if r.hasFailed() {
			return
		}
	}
}

// again injects jobs one after the other, each when the last one is done, to
// meet the workers at every point of falling asleep.
func (s sleepSuite) again(r *run, c *crew) {
	for i := range 100 {
		job, done := signal()
		r.during("S1", "job %d, injected at a moment left to chance, is run", i)
		c.inject(job)
		r.wait(done)
		pause(r.rng)
	}
}

// missedAt makes worker 0 be needed just when it passes a point on its way to
// sleep.
func (s sleepSuite) missedAt(r *run, src source, p point) {
	c := startCrew(r, s.new, 2)
	defer c.stop()
	need, came, cleanup := src.prepare(r, c)
	r.during("S7", "worker 0 passes the point %q on its way to sleep", p)
	passed := make(chan struct{})
	c.once(p, 0, func() {
		r.during(src.rule, "worker 0 comes when it is needed (source %s) just as it passes the point %q on its way to sleep", src.name, p)
		need()
		close(passed)
	})
	c.rouse(0, passed)
	r.wait(passed)
	r.wait(came)
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
			r.receive(posted)
		case at == atGetSleepy && h.id == 0 && held.Load() && !fired.Swap(true):
			c.inject(func(*hand) { close(blocker); r.receive(done) })
			c.inject(job)
			close(posted)
			nudge(blocker)
		}
	}
	c.hook.Store(&hook)
	r.during("S7", "two workers pass the points on their way to sleep")
	c.rouse(1, posted)
	r.until(held.Load)
	c.rouse(0, posted)
	r.wait(posted)
	r.during("S1", "a job is run that was posted before another worker announced its sleep, took another job and blocked")
	r.wait(done)
}

// rouse wakes the worker once, when it sleeps, or not at all if it has passed
// meanwhile. A second wake could cover up that the worker has missed one.
func (c *crew) rouse(id int, passed <-chan struct{}) {
	c.r.t.Helper()
	c.r.until(func() bool {
		return closed(passed) || c.hands[id].looked.Load() && c.s.Wake(id)
	})
}

// conservation are ways to post jobs, all of which must run at once.
var conservation = []struct {
	name string
	post func(c *crew, jobs []task)
}{
	{"one_by_one", func(c *crew, jobs []task) {
		for _, job := range jobs {
			c.inject(job)
		}
	}},
	{"in_one_post", func(c *crew, jobs []task) {
		wasEmpty := true
		for i, job := range jobs {
			e := c.injected.push(job)
			if i == 0 {
				wasEmpty = e
			}
		}
		c.s.Post(len(jobs), wasEmpty)
	}},
	{"spawned_by_one", func(c *crew, jobs []task) {
		c.inject(func(h *hand) {
			for _, job := range jobs[1:] {
				h.spawn(job)
			}
			jobs[0](h)
		})
	}},
	{"each_spawns_the_next", func(c *crew, jobs []task) {
		var next func(i int) task
		next = func(i int) task {
			return func(h *hand) {
				if i+1 < len(jobs) {
					h.spawn(next(i + 1))
				}
				jobs[i](h)
			}
		}
		c.inject(next(0))
	}},
}

// conserve posts as many jobs as there are workers. Each blocks until all have
// begun, so that all workers are needed.
func (s sleepSuite) conserve(r *run, post func(*crew, []task)) {
	const workers = 4
	c := startCrew(r, s.new, workers)
	defer c.stop()
	for round := 0; r.more(round, 20); round++ {
		if round%4 == 0 {
			c.rest()
		}
		r.during("S2", "%d jobs, each of which blocks until all have begun, are run by %d workers", workers, workers)
		var begun atomic.Int32
		all := make(chan struct{})
		jobs := make([]task, workers)
		for i := range jobs {
			jobs[i] = func(*hand) {
				if begun.Add(1) == workers {
					close(all)
				}
				r.receive(all)
			}
		}
		post(c, jobs)
		r.wait(all)
		pause(r.rng)
	}
}

// cascade lets two posts count on the same idle worker. That one takes one of
// the jobs and blocks; before, it must wake another for the other job.
func (s sleepSuite) cascade(r *run) {
	c := startCrew(r, s.new, 3)
	defer c.stop()
	job, done := signal()
	begun, spawn, spawned := make(chan struct{}), make(chan struct{}), make(chan struct{})
	c.sendTo(r, 0, func(h *hand) {
		close(begun)
		r.receive(spawn)
		h.spawn(job)
		close(spawned)
		r.receive(done)
	})
	r.wait(begun)
	r.during("S7", "two idle workers sleep while the third runs a job")
	r.until(func() bool { _, n := c.s.Counts(); return n == 2 })

	// Worker 1 is awake and idle, worker 2 asleep.
	var held atomic.Int32
	release := c.hold(func(h *hand) bool {
		if h.id == 1 {
			held.Add(1)
		}
		return h.id == 1
	})
	r.during("S4", "worker 1 searches after Wake(1)")
	r.until(func() bool { c.s.Wake(1); return held.Load() > 0 })

	c.inject(func(*hand) { r.receive(done) })
	close(spawn)
	r.wait(spawned)
	r.during("S2", "a posted job is run although the worker that two posts had counted on took the job of one of them and blocks in it")
	release()
	r.wait(done)
}

// target wakes each of several sleepers by its number.
func (s sleepSuite) target(r *run) {
	const workers = 4
	c := startCrew(r, s.new, workers)
	defer c.stop()
	for round := 0; r.more(round, 2); round++ {
		for id, h := range c.hands {
			c.rest()
			before := c.counted()
			searches := h.searches.Load()
			others := c.searches() - searches
			r.check(c.s.Wake(id), "S4", "Wake(%d) returned false while worker %d slept", id, id)
			r.during("S4", "worker %d searches after Wake(%d) returned true", id, id)
			r.until(func() bool { return h.searches.Load() > searches })
			c.rest()
			n := c.searches() - h.searches.Load()
			r.check(n == others, "S4", "after Wake(%d), other workers searched %d times", id, n-others)
			if c.meter != nil {
				wakes := c.counted().Wakes - before.Wakes
				r.check(wakes == 1, "S4", "Wake(%d) woke %d workers, by the meter", id, wakes)
			}
		}
	}
	free := occupy(r, c, workers-1)
	r.check(!c.s.Wake(workers-1), "S4", "Wake(%d) returned true while worker %d ran a job", workers-1, workers-1)
	free()
}

// searches returns how often the workers have searched, all together.
func (c *crew) searches() (n int64) {
	for _, h := range c.hands {
		n += h.searches.Load()
	}
	return n
}

// counted returns what the meter says, if there is one.
func (c *crew) counted() (m api.Metered) {
	if c.meter != nil {
		m = c.meter.Meter()
	}
	return m
}

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

// wakesPerPost counts the wakes of a post, by how many sleep before and after,
// with the woken held idle so that they wake nobody in turn.
func (s sleepSuite) wakesPerPost(r *run) {
	const workers = 4
	for idle := range workers {
		for jobs := 1; jobs <= workers; jobs++ {
			for _, wasEmpty := range []bool{true, false} {
				s.wakesOf(r, workers, idle, jobs, wasEmpty)
			}
		}
	}
}

func (s sleepSuite) wakesOf(r *run, workers, idle, jobs int, wasEmpty bool) {
	c := startCrew(r, s.new, workers)
	defer c.stop()
	c.rest()
	release := c.hold(func(*hand) bool { return true })
	defer release()
	for id := range idle {
		c.s.Wake(id)
	}
	_, before := c.s.Counts()
	r.check(before == workers-idle, "S4", "%d sleep after %d of %d were woken by their numbers", before, idle, workers)
	meter := c.counted()
	var ran atomic.Int32
	for range jobs {
		c.injected.push(func(*hand) { ran.Add(1) })
	}
	c.s.Post(jobs, wasEmpty)
	_, after := c.s.Counts()
	woken := before - after
	most := min(jobs, before)
	if wasEmpty {
		most = max(0, min(jobs-idle, before))
	}
	what := fmt.Sprintf("Post(%d, %t), with %d idle and %d asleep, woke %d", jobs, wasEmpty, idle, before, woken)
	r.check(woken <= most, "S6", "%s, want at most %d", what, most)
	r.check(woken > 0 || idle > 0, "S1", "%s", what)
	if c.meter != nil {
		m := c.counted()
		r.check(int(m.Wakes-meter.Wakes) == woken, "S6", "%s, but the meter counts %d", what, m.Wakes-meter.Wakes)
	}
}

// allActive posts while all workers run jobs.
func (s sleepSuite) allActive(r *run) {
	const workers = 2
	c := startCrew(r, s.new, workers)
	defer c.stop()
	free := occupy(r, c, 0)
	before := c.counted()
	for range 100 {
		c.inject(func(*hand) {})
	}
	after := c.counted()
	r.check(after == before, "S6", "100 posts while nobody slept changed the meter from %+v to %+v", before, after)
	free()
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
		rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
		for range trees {
			post()
			pause(rng)
		}
	}
	borrower := func() {
		rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
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
