package jec

import "github.com/rouse-go/rouse/api"

// A seat is where a worker sleeps. Only the goroutine that has the worker touches its plain
// fields: it runs as the worker, or has claimed it.
type seat struct {
	Blocker
	// lent says that a borrower has the seat. If a goroutine sleeps there, it
	// stays blocked.
	lent    bool
	metered meter
	_       [64]byte // neighbours are claimed by others
}

// Park implements [api.Sleep].
func (s *Sleep) Park(idle *api.Idle, latch api.Latch, look func() bool) (awake bool) {
	worker := idle.Worker
	p := &s.seats[worker]
	if p.lent {
		panic("jec: a worker parks at a seat that is lent")
	}
	if !latch.GetSleepy() || !latch.FallAsleep() { // B3: the latch says that the worker sleeps
		return true
	}
	if !s.counters.TrySleep(uint32(idle.Ticket)) { // B4: counted asleep, unless work was posted since B2
		latch.WakeUp()
		idle.Round = s.rounds.Announcement()
		return true
	}
	idle.Round = 0 // now, because another goroutine may go on
	// From here on the sleeper can be claimed, and a borrower may write idle, which is
	// the seat's. Add pairs with the Take in wakeAny. A poster may count this sleeper
	// in its post (A2) and not find it: then it has pushed before, so the look below
	// finds its job.
	s.sleepers.Add(worker)
	if (look() || latch.Probe()) && s.takeBack(worker) { // B5: the last look
		s.counters.SubSleeping(1)
	} else {
		p.metered.parks.Add(1)
		if !p.Block() { // B6: block, or leave
			return false // nothing of the worker may be touched after this
		}
	}
	latch.WakeUp()
	return true
}

// takeBack claims a worker for a caller that has just added it and then found
// work. If another goroutine has claimed it meanwhile, takeBack wakes another
// worker for that work (R5). If the claim was a waker's, that is not needed, since
// the sleeper will search; but a borrower runs its own job first.
func (s *Sleep) takeBack(worker int) bool {
	if s.sleepers.Remove(worker) {
		return true
	}
	s.Post(1, true)
	return false
}

// release wakes sleepers that the caller has claimed. Counting comes first:
// otherwise a sleeper could leave the idle state before it, and sleeping would
// exceed inactive. One step counts all of them, because all workers write that word.
func (s *Sleep) release(workers ...int) {
	s.counters.SubSleeping(len(workers))
	for _, worker := range workers {
		p := &s.seats[worker]
		p.metered.wakes.Add(1)
		p.Release()
	}
}

// atOnce is how many sleepers a waker claims before it releases the first: the two of
// [counters.Successors].
const atOnce = 2

// wakeAny wakes up to n sleepers, those with the lowest numbers first: a few
// workers that are woken often keep their caches warm.
func (s *Sleep) wakeAny(n int) {
	var room [atOnce]int
	for n > 0 {
		claimed := room[:0]
		for len(claimed) < min(n, atOnce) {
			worker, ok := s.sleepers.Take()
			if !ok {
				break
			}
			claimed = append(claimed, worker)
		}
		if len(claimed) == 0 {
			return
		}
		s.release(claimed...)
		n -= len(claimed)
	}
}

// Wake implements [api.Sleep].
func (s *Sleep) Wake(worker int) bool {
	s.check(worker)
	if !s.sleepers.Remove(worker) {
		return false
	}
	s.release(worker)
	return true
}
