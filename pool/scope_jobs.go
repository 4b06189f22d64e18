package pool

import (
	"iter"

	"github.com/rouse-go/rouse/api/prim"
)

// scopeJobs has the jobs of a scope that may not have begun, in lists. It does not matter which one
// a job is in.
type scopeJobs struct {
	// own is the list of the owner; others has those of the seats where other workers
	// spawn, and is nil before there are any.
	own    jobList
	others prim.Pointer[[]prim.Pointer[seatList]]
}

// A seatList is the list of a seat, with cache lines of its own.
type seatList struct {
	jobList
	_ [112]byte
}

// A spot is from where a worker sees the lists: whether it is the owner, and its seat.
type spot struct {
	isOwner bool
	seat    int
}

// list returns the list to which one adds from there, in a pool of so many seats. There is one for
// each seat, so that workers that spawn at once do not write the same word; in a large pool some
// seats share one, and guests share those of workers.
func (s *scopeJobs) list(from spot, seats int) *jobList {
	if from.isOwner {
		return &s.own
	}
	all := s.others.Load()
	if all == nil {
		made := make([]prim.Pointer[seatList], min(seats, mostLists))
		prim.DeclareSlice(made)
		s.others.CompareAndSwap(nil, &made)
		all = s.others.Load()
	}
	place := &(*all)[from.seat%len(*all)]
	l := place.Load()
	if l == nil {
		made := new(seatList)
		prim.Declare(made)
		place.CompareAndSwap(nil, made)
		l = place.Load()
	}
	return &l.jobList
}

// mostLists is how many lists of seats a scope has, at most. A worker without a job looks at all.
const mostLists = 256

// lists are all lists, that to which one adds from there first.
func (s *scopeJobs) lists(from spot) iter.Seq[*jobList] {
	return func(yield func(*jobList) bool) {
		if from.isOwner && !yield(&s.own) {
			return
		}
		if all := s.others.Load(); all != nil {
			n := from.seat % len(*all)
			for range *all {
				if l := (*all)[n].Load(); l != nil && !yield(&l.jobList) {
					return
				}
				if n++; n == len(*all) {
					n = 0
				}
			}
		}
		if !from.isOwner {
			yield(&s.own)
		}
	}
}

// begin begins a job that has not begun, the newest one of a list, or returns nil.
func (s *scopeJobs) begin(from spot) *Job {
	if s.others.Load() == nil { // the usual case, without a loop
		return s.own.begin()
	}
	for u := range s.lists(from) {
		if j := u.begin(); j != nil {
			return j
		}
	}
	return nil
}

// isEmpty reports whether all jobs have begun.
func (s *scopeJobs) isEmpty(from spot) bool {
	if s.others.Load() == nil {
		return s.own.newest() == nil
	}
	for u := range s.lists(from) {
		if u.newest() != nil {
			return false
		}
	}
	return true
}

// A jobList is a list of jobs of a scope, some of which may have begun. It is
// a Treiber stack, and any worker may add a job or begin one at any time.
type jobList struct {
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
func (u *jobList) add(l *link) {
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
// The caller is the body or a job of the scope. So nobody waits for jobs that are
// out of the list meanwhile: when the caller ends, all are back.
func (u *jobList) prune() {
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
func (u *jobList) newest() *link {
	top := u.top.Load()
	l := top.unclaimed()
	if l != top {
		u.top.CompareAndSwap(top, l) // or the list has changed, and they go another time
	}
	return l
}

// begin begins the newest job of the list, or returns nil. Its link goes later.
func (u *jobList) begin() *Job {
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
