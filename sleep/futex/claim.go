package futex

import "github.com/rouse-go/rouse/api"

// The values of a place's word. Whoever moves it from asleepAtRoot or
// asleepInJoin, by CAS, has claimed the sleeper.
const (
	// awake: nobody blocks here, or the one who does is free to go.
	awake uint32 = iota
	// asleepAtRoot: blocked, or about to, with no job beneath. It may be
	// woken or its seat lent.
	asleepAtRoot
	// asleepInJoin: blocked, or about to, with live frames beneath. It may
	// only be woken.
	asleepInJoin
	// lent: a borrower is the worker now. The goroutine stays blocked and may
	// not be woken.
	lent
	// claimed: a waker has the sleeper and has not released it yet.
	claimed
)

// place returns where the worker's present occupant blocks. A seat is lent
// before its borrower has it and until that one gives it back, so the answer
// does not change under the occupant who asks.
func (s *Sleep) place(worker int) *place {
	if p := &s.seats[worker]; p.word.Load() != lent {
		return p
	}
	return &s.guests[worker]
}

// sleep is steps B3 to B6.
func (s *Sleep) sleep(idle *api.Idle, latch api.Latch, look func() bool) {
	if !latch.GetSleepy() || !latch.FallAsleep() { // B3
		return
	}
	if !s.counters.TrySleep(uint32(idle.Ticket)) { // B4
		latch.WakeUp()
		idle.Round = s.rounds.Announcement()
		return
	}
	p := s.place(idle.Worker)
	word := asleepInJoin
	if idle.Root {
		word = asleepAtRoot
	}
	// From here on the place can be claimed. It pairs with the scan in
	// wakeAny: a poster that counted this sleeper in A2 and did not find its
	// word yet had pushed before, so the look below finds its job.
	p.word.Store(word)
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

// claim makes the one who sleeps at p free to go, if there is one, and counts
// it. Counting comes before the release: otherwise the sleeper could leave the
// idle state first, and sleeping would exceed inactive.
func (s *Sleep) claim(p *place) bool {
	word := p.word.Load()
	if word != asleepAtRoot && word != asleepInJoin || !p.word.CompareAndSwap(word, claimed) {
		return false
	}
	s.counters.SubSleeping()
	p.word.Store(awake)
	return true
}

// rouse claims the one who sleeps at p, if there is one, and wakes it.
func (s *Sleep) rouse(p *place) bool {
	if !s.claim(p) {
		return false
	}
	s.meter.wakes.Add(1)
	p.wake()
	return true
}

// passOn posts for one whose last look found work but who lost the claim on
// the place. If a waker has it, the sleeper there will search. But if a
// borrower has it, that one runs its own job first, and another must be woken.
func (s *Sleep) passOn(p *place) {
	if p.word.Load() == lent {
		s.Post(1, true)
	}
}

// wakeAny wakes up to n sleepers, those with the lowest numbers first: a few
// workers that are woken often keep their caches warm.
func (s *Sleep) wakeAny(n int) {
	for _, places := range [...][]place{s.seats, s.guests} {
		for i := range places {
			if n == 0 {
				return
			}
			if s.rouse(&places[i]) {
				n--
			}
		}
	}
}

// Wake implements [api.Sleep]. A borrower is looked for first: while there is
// one, the goroutine of its seat is not to be woken.
func (s *Sleep) Wake(worker int) bool {
	s.check(worker)
	return s.rouse(&s.guests[worker]) || s.rouse(&s.seats[worker])
}
