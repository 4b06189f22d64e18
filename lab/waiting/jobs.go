package waiting

// A model is a program on a pool.
type model struct {
	p    *Program
	pool Pool
}

// next emits each state that may come next.
func (m *model) next(st *state, out func(state, step)) {
	if st.twice {
		return // what came after would make no sense
	}
	emit := func(n state, s step) {
		n.canonical()
		out(n, s)
	}
	for i := range st.seats {
		m.lookAround(st, i, emit)
	}
	for g := range uint8(len(m.p.jobs)) {
		m.advance(st, g, emit)
	}
}

// advance emits what the goroutine can do.
func (m *model) advance(st *state, g uint8, emit func(state, step)) {
	switch st.goroutine[g].status {
	case running, blocked:
		m.perform(st, g, emit)
	case putting:
		n := *st
		n.seats[n.seatOf(g)].deque.push(n.goroutine[g].hand - 1)
		n.goroutine[g].hand, n.goroutine[g].status = 0, running
		if !m.pool.Rules.PushBackWithoutPost {
			n.post()
		}
		emit(n, step{what: "pushes back what it has popped", job: g})
	case ready:
		m.find(st, g, emit)
	case searching:
		i := st.seatOf(g)
		m.look(st, i, g, emit)
		if m.waitIsOver(st, g) {
			m.stay(*st, g, "need not be set aside", emit)
		}
		m.giveUp(st, g, emit)
	case aside:
		m.giveUp(st, g, emit)
	}
}

// giveUp ends a wait by its deadline.
func (m *model) giveUp(st *state, g uint8, emit func(state, step)) {
	t := st.goroutine[g].top - 1
	if m.op(st, t).verb != getBefore {
		return
	}
	n := *st
	n.pc[t]++
	if n.goroutine[g].status == searching {
		m.stay(n, g, "gives up before it is set aside", emit)
		return
	}
	n.goroutine[g].status = ready
	emit(n, step{what: "gives up", job: t})
}

// stay lets a goroutine go on that still has its seat. Posts may have counted on
// its search.
func (m *model) stay(st state, g uint8, what string, emit func(state, step)) {
	st.goroutine[g].status = running
	if !m.pool.Rules.WaiterWakesNobody {
		m.cascade(&st)
	}
	emit(st, step{what: what, job: st.goroutine[g].top - 1})
}

// find looks for a seat for a goroutine that may go on: it takes one that
// sleeps, or goes on without if there is none.
func (m *model) find(st *state, g uint8, emit func(state, step)) {
	i := m.sleeper(st)
	if i < 0 && m.pool.Rules.ReadyWaitsForSeat {
		if i = st.any(looking); i < 0 {
			return
		}
	}
	n := *st
	n.goroutine[g].status = running
	if i < 0 {
		emit(n, step{what: "goes on without a seat", job: g})
		return
	}
	n.seats[i].occupy(g)
	emit(n, step{what: "goes on, with a seat", job: g})
}

// sleeper looks for a seat that sleeps. It returns its number, or -1. Which one
// it is makes no difference: the deque of a seat that sleeps is empty.
func (m *model) sleeper(st *state) int {
	if m.pool.FindsNoSeat {
		return -1
	}
	return st.any(asleep)
}

// op returns the operation that the job is at; it has not come to its end.
func (m *model) op(st *state, j uint8) Op { return m.p.jobs[j].Ops[st.pc[j]] }

// perform emits what the job on top of the goroutine can do.
func (m *model) perform(st *state, g uint8, emit func(state, step)) {
	t := st.goroutine[g].top - 1
	if int(st.pc[t]) == len(m.p.jobs[t].Ops) {
		m.end(st, g, emit)
		return
	}
	o := m.op(st, t)
	n := *st
	n.pc[t]++
	s := step{what: "does", job: t, op: o}
	switch o.verb {
	case lock, unlock, signal, await:
		if n.act(t, o) {
			emit(n, s)
		}
		return
	case unblock:
		if m.pool.Rules.BlockKeepsSeat && n.seatOf(g) >= 0 {
			n.goroutine[g].status = running
		} else {
			n.goroutine[g].status = ready
		}
		emit(n, s)
		return
	}
	if st.goroutine[g].status == blocked {
		m.inBlock(st, g, o, emit)
		return
	}
	m.takeSeat(st, g, emit)
	switch o.verb {
	case fork:
		m.publishOne(st, g, emit)
		n.phase[o.arg] = private
		n.reuse(m.p, t, o.arg)
		emit(n, s)
	case spawn:
		n.publish(g, o.arg)
		emit(n, s)
	case submit:
		n.publish(none, o.arg)
		emit(n, s)
	case block:
		if m.pool.Rules.BlockKeepsSeat {
			n.goroutine[g].status = blocked
		} else {
			m.leave(&n, g, blocked)
		}
		emit(n, s)
	case join:
		m.publishOne(st, g, emit)
		m.join(st, g, o.arg, emit)
	case run:
		m.run(st, g, o.arg, emit)
	case get, getBefore:
		m.get(st, g, o, emit)
	case wait:
		m.wait(st, g, o.arg, emit)
	}
}

