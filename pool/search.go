package pool

import (
	"math/bits"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// await looks for a job until there is one, and sleeps between. The seat is counted inactive
// meanwhile. It returns nil when the caller has lost the seat: that sleeps without a goroutine, or
// has ended, because the pool closes.
func (s *seat) await() *Job {
	unlabel()
	b := s.pool.sleep
	if s.looking {
		s.stop.WakeUp() // if it has slept without a goroutine
		s.woken()
		s.record(EventWake)
	} else {
		s.idle = s.startLooking()
	}
	s.looking = false
	for !s.stop.Probe() {
		// The seat's own deque is empty, unless its last worker has left jobs there.
		if j := s.find(true); j != nil {
			s.found(&s.idle)
			return j
		}
		if b.NoWork(&s.idle) {
			s.record(EventSleep)
			if !b.Park(&s.idle, &s.stop, s.pool.look) {
				return nil // goOn
			}
			s.woken()
			s.record(EventWake)
		}
	}
	s.found(&s.idle)
	s.record(EventClose)
	s.pool.shutdown.lives.Done()
	return nil
}

// find begins a job of the seat's own deque, another seat's or the injector, in this order, or
// returns nil. want is as for search.
func (s *seat) find(want bool) *Job {
	if j := s.take(); j != nil {
		return j
	}
	return s.search(want)
}

// search begins a job of the seat from which it last took one, of each other seat in view, from
// anywhere on, of a guest, or of the injector, or returns nil. A large pool comes to the injector sooner, if
// that is not empty. want says that this seat is counted inactive, and asks those whose deques are
// empty to publish.
//
// After an attempt that is lost to another thief the search goes on with the next seat.
func (s *seat) search(want bool) *Job {
	p := s.pool
	if s.seasoned = s.seasoned || p.used(); !s.seasoned {
		return nil
	}
	if len(p.victims) == 1 && p.guests.blocks.Load() == nil {
		return s.fetch() // there is nobody to steal from
	}
	last, next := s.victim, s.randomSeat()
	if p.random != nil {
		last = next
	}
	if last != s.index {
		if j := s.visit(last, want); j != nil {
			return j
		}
	}
	visits := 0
	for _, part := range p.around(next) {
		for n := p.view.next(part.from, part.to); n < part.to; n = p.view.next(n+1, part.to) {
			if n == last || n == s.index {
				continue
			}
			if visits++; visits > fewVisits && p.view.isPartial() && !p.injector.Empty() {
				break
			}
			if j := s.visit(n, want); j != nil {
				return j
			}
		}
	}
	if p.guests.blocks.Load() != nil {
		for n := range p.shownGuests(s.random >> 32) {
			if n != last {
				if j := s.visit(n, want); j != nil {
					return j
				}
			}
		}
	}
	return s.fetch()
}

// fewVisits is how many seats a search of a large pool visits while jobs are queued, at most.
const fewVisits = 64

// around returns the two parts in which all seats are visited from one on.
func (p *Pool) around(first int) [2]struct{ from, to int } {
	return [2]struct{ from, to int }{{first, len(p.victims)}, {0, first}}
}

// randomSeat returns a seat's number, by Marsaglia's xorshift64.
func (s *seat) randomSeat() int {
	s.random ^= s.random << 13
	s.random ^= s.random >> 7
	s.random ^= s.random << 17
	n, _ := bits.Mul64(s.random, uint64(len(s.pool.seats))) // no division for each search
	return int(n)
}

// visit begins the oldest job of another seat, and takes up to half of the others along, or
// returns nil.
func (s *seat) visit(n int, want bool) *Job {
	p := s.pool
	v := p.victim(n)
	prim.Touch(&v.deque, false)
	jobs := v.deque.Len()
	if jobs == 0 {
		if want {
			p.pass(n)
		}
		return nil
	}
	raid := jobs > 1
	if raid && !s.raid(v) {
		return nil
	}
	j, outcome := v.deque.Steal()
	if outcome == api.Stolen && !j.begin() {
		j = nil
	}
	if j != nil {
		s.stats.steals.Add(1)
		s.victim, s.stole = n, true
		along := 0
		if raid {
			along = s.takeAlong(v)
		}
		s.recordSteal(n, along)
	}
	if raid {
		v.raided.Store(0)
	}
	if outcome == api.Stolen {
		p.want(n) // others may find the deque empty now
	}
	return j
}

// raid reports whether the seat may take several jobs of the victim. Then the caller must lower
// raided when it has.
func (s *seat) raid(v *victim) bool {
	if s.passed < maxPassed && (v.raided.Load() != 0 || !v.raided.CompareAndSwap(0, 1)) {
		s.passed++
		return false
	}
	s.passed = 0
	return true
}

// maxPassed is how often a seat passes by raided ones before it steals all the same: the thief may
// have lost its processor in the middle.
const maxPassed = 64

// takeAlong takes up to half of a victim's other jobs into the seat's own deque, which is empty.
//
// The jobs are as public here as they were there. The seat's goroutine runs them at its root, as
// any that it finds: on top of a job that waits runs only what that waits for, wherever its
// pointer lies (J3).
func (s *seat) takeAlong(v *victim) (taken int) {
	for n := min(v.deque.Len()/2, maxTaken); taken < n; taken++ {
		j, outcome := v.deque.Steal()
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

// fetch begins a job that was submitted.
func (s *seat) fetch() *Job {
	return s.pool.takeQueued()
}

// takeQueued begins the oldest job that waits in the queue, or returns nil.
func (p *Pool) takeQueued() *Job {
	j := dequeue(p.injector)
	if j != nil && !p.served.Load() {
		p.served.Store(true)
	}
	return j
}

// dequeue begins the oldest job of an injector, or returns nil. After a lost attempt it pauses, and
// tries again, a few times: seats that try at once keep each other from taking anything.
func dequeue(q api.Injector[Job]) *Job {
	for losses := 0; losses < maxLosses; {
		switch j, outcome := q.Steal(); {
		case outcome == api.Empty:
			return nil
		case outcome == api.Lost:
			prim.Spin(spinSteps << losses)
			losses++
		case j.begin():
			return j
		}
	}
	return nil
}

// maxLosses is how often a search tries the injector. The pauses double, to some microseconds.
const maxLosses = 8

// spinSteps is how long one busy wait is: some tens of nanoseconds.
const spinSteps = 64
