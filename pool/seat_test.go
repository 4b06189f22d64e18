package pool_test

import (
	"sync"
	"testing"
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

// has waits for a worker that lingers, or for one that does not.
func (o *observer) has(lingers bool) bool {
	for range 1000 {
		if o.times(lingers) > 0 {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

func (o *observer) times(lingers bool) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.seen[lingers]
}

// lookers returns an observer of a pool with so many workers, one of which has run jobs.
func lookers(t *testing.T, workers int, job func(*pool.Worker) int) *observer {
	o := &observer{began: map[int]bool{}, seen: map[bool]int{}}
	p := newPool(t, pool.WithWorkers(workers), pool.WithSleep(func(n int) (s api.Sleep, err error) {
		o.Sleep, err = pool.DefaultSleep(n)
		return o, err
	}))
	untilSleeping(t, p)
	o.mu.Lock()
	clear(o.seen) // what they did before
	o.mu.Unlock()
	for range 20 { // one that is interrupted seems to be long
		result(t, submitted(t, p, job))
	}
	return o
}

// If this fails, each of many loops that come one after the other must wake the workers
// of the one before, or short jobs keep workers awake.
func TestLongWorkLingers(t *testing.T) {
	long := func(*pool.Worker) int {
		for begun := time.Now(); time.Since(begun) < 200*time.Microsecond; {
		}
		return 0
	}
	processors := prim.Processors()
	if processors > 1 {
		expect(t, lookers(t, processors, long).has(true), "Idle.Lingers: no worker of %d lingers after a job of 200 µs", processors)
		expect(t, lookers(t, processors, nothing).has(false), "Idle.Lingers: each worker lingers after a job of no time")
	}
	for _, workers := range []int{1, processors + 1} {
		o := lookers(t, workers, long)
		expect(t, o.has(false) && o.times(true) == 0,
			"Idle.Lingers: %d workers on %d processors, after jobs of 200 µs: %d times one lingers, want none", workers, processors, o.times(true))
	}
}
