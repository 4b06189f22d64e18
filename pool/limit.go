package pool

import (
	"fmt"

	"github.com/rouse-go/rouse/api/prim"
)

// SetLimit bounds how many jobs of the group have begun and not ended, those that wait or
// are in [Worker.Block] included: to n. [Group.Spawn] never waits for that: a job that is over
// the limit is kept. When one ends, the one that has been kept for longest takes its place.
// When the context of the group has ended, what was kept is skipped as a job ends, and what is
// spawned at once.
//
// The body does not count. A job that waits, for forks or in a scope or group of its own, counts
// once, and what it waits for does not count here. So a limit of 1 is as good as any, with one
// worker too. But a job must not wait for another one of its group otherwise than by these: that
// may be kept until the first has ended.
//
// Call it in the body, before the first Spawn. A limit below 1, a second one, or one for a group
// that has jobs panics. A group with a limit takes a lock in each Spawn and at the end of each
// job.
func (g *Group) SetLimit(n int) {
	if n < 1 {
		panic(fmt.Sprintf("pool: SetLimit(%d): must be at least 1", n))
	}
	l := &limit{free: n}
	prim.Declare(l)
	if !g.limit.CompareAndSwap(nil, l) {
		panic("pool: SetLimit of a group that has jobs, or has a limit: call it once, before the first Spawn")
	}
}

// A limit has places for the jobs of a group that may begin. A job has one from when it is
// offered to the workers until it has ended.
type limit struct {
	mu   prim.Mutex
	free int // guarded by mu; if it is not 0, nothing is kept
	// first and last are the ends of a list of the jobs that were spawned and have no place,
	// the oldest first. Guarded by mu.
	first, last *member
}

// unlimited stands for no limit, in a group that has jobs.
var unlimited limit

// noLimit decides that the group has no limit, unless it has one, and returns what it has.
func (g *Group) noLimit() *limit {
	g.limit.CompareAndSwap(nil, &unlimited)
	return g.limit.Load()
}

// enter gives the job a place, or keeps it.
func (l *limit) enter(j *member) (entered bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.free > 0:
		l.free--
		return true
	case l.first == nil:
		l.first = j
	default:
		l.last.next = j
	}
	l.last = j
	return false
}

// leave gives a place to the oldest job that is kept, and returns that. If there is none, the
// place is free.
func (l *limit) leave() *member {
	l.mu.Lock()
	defer l.mu.Unlock()
	j := l.first
	if j == nil {
		l.free++
		return nil
	}
	// A deque may keep the job for a while, and so all that it refers to.
	l.first, j.next = j.next, nil
	if l.first == nil {
		l.last = nil
	}
	return j
}

// passOn gives the place of a job that w has just ended to the next one that is kept. If the
// context has ended, none of them begins any more.
func (g *Group) passOn(l *limit, w *Worker) {
	for j := l.leave(); j != nil; j = l.leave() {
		if g.ctx.Err() == nil {
			g.scope.offer(w, &j.spawned)
			return
		}
		j.group, j.fn = nil, nil
		g.skip(w)
	}
}
