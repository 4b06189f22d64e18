package pool

import (
	"iter"
	"math/bits"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/record"
)

// awaitJob looks for a job until there is one, and sleeps between. The seat is counted inactive
// meanwhile. It returns nil when the caller has lost the seat: that sleeps without a goroutine, or
// has ended, because the pool closes.
func (s *seat) awaitJob() *Job {
	unlabel()
	if s.looking {
		s.stop.WakeUp() // if it has slept without a goroutine
		s.woken()
		s.event(record.EventWake)
	} else {
		s.idle = s.startLooking()
	}
	s.looking = false
	for {
		j, sleepy := s.findUntil(&s.stop)
		switch {
		case j != nil:
			return j
		case !sleepy:
			s.event(record.EventClose)
			s.pool.shutdown.lives.Done()
			return nil
		}
		s.event(record.EventSleep)
		if !s.pool.sleep.Park(&s.idle, &s.stop, s.pool.sleep.hasWork) {
			return nil // wakeUp
		}
		s.woken()
		s.event(record.EventWake)
	}
}

// findUntil begins a job that it finds, or returns nil: when the latch is set, or when the seat, which is
// counted inactive still, is to sleep.
func (s *seat) findUntil(until api.Latch) (j *Job, sleepy bool) {
	for !until.Probe() {
		// The seat's own deque is empty, unless its last worker has left jobs there.
		if j = s.find(true); j != nil {
			break
		}
		if s.pool.sleep.NoWork(&s.idle) {
			return nil, true
		}
	}
	s.found(&s.idle)
	return j, false
}

// hasWork is the one answer to "is there work?": it looks at every place where
// a search by an idle worker would find some. Like such a search, it asks the
// owner of each empty deque for more, but for guests that are not shown.
//
// Private frames are not among the places: nobody but their owner can take
// them, and the owner publishes them before it waits.
func (p *Pool) hasWork() bool {
	if !p.wasUsed() {
		return false
	}
	found := !p.inbox.queue.Empty()
	for n := range p.seatsToVisit(0, 0) {
		if p.seat(n).deque.Len() > 0 {
			found = true
		} else {
			p.want(n)
		}
	}
	return found
}

// find begins a job of the seat's own deque, another seat's or the queue, in this order, or
// returns nil. want is as for search.
func (s *seat) find(want bool) *Job {
	if j := s.takeLocal(); j != nil {
		return j
	}
	return s.search(want)
}

// search begins a job of the seat from which it last took one, of another one, or of the queue, or
// returns nil. want says that this seat is counted inactive, and asks those whose deques are
// empty to publish.
//
// After an attempt that is lost to another thief the search goes on with the next seat.
func (s *seat) search(want bool) *Job {
	p := s.pool
	if s.thief.seasoned = s.thief.seasoned || p.wasUsed(); !s.thief.seasoned {
		return nil
	}
	last := s.thief.victim
	if p.random != nil {
		last = s.index
	}
	if last != s.index {
		if j := s.visit(last, want); j != nil {
			return j
		}
	}
	for n := range s.otherSeats {
		if n != last {
			if j := s.visit(n, want); j != nil {
				return j
			}
		}
	}
	return p.takeQueued()
}

// seatsToVisit yields the numbers of the seats where there may be jobs: those of workers, from the first on, then
// those of guests that are shown.
func (p *Pool) seatsToVisit(first int, turn uint64) iter.Seq[int] {
	return func(yield func(n int) bool) {
		for k := range p.seats {
			n := first + k
			if n >= len(p.seats) {
				n -= len(p.seats)
			}
			if !yield(n) {
				return
			}
		}
		p.shownGuests(turn, yield)
	}
}

// otherSeats yields those of the other seats, from any one on, so that thieves do not meet.
func (s *seat) otherSeats(yield func(n int) bool) {
	for n := range s.pool.seatsToVisit(s.randomSeat(), s.thief.random>>32) {
		if n != s.index && !yield(n) {
			return
		}
	}
}

// randomSeat returns a seat's number, by Marsaglia's xorshift64.
func (s *seat) randomSeat() int {
	s.thief.random ^= s.thief.random << 13
	s.thief.random ^= s.thief.random >> 7
	s.thief.random ^= s.thief.random << 17
	n, _ := bits.Mul64(s.thief.random, uint64(len(s.pool.seats))) // no division for each search
	return int(n)
}

// visit begins the oldest job of another seat, and takes up to half of the others along, or
// returns nil.
func (s *seat) visit(n int, want bool) *Job {
	p := s.pool
	d := p.seat(n).deque
	jobs := d.Len()
	if jobs == 0 {
		if want {
			p.want(n)
		}
		return nil
	}
	j, outcome := d.Steal()
	if outcome != api.Stolen {
		return nil
	}
	if j.begin() {
		s.stats.steals.Add(1)
		s.thief.victim, s.thief.stole = n, 1
		if jobs > 1 {
			s.thief.stole += uint16(s.takeAlong(d))
		}
	} else {
		j = nil
	}
	// Others may find the deque empty now.
	p.want(n)
	return j
}

// want asks the worker with the n-th seat to publish. The caller is counted inactive, acts for
// a seat that is, or has taken something there.
func (p *Pool) want(n int) {
	if w := p.seat(n).occupant.Load(); w.wanted.Load()&wantForks == 0 {
		w.wanted.Or(wantForks)
	}
}

// takeAlong takes up to half of a victim's other jobs into the seat's own deque, which is empty.
//
// The jobs are as public here as they were there. The seat's goroutine runs them at its root, as
// any that it finds: on top of a job that waits runs only what that waits for, wherever its
// pointer lies (J3).
func (s *seat) takeAlong(d api.Deque[Job]) (taken int) {
	for n := min(d.Len()/2, maxTaken); taken < n; taken++ {
		j, outcome := d.Steal()
		if outcome != api.Stolen {
			break
		}
		s.deque.Push(j) // A1
	}
	if taken > 0 {
		s.show()
		s.pool.sleep.Post(1, true)
	}
	return taken
}

// maxTaken is how many jobs a thief takes along at most. It does nothing else meanwhile.
const maxTaken = 64

// takeQueued begins the oldest job that waits in the queue, or returns nil.
func (p *Pool) takeQueued() *Job {
	j := dequeue(p.inbox.queue)
	if j == nil {
		return nil
	}
	if !p.inbox.served.Load() {
		p.inbox.served.Store(true)
	}
	if j.timed {
		p.inbox.front.Store(uint64(j.since))
	}
	return &j.Job
}

// dequeue begins the oldest job of a queue, or returns nil. After a lost attempt it pauses, and
// tries again, a few times: seats that try at once keep each other from taking anything.
func dequeue(q queue) *submission {
	for pause := spinSteps; pause < 256*spinSteps; {
		switch j, outcome := q.Steal(); {
		case outcome == api.Empty:
			return nil
		case outcome == api.Lost:
			prim.Spin(pause)
			pause *= 2
		case j.begin():
			return j
		}
	}
	return nil
}

// spinSteps is how long one busy wait is: some tens of nanoseconds.
const spinSteps = 64
