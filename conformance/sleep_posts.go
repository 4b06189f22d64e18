package conformance

import (
	"fmt"
	"sync/atomic"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
)

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
	{"posted_as_one", func(c *crew, jobs []task) {
		for _, job := range jobs {
			c.injected.push(job)
		}
		c.s.Post(1, true)
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
func conserve(r *run, c *crew, post func(*crew, []task)) {
	workers := len(c.hands)
	for round := 0; r.More(round, 20); round++ {
		if round%4 == 0 {
			c.rest()
		}
		r.During("S2", "%d jobs, each of which blocks until all have begun, are run by %d workers", workers, workers)
		var begun atomic.Int32
		all := make(chan struct{})
		jobs := make([]task, workers)
		for i := range jobs {
			jobs[i] = func(*hand) {
				if int(begun.Add(1)) == workers {
					close(all)
				}
				r.Receive(all)
			}
		}
		post(c, jobs)
		r.Wait(all)
		harness.Pause(r.RNG)
	}
}

// cascade lets two posts count on the same idle worker. That one takes one of
// the jobs and blocks; before, it must wake another for the other job.
func cascade(r *run, c *crew) {
	job, done := signal()
	begun := make(chan struct{})
	c.sendTo(r, 0, func(*hand) { close(begun); r.Receive(done) })
	r.Wait(begun)
	r.During("S7", "two idle workers sleep while the third runs a job")
	r.Until(func() bool { _, n := c.s.Counts(); return n == 2 })

	// Worker 1 is awake and idle, worker 2 asleep.
	var held atomic.Int32
	release := c.hold(func(h *hand) bool {
		if h.id == 1 {
			held.Add(1)
		}
		return h.id == 1
	})
	r.During("S4", "worker 1 searches after Wake(1)")
	r.Until(func() bool { c.s.Wake(1); return held.Load() > 0 })

	c.inject(func(*hand) { r.Receive(done) })
	c.s.Post(1, c.hands[0].queue.push(job)) // as if worker 0 spawned it
	r.During("S2", "a posted job is run although the worker that two posts had counted on took the job of one of them and blocks in it")
	release()
	r.Wait(done)
}

// target wakes each of several sleepers by its number.
func target(r *run, c *crew) {
	const workers = 4
	for round := 0; r.More(round, 2); round++ {
		for id, h := range c.hands {
			c.rest()
			before := c.counted()
			searches := h.searches.Load()
			others := c.searches() - searches
			r.Check(c.s.Wake(id), "S4", "Wake(%d) returned false while worker %d slept", id, id)
			r.During("S4", "worker %d searches after Wake(%d) returned true", id, id)
			r.Until(func() bool { return h.searches.Load() > searches })
			c.rest()
			n := c.searches() - h.searches.Load()
			r.Check(n == others, "S4", "after Wake(%d), other workers searched %d times", id, n-others)
			if c.meter != nil {
				wakes := c.counted().Wakes - before.Wakes
				r.Check(wakes == 1, "S4", "Wake(%d) woke %d workers, by the meter", id, wakes)
			}
		}
	}
	free := occupy(r, c, workers-1)
	r.Check(!c.s.Wake(workers-1), "S4", "Wake(%d) returned true while worker %d ran a job", workers-1, workers-1)
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

// wakesPerPost counts the wakes of a post, by how many sleep before and after,
// with the woken held idle so that they wake nobody in turn.
func (s sleepSuite) wakesPerPost(r *run) {
	const workers = 4
	for idle := range workers {
		for jobs := 1; jobs <= workers; jobs++ {
			for _, wasEmpty := range []bool{true, false} {
				s.with(r, workers, func(r *run, c *crew) { wakesOf(r, c, idle, jobs, wasEmpty) })
			}
		}
	}
}

func wakesOf(r *run, c *crew, idle, jobs int, wasEmpty bool) {
	workers := len(c.hands)
	c.rest()
	release := c.hold(func(*hand) bool { return true })
	defer release()
	for id := range idle {
		c.s.Wake(id)
	}
	_, before := c.s.Counts()
	r.Check(before == workers-idle, "S4", "%d sleep after %d of %d were woken by their numbers", before, idle, workers)
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
	r.Check(woken <= most, "S6", "%s, want at most %d", what, most)
	r.Check(woken > 0 || idle > 0, "S1", "%s", what)
	if c.meter != nil {
		m := c.counted()
		r.Check(int(m.Wakes-meter.Wakes) == woken, "S6", "%s, but the meter counts %d", what, m.Wakes-meter.Wakes)
	}
}

// allActive posts while all workers run jobs.
func allActive(r *run, c *crew) {
	free := occupy(r, c, 0)
	before := c.counted()
	for range 100 {
		c.inject(func(*hand) {})
	}
	after := c.counted()
	r.Check(after == before, "S6", "100 posts while nobody slept changed the meter from %+v to %+v", before, after)
	free()
}

// manyWorkers are more than a word has bits, and those of two words.
const manyWorkers = 130

// eachOfMany posts jobs that block, one when the last one has begun, until all workers
// run one: each sleeper is found, however many others do not sleep.
func eachOfMany(r *run, c *crew) {
	c.rest()
	gate := make(chan struct{})
	defer close(gate)
	for i := range manyWorkers {
		begun := make(chan struct{})
		r.During("S1", "a job is run that was posted while %d of %d workers run jobs and the others sleep, or are about to", i, manyWorkers)
		c.inject(func(*hand) { close(begun); r.Receive(gate) })
		r.Wait(begun)
	}
}

// startedOnce has many wake the only worker at once, when it sleeps: one of them goes on
// with it, also without a goroutine of its own.
func startedOnce(r *run, c *crew) {
	var woken atomic.Int64
	for round := 0; r.More(round, 20); round++ {
		c.rest()
		wake := func() {
			if c.s.Wake(0) {
				woken.Add(1)
			}
		}
		r.During("S4", "the only worker is woken by three at once")
		r.Together(wake, wake, wake)
		job, done := signal()
		c.inject(job)
		r.During("S11", "a worker goes on that was woken, and takes the job that was posted then")
		r.Wait(done)
		c.rest()
		// Each post wakes it once at most.
		starts, most := c.starts.Load(), woken.Load()+int64(round+1)
		r.Check(starts <= most, "S11", "a worker was started %d times, and woken %d times at most", starts, most)
	}
}
