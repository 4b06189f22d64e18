package jec

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// state says who may do what with the goroutine that sleeps at a seat.
type state uint8

const (
	// awake: nobody blocks here.
	awake state = iota
	// asleep: blocked. It may be woken or its seat lent.
	asleep
	// lent: a borrower has the seat now. The goroutine stays blocked and may
	// not be woken.
	lent
)

// A seat is where a worker sleeps.
type seat struct {
	mu   prim.Mutex
	cond *prim.Cond
	// state is guarded by mu. The sleeper itself leaves awake; whoever makes it
	// awake again has claimed it, and counts that.
	state state
	// metered, guarded by mu, is what has happened here.
	metered api.Metered
	_       [64]byte // neighbours are woken by others
}

func newSeats(n int) []seat {
	seats := make([]seat, n)
	prim.DeclareSlice(seats)
	for i := range seats {
		seats[i].cond = prim.NewCond(&seats[i].mu)
	}
	return seats
}

func (p *seat) read() api.Metered {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.metered
}

// Park implements [api.Sleep] (steps B3 to B6). The mutex is held from the last
// move of the latch until the sleeper blocks, so a waker either comes before B3,
// and then its post or latch is seen by B4 or B5, or after B6, and then it finds
// the sleeper in place.
func (s *Sleep) Park(idle *api.Idle, latch api.Latch, look func() bool) {
	if !latch.GetSleepy() { // B3
		return
	}
	p := &s.seats[idle.Worker]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != awake {
		panic("jec: a worker parks at a seat that is lent")
	}
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
		p.state = asleep
		p.metered.Parks++
		for p.state != awake { // B6; it stays while its seat is lent, too
			p.cond.Wait()
		}
	}
	latch.WakeUp()
	idle.Round = 0
}

// claim wakes the goroutine that sleeps at p, if there is one, and counts it.
func (s *Sleep) claim(p *seat) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != asleep {
		return false
	}
	s.rouse(p)
	return true
}

// rouse makes the sleeper at p run again. The caller holds p.mu and has found
// it asleep. Counting comes before the release: otherwise the sleeper could
// leave the idle state first, and sleeping would exceed inactive.
func (s *Sleep) rouse(p *seat) {
	s.counters.SubSleeping()
	p.metered.Wakes++
	p.state = awake
	p.cond.Signal()
	prim.Expose()
}

// wakeAny wakes up to n sleepers, those with the lowest numbers first: a few
// workers that are woken often keep their caches warm.
func (s *Sleep) wakeAny(n int) {
	for i := range s.seats {
		if n == 0 {
			return
		}
		if s.claim(&s.seats[i]) {
			n--
		}
	}
}

// Wake implements [api.Sleep].
func (s *Sleep) Wake(worker int) bool {
	s.check(worker)
	return s.claim(&s.seats[worker])
}
