package waiting

import (
	"bytes"
	"slices"
)

// maxSeats bounds the pool.
const maxSeats = 4

// A state is everything about the pool and the program at one moment. Jobs are
// known by their numbers; where 0 must mean none, the number plus one is stored.
type state struct {
	phase [maxJobs]phase
	pc    [maxJobs]uint8
	// beneath is the job, plus one, on top of which this one runs.
	beneath [maxJobs]uint8
	// goroutine is that which the job began on, by the job at its bottom.
	goroutine [maxJobs]goroutine
	world
	// seats are sorted: which is which makes no difference.
	seats    [maxSeats]seat
	injector queue
	// twice says that a job has begun a second time.
	twice bool
}

// A goroutine is a stack of jobs.
type goroutine struct {
	status status
	// top is the job that runs, plus one.
	top uint8
	// hand is a pointer, plus one, that goes back into the deque.
	hand uint8
}

// A status says what a goroutine does.
type status uint8

const (
	gone      status = iota // not begun, or ended
	running                 // with a seat or without
	putting                 // has popped another fork than the one it has claimed
	ready                   // may go on, and looks for a seat first
	searching               // waits, and looks for work while it has its seat
	aside                   // waits, without a seat
	blocked                 // is inside Block
)

// A seat lets one goroutine run. It has a deque, which stays when its occupant
// leaves.
type seat struct {
	mode seatMode
	// who is the goroutine, plus one, that has the seat.
	who uint8
	// hand is the pointer, plus one, that was taken and not yet claimed.
	hand  uint8
	deque queue
}

type seatMode uint8

const (
	absent   seatMode = iota
	asleep            // until a post wakes it, or a job takes it or is handed it
	looking           // for work
	taking            // has a pointer, and claims it next
	occupied          // by a goroutine
	lost              // no goroutine has it any more
)

// A queue has pointers to jobs, plus one, the oldest first. There is at most one
// pointer to a job.
type queue [maxJobs]uint8

func (q *queue) len() int {
	if n := bytes.IndexByte(q[:], 0); n >= 0 {
		return n
	}
	return maxJobs
}

func (q *queue) push(j uint8) { q[q.len()] = j + 1 }

func (q *queue) has(j uint8) bool { return bytes.IndexByte(q[:], j+1) >= 0 }

// newest removes the newest pointer; the queue has one.
func (q *queue) newest() uint8 {
	n := q.len() - 1
	j := q[n] - 1
	q[n] = 0
	return j
}

// oldest removes the oldest pointer; the queue has one.
func (q *queue) oldest() uint8 {
	j := q[0] - 1
	copy(q[:], q[1:])
	q[maxJobs-1] = 0
	return j
}

// canonical sorts the seats. There are few, and mostly in order.
func (st *state) canonical() {
	for i := 1; i < maxSeats; i++ {
		for k := i; k > 0 && st.seats[k].before(&st.seats[k-1]); k-- {
			st.seats[k], st.seats[k-1] = st.seats[k-1], st.seats[k]
		}
	}
}

func (s *seat) before(t *seat) bool {
	if s.mode != t.mode {
		return s.mode > t.mode // the absent ones last
	}
	if s.who != t.who {
		return s.who < t.who
	}
	if s.hand != t.hand {
		return s.hand < t.hand
	}
	return bytes.Compare(s.deque[:], t.deque[:]) < 0
}

// seatOf returns the number of the goroutine's seat, or -1.
func (st *state) seatOf(g uint8) int {
	return slices.IndexFunc(st.seats[:], func(s seat) bool { return s.mode == occupied && s.who-1 == g })
}

// any returns the number of a seat in that mode, or -1.
func (st *state) any(mode seatMode) int {
	return slices.IndexFunc(st.seats[:], func(s seat) bool { return s.mode == mode })
}

// visible says whether a deque or the injector has anything, stale or not.
func (st *state) visible() bool {
	for i := range st.seats {
		if st.seats[i].deque[0] != 0 {
			return true
		}
	}
	return st.injector[0] != 0
}

// post tells of work: it wakes a seat, unless one looks already.
func (st *state) post() {
	if st.looks() {
		return
	}
	if i := st.any(asleep); i >= 0 {
		st.seats[i].mode = looking
	}
}

// looks says whether some seat looks for work, with an occupant or without.
func (st *state) looks() bool {
	for g := range st.goroutine {
		if st.goroutine[g].status == searching {
			return true
		}
	}
	return st.any(looking) >= 0 || st.any(taking) >= 0
}

// free makes the seat look for work.
func (s *seat) free() { s.mode, s.who, s.hand = looking, 0, 0 }

// occupy gives the seat to the goroutine.
func (s *seat) occupy(g uint8) { s.mode, s.who, s.hand = occupied, g+1, 0 }
