package pool

import "github.com/rouse-go/rouse/api/prim"

// scopeJobs has the jobs of a scope that may not have begun, so that the owner finds them wherever their
// pointers lie. It does not matter which list a job is in. Workers that spawn at once do not write the
// same word, unless there are many: with one list, a tree of small jobs took twice as long on two workers.
type scopeJobs struct {
	// own is the list of the owner; others has those of the other workers, each by the seat with which it
	// first spawned, and is nil before one of them does.
	own    jobList
	others prim.Pointer[[16]seatList]
}

// A seatList is the list of some seats, with a cache line of its own.
type seatList struct {
	jobList
	_ [48]byte
}

// list returns the list to which a worker adds.
func (s *scopeJobs) list(isOwner bool, seat int) *jobList {
	if isOwner {
		return &s.own
	}
	all := s.others.Load()
	if all == nil {
		made := new([16]seatList)
		prim.Declare(made)
		s.others.CompareAndSwap(nil, made)
		all = s.others.Load()
	}
	return &all[seat%len(all)].jobList
}

// each yields all lists.
func (s *scopeJobs) each(yield func(*jobList) bool) {
	if !yield(&s.own) {
		return
	}
	if all := s.others.Load(); all != nil {
		for i := range all {
			if !yield(&all[i].jobList) {
				return
			}
		}
	}
}

// begin begins a job that has not begun, the newest one of a list, or returns nil.
func (s *scopeJobs) begin() *Job {
	for u := range s.each {
		if j := u.begin(); j != nil {
			return j
		}
	}
	return nil
}

// isEmpty reports whether all jobs have begun.
func (s *scopeJobs) isEmpty() bool {
	for u := range s.each {
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
	if int(l.depth) > max(prim.Size(fewLinks), int(u.most.Load())) {
		u.prune(l)
	}
}

// fewLinks is how many links a list may have without a look at them.
const fewLinks = 64

// prune makes new links for the jobs that have not begun, if most jobs of the list have: so a scope that goes on
// for long keeps no more than twice as many links as jobs. top was just added.
//
// The caller is the body or a job of the scope. So nobody waits for jobs that are
// out of the list meanwhile: when the caller ends, all are back.
func (u *jobList) prune(top *link) {
	left := uint32(0)
	for l := top.unclaimed(); l != nil; l = l.below.unclaimed() {
		left++
	}
	u.most.Store(2 * left)
	if 2*left > top.depth {
		return
	}
	for l := u.top.Swap(nil).unclaimed(); l != nil; l = l.below.unclaimed() {
		u.add(&link{job: l.job})
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
