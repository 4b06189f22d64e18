package conformance

import "sync/atomic"

// startedOnce has many wake the only worker at once, when it sleeps: one of them goes on
// with it, also without a goroutine of its own.
func (s sleepSuite) startedOnce(r *run) {
	c := startCrew(r, s.new, 1)
	defer c.stop()
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
