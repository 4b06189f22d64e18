package work

import (
	"runtime"
	"time"

	"go.uber.org/atomic"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// PostAsleep measures what it takes to post a job when the worker of a sleep backend sleeps.
func PostAsleep() *Program {
	return sleepProgram(func(c *crewman) time.Duration {
		done := make(chan struct{})
		start := time.Now()
		c.post(func() { close(done) })
		took := time.Since(start)
		<-done
		return took
	})
}

// Wake measures from before a post to the first instruction of the job, when
// the worker sleeps and the poster is busy before and after.
func Wake() *Program {
	return sleepProgram(func(c *crewman) time.Duration {
		keepBusy(busyBefore)
		var took atomic.Duration // 0 until the job has begun
		start := time.Now()
		c.post(func() { took.Store(max(time.Since(start), 1)) })
		for took.Load() == 0 {
			prim.Spin(100)
		}
		return took.Load()
	})
}

func sleepProgram(run func(*crewman) time.Duration) *Program {
	return &Program{Sleeps: func(s api.Sleep) (func() time.Duration, func()) {
		c := &crewman{sleep: s, ended: make(chan struct{})}
		go c.work()
		return func() time.Duration { c.awaitSleep(); return run(c) }, c.stop
	}}
}

// A crewman is the one worker of a sleep backend, the least that can use one.
type crewman struct {
	sleep api.Sleep
	job   atomic.Pointer[func()]
	root  latch.Core
	ended chan struct{}
}

func (c *crewman) work() {
	defer close(c.ended)
	for !c.root.Probe() {
		idle := c.sleep.StartLooking(0)
		job := c.job.Swap(nil)
		for job == nil && !c.root.Probe() {
			if c.sleep.NoWork(&idle) {
				c.sleep.Park(&idle, &c.root, func() bool { return c.job.Load() != nil })
			}
			job = c.job.Swap(nil)
		}
		c.sleep.Found(&idle)
		if job != nil {
			(*job)()
		}
	}
}

func (c *crewman) post(job func()) {
	c.job.Store(&job)
	c.sleep.Post(1, true)
}

// awaitSleep waits until the worker is counted as asleep, and then long enough
// for it to be so.
func (c *crewman) awaitSleep() {
	for sleeping := 0; sleeping == 0; _, sleeping = c.sleep.Counts() {
		runtime.Gosched()
	}
	time.Sleep(200 * time.Microsecond)
}

func (c *crewman) stop() {
	if c.root.Set() {
		c.sleep.Wake(0)
	}
	<-c.ended
}
