package pool

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// find begins a job of the seat's own deque, another seat's or the injector, in
// this order, or returns nil. want is as for search.
func (s *seat) find(want bool) *Job {
	if j := s.take(); j != nil {
		return j
	}
	return s.search(want)
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
func (s *seat) pop() *Job {
	j := s.deque.Pop()
	if j != nil {
		s.wantOnBehalf()
	}
	return j
}

// wantOnBehalf is for a seat that has taken one of its public jobs back. There
// may be fewer now than seats that wait, and none of those may look again
// before it sleeps.
func (s *seat) wantOnBehalf() {
	if inactive, _ := s.pool.sleep.Counts(); inactive > s.deque.Len() {
		s.pool.want(s.index)
	}
}

// push makes a job public, and wakes a seat if one must be woken for it.
func (s *seat) push(j *Job) {
	wasEmpty := s.deque.Len() == 0
	s.deque.Push(j) // A1
	s.pool.sleep.Post(1, wasEmpty)
}

// search tries to begin a job of the seat that it last took one from, then of
// each other, beginning anywhere, and then of the injector. want says that this
// seat is counted inactive and asks those whose deques are empty to publish.
// An attempt that was lost to another is no answer, nor is a job that somebody
// else has begun: the search is repeated.
func (s *seat) search(want bool) *Job {
	p := s.pool
	if s.seasoned = s.seasoned || p.used(); !s.seasoned {
		return nil
	}
	losses := 0
	for lost := true; lost; {
		lost = false
		last, next := s.victim, s.randomSeat()
		for i := -1; i < len(p.deques); i++ {
			n := last
			if i >= 0 {
				n = next
				if next++; next == len(p.deques) {
					next = 0 // no division for each visit
				}
				if n == last {
					continue
				}
			}
			if n == s.index {
				continue
			}
			prim.Touch(&p.deques[n], false)
			switch j, outcome := p.deques[n].Steal(); outcome {
			case api.Stolen:
				p.want(n) // the deque may be empty now, for others who look
				if !j.begin() {
					lost = true
					continue
				}
				s.stats.steals.Add(1)
				s.victim, s.stole = n, true
				return j
			case api.Lost:
				lost = true
			case api.Empty:
				if want {
					p.want(n)
				}
			}
		}
		switch j, outcome := p.injector.Steal(); outcome {
		case api.Stolen:
			if j.begin() {
				return j
			}
			lost = true
		case api.Lost:
			// All who try again at once keep each other from taking anything.
			prim.Spin(spinSteps << min(losses, maxBackoff))
			losses++
			lost = true
		case api.Empty:
		}
	}
	return nil
}

// maxBackoff is how often a pause doubles after an attempt on the injector that was
// lost: to some microseconds.
const maxBackoff = 8

// randomSeat returns a seat's number, by Marsaglia's xorshift64.
func (s *seat) randomSeat() int {
	s.random ^= s.random << 13
	s.random ^= s.random >> 7
	s.random ^= s.random << 17
	return int(s.random % uint64(len(s.pool.seats)))
}
