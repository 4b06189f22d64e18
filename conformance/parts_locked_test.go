package conformance_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance"
)

// The suite must not ask for more than the rules say. So here is a backend of another kind than
// ours: each step of the protocol is a critical section of one lock.

// An oneLock is a [simple] that lends seats. It is counted as asleep before it calls the last
// look, within its lock, and its jobs event counter has one bit.
type oneLock struct {
	simple
	posted bool
	lent   []bool // by worker
}

func newOneLock(workers int) (api.Sleep, error) {
	s := &oneLock{simple: simple{asleep: make([]bool, workers)}, lent: make([]bool, workers)}
	s.woken = sync.NewCond(&s.mu)
	return s, nil
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
	if !latch.FallAsleep() {
		return true
	}
	defer latch.WakeUp()
	if s.posted {
		return true
	}
	s.sleeps(idle.Worker, look)
	for s.asleep[idle.Worker] || s.lent[idle.Worker] {
		s.woken.Wait()
	}
	return true
}

// sleeps counts a worker as asleep, unless the look finds work.
func (s *oneLock) sleeps(worker int, look func() bool) {
	s.sleeping++
	s.asleep[worker] = true
	if look() {
		s.wake(worker)
	}
}

func (s *oneLock) Post(jobs int, wasEmpty bool) {
	s.mu.Lock()
	s.posted = true
	s.mu.Unlock()
	s.simple.Post(jobs, wasEmpty)
}

func (s *oneLock) Borrow() (worker int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	worker = slices.Index(s.asleep, true)
	if worker < 0 {
		return 0, false
	}
	s.asleep[worker], s.lent[worker] = false, true
	s.sleeping--
	s.inactive--
	return worker, true
}

func (s *oneLock) Return(worker int, look func() bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inactive++
	s.lent[worker] = false
	s.sleeps(worker, look)
}

func TestSleepOneLock(t *testing.T) {
	composed(t)
	conformance.TestSleep(t, newOneLock, conformance.WithSynctest(), stressed())
}
