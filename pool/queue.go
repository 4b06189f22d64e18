package pool

import "github.com/rouse-go/rouse/api"

// The queue of a pool with a limit. A job that is taken back, or that begins where somebody
// waits for it, leaves a pointer behind, which an injector keeps until a worker comes to it.
// While all workers are busy that may be long, and the room of such a job has gone to the
// next one: so the pointers would grow without a bound. So this queue is swept.

// A queue holds jobs, first in, first out. The lock of its room guards it.
type queue struct {
	ring  []*Job // its length is 0 or a power of two
	first int    // where the oldest is
	n     int
}

// shortQueue is how many places a queue keeps while it is empty, at most.
const shortQueue = 64

func (q *queue) at(i int) **Job { return &q.ring[(q.first+i)&(len(q.ring)-1)] }

func (q *queue) push(j *Job) {
	if q.n == len(q.ring) {
		ring := make([]*Job, max(2*q.n, 8))
		for i := range q.n {
			ring[i] = *q.at(i)
		}
		q.ring, q.first = ring, 0
	}
	*q.at(q.n) = j
	q.n++
}

// pop takes the oldest. There is one.
func (q *queue) pop() *Job {
	oldest := q.at(0)
	j := *oldest
	*oldest = nil
	q.first++
	q.n--
	if q.n == 0 && len(q.ring) > shortQueue {
		q.ring, q.first = nil, 0
	}
	return j
}

// sweep takes out what nobody can begin any more. The others keep their order.
func (q *queue) sweep() {
	for range q.n {
		if j := q.pop(); !j.isClaimed() {
			q.push(j)
		}
	}
}

var _ api.Injector[Job] = (*room)(nil)

// Push implements [api.Injector]. The job has room.
func (r *room) Push(j *Job) (wasEmpty bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.push(j)
}

// offer queues jobs if there is room for all of them.
func (r *room) offer(jobs ...*Job) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.take(len(jobs)) {
		return false
	}
	for _, j := range jobs {
		r.push(j) // A1
	}
	return true
}

// push is Push for a caller that has mu.
//
// It sweeps when less than half of the queue may wait to begin. After that all of it does, so
// as much has been claimed since the last time as was swept at least by half: a sweep costs
// two looks for each such job.
func (r *room) push(j *Job) (wasEmpty bool) {
	if r.queue.n > 2*r.taken() {
		r.queue.sweep()
	}
	r.queue.push(j)
	if wasEmpty = r.queue.n == 1; wasEmpty {
		r.filled.Store(true)
	}
	return wasEmpty
}

// Steal implements [api.Injector].
func (r *room) Steal() (*Job, api.Outcome) {
	var one [1]*Job
	_, outcome := r.StealBatch(one[:])
	return one[0], outcome
}

// StealBatch implements [api.Injector].
func (r *room) StealBatch(into []*Job) (int, api.Outcome) {
	if r.Empty() {
		return 0, api.Empty
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	n := min(len(into), (r.queue.n+1)/2)
	if n == 0 {
		return 0, api.Empty
	}
	for i := range n {
		into[i] = r.queue.pop()
	}
	if r.queue.n == 0 {
		r.filled.Store(false)
	}
	return n, api.Stolen
}

// Empty implements [api.Injector].
func (r *room) Empty() bool { return !r.filled.Load() }
