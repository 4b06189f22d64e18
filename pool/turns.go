package pool

import "math"

// A worker begins the newest job of a scope first: that is warm, and a tree of jobs stays
// small. But a job may spawn itself again until an older one has run, and all workers may run
// such jobs. So now and then each begins the oldest.

// turns is when a worker begins the oldest job of a scope. Only the worker touches it.
type turns struct {
	// taken counts the jobs of scopes that the worker has begun since then; after most of
	// them comes the next oldest one.
	taken, most int32
	// list is the number of the list that had that.
	list int32
}

// fewTurns is how many jobs a worker begins between two that are the oldest, at least.
const fewTurns = 256

// due counts a job of a scope that the worker is about to begin, and reports whether that
// is to be the oldest.
func (t *turns) due() bool {
	t.taken++
	return t.taken > t.most
}

// turn begins the oldest job of one of the scope's lists, or returns nil. The lists take
// turns. To find the end of a list takes a step for each link, so the time is after as
// many jobs as there were links.
func (s *Scope) turn(w *Worker) *Job {
	t := &w.turns
	var first, next *link
	firstAt, nextAt := 0, 0
	links, at := 0, 0
	for u := range s.lists(w) {
		if l := u.oldest(&links); l != nil {
			switch {
			case next == nil && at > int(t.list):
				next, nextAt = l, at
			case first == nil:
				first, firstAt = l, at
			}
		}
		at++
	}
	if next == nil {
		next, nextAt = first, firstAt
	}
	*t = turns{most: int32(min(max(links, fewTurns), math.MaxInt32)), list: int32(nextAt)}
	if next != nil && next.job.begin() {
		return next.job
	}
	return nil
}

// oldest returns the oldest link whose job has not begun, or nil. It counts those that it
// comes to.
func (u *unbegun) oldest(links *int) (oldest *link) {
	for l := u.top.Load(); l != nil; l = l.below {
		if *links++; !l.job.isClaimed() {
			oldest = l
		}
	}
	return oldest
}
