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
// has a lock, which each Submit and each SubmitAll takes, and a worker once for up to 16 jobs: a
// Submit with a limit costs more than one without, and more so if many goroutines submit at once.
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
	return newRoom(c.queueLimit), nil
}

// A room is where the jobs wait to begin of a pool that bounds their number: the count of
// them, and their queue, which is the pool's injector.
type room struct {
	limit int        // does not change
	idle  func() int // how many workers have no work
	mu    prim.Mutex
	// given is how many jobs have got room so far, guarded by mu.
	given int64
	// left is how many of them have left it.
	//
	// Writers: whoever begins a job or takes it back.
	// Pairs:   a comer says in crowded that it waits, then reads left; whoever leaves room adds
	// to left, then reads crowded. So one of the two finds the other, and hands the room on.
	left prim.Int64
	// crowded says that somebody waits for room.
	//
	// Writers: whoever has mu.
	// Pairs:   see left.
	crowded prim.Bool
	closed  bool // guarded by mu
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
// that comes when others wait for room does not overtake them: what is free then is theirs.
func (r *room) take(n int) bool {
	if r.waiting.Len() > 0 {
		return false
	}
	if free := r.free(); free < n && free+r.idle() < n {
		return false
	}
	r.given += int64(n)
	return true
}

// handOn gives room that is free to the one that has waited for longest, and returns that
// one, for the caller, which has mu, to wake. It returns nil if there is none.
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

// remove takes one out that waits. The caller has mu.
func (r *room) remove(e *list.Element) {
	r.waiting.Remove(e)
	if r.waiting.Len() == 0 {
		r.crowded.Store(false)
	}
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
	r.crowded.Store(true)
	// Who left since the look at left knows of nobody that waits.
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

// taken returns how many jobs have room. The caller has mu.
func (r *room) taken() int { return int(r.given - r.left.Load()) }

// free returns for how many jobs there is room beside those that wait. It is below 0 where
// more of these were accepted, because workers had no work. The caller has mu.
func (r *room) free() int { return r.limit - r.taken() }

// waits returns how many jobs have room.
func (r *room) waits() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.taken()
}

// leave gives a job's room to the one that has waited for longest.
//
// Where nobody waits it takes no lock. Each that leaves while somebody waits hands on at most
// one place, which is what it adds.
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
