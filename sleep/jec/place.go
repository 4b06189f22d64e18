package jec

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// occupancy says who may do what with the one who blocks at a place.
type occupancy uint8

const (
	// awake: nobody blocks here.
	awake occupancy = iota
	// asleepAtRoot: blocked with no job beneath. It may be woken or its seat
	// lent.
	asleepAtRoot
	// asleepInJoin: blocked with live frames beneath. It may only be woken.
	asleepInJoin
	// lent: a borrower is the worker now. The goroutine stays blocked and may
	// not be woken.
	lent
)

// A place is where one participant blocks.
type place struct {
	mu   prim.Mutex
	cond *prim.Cond
	// state is guarded by mu. The participant itself leaves awake; whoever
	// makes it awake again has claimed it, and counts that.
	state occupancy
	// metered, guarded by mu, is what has happened here.
	metered api.Metered
	_       [64]byte // neighbours are woken by others
}

func newPlaces(n int) []place {
	p := make([]place, n)
	prim.DeclareSlice(p)
	for i := range p {
		p[i].cond = prim.NewCond(&p[i].mu)
	}
	return p
}

func (p *place) read() api.Metered {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.metered
}

// place returns where the worker's present occupant blocks. A seat is lent
// before its borrower has it and until that one gives it back, so the answer
// does not change under the occupant who asks.
func (s *Sleep) place(worker int) *place {
	p := &s.seats[worker]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == lent {
		return &s.guests[worker]
	}
	return p
}

// sleep is steps B3 to B6. The mutex is held throughout, so a waker either
// comes before B3, and then its post or latch is seen by B4 or B5, or after
// B6, and then it finds the sleeper in place.
func (s *Sleep) sleep(idle *api.Idle, latch api.Latch, look func() bool) {
	if !latch.GetSleepy() { // B3
		return
	}
	p := s.place(idle.Worker)
	p.mu.Lock()
	defer p.mu.Unlock()
	if !latch.FallAsleep() {
		return
	}
	if !s.counters.TrySleep(uint32(idle.Ticket)) { // B4
		latch.WakeUp()
		idle.Round = s.rounds.Announcement()
		return
	}
	if look() || latch.Probe() { // B5
		s.counters.SubSleeping()
	} else {
		p.state = asleepInJoin
		if idle.Root {
			p.state = asleepAtRoot
		}
		p.metered.Parks++
		for p.state != awake { // B6; a lent seat's goroutine stays, too
			p.cond.Wait()
		}
	}
	latch.WakeUp()
	idle.Round = 0
}

// claim wakes the one who sleeps at p, if there is one, and counts it.
func (s *Sleep) claim(p *place) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != asleepAtRoot && p.state != asleepInJoin {
		return false
	}
	s.rouse(p)
	return true
}

// rouse makes the sleeper at p run again. The caller holds p.mu and has found
// it asleep. Counting comes before the release: otherwise the sleeper could
// leave the idle state first, and sleeping would exceed inactive.
func (s *Sleep) rouse(p *place) {
	s.counters.SubSleeping()
	p.metered.Wakes++
	p.state = awake
	p.cond.Signal()
	prim.Expose()
}

// wakeAny wakes up to n sleepers, those with the lowest numbers first: a few
// workers that are woken often keep their caches warm.
func (s *Sleep) wakeAny(n int) {
	for _, places := range [...][]place{s.seats, s.guests} {
		for i := range places {
			if n == 0 {
				return
			}
			if s.claim(&places[i]) {
				n--
			}
		}
	}
}

// Wake implements [api.Sleep]. A borrower is looked for first: while there is
// one, the goroutine of its seat is not to be woken.
func (s *Sleep) Wake(worker int) bool {
	s.check(worker)
	return s.claim(&s.guests[worker]) || s.claim(&s.seats[worker])
}
