package futex

// Borrow implements [api.Lender] (steps T1 and T2). It costs an atomic load if
// nobody sleeps.
func (s *Sleep) Borrow() (worker int, ok bool) {
	if _, sleeping := s.Counts(); sleeping == 0 {
		return 0, false
	}
	for i := range s.seats {
		word := &s.seats[i].word
		if word.Load() == asleep && word.CompareAndSwap(asleep, lent) { // T1
			s.counters.Lend() // T2
			s.meter.lent.Add(1)
			return i, true
		}
	}
	return 0, false
}

// Return implements [api.Lender] (steps R1 to R5).
func (s *Sleep) Return(worker int, look func() bool) {
	s.check(worker)
	p := &s.seats[worker]
	if p.word.Load() != lent {
		panic("futex: a seat was given back that is not lent")
	}
	s.counters.Restore() // R1
	p.word.Store(asleep) // R2
	if look() {          // R3
		if !s.rouse(p) { // R4
			s.passOn(p) // R5
		}
	}
}
