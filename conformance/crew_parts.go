package conformance

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// A queue of jobs under a lock.
type queue struct {
	mu   sync.Mutex
	jobs []task
}

func (q *queue) push(job task) (wasEmpty bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, job)
	return len(q.jobs) == 1
}

func (q *queue) newest() (job task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.jobs); n > 0 {
		job, q.jobs = q.jobs[n-1], q.jobs[:n-1]
	}
	return job
}

func (q *queue) oldest() (job task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) > 0 {
		job, q.jobs = q.jobs[0], q.jobs[1:]
	}
	return job
}

func (q *queue) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs)
}

// A flag is the latch that a crew's workers wait on, an [api.Latch] that is
// strict with its callers and known not to be at fault.
type flag struct {
	state atomic.Int32
	hand  *hand // the one that waits
}

const (
	flagUnset int32 = iota
	flagSleepy
	flagSleeping
	flagSet
)

func (f *flag) Probe() bool { return f.state.Load() == flagSet }

func (f *flag) GetSleepy() bool {
	f.hand.at(atGetSleepy)
	return f.move(flagUnset, flagSleepy)
}

func (f *flag) FallAsleep() bool {
	f.hand.at(atFallAsleep)
	ok := f.move(flagSleepy, flagSleeping)
	if ok {
		f.hand.at(atFellAsleep)
	}
	return ok
}

func (f *flag) move(from, to int32) bool {
	if f.state.CompareAndSwap(from, to) {
		return true
	}
	if s := f.state.Load(); s != flagSet {
		panic(fmt.Sprintf("the backend moves a latch from state %d to %d, which is in state %d", from, to, s))
	}
	return false
}

func (f *flag) WakeUp() {
	for _, from := range []int32{flagSleepy, flagSleeping} {
		f.state.CompareAndSwap(from, flagUnset)
	}
}

func (f *flag) Set() bool { return f.state.Swap(flagSet) == flagSleeping }
