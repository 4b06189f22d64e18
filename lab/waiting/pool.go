package waiting

// A Pool is what a program runs on.
type Pool struct {
	// Seats is how many there are, 1 to 4.
	Seats int
	Rules Rules
	// FindsNoSeat lets each look for a seat that sleeps find none. A look of a pool
	// may come too early, so no program may need one that succeeds.
	FindsNoSeat bool
}

// Search goes through every interleaving of the program on the pool, and checks
// the invariants in each state.
func (p *Program) Search(pool Pool) Result {
	m := &model{p, pool}
	return search(m.initial(), m.next, m.ended, m.broken, p.explain)
}

// initial is a pool whose seats look for work, with the roots in the injector.
func (m *model) initial() state {
	var st state
	for i := range m.pool.Seats {
		st.seats[i].mode = looking
	}
	for j := range uint8(len(m.p.jobs)) {
		switch {
		case m.p.jobs[j].Outside:
			st.start(j)
		case m.p.jobs[j].Root:
			st.phase[j] = public
			st.injector.push(j)
		}
	}
	st.canonical()
	return st
}

// ended says whether all jobs have ended, and nothing of them is left: no
// goroutine and no pointer. All seats sleep. A job that begins twice is an end of
// its own, and no hang.
func (m *model) ended(st *state) bool {
	if st.twice {
		return true
	}
	for j := range m.p.jobs {
		if st.phase[j] != ended || st.goroutine[j].status != gone {
			return false
		}
	}
	for i := range st.seats {
		if s := &st.seats[i]; s.mode != absent && s.mode != asleep {
			return false
		}
	}
	return !st.visible()
}
