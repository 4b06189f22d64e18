package work

import (
	"runtime"
	"sync"
	"time"

	"go.uber.org/atomic"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// Submit hands over a number of jobs that do next to nothing, from as many
// goroutines at once as there are posters, and waits until all are done.
func Submit(jobs, posters int) *Program {
	return &Program{
		Posts: func(poster Poster) (uint64, time.Duration) {
			var done atomic.Int64
			all := make(chan struct{})
			post := poster(func() {
				if done.Add(1) == int64(jobs) {
					close(all)
				}
			})
			start := time.Now()
			var wg sync.WaitGroup
			for i := range posters {
				wg.Go(func() {
					for range jobs*(i+1)/posters - jobs*i/posters {
						post()
					}
				})
			}
			wg.Wait()
			<-all
			return uint64(done.Load()), time.Since(start)
		},
	}
}

// busyBefore is how long a busy poster works before it posts, so that the
// kernel takes its processor for a busy one.
const busyBefore = 2 * time.Millisecond

// Latency hands over one job after a pause, in which the workers fall asleep,
// and measures until its first instruction. The poster keeps its processor
// busy, before and meanwhile, or waits.
func Latency(busy bool, pause time.Duration) *Program {
	return &Program{
		Prepare: func() { time.Sleep(pause) },
		Posts: func(poster Poster) (uint64, time.Duration) {
			var start time.Time
			var took atomic.Duration // 0 until the job has begun
			done := make(chan struct{})
			post := poster(func() {
				took.Store(max(time.Since(start), 1))
				close(done)
			})
			if busy {
				keepBusy(busyBefore)
			}
			start = time.Now()
			post()
			for busy && took.Load() == 0 {
				prim.Spin(100)
			}
			<-done
			return 1, took.Load()
		},
	}
}

// keepBusy keeps the processor busy.
func keepBusy(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
		prim.Spin(100)
	}
}

// PostAsleep measures what it takes to post a job when the worker sleeps.
func PostAsleep(pause time.Duration) *Program {
	return sleepProgram(func(c *crewman) (uint64, time.Duration) {
		c.awaitSleep(pause)
		done := make(chan struct{})
		start := time.Now()
		c.post(func() { close(done) })
		took := time.Since(start)
		<-done
		return 1, took
	})
}

// Wake measures from before a post to the first instruction of the job, when
// the worker sleeps and the poster is busy before and after.
func Wake(pause time.Duration) *Program {
	return sleepProgram(func(c *crewman) (uint64, time.Duration) {
		c.awaitSleep(pause)
		keepBusy(busyBefore)
		var took atomic.Duration // 0 until the job has begun
		start := time.Now()
		c.post(func() { took.Store(max(time.Since(start), 1)) })
		for took.Load() == 0 {
			prim.Spin(100)
		}
		return 1, took.Load()
	})
}

func sleepProgram(run func(*crewman) (uint64, time.Duration)) *Program {
	return &Program{Sleeps: func(s api.Sleep) SleepRun {
		c := startCrewman(s)
		return SleepRun{Run: func() (uint64, time.Duration) { return run(c) }, Stop: c.stop}
	}}
}

// A crewman is the one worker of a sleep backend, the least that can use one.
type crewman struct {
	sleep api.Sleep
	job   atomic.Pointer[func()]
	root  latch.Core
	ended chan struct{}
}

func startCrewman(s api.Sleep) *crewman {
	c := &crewman{sleep: s, ended: make(chan struct{})}
	go c.work()
	return c
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
func (c *crewman) awaitSleep(pause time.Duration) {
	for {
		if _, sleeping := c.sleep.Counts(); sleeping == 1 {
			break
		}
		runtime.Gosched()
	}
	time.Sleep(pause)
}

func (c *crewman) stop() {
	if c.root.Set() {
		c.sleep.Wake(0)
	}
	<-c.ended
}
