package waiting

// Each of these names what does not hold. The order is that of the proof in the README.
const (
	notBegunTwice = "a job begins once"
	// A job that has not begun may never begin.
	waitsForBegun = "a job that is set aside waits for something of which a job has begun and not ended"
	// No wake is lost, and nobody waits for a seat.
	canGoOn = "a begun job that could go on has a goroutine that runs"
	// It cannot keep another one from going on.
	aboveItsWaiter = "a job lies only above one that waits for exactly it"
	// No seat is lost.
	seatsAddUp = "each seat sleeps, looks for work, or is occupied by a goroutine that runs and has no other"
	// A worker that leaves a seat publishes all first.
	leavesNoPrivate = "a goroutine without control has no private forks"
	// No post is lost.
	wakesForWork = "no seat sleeps while there is work and none looks"
)

// broken names the first invariant that does not hold in the state.
func (m *model) broken(st *state) string {
	for _, check := range []struct {
		name  string
		holds func(*state) bool
	}{
		{notBegunTwice, func(st *state) bool { return !st.twice }},
		{aboveItsWaiter, m.aboveItsWaiter},
		{waitsForBegun, m.waitsForBegun},
		{canGoOn, m.canGoOn},
		{seatsAddUp, m.seatsAddUp},
		{leavesNoPrivate, m.leavesNoPrivate},
		{wakesForWork, m.wakesForWork},
	} {
		if !check.holds(st) {
			return check.name
		}
	}
	return ""
}

// waitIsOver says whether what the goroutine waits for has ended.
func (m *model) waitIsOver(st *state, g uint8) bool {
	o := m.op(st, st.goroutine[g].top-1)
	if o.verb == wait {
		return !m.p.pending(&st.phase, o.arg)
	}
	return st.phase[o.arg] == ended
}

func (m *model) waitsForBegun(st *state) bool {
	for g := range m.p.jobs {
		if s := st.goroutine[g].status; s != aside && s != searching || m.waitIsOver(st, uint8(g)) {
			continue
		}
		o := m.op(st, st.goroutine[g].top-1)
		has := o.verb != wait && st.phase[o.arg] == begun
		for j := range m.p.jobs {
			if o.verb == wait && m.p.jobs[j].scope == o.arg && st.phase[j] == begun {
				has = true
			}
		}
		if !has {
			return false
		}
	}
	return true
}

func (m *model) canGoOn(st *state) bool {
	on := [maxJobs]bool{} // jobs that are on some goroutine's stack
	for g := range m.p.jobs {
		if st.goroutine[g].status == aside && m.waitIsOver(st, uint8(g)) {
			return false
		}
		for t := st.goroutine[g].top; t != 0; t = st.beneath[t-1] {
			on[t-1] = true
		}
	}
	for j := range m.p.jobs {
		if st.phase[j] == begun && !on[j] {
			return false
		}
	}
	return true
}

func (m *model) aboveItsWaiter(st *state) bool {
	for j := range m.p.jobs {
		if st.beneath[j] == 0 {
			continue
		}
		o := m.op(st, st.beneath[j]-1)
		switch o.verb {
		case join, run, get, getBefore:
			if o.arg != uint8(j) {
				return false
			}
		case wait:
			if o.arg != m.p.jobs[j].scope {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func (m *model) seatsAddUp(st *state) bool {
	seats := [maxJobs]int{} // by goroutine
	for i := range st.seats {
		s := &st.seats[i]
		switch s.mode {
		case lost:
			return false
		case occupied:
			if g := st.goroutine[s.who-1].status; g != running && g != putting && g != searching {
				return false
			}
			if seats[s.who-1]++; seats[s.who-1] > 1 {
				return false
			}
		}
	}
	return true
}

func (m *model) leavesNoPrivate(st *state) bool {
	for g := range uint8(len(m.p.jobs)) {
		if s := st.goroutine[g].status; (s == searching || s == aside || s == blocked) && m.oldestPrivate(st, g) != none {
			return false
		}
	}
	return true
}

// wakesForWork allows what a goroutine has in hand, since that goroutine will tell of it.
// A job that runs without a seat is no work: it takes the seat itself, or does
// without.
func (m *model) wakesForWork(st *state) bool {
	if st.any(asleep) < 0 || st.looks() {
		return true
	}
	for j := range m.p.jobs {
		if st.phase[j] != public {
			continue
		}
		if st.injector.has(uint8(j)) {
			return false
		}
		for i := range st.seats {
			if st.seats[i].deque.has(uint8(j)) {
				return false
			}
		}
	}
	return true
}
