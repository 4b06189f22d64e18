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
	WrongWorker
	ClaimedTwice
	CountedTwice
	SleeperCountsToo
	LookIgnored
	CountIgnored
	WakesWhenCovered
	NeverSleeps
	SpinsAsleep
	LentTwice
	ReturnedUnseen
	LentSeatWoken
	LentInTwoSteps
)

// A Sleep is a backend under one lock: what is a step of the protocol is a
// critical section here. Its jobs event counter has one bit.
type Sleep struct {
	fault SleepFault

	mu                 sync.Mutex
	inactive, sleeping int
	jobs               uint64
	seats              []seat
}

type seat struct {
	state state
	cond  *sync.Cond
}

type state int

const (
	awake state = iota
	asleep
	lent
)

// NewSleep returns a backend with the fault.
func NewSleep(workers int, fault SleepFault) *Sleep {
	s := &Sleep{fault: fault, seats: make([]seat, workers)}
	for i := range workers {
		s.seats[i].cond = sync.NewCond(&s.mu)
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
func (s *Sleep) StartLooking(worker int) api.Idle {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inactive++
	return api.Idle{Worker: worker}
}

// NoWork implements [api.Sleep]: it announces at the first call, and is tired at
// the next.
func (s *Sleep) NoWork(idle *api.Idle) (tired bool) {
	if idle.Round > 0 {
		return true
	}
	idle.Round++
	idle.Ticket = s.announce()
	return false
}

// Park implements [api.Sleep].
func (s *Sleep) Park(idle *api.Idle, latch api.Latch, look func() bool) bool {
	if s.has(NeverSleeps) {
		runtime.Gosched()
		return true
	}
	idle.Round = 0
	if !latch.GetSleepy() {
		return true
	}
	if s.has(AsleepBeforeLock) && !latch.FallAsleep() {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.has(AsleepBeforeLock) && !latch.FallAsleep() && !s.has(StopNotRechecked) {
		return true
	}
	s.sleep(idle, look)
	latch.WakeUp()
	return true
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
	s.sleeping++
	p.state = asleep
	if found := look(); found && !s.has(LookIgnored) {
		s.claim(p)
	}
	for p.state != awake {
		if s.has(SpinsAsleep) {
			s.elsewhere()
		} else {
			p.cond.Wait()
		}
	}
	if s.has(SleeperCountsToo) {
		s.sleeping--
	}
}

// claim wakes the goroutine that sleeps at p, if there is one.
func (s *Sleep) claim(p *seat) bool {
	if p.state != asleep {
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
	for i := range s.seats {
		if n > 0 && s.claim(&s.seats[i]) {
			n--
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
	p := &s.seats[worker]
	if s.has(LentSeatWoken) && p.state == lent {
		p.state = awake
		p.cond.Signal()
		return true
	}
	return s.claim(p)
}

// Borrow implements [api.Lender].
func (s *Sleep) Borrow() (worker int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.seats {
		p := &s.seats[i]
		if p.state == asleep {
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
	s.seats[worker].state = asleep
	if look() && !s.has(ReturnedUnseen) {
		s.claim(&s.seats[worker])
	}
}
