package pool

import (
	"math/bits"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// The public jobs of a worker lie in the deque of its seat.

// push makes a job public, and wakes a seat if one must be woken for it.
func (s *seat) push(j *Job) {
	s.deque.Push(j) // A1
	s.show()
	s.pool.sleep.Post(1, true)
}

// take begins the newest job of the seat's own deque that nobody has begun, or
// returns nil.
func (s *seat) take() *Job {
	for {
		if j := s.pop(); j == nil || j.begin() {
			return j
		}
	}
}

// pop takes the newest job out of the seat's own deque, or returns nil.
//
// It asks on behalf of others when 0, 1, 2, 4 and so on jobs are left: a worker that takes many
// back would otherwise look at the counts, which all write, for each.
func (s *seat) pop() *Job {
	j := s.deque.Pop()
	if j == nil {
		s.strays = 0
		return nil
	}
	if left := s.deque.Len(); left&(left-1) == 0 {
		s.wantOnBehalf()
	}
	return j
}

// wantOnBehalf is called when the seat has taken one of its public jobs back. There may be fewer
// jobs left than inactive seats, and such a seat may not look again before it sleeps.
func (s *seat) wantOnBehalf() {
	if inactive, _ := s.pool.sleep.Counts(); inactive > s.jobs() {
		s.pool.want(s.index)
	}
}

// jobs returns how many jobs in the seat's own deque can be begun, as far as it knows.
func (s *seat) jobs() int { return max(s.deque.Len()-int(s.strays), 0) }

// tidy takes the pointer to a job out of the seat's deque, when the job was claimed otherwise.
//
// The pointer is on top; or a thief has it, and drops it; or something lies above it, as when forks
// are joined out of order. Then it becomes a stray, and stands for its frame, whatever the frame is
// used for when a worker comes to it.
func (s *seat) tidy(claimed *Job) {
	switch j := s.pop(); j {
	case nil:
		s.wantOnBehalf() // of the thief that comes for nothing
	case claimed:
		s.sweep()
	default:
		s.strays++
		s.push(j) // with a post, for the deque was short for a moment
		s.wantOnBehalf()
	}
}

// sweep drops the strays on top of the deque. So they are in proportion to the live jobs.
func (s *seat) sweep() {
	for ; s.strays > 0; s.strays-- {
		j := s.pop()
		if j == nil {
			return
		}
		if !j.isClaimed() {
			s.push(j)
			return
		}
	}
}

// want asks the worker with the n-th seat to publish. The caller is counted inactive, or acts for
// a seat that is.
func (p *Pool) want(n int) {
	if w := p.occupant(n); w.wanted.Load()&wantForks == 0 {
		w.wanted.Or(wantForks)
	}
}

// A victim is the part of a seat that thieves look at.
type victim struct {
	deque api.Deque[Job]
	// raided is 1 while a thief takes several jobs, alone: 60 that try at once would keep each
	// other from taking more than one, and the owner from its deque.
	//
	// Writers: thieves.
	// Pairs:   none. Only how fast jobs spread depends on it: the last look before a sleep
	// ignores it, and so does a seat that has passed by for long.
	raided prim.Uint32
	_      [44]byte
}

// A view says which seats of a large pool a search must visit: see "Seats in view" in
// INTERNALS.md. In a smaller pool it is empty, and all seats are in view.
type view struct {
	// words have a bit for each seat. While it is 0, the deque of the seat is empty, and
	// the flag of a worker with that seat is up: a visit would find nothing to do.
	//
	// Writers: the goroutine with the seat, by show (Or); a search that finds nothing there, by
	// pass (And, and Or if there is something after all).
	// Pairs:   the push or the lowering of the flag, then show, then the post or the look at
	// the counts, with the step of pass, then its look at the deque and the flag. A look that
	// meets 0 is a visit of that moment.
	words []prim.Uint64
}

// manySeats is from how many seats on there is a view. With fewer, a visit to each takes less time
// than to write words that all read.
const manySeats = 257

func newView(seats int) (v view) {
	if seats > prim.Size(manySeats-1) {
		v.words = make([]prim.Uint64, (seats+63)/64)
		prim.DeclareSlice(v.words)
	}
	return v
}

// isPartial reports whether seats can be out of view.
func (v view) isPartial() bool { return v.words != nil }

// next returns the first seat in view from one on, or to if there is none below that.
func (v view) next(from, to int) int {
	if v.words == nil {
		return from
	}
	return v.scan(from, to)
}

func (v view) scan(from, to int) int {
	for from < to {
		if word := v.words[from/64].Load() >> (from % 64); word != 0 {
			return min(from+bits.TrailingZeros64(word), to)
		}
		from = (from/64 + 1) * 64
	}
	return to
}

// has reports whether a seat is in view.
func (v view) has(n int) bool { return v.next(n, n+1) == n }

// add brings a seat into view.
func (v view) add(n int) {
	if !v.has(n) {
		v.words[n/64].Or(1 << (n % 64))
	}
}

// drop takes a seat out of view, if any can be.
func (v view) drop(n int) {
	if v.words != nil {
		v.words[n/64].And(^(1 << (n % 64)))
	}
}

// show brings the seat into view: after a push to its deque, before the post; and after the flag
// of its worker is lowered, before the look at the counts. So no search can miss either.
func (s *seat) show() {
	if s.isGuest() {
		s.showGuest()
	} else {
		s.pool.view.add(s.index)
	}
}

// pass is called by a search that has met an empty deque at another seat: it asks the worker there
// for forks. In a large pool it takes a worker's seat out of view, or each search would visit thousands of
// jobs that wait for something.
//
// Pairs: V1, then V2 and V3, with a push, then show; and V1, then V2, with the lowering of the
// flag, then show. A search that passes by between V1 and V4 leaves the job to the caller, which is
// counted inactive and has yet to look a last time.
func (p *Pool) pass(n int) {
	leaves := n < len(p.seats) && p.view.isPartial() && p.view.has(n)
	if leaves {
		p.view.drop(n) // V1: out of view
	}
	p.want(n)                                   // V2: the flag is up
	if leaves && p.victims[n].deque.Len() > 0 { // V3: was something pushed meanwhile?
		p.view.add(n) // V4: then in view again
	}
}
