package jec

// Borrow implements [api.Lender]. If no worker sleeps, it costs one atomic load for
// each 64 workers.
func (s *Sleep) Borrow() (worker int, ok bool) {
	worker, ok = s.sleepers.Take() // T1: claim a worker that sleeps
	if ok {
		s.counters.Lend() // T2: count it active, in one step
		p := &s.seats[worker]
		p.lent = true
		p.metered.lent.Add(1)
	}
	return worker, ok
}

// Return implements [api.Lender]. It costs two atomic writes and a load if others are
// inactive and nothing was posted.
func (s *Sleep) Return(worker int, look func() bool) {
	s.check(worker)
	p := &s.seats[worker]
	if !p.lent {
		panic("jec: a seat was given back that is not lent")
	}
	p.lent = false
	first := s.counters.Restore() // R1: count it asleep again
	s.sleepers.Add(worker)        // R2: let others claim it
	if !first && !s.counters.Posted() {
		return // no job can have counted on this seat
	}
	if look() && s.takeBack(worker) { // R3: look, as in B5
		s.release(worker) // R4: wake the seat for the work
	}
}
