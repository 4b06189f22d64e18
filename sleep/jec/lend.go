package jec

// Borrow implements [api.Lender] (steps T1 and T2). It costs an atomic load if
// nobody sleeps.
func (s *Sleep) Borrow() (worker int, ok bool) {
	if _, sleeping := s.Counts(); sleeping == 0 {
		return 0, false
	}
	for i := range s.seats {
		if s.lend(&s.seats[i]) {
			return i, true
		}
	}
	return 0, false
}

func (s *Sleep) lend(p *seat) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != asleep {
		return false
	}
	p.state = lent    // T1
	s.counters.Lend() // T2
	p.metered.Lent++
	return true
}

// Return implements [api.Lender] (steps R1 to R4). As in Park, the mutex is
// held over the last look, so nobody can wake or borrow in between and there
// is no claim to lose.
func (s *Sleep) Return(worker int, look func() bool) {
	s.check(worker)
	p := &s.seats[worker]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != lent {
		panic("jec: a seat was given back that is not lent")
	}
	s.counters.Restore() // R1
	p.state = asleep     // R2
	if look() {          // R3
		s.rouse(p) // R4
	}
}
