package mutants

import (
	"runtime"
	"sync"

	"github.com/rouse-go/rouse/api"
)

// A SleepFault is what is wrong with a [Sleep].
type SleepFault int

const (
	SleepSound SleepFault = iota
	AsleepBeforeLock
	NoCascade
	StopNotRechecked
	LatchNotRechecked
	WrongWorker
	ClaimedTwice
	CountedTwice
	SleeperCountsToo
	LookIgnored
	CountIgnored
	WakesWhenCovered
	NeverSleeps
	LentFromJoin
	LentTwice
	ReturnedUnseen
	OwnerWokenForBorrower
	LentInTwoSteps
)

// A Sleep is a backend under one lock: what is a step of the protocol is a
// critical section here. Its jobs event counter has one bit.
type Sleep struct {
	fault SleepFault

	mu                 sync.Mutex
	inactive, sleeping int
	jobs               uint64
	seats, guests      []place
}

type place struct {
	state occupancy
	cond  *sync.Cond
}

type occupancy int

const (
	awake occupancy = iota
	asleepAtRoot
	asleepInJoin
	lent
)

// NewSleep returns a backend with the fault.
func NewSleep(workers int, fault SleepFault) *Sleep {
	s := &Sleep{fault: fault, seats: make([]place, workers), guests: make([]place, workers)}
	for i := range workers {
		s.seats[i].cond = sync.NewCond(&s.mu)
		s.guests[i].cond = sync.NewCond(&s.mu)
	}
	return s
}

// has reports whether the backend has the fault.
func (s *Sleep) has(f SleepFault) bool { return s.fault == f }

// elsewhere lets others in between two steps that should be one.
func (s *Sleep) elsewhere() {
	s.mu.Unlock()
	runtime.Gosched()
	s.mu.Lock()
}

// Counts implements [api.Sleep].
func (s *Sleep) Counts() (inactive, sleeping int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inactive, s.sleeping
}

// StartLooking implements [api.Sleep].
func (s *Sleep) StartLooking(worker int, root bool) api.Idle {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inactive++
	return api.Idle{Worker: worker, Root: root}
}

// NoWork implements [api.Sleep]: it announces at the first call, sleeps at the
// next.
func (s *Sleep) NoWork(idle *api.Idle, latch api.Latch, look func() bool) {
	if idle.Round == 0 {
		idle.Round++
		idle.Ticket = s.announce()
		return
	}
	if s.has(NeverSleeps) {
		runtime.Gosched()
		return
	}
	idle.Round = 0
	if !latch.GetSleepy() {
		return
	}
	if s.has(AsleepBeforeLock) && !latch.FallAsleep() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.has(AsleepBeforeLock) && !latch.FallAsleep() && !s.forgives(idle) {
		return
	}
	s.sleep(idle, look)
	latch.WakeUp()
}

// forgives reports whether a latch that is set does not keep the worker awake.
func (s *Sleep) forgives(idle *api.Idle) bool {
	return s.has(LatchNotRechecked) || s.has(StopNotRechecked) && idle.Root
}

func (s *Sleep) announce() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs = 0
	return s.jobs
}

func (s *Sleep) sleep(idle *api.Idle, look func() bool) {
	if s.jobs != idle.Ticket {
		return
	}
	p := &s.seats[idle.Worker]
	if p.state == lent {
		p = &s.guests[idle.Worker]
	}
	s.sleeping++
	p.state = asleepInJoin
	if idle.Root {
		p.state = asleepAtRoot
	}
	if found := look(); found && !s.has(LookIgnored) {
		s.claim(p)
	}
	for p.state != awake {
		p.cond.Wait()
	}
	if s.has(SleeperCountsToo) {
		s.sleeping--
	}
}

// claim wakes the one who sleeps at p, if there is one.
func (s *Sleep) claim(p *place) bool {
	if p.state != asleepAtRoot && p.state != asleepInJoin {
		return false
	}
	if s.has(ClaimedTwice) {
		s.elsewhere()
	}
	s.sleeping--
	if s.has(CountedTwice) && s.sleeping > 0 {
		s.sleeping--
	}
	p.state = awake
	p.cond.Signal()
	return true
}

func (s *Sleep) wakeAny(n int) {
	for _, places := range [][]place{s.seats, s.guests} {
		for i := range places {
			if n > 0 && s.claim(&places[i]) {
				n--
			}
		}
	}
}

// Found implements [api.Sleep].
func (s *Sleep) Found(*api.Idle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inactive--
	if s.inactive == s.sleeping && !s.has(NoCascade) {
		s.wakeAny(1)
	}
}

// Post implements [api.Sleep].
func (s *Sleep) Post(jobs int, wasEmpty bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs = 1
	if wasEmpty && !s.has(WakesWhenCovered) {
		jobs -= s.inactive - s.sleeping
	}
	if s.has(CountIgnored) && jobs > 0 {
		jobs = s.sleeping
	}
	s.wakeAny(jobs)
}

// Wake implements [api.Sleep].
func (s *Sleep) Wake(worker int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.has(WrongWorker) {
		worker = (worker + 1) % len(s.seats)
	}
	seat, guest := &s.seats[worker], &s.guests[worker]
	if s.has(OwnerWokenForBorrower) && seat.state == lent && guest.state != awake {
		seat.state = asleepAtRoot
		guest = seat
	}
	return s.claim(guest) || s.claim(seat)
}

// Borrow implements [api.Lender].
func (s *Sleep) Borrow() (worker int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.seats {
		p := &s.seats[i]
		if p.state == asleepAtRoot || s.has(LentFromJoin) && p.state == asleepInJoin {
			if !s.has(LentTwice) {
				p.state = lent
			}
			s.sleeping--
			if s.has(LentInTwoSteps) {
				s.elsewhere()
			}
			s.inactive--
			return i, true
		}
	}
	return 0, false
}

// Return implements [api.Lender].
func (s *Sleep) Return(worker int, look func() bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inactive++
	s.sleeping++
	s.seats[worker].state = asleepAtRoot
	if look() && !s.has(ReturnedUnseen) {
		s.claim(&s.seats[worker])
	}
}
