package futex

import "github.com/rouse-go/rouse/api"

// The values of a seat's word. Whoever moves it from asleep, by CAS, has claimed
// the sleeper.
const (
	// awake: nobody blocks here, or the sleeper is free to go.
	awake uint32 = iota
	// asleep: blocked, or about to. The sleeper may be woken or its seat lent.
	asleep
	// lent: a borrower has the seat now. The goroutine stays blocked and may
	// not be woken.
	lent
	// claimed: a waker has the sleeper and has not released it yet.
	claimed
)

// Park implements [api.Sleep] (steps B3 to B6).
func (s *Sleep) Park(idle *api.Idle, latch api.Latch, look func() bool) {
	if !latch.GetSleepy() || !latch.FallAsleep() { // B3
		return
	}
	if !s.counters.TrySleep(uint32(idle.Ticket)) { // B4
		latch.WakeUp()
		idle.Round = s.rounds.Announcement()
		return
	}
	p := &s.seats[idle.Worker]
	// From here on the sleeper can be claimed. It pairs with the scan in
	// wakeAny: a poster that counted this sleeper in A2 and did not find its
	// word yet had pushed before, so the look below finds its job.
	if p.word.Swap(asleep) != awake {
		panic("futex: a worker parks at a seat that is lent")
	}
	if look() || latch.Probe() { // B5
		// The sleeper claims itself. The goroutine of a seat that was lent
		// meanwhile stays blocked.
		if !s.claim(p) {
			s.passOn(p) // R5
		}
	}
	p.block() // B6
	latch.WakeUp()
	idle.Round = 0
}

// claim makes the goroutine that sleeps at p free to go, if there is one, and
// counts it. Counting comes before the release: otherwise the sleeper could leave
// the idle state first, and sleeping would exceed inactive.
func (s *Sleep) claim(p *seat) bool {
	if p.word.Load() != asleep || !p.word.CompareAndSwap(asleep, claimed) {
		return false
	}
	s.counters.SubSleeping()
	p.word.Store(awake)
	return true
}

// rouse claims the goroutine that sleeps at p, if there is one, and wakes it.
func (s *Sleep) rouse(p *seat) bool {
	if !s.claim(p) {
		return false
	}
	s.meter.wakes.Add(1)
	p.wake()
	return true
}

// passOn posts for a goroutine whose last look found work but that lost the claim
// on the seat. If a waker has it, the sleeper there will search. But if a
// borrower has it, that one runs its own job first, and another must be woken.
func (s *Sleep) passOn(p *seat) {
	if p.word.Load() == lent {
		s.Post(1, true)
	}
}

// wakeAny wakes up to n sleepers, those with the lowest numbers first: a few
// workers that are woken often keep their caches warm.
func (s *Sleep) wakeAny(n int) {
	for i := range s.seats {
		if n == 0 {
			return
		}
		if s.rouse(&s.seats[i]) {
			n--
		}
	}
}

// Wake implements [api.Sleep].
func (s *Sleep) Wake(worker int) bool {
	s.check(worker)
	return s.rouse(&s.seats[worker])
}
