package pool

import (
	"container/list"
	"context"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// A room is where the jobs of a pool with a limit wait to begin: their count, and their queue,
// which is the pool's injector.
type room struct {
	limit int        // does not change
	idle  func() int // how many workers have no work
	mu    prim.Mutex
	// given is how many jobs have got room so far, guarded by mu.
	given int64
	// left is how many of them have left it.
	//
	// Writers: all that begin a job or take it back.
	// Pairs:   a comer says in crowded that it waits, then reads left; one that leaves room adds to
	// left, then reads crowded. So one of the two finds the other, and hands the room on.
	left prim.Int64
	// crowded says that somebody waits for room.
	//
	// Writers: holders of mu.
	// Pairs:   see left.
	crowded prim.Bool
	closed  bool // guarded by mu
	// waiting are the *comer that wait for room, guarded by mu.
	waiting list.List
	// queue has the jobs that wait for a worker, guarded by mu.
	queue queue
	// filled says that the queue is not empty.
	//
	// Writers: holders of mu.
	// Readers: all that look for jobs. It is the Empty of an injector: see [api.Injector].
	filled prim.Bool
}

func newRoom(limit int) *room {
	r := &room{limit: limit}
	prim.Declare(r)
	return r
}

// A comer waits for room.
type comer struct {
	parker *prim.Parker
	in     bool // guarded by the room's mu
}

// try takes room for a job.
func (r *room) try() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.take()
}

// take is try for a caller that has mu.
//
// A worker that is counted as without work comes for a queued job: so there is one for each job
// beyond the limit, but for those that a Run takes meanwhile. A caller does not overtake those that
// wait for room: free room is theirs.
func (r *room) take() bool {
	if r.waiting.Len() > 0 || r.free()+r.idle() <= 0 {
		return false
	}
	r.given++
	return true
}

// wait takes room for a job, when there is some. It returns the error of ctx if that
// ends before, and ErrClosed if the pool closes before.
func (r *room) wait(ctx context.Context) error {
	c := &comer{parker: prim.NewParker()}
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return ErrClosed
	}
	if r.take() {
		r.mu.Unlock()
		return nil
	}
	place := r.waiting.PushBack(c)
	r.crowded.Store(true)
	// A job that left since the look at left does not know that somebody waits.
	if first := r.handOn(); first != nil {
		first.parker.Unpark()
	}
	r.mu.Unlock()
	err := c.parker.ParkContext(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case c.in:
		return nil
	case r.closed:
		return ErrClosed
	}
	r.remove(place)
	return err
}

// handOn gives free room to the caller that has waited for longest, and returns that, to be woken,
// or nil. The caller has mu.
func (r *room) handOn() *comer {
	first := r.waiting.Front()
	if first == nil || r.free() <= 0 {
		return nil
	}
	r.given++
	c := first.Value.(*comer)
	c.in = true
	r.remove(first)
	return c
}

// remove takes out one that waits. The caller has mu.
func (r *room) remove(e *list.Element) {
	r.waiting.Remove(e)
	if r.waiting.Len() == 0 {
		r.crowded.Store(false)
	}
}

// taken returns how many jobs have room. The caller has mu.
func (r *room) taken() int { return int(r.given - r.left.Load()) }

// free returns for how many jobs there is room. It is below 0 when more were accepted, because
// workers had no work. The caller has mu.
func (r *room) free() int { return r.limit - r.taken() }

// waits returns how many jobs have room.
func (r *room) waits() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.taken()
}

// leave gives a job's room to the caller that has waited for longest. Where none waits it takes no
// lock. Each leave hands on at most one place: the one that it adds.
func (r *room) leave() {
	r.left.Add(1)
	if !r.crowded.Load() {
		return
	}
	r.mu.Lock()
	c := r.handOn()
	r.mu.Unlock()
	if c != nil {
		c.parker.Unpark()
	}
}

// close turns away all that wait, now or later.
func (r *room) close() {
	r.mu.Lock()
	r.closed = true
	var turnedAway []*comer
	for first := r.waiting.Front(); first != nil; first = r.waiting.Front() {
		turnedAway = append(turnedAway, first.Value.(*comer))
		r.remove(first)
	}
	r.mu.Unlock()
	for _, c := range turnedAway {
		c.parker.Unpark()
	}
}

// A job that is taken back, or begins where somebody waits for it, leaves a pointer in the queue,
// which an injector keeps until a worker comes to it. While all workers are busy that may take
// long, and the room of the job has gone to the next one. So the queue of a pool with a limit is
// swept, or the pointers would grow without a bound.

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

// sweep takes out jobs that nobody can begin any more. The others keep their order.
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

// offer queues a job if there is room for it.
func (r *room) offer(j *Job) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.take() {
		return false
	}
	r.push(j) // A1
	return true
}

// push is Push for a caller that has mu.
//
// It sweeps when less than half of the queue may wait to begin. After a sweep all of it does. So at
// least half of the jobs in the next sweep were claimed since: a sweep costs two looks for each.
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
	if r.Empty() {
		return nil, api.Empty
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Empty() {
		return nil, api.Empty
	}
	j := r.queue.pop()
	if r.queue.n == 0 {
		r.filled.Store(false)
	}
	return j, api.Stolen
}

// Empty implements [api.Injector].
func (r *room) Empty() bool { return !r.filled.Load() }
