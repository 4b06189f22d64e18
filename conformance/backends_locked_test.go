package conformance_test

import (
	"sync"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance"
)

// The suite must not ask for more than the rules say. So here are two parts of another
// kind than ours: behind one lock, in which what is a step of the protocol is a critical
// section.

// An oneLock is a backend that lends seats. It calls the last look within its lock, and its
// jobs event counter has one bit.
type oneLock struct {
	mu                 sync.Mutex
	inactive, sleeping int
	posted             bool
	seats              []lockedSeat
}

type lockedSeat struct {
	state seatState
	cond  *sync.Cond
}

type seatState int

const (
	awake seatState = iota
	asleep
	lent
)

func newOneLock(workers int) (api.Sleep, error) {
	s := &oneLock{seats: make([]lockedSeat, workers)}
	for i := range workers {
		s.seats[i].cond = sync.NewCond(&s.mu)
	}
	return s, nil
}

func (s *oneLock) Counts() (inactive, sleeping int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inactive, s.sleeping
}

func (s *oneLock) StartLooking(worker int) api.Idle {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inactive++
	return api.Idle{Worker: worker}
}

// NoWork announces at the first call, and is tired at the next.
func (s *oneLock) NoWork(idle *api.Idle) (tired bool) {
	if idle.Round > 0 {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	idle.Round++
	s.posted = false
	return false
}

func (s *oneLock) Park(idle *api.Idle, latch api.Latch, look func() bool) (awake bool) {
	idle.Round = 0
	if !latch.GetSleepy() {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if latch.FallAsleep() {
		s.sleep(idle.Worker, look)
		latch.WakeUp()
	}
	return true
}

func (s *oneLock) sleep(worker int, look func() bool) {
	if s.posted {
		return
	}
	p := &s.seats[worker]
	s.sleeping++
	p.state = asleep
	if look() {
		s.claim(p)
	}
	for p.state != awake {
		p.cond.Wait()
	}
}

// claim wakes the goroutine that sleeps at p, if there is one.
func (s *oneLock) claim(p *lockedSeat) bool {
	if p.state != asleep {
		return false
	}
	s.sleeping--
	p.state = awake
	p.cond.Signal()
	return true
}

func (s *oneLock) wakeAny(n int) {
	for i := range s.seats {
		if n > 0 && s.claim(&s.seats[i]) {
			n--
		}
	}
}

func (s *oneLock) Found(*api.Idle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inactive--
	if s.inactive == s.sleeping {
		s.wakeAny(1)
	}
}

func (s *oneLock) Post(jobs int, wasEmpty bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.posted = true
	if wasEmpty {
		jobs -= s.inactive - s.sleeping
	}
	s.wakeAny(jobs)
}

func (s *oneLock) Wake(worker int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.claim(&s.seats[worker])
}

func (s *oneLock) Borrow() (worker int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.seats {
		if p := &s.seats[i]; p.state == asleep {
			p.state = lent
			s.sleeping--
			s.inactive--
			return i, true
		}
	}
	return 0, false
}

func (s *oneLock) Return(worker int, look func() bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inactive++
	s.sleeping++
	s.seats[worker].state = asleep
	if look() {
		s.claim(&s.seats[worker])
	}
}

func TestSleepOneLock(t *testing.T) {
	conformance.TestSleep(t, newOneLock, conformance.WithSynctest(), stressed())
}

// A lockedQueue is an injector.
type lockedQueue struct {
	mu    sync.Mutex
	items []*int
}

func (q *lockedQueue) Push(item *int) (wasEmpty bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, item)
	return len(q.items) == 1
}

func (q *lockedQueue) Steal() (*int, api.Outcome) {
	var one [1]*int
	_, outcome := q.StealBatch(one[:])
	return one[0], outcome
}

func (q *lockedQueue) StealBatch(into []*int) (int, api.Outcome) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return 0, api.Empty
	}
	n := copy(into, q.items[:(len(q.items)+1)/2])
	clear(q.items[:n])
	q.items = q.items[n:]
	return n, api.Stolen
}

func (q *lockedQueue) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.items) == 0
}

func TestInjectorLocked(t *testing.T) {
	conformance.TestInjector(t, func() api.Injector[int] { return new(lockedQueue) }, stressed())
}
