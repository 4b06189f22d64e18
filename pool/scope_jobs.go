package pool

import (
	"iter"
	"math"

	"github.com/rouse-go/rouse/api/prim"
)

// next begins a job of the scope that has not begun, wherever its pointer lies. If
// it returns nil, each of them has begun, or was spawned meanwhile by a job that
// has not ended.
//
// The oldest job of a deque tends to have more beneath it than the newest of a
// list, and leaves no stray. So it is tried first.
func (s *Scope) next(w *Worker) *Job {
	if w.seat != nil {
		if j := w.seat.takeOf(s); j != nil {
			return j
		}
		if w.seat.deque.Len() == 0 && s.anyUnbegun(w) {
			if j := w.seat.stealOf(s); j != nil {
				w.heed(w.seat)
				return j
			}
		}
	}
	if s.others.Load() == nil { // the usual case, without a loop
		return s.own.begin()
	}
	for u := range s.lists(w) {
		if j := u.begin(); j != nil {
			return j
		}
	}
	return nil
}

// anyUnbegun reports whether a list has a job that has not begun.
func (s *Scope) anyUnbegun(w *Worker) bool {
	if s.others.Load() == nil {
		return s.own.newest() != nil
	}
	for u := range s.lists(w) {
		if u.newest() != nil {
			return true
		}
	}
	return false
}

// A seatList is the list of a seat, with cache lines of its own.
type seatList struct {
	unbegun
	_ [112]byte
}

// list returns the list that w adds to. There is one for each seat, so that workers
// that spawn at once do not write the same word; in a large pool some seats share one. For all
// else it does not matter which one a job is in.
func (s *Scope) list(w *Worker) *unbegun {
	if w == s.owner || w.seat == nil {
		return &s.own
	}
	all := s.others.Load()
	if all == nil {
		made := make([]prim.Pointer[seatList], min(len(w.pool.seats), mostLists))
		prim.DeclareSlice(made)
		s.others.CompareAndSwap(nil, &made)
		all = s.others.Load()
	}
	place := &(*all)[w.seat.index%len(*all)]
	l := place.Load()
	if l == nil {
		made := new(seatList)
		prim.Declare(made)
		place.CompareAndSwap(nil, made)
		l = place.Load()
	}
	return &l.unbegun
}

// mostLists is how many lists of seats a scope has, at most. A worker without a job looks at all.
const mostLists = manySeats - 1

// lists are all lists, that which w adds to first.
func (s *Scope) lists(w *Worker) iter.Seq[*unbegun] {
	return func(yield func(*unbegun) bool) {
		if w == s.owner && !yield(&s.own) {
			return
		}
		if all := s.others.Load(); all != nil {
			n := 0
			if w.seat != nil {
				n = w.seat.index % len(*all)
			}
			for range *all {
				if l := (*all)[n].Load(); l != nil && !yield(&l.unbegun) {
					return
				}
				if n++; n == len(*all) {
					n = 0
				}
			}
		}
		if w != s.owner {
			yield(&s.own)
		}
	}
}

// An unbegun is a list of jobs of a scope, of which not each has begun. It is a
// Treiber stack, and any worker may add a job or begin one at any time.
type unbegun struct {
	// top is the newest link, or nil.
	//
	// Writers: workers that spawn, or find links on top that can go, by CAS; prune,
	// by a swap.
	top prim.Pointer[link]
	// most is how many links there may be before somebody looks for those that can
	// go.
	most prim.Uint32
}

// A link is a job in a list. It does not change once it is there, and is put there
// once: so there is no ABA.
type link struct {
	job *Job
	// below is the link beneath, depth how many there are from this one on.
	below *link
	depth uint32
}

// unclaimed returns the newest link, from l on, whose job has not begun.
func (l *link) unclaimed() *link {
	for l != nil && l.job.isClaimed() {
		l = l.below
	}
	return l
}

// add puts a job into the list. Links on top whose jobs have begun go.
func (u *unbegun) add(l *link) {
	for {
		top := u.top.Load()
		l.below, l.depth = top.unclaimed(), 1
		if l.below != nil {
			l.depth += l.below.depth
		}
		if u.top.CompareAndSwap(top, l) {
			break
		}
	}
	if l.depth > max(fewLinks, u.most.Load()) {
		u.prune()
	}
}

// fewLinks is how many links a list may have without a look at them.
const fewLinks = 64

// prune makes new links for the jobs that have not begun, if most have, so that a
// scope that goes on for long keeps no more than twice as many links as jobs.
//
// The caller is the body or a job of the scope. So nobody waits for what the list
// lacks meanwhile: when the caller ends, all is back.
func (u *unbegun) prune() {
	left := uint32(0)
	all := u.top.Load()
	for l := all; l != nil; l = l.below {
		if !l.job.isClaimed() {
			left++
		}
	}
	u.most.Store(2 * left)
	if all == nil || 2*left > all.depth {
		return
	}
	for l := u.top.Swap(nil); l != nil; l = l.below {
		if !l.job.isClaimed() {
			u.add(&link{job: l.job})
		}
	}
}

// newest returns the newest link whose job has not begun, or nil. Those above go.
func (u *unbegun) newest() *link {
	top := u.top.Load()
	l := top.unclaimed()
	if l != top {
		u.top.CompareAndSwap(top, l) // or the list has changed, and they go another time
	}
	return l
}

// begin begins the newest job of the list, or returns nil. Its link goes later.
func (u *unbegun) begin() *Job {
	for {
		l := u.newest()
		if l == nil {
			return nil
		}
		if l.job.begin() {
			return l.job
		}
	}
}

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
