package scenarios

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore"
)

// TestSleep explores the scenarios of [Sleep].
func TestSleep(t *testing.T, newSleep func(workers int) (api.Sleep, error)) {
	Run(t, Sleep(newSleep))
}

// Sleep returns scenarios for the rules of [api.Sleep], and for those of
// [api.Lender] if the result of newSleep is one. A backend should fall asleep
// after the fewest rounds that it can, since each search multiplies the
// schedules, and is worth another run with a jobs event counter that wraps all
// the time.
func Sleep(newSleep func(workers int) (api.Sleep, error)) (all []Scenario) {
	cases := sleepCases
	if probe, err := newSleep(1); err == nil {
		if _, ok := probe.(api.Lender); ok {
			cases = slices.Concat(cases, seatCases)
		}
	}
	for _, c := range cases {
		all = append(all, c.scenario(newSleep))
	}
	return all
}

// A sleepCase is a scenario of a sleep backend.
type sleepCase struct {
	name, rule  string
	bound, deep int
	workers     int
	// spurious is how many waits may return for no reason.
	spurious int
	// lends is whether a seat is to be lent in some execution.
	lends bool
	// body has the crew work. When it has returned, the crew ends.
	body func(c *crew)
}

func (s sleepCase) scenario(newSleep newSleep) Scenario {
	var options []explore.Option
	if s.spurious > 0 {
		options = append(options, explore.Spurious(s.spurious))
	}
	why := ""
	if s.bound != Complete {
		why = NoEnd(fmt.Sprintf("%d workers", s.workers))
	}
	var lent, looked, found bool // in some execution
	unreached := func() (all []string) {
		if s.lends && !lent {
			all = append(all, "a seat is lent")
		}
		if s.lends && looked && !found {
			all = append(all, "a borrower finds a job")
		}
		return all
	}
	body := func(x *explore.Exec) {
		c := newCrew(x, newSleep, s.workers)
		s.body(c)
		c.end()
		for _, h := range c.hands {
			lent, looked, found = lent || h.lent, looked || h.looked, found || h.found
		}
	}
	return Scenario{
		Name: s.name, Rule: s.rule, Bound: s.bound, Deep: s.deep, Why: why, Options: options,
		Body: body, unreached: unreached,
	}
}

var sleepCases = []sleepCase{
	{name: "injected", rule: "S1", bound: Complete, workers: 1, body: injected(1)},
	{name: "injected_again", rule: "S1", bound: Complete, workers: 1, body: injected(2)},
	{name: "injected_two_workers", rule: "S2", bound: 3, deep: 4, workers: 2, body: injected(1)},
	// One post tells of two jobs.
	{name: "injected_at_once", rule: "S2", bound: 3, deep: 4, workers: 2, body: func(c *crew) {
		c.start(1)
		c.post(outside2, 2)
	}},
	{name: "two_posters", rule: "S2", bound: 2, deep: 3, workers: 2, body: twoPosters},
	// There was a post before, so that the first worker that announces its sleep has
	// to change the jobs event counter.
	{name: "two_posters_later", rule: "S2", bound: 2, deep: 3, workers: 2, body: func(c *crew) {
		c.post(outside, 1)
		c.take()
		twoPosters(c)
	}},
	// The worker that takes the first job posts another, from a queue of its own, and
	// never comes back.
	{name: "internal", rule: "S1", bound: 3, deep: 4, workers: 2, body: func(c *crew) {
		c.run = func(h *hand, from source) {
			if from == outside {
				h.post(source(h.id), 1)
			}
		}
		c.start(1)
		c.post(outside, 1)
	}},
	{name: "three_workers", rule: "S2", bound: 2, deep: 3, workers: 3, body: injected(1)},
	{name: "spurious_return", rule: "S5", bound: Complete, workers: 1, spurious: 2, body: injected(1)},
	{name: "stop", rule: "S3", bound: Complete, workers: 1, body: stop(0)},
	{name: "stop_after_post", rule: "S3", bound: Complete, workers: 1, body: stop(1)},
	{name: "two_stops", rule: "S4", bound: 3, deep: 4, workers: 2, body: stop(0)},
	// A job is posted for one of three workers, and for the others when it has been taken.
	// Of one post and the worker that it rouses, each may wake one; and so may each worker
	// that sees the job in its last look, and has been claimed by then.
	{name: "wakes_per_post", rule: "S6", bound: 1, deep: 2, workers: 3, body: func(c *crew) {
		var taken prim.WaitGroup
		taken.Add(1)
		c.run = func(_ *hand, from source) {
			if from == outside {
				taken.Done()
			}
		}
		c.start(1)
		c.post(outside, 1)
		taken.Wait()
		if c.meter != nil {
			if n := c.meter.Meter().Wakes; n > uint64(2+c.seen) {
				c.x.Errorf("S6: one post, of one job, that %d saw in their last look, led to %d wakes", c.seen, n)
			}
		}
		c.post(outside2, 2)
	}},
}

// injected has each worker take a number of jobs, which come in one by one, as
// many as are taken in all.
func injected(each int) func(c *crew) {
	return func(c *crew) {
		c.start(each)
		for range len(c.hands) * each {
			c.post(outside, 1)
		}
	}
}

// twoPosters lets both posts count on the same idle worker, which takes one job
// and never comes back.
func twoPosters(c *crew) {
	c.start(1)
	c.x.Go("poster", func() { c.post(outside2, 1) })
	c.post(outside, 1)
}

// stop ends all workers, one after the other, after a number of posts, which they
// must not leave behind.
func stop(jobs int) func(c *crew) {
	return func(c *crew) {
		c.start(untilStopped)
		for range jobs {
			c.post(outside, 1)
		}
		c.stop()
	}
}
