package conformance

import (
	"runtime"
	"time"
)

// rest watches workers that have nothing to do: they must not take a step, nor
// use processor time, also while a seat is lent.
func (s sleepSuite) rest(r *run) {
	const workers = 3
	c := startCrew(r, s.new, workers)
	defer c.stop()

	c.rest()
	s.atRest(r, c, "")
	if s.lends {
		c.borrow(func(*hand) { s.atRest(r, c, " with one seat lent") })
	}
}

// atRest observes for a while. The first look may still see somebody on the
// last instructions of the way to sleep, so it takes more than one to complain.
func (s sleepSuite) atRest(r *run, c *crew, where string) {
	const while = 40 * time.Millisecond
	for try := 1; ; try++ {
		runtime.GC() // so that it does not happen meanwhile
		meter, searches, cpu := c.counted(), c.searches(), cpuTime()
		start := time.Now()
		time.Sleep(while)
		cpu, wall := cpuTime()-cpu, time.Since(start)
		m, n := c.counted(), c.searches()-searches
		if n == 0 && m == meter && cpu < wall/2 {
			return
		}
		if try < 4 {
			continue
		}
		r.check(n == 0, "S7", "workers that slept%s searched %d times in %v", where, n, wall)
		r.check(m == meter, "S7", "while workers slept%s, the meter went from %+v to %+v", where, meter, m)
		r.check(cpu < wall/2, "S8", "while workers slept%s, the process used %v of processor time in %v", where, cpu, wall)
	}
}
