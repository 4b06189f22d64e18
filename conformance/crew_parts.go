package conformance

import (
	"sync"

	"github.com/rouse-go/rouse/latch"
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

// A flag is the latch that a crew's workers wait on. It is strict with its callers.
type flag struct {
	latch.Core
	hand *hand // the one that waits
}

func (f *flag) GetSleepy() bool {
	f.hand.at(atGetSleepy)
	return f.Core.GetSleepy()
}

func (f *flag) FallAsleep() bool {
	f.hand.at(atFallAsleep)
	ok := f.Core.FallAsleep()
	if ok {
		f.hand.at(atFellAsleep)
	}
	return ok
}
