package jec

// Borrow implements [api.Lender] (steps T1 and T2). It costs an atomic load for
// each 64 workers if no worker sleeps.
func (s *Sleep) Borrow() (worker int, ok bool) {
	worker, ok = s.sleepers.Take() // T1
	if ok {
		s.counters.Lend() // T2
		p := &s.seats[worker]
		p.lent = true
		p.metered.lent.Add(1)
	}
	return worker, ok
}

// Return implements [api.Lender] (steps R1 to R5). It costs two atomic steps and a
// load if others are inactive and nothing was posted.
func (s *Sleep) Return(worker int, look func() bool) {
	s.check(worker)
	p := &s.seats[worker]
	if !p.lent {
		panic("jec: a seat was given back that is not lent")
	}
	p.lent = false
	first := s.counters.Restore() // R1
	s.sleepers.Add(worker)        // R2
	if !first && !s.counters.Posted() {
		return // no job can have counted on this seat
	}
	if look() && s.takeBack(worker) { // R3
		s.release(worker) // R4
	}
}
