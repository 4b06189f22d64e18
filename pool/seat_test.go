package pool_test

import (
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool"
)

// An observer notes of each worker that begins to look for work and finds none at once
// whether it lingers.
type observer struct {
	api.Sleep
	mu    sync.Mutex
	began map[int]bool // by worker: it has just begun to look
	seen  map[bool]int
}

func (o *observer) StartLooking(worker int) api.Idle {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.began[worker] = true
	return o.Sleep.StartLooking(worker)
}

func (o *observer) NoWork(idle *api.Idle) (tired bool) {
	o.mu.Lock()
	if o.began[idle.Worker] {
		o.began[idle.Worker] = false
		o.seen[idle.Lingers]++
	}
	o.mu.Unlock()
	return o.Sleep.NoWork(idle)
}

// times returns how often a worker has begun to look since the last call, and how often one lingered
// then.
func (o *observer) times() (all, lingered int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer clear(o.seen)
	return o.seen[true] + o.seen[false], o.seen[true]
}

// If this fails, each of many loops that come one after the other must wake the workers
// of the one before, or short jobs keep workers awake.
func TestLongWorkLingers(t *testing.T) {
	const long = 200 * time.Microsecond
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{2, 1} { // whatever the machine has
		runtime.GOMAXPROCS(procs)
		processors := prim.Processors() // wasm has one
		for _, c := range []struct {
			took    time.Duration
			jobs    int
			workers int
			lingers bool
		}{
			{long, 1, 2, processors > 1},
			{0, 1, 2, false},
			{time.Microsecond, 1000, 2, false}, // trifles do not count
			{long, 1, 1, false},
			{long, 1, processors + 1, false},
		} {
			inBubble(t, func(t *testing.T) { // there the clock moves only as the job sleeps
				o := &observer{began: map[int]bool{}, seen: map[bool]int{}}
				p := newPool(t, pool.WithWorkers(c.workers), pool.WithSleep(func(n int) (s api.Sleep, err error) {
					o.Sleep, err = pool.DefaultSleep(n)
					return o, err
				}))
				synctest.Wait()
				o.times() // what they did before
				free := hold(t, p, c.workers)
				jobs := submittedTimes(t, p, c.jobs, func(*pool.Worker) int { time.Sleep(c.took); return 0 })
				free()
				give(t, 0, jobs, "P1: a job that sleeps gave")
				synctest.Wait()
				all, lingered := o.times()
				expect(t, all > 0 && (lingered > 0) == c.lingers,
					"Idle.Lingers: after jobs of %v, %d in all, on %d workers and %d processors, one lingers %d times of %d, want any: %t",
					c.took, c.jobs, c.workers, processors, lingered, all, c.lingers)
			})
		}
	}
}