// inBlock emits what a job does that calls the pool from the function of its
// Block. It still is that job, without a seat: what it waits for begins now, and
// looks for a seat as one that comes back from Block.
func (m *model) inBlock(st *state, g uint8, o Op, emit func(state, step)) {
	if o.verb == getBefore || st.phase[o.arg] == ended {
		m.past(*st, g, emit)
	}
	if m.pool.Rules.BlockAsksForAdmission && st.phase[o.arg] == unmade {
		n := *st
		n.publish(none, o.arg)
		emit(n, step{what: "asks for admission", job: o.arg})
	}
	if m.pool.Rules.BlockAsksForAdmission {
		return
	}
	if o.verb == run && st.phase[o.arg] == unmade {
		n := *st
		n.onTop(g, o.arg)
		n.goroutine[g].status = ready
		emit(n, step{what: "runs on top of the job that is inside Block", job: o.arg})
	}
	if o.verb != run && st.phase[o.arg] == public {
		n := *st
		n.start(o.arg)
		n.goroutine[o.arg].status = ready
		emit(n, step{what: "begins, and has no seat yet", job: o.arg})
	}
}

// blocks says whether the job is inside Block.
func (m *model) blocks(st *state, j uint8) (inside bool) {
	for _, o := range m.p.jobs[j].Ops[:st.pc[j]] {
		switch o.verb {
		case block:
			inside = true
		case unblock:
			inside = false
		}
	}
	return inside
}

// takeSeat lets a job that runs without a seat take one that sleeps. It need not:
// it may go on without one, at this call and at each later one.
func (m *model) takeSeat(st *state, g uint8, emit func(state, step)) {
	if m.p.jobs[g].Outside || st.seatOf(g) >= 0 {
		return
	}
	i := m.sleeper(st)
	if k := st.any(looking); k >= 0 && m.pool.Rules.TakesWokenSeat {
		i = k
	}
	if i < 0 {
		return
	}
	n := *st
	n.seats[i].occupy(g)
	emit(n, step{what: "takes a seat", job: g})
}

// publishOne makes the oldest private fork of the goroutine public, since
// a seat has asked. A burst is several such steps: the first one wakes a seat
// that sleeps, and the rest wake none.
func (m *model) publishOne(st *state, g uint8, emit func(state, step)) {
	if j := m.oldestPrivate(st, g); j != none {
		n := *st
		n.publish(g, j)
		emit(n, step{what: "is published", job: j})
	}
}

// publish makes a job public in the deque of the goroutine's seat, or in the
// injector if it has none, or if there is no goroutine.
func (st *state) publish(g, j uint8) {
	to := &st.injector
	if i := st.seatOf(g); i >= 0 {
		to = &st.seats[i].deque
	}
	st.phase[j] = public
	to.push(j)
	st.post()
}

// oldestPrivate returns the goroutine's oldest private fork: the forks of jobs
// further down are older. A job forks in the order of its operations.
func (m *model) oldestPrivate(st *state, g uint8) uint8 {
	oldest := uint8(none)
	for t := st.goroutine[g].top; t != 0; t = st.beneath[t-1] {
		for _, o := range m.p.jobs[t-1].Ops {
			if o.verb == fork && st.phase[o.arg] == private {
				oldest = o.arg
				break
			}
		}
	}
	return oldest
}

// leave publishes all and gives the seat away: what every goroutine does before
// it waits. If it still searches it keeps the seat.
func (m *model) leave(st *state, g uint8, to status) {
	if !(to == blocked && m.pool.Rules.BlockPublishesNothing || to != blocked && m.pool.Rules.AsidePublishesNothing) {
		for j := m.oldestPrivate(st, g); j != none; j = m.oldestPrivate(st, g) {
			st.publish(g, j)
		}
	}
	if i := st.seatOf(g); i >= 0 && to != searching {
		st.seats[i].free()
	}
	st.goroutine[g].status = to
}

// reuse gives the frame of an ended fork of the same job, to which there is still
// a pointer, to fork j. The pointer then stands for that one.
func (st *state) reuse(p *Program, maker, j uint8) {
	rename := func(x *uint8) {
		if *x != 0 && st.phase[*x-1] == ended && p.jobs[*x-1].maker == maker && p.jobs[*x-1].made == fork {
			*x = j + 1
		}
	}
	for i := range st.seats {
		rename(&st.seats[i].hand)
		for k := range st.seats[i].deque {
			rename(&st.seats[i].deque[k])
		}
	}
}
