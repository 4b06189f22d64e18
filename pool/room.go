package pool

import (
	"container/list"
	"context"
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/api/prim"
)

// ErrFull is what [Submit], [SubmitAll] and [Go] return while as many jobs are queued
// as [WithQueueLimit] allows.
var ErrFull = errors.New("pool: queue is full")

// WithQueueLimit sets how many jobs of the pool may be accepted and not have begun at
// once, calls of [Run] that wait for a worker included. It is at least 1; without the
// option there is no limit. [Submit], [SubmitAll] and [Go] return [ErrFull] while there
// is no room. [Run], [RunErr] and [SubmitErr] wait for room, first come, first
// served, until their context ends.
//
// A job for which there is a worker without work, one that sleeps or looks for some, takes
// no room: as many more than n are accepted as there are such workers. Jobs that have begun
// take none: those in [Worker.Block], for one, are bounded by nothing. Neither do those that
// were taken back, by [Handle.Cancel] or the end of a context: their room is the next one's at
// once. Forks and jobs of scopes and groups are not counted.
//
// So the memory of the queue is bounded by n, however many jobs are accepted and taken back. It
// has a lock, which each job takes four times: a Submit with a limit costs more than one
// without, and more so if many goroutines submit at once.
func WithQueueLimit(n int) Option {
	return func(c *config) {
		c.queueLimit = n
		c.limited = true
	}
}

func (c *config) room() (*room, error) {
	switch {
	case !c.limited:
		return nil, nil
	case c.queueLimit < 1:
		return nil, fmt.Errorf("pool: WithQueueLimit(%d): must be at least 1", c.queueLimit)
	}
	r := &room{limit: c.queueLimit, free: c.queueLimit}
	prim.Declare(r)
	return r, nil
}

// A room is where the jobs wait to begin of a pool that bounds their number: the count of
// them, and their queue, which is the pool's injector.
type room struct {
	limit int        // does not change
	idle  func() int // how many workers have no work
	mu    prim.Mutex
	// free is for how many jobs there is room beside those that wait; it is below 0 where
	// more of these were accepted, because workers had no work. If it is above 0, nobody
	// waits for room. Guarded by mu.
	free   int
	closed bool // guarded by mu
	// waiting are the *comer that wait for room, guarded by mu.
	waiting list.List
	// queue has the jobs that wait for a worker, guarded by mu.
	queue queue
	// filled says that the queue is not empty.
	//
	// Writers: whoever has mu.
	// Readers: whoever looks for jobs. It is the Empty of an injector: see [api.Injector].
	filled prim.Bool
}

// A comer waits for room.
type comer struct {
	parker *prim.Parker
	in     bool // guarded by the room's mu
}

// try takes room for n jobs, or for none.
func (r *room) try(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.take(n)
}

// take is try for a caller that has mu.
//
// A worker that is counted as without work comes for a job that is queued: so there is
// one for each job beyond the limit, but for those that a Run takes meanwhile. A caller
// that comes when others wait for room does not overtake them.
func (r *room) take(n int) bool {
	if r.free < n && (r.waiting.Len() > 0 || r.free+r.idle() < n) {
		return false
	}
	r.free -= n
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
	if r.take(1) {
		r.mu.Unlock()
		return nil
	}
	place := r.waiting.PushBack(c)
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
	r.waiting.Remove(place)
	return err
}

// taken returns how many jobs have room.
func (r *room) taken() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.limit - r.free
}

// leave gives a job's room to the one that has waited for longest.
func (r *room) leave() {
	r.mu.Lock()
	first := r.waiting.Front()
	if r.free < 0 || first == nil {
		r.free++
		r.mu.Unlock()
		return
	}
	c := r.waiting.Remove(first).(*comer)
	c.in = true
	r.mu.Unlock()
	c.parker.Unpark()
}

// close turns away all that wait, now or later.
func (r *room) close() {
	r.mu.Lock()
	r.closed = true
	var turnedAway []*comer
	for first := r.waiting.Front(); first != nil; first = r.waiting.Front() {
		turnedAway = append(turnedAway, r.waiting.Remove(first).(*comer))
	}
	r.mu.Unlock()
	for _, c := range turnedAway {
		c.parker.Unpark()
	}
}
