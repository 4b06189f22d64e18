package scenarios

import (
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/conformance/explore"
)

// TestSleep explores the scenarios of [Sleep].
func TestSleep(t *testing.T, newSleep func(workers int) (api.Sleep, error)) {
	Run(t, Sleep(newSleep))
}

// Sleep returns scenarios for the rules of [api.Sleep], and for those of
// [api.Lender] if what newSleep returns is one. A backend should fall asleep
// after the fewest rounds that it can, since each search multiplies the
// schedules, and is worth another run with a jobs event counter that wraps all
// the time.
func Sleep(newSleep func(workers int) (api.Sleep, error)) []Scenario {
	all := []Scenario{
		{Name: "injected", Rule: "S1", Bound: 4, Deep: 6, Body: injected(newSleep, 1, 1)},
		{Name: "injected_again", Rule: "S1", Bound: 3, Deep: 4, Body: injected(newSleep, 1, 2)},
		{Name: "injected_two_workers", Rule: "S2", Bound: 3, Deep: 4, Body: injected(newSleep, 2, 1)},
		{Name: "injected_at_once", Rule: "S2", Bound: 3, Deep: 4, Body: injectedAtOnce(newSleep)},
		{Name: "two_posters", Rule: "S2", Bound: 2, Deep: 3, Body: twoPosters(newSleep, false)},
		{Name: "two_posters_later", Rule: "S2", Bound: 2, Deep: 3, Body: twoPosters(newSleep, true)},
		{Name: "internal", Rule: "S1", Bound: 3, Deep: 4, Body: internal(newSleep)},
		{Name: "three_workers", Rule: "S2", Bound: 2, Deep: 3, Body: injected(newSleep, 3, 1)},
		{Name: "spurious_return", Rule: "S5", Bound: 3, Deep: 4, Options: []explore.Option{explore.Spurious(2)}, Body: injected(newSleep, 1, 1)},
		{Name: "stop", Rule: "S3", Bound: 4, Deep: 6, Body: stop(newSleep, 1, 0)},
		{Name: "stop_after_post", Rule: "S3", Bound: 3, Deep: 4, Body: stop(newSleep, 1, 1)},
		{Name: "two_stops", Rule: "S4", Bound: 3, Deep: 4, Body: stop(newSleep, 2, 0)},
		{Name: "wakes_per_post", Rule: "S6", Bound: 1, Deep: 2, Body: wakesPerPost(newSleep)},
	}
	if probe, err := newSleep(1); err == nil {
		if _, ok := probe.(api.Lender); ok {
			all = append(all, seats(newSleep)...)
		}
	}
	return all
}

// injected has each worker take a number of jobs, which come in one by one, as
// many as are taken in all.
func injected(newSleep newSleep, workers, each int) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, workers)
		c.start(each)
		for range workers * each {
			c.post(outside, 1)
		}
		c.end()
	}
}

// injectedAtOnce tells of two jobs by one post.
func injectedAtOnce(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 2)
		c.start(1)
		c.post(outside2, 2)
		c.end()
	}
}

// twoPosters lets both posts count on the same idle worker, which takes one job
// and never comes back. later says that there was a post before, so that the
// first who announces its sleep has to change the jobs event counter.
func twoPosters(newSleep newSleep, later bool) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 2)
		if later {
			c.post(outside, 1)
			c.take()
		}
		c.start(1)
		x.Go("poster", func() { c.post(outside2, 1) })
		c.post(outside, 1)
		c.end()
	}
}

// internal has the worker that takes the first job post another, from a queue
// of its own, and never come back.
func internal(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 2)
		c.run = func(h *hand, from source) {
			if from == outside {
				h.post(source(h.id), 1)
			}
		}
		c.start(1)
		c.post(outside, 1)
		c.end()
	}
}

// stop ends a number of workers, one after the other, after a number of posts,
// which they must not leave behind.
func stop(newSleep newSleep, workers, jobs int) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, workers)
		c.start(untilStopped)
		for range jobs {
			c.post(outside, 1)
		}
		c.stop()
		c.end()
	}
}

// wakesPerPost posts a job for one of three workers, and the others when it has
// been taken. Of one post and the worker that it rouses, each may wake one; and so
// may each worker that sees the job in its last look, and has been claimed by then.
func wakesPerPost(newSleep newSleep) func(x *explore.Exec) {
	return func(x *explore.Exec) {
		c := newCrew(x, newSleep, 3)
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
				x.Errorf("S6: one post, of one job, that %d saw in their last look, led to %d wakes", c.seen, n)
			}
		}
		c.post(outside2, 2)
		c.end()
	}
}
