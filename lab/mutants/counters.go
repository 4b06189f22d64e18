package mutants

import (
	"runtime"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/counters"
)

// Each of these is the real counters but for the method that it has.
type (
	announceLikePost struct{ api.Counters }
	ticketByLoad     struct{ api.Counters }
	postByLoad       struct{ api.Counters }
	ticketIgnored    struct{ api.Counters }
	countedTwice     struct{ api.Counters }
	lendInTwoSteps   struct{ api.Counters }
	lastForgotten    struct{ api.Counters }
	saturating       struct{ api.Counters }
)

func (c announceLikePost) Announce() uint32 {
	c.Counters.Post()
	_, _, jobs := c.Load()
	return jobs
}

func (c ticketByLoad) Announce() uint32 {
	c.Counters.Announce()
	runtime.Gosched() // as if preempted
	_, _, jobs := c.Load()
	return jobs
}

func (c postByLoad) Post() (inactive, sleeping int) {
	c.Counters.Post()
	runtime.Gosched() // as if preempted
	inactive, sleeping, _ = c.Load()
	return inactive, sleeping
}

func (c ticketIgnored) TrySleep(uint32) bool {
	_, _, jobs := c.Load()
	return c.Counters.TrySleep(jobs)
}

func (c countedTwice) SubSleeping(n int) {
	c.Counters.SubSleeping(n)
	if _, sleeping, _ := c.Load(); sleeping > 0 {
		c.Counters.SubSleeping(1)
	}
}

func (c lendInTwoSteps) Lend() {
	c.Counters.SubSleeping(1)
	runtime.Gosched() // as if preempted
	c.Counters.SubInactive()
}

func (c lastForgotten) SubInactive() (inactive, sleeping int) {
	inactive, sleeping = c.Counters.SubInactive()
	return inactive + 1, sleeping // as it was before
}

func (c saturating) SubSleeping(n int) {
	if _, sleeping, _ := c.Load(); sleeping >= n {
		c.Counters.SubSleeping(n)
	}
}

// broken makes counters of which wrap has changed a method.
func broken(wrap func(api.Counters) api.Counters) func(int) (api.Counters, error) {
	return func(workers int) (api.Counters, error) {
		c, err := counters.New(workers)
		if err != nil {
			return nil, err
		}
		return wrap(c), nil
	}
}
