package sleeps

import (
	"sync"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/counters"
)

// A Condvar is an [api.Sleep] with one mutex and one condition variable for
// all, the traditional way. Every method takes the mutex, posts that wake
// nobody included. It lends no seats.
type Condvar struct {
	mu                 sync.Mutex
	woken              *sync.Cond
	inactive, sleeping int
	asleep             []bool // by worker
	rounds             api.Rounds
}

// NewCondvar returns a Condvar for so many workers. It fails if there are none.
func NewCondvar(workers int) (api.Sleep, error) {
	if err := checkWorkers(workers); err != nil {
		return nil, err
	}
	s := &Condvar{asleep: make([]bool, workers), rounds: api.DefaultRounds(workers)}
	s.woken = sync.NewCond(&s.mu)
	return s, nil
}

// checkWorkers has the limits of all backends.
func checkWorkers(workers int) error {
	_, err := counters.New(workers)
	return err
}

// Counts implements [api.Sleep].
func (s *Condvar) Counts() (inactive, sleeping int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inactive, s.sleeping
}

// StartLooking implements [api.Sleep].
func (s *Condvar) StartLooking(worker int) api.Idle {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inactive++
	return api.Idle{Worker: worker}
}

// NoWork implements [api.Sleep].
func (s *Condvar) NoWork(idle *api.Idle) (tired bool) {
	if s.rounds.Next(idle) == api.Block {
		return true
	}
	idle.Round++
	return false
}

// Park implements [api.Sleep]. The mutex is held from before the last look
// until the worker waits, so a post or a wake comes before that look, or finds
// the worker asleep.
func (s *Condvar) Park(idle *api.Idle, latch api.Latch, look func() bool) (awake bool) {
	idle.Round = 0
	if !latch.GetSleepy() {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !latch.FallAsleep() {
		return true
	}
	if !look() && !latch.Probe() {
		s.sleeping++
		s.asleep[idle.Worker] = true
		for s.asleep[idle.Worker] {
			s.woken.Wait()
		}
	}
	latch.WakeUp()
	return true
}

// Found implements [api.Sleep].
func (s *Condvar) Found(*api.Idle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inactive--
	if s.inactive == s.sleeping {
		s.wakeAny(1)
	}
}

// Post implements [api.Sleep].
func (s *Condvar) Post(jobs int, wasEmpty bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wakeAny(counters.ToWake(jobs, wasEmpty, s.inactive, s.sleeping))
}

// Wake implements [api.Sleep].
func (s *Condvar) Wake(worker int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wake(worker)
}

// wake wakes the worker if it sleeps. Nobody can tell for whom a signal would
// be, so all are woken to see who was meant.
func (s *Condvar) wake(worker int) bool {
	if !s.asleep[worker] {
		return false
	}
	s.asleep[worker] = false
	s.sleeping--
	s.woken.Broadcast()
	return true
}

func (s *Condvar) wakeAny(n int) {
	for worker := range s.asleep {
		if n == 0 {
			return
		}
		if s.wake(worker) {
			n--
		}
	}
}
