package waiting

// onTop begins a job on top of the one that waits for it.
func (st *state) onTop(g, j uint8) {
	st.phase[j] = begun
	st.beneath[j] = st.goroutine[g].top
	st.goroutine[g].top = j + 1
}

// past lets the job on top of the goroutine go on with its next operation.
func (m *model) past(st state, g uint8, emit func(state, step)) {
	t := st.goroutine[g].top - 1
	s := step{what: "is done with:", job: t, op: m.op(&st, t)}
	st.pc[t]++
	emit(st, s)
}

// setAside sets the goroutine aside until what it waits for has ended. With a
// seat, it looks for work first.
func (m *model) setAside(st state, g uint8, emit func(state, step)) {
	t := st.goroutine[g].top - 1
	s := step{what: "waits in:", job: t, op: m.op(&st, t)}
	if st.seatOf(g) >= 0 {
		m.leave(&st, g, searching)
	} else {
		m.leave(&st, g, aside)
	}
	emit(st, s)
}

// over emits the state in which a job runs on top.
func (m *model) over(st state, g, j uint8, emit func(state, step)) {
	st.onTop(g, j)
	emit(st, step{what: "runs on top of the job that waits", job: j})
}

// join runs the fork if it has not begun, or waits for it.
func (m *model) join(st *state, g, c uint8, emit func(state, step)) {
	switch st.phase[c] {
	case private:
		m.over(*st, g, c, emit)
	case public:
		m.joinPublic(*st, g, c, emit)
	case begun:
		m.setAside(*st, g, emit)
		m.joinFaults(st, g, c, emit)
	case ended:
		m.past(*st, g, emit)
	}
}

// joinPublic claims a public fork. Its pointer may lie at the newest end of the
// deque, as mostly, or anywhere.
func (m *model) joinPublic(st state, g, c uint8, emit func(state, step)) {
	i := st.seatOf(g)
	if m.pool.Rules.JoinClaimsOnlyItsDeque && (i < 0 || !st.seats[i].deque.has(c)) {
		m.setAside(st, g, emit)
		return
	}
	st.onTop(g, c)
	if i >= 0 && st.seats[i].deque[0] != 0 {
		if j := st.seats[i].deque.newest(); j != c {
			st.goroutine[g].status, st.goroutine[g].hand = putting, j+1
		}
	}
	emit(st, step{what: "is claimed by its join", job: c})
}

// joinFaults emits what joins do in other pools while their fork runs elsewhere.
func (m *model) joinFaults(st *state, g, c uint8, emit func(state, step)) {
	t := st.goroutine[g].top - 1
	if m.pool.Rules.JoinRunsOwnForks {
		for _, o := range m.p.jobs[t].Ops {
			if o.verb == fork && (st.phase[o.arg] == private || st.phase[o.arg] == public) {
				m.over(*st, g, o.arg, emit)
			}
		}
	}
	if m.pool.Rules.JoinLeapfrogs {
		for i := range st.seats {
			v := &st.seats[i]
			if v.mode == occupied && st.runs(v.who-1, c) && v.deque[0] != 0 && st.phase[v.deque[0]-1] == public {
				n := *st
				m.over(n, g, n.seats[i].deque.oldest(), emit)
			}
		}
	}
	if m.pool.Rules.JoinRunsStrangers {
		for j := range uint8(len(m.p.jobs)) {
			if st.phase[j] == public {
				m.over(*st, g, j, emit)
			}
		}
	}
}

// runs says whether the job is on the goroutine's stack.
func (st *state) runs(g, j uint8) bool {
	for t := st.goroutine[g].top; t != 0; t = st.beneath[t-1] {
		if t == j+1 {
			return true
		}
	}
	return false
}

// run begins a job in place, if it is called in a job. A caller from outside waits
// until the job is admitted and has ended: a seat must take it from the injector.
func (m *model) run(st *state, g, c uint8, emit func(state, step)) {
	n := *st
	switch {
	case st.phase[c] == ended:
		m.past(n, g, emit)
	case st.phase[c] != unmade: // waits
	case m.p.jobs[g].Outside:
		n.publish(none, c)
		emit(n, step{what: "asks for admission", job: c})
	default:
		m.over(n, g, c, emit)
	}
}

// get waits for a submitted job. One that has not begun begins now, on a
// goroutine of its own that gets the seat of the one that waits.
func (m *model) get(st *state, g uint8, o Op, emit func(state, step)) {
	c := o.arg
	if st.phase[c] == ended {
		m.past(*st, g, emit)
		return
	}
	if o.verb == getBefore {
		m.past(*st, g, emit)
	}
	switch {
	case m.p.jobs[g].Outside: // waits
	case st.phase[c] == begun:
		m.setAside(*st, g, emit)
	case st.phase[c] != public: // waits until it is submitted: the program's own affair
	case m.pool.Rules.HandleOnTop:
		m.over(*st, g, c, emit)
	case m.pool.Rules.SeatlessLeavesHandle && st.seatOf(g) < 0:
		m.setAside(*st, g, emit)
	default:
		n := *st
		i := n.seatOf(g)
		m.leave(&n, g, aside)
		n.start(c)
		if i >= 0 {
			n.seats[i].occupy(c)
		}
		emit(n, step{what: "begins, on the seat of the one that waits for it", job: c})
	}
}

// wait runs the jobs of the scope that have not begun, wherever they lie, and
// waits for the others.
func (m *model) wait(st *state, g, scope uint8, emit func(state, step)) {
	if !m.p.pending(&st.phase, scope) {
		m.past(*st, g, emit)
		return
	}
	found := false
	for j := range uint8(len(m.p.jobs)) {
		if !m.unbegun(st, scope, j) {
			continue
		}
		n := *st
		if m.pool.Rules.ScopeStopsAtStranger {
			i := n.seatOf(g)
			if i < 0 || n.seats[i].deque[0] == 0 || n.seats[i].deque.newest() != j {
				continue
			}
		}
		found = true
		m.over(n, g, j, emit)
	}
	if !found {
		m.setAside(*st, g, emit)
	}
}

// unbegun says whether the job is in the scope's list.
func (m *model) unbegun(st *state, scope, j uint8) bool {
	return m.p.jobs[j].scope == scope && st.phase[j] == public
}

// end ends the job on top of the goroutine.
func (m *model) end(st *state, g uint8, emit func(state, step)) {
	n := *st
	t := n.goroutine[g].top - 1
	below := n.beneath[t]
	n.phase[t], n.pc[t], n.beneath[t] = ended, 0, 0
	if below != 0 {
		n.goroutine[g].top = below
		if m.blocks(&n, below-1) {
			m.leave(&n, g, blocked)
		}
		emit(n, step{what: "ends, and the job beneath goes on", job: t})
		return
	}
	n.goroutine[g] = goroutine{}
	i := n.seatOf(g)
	if m.takeNext(&n, t, i, emit) {
		return
	}
	m.resume(&n, t, i, emit)
}

// takeNext lets the seat and goroutine of a job that has ended go on with another
// one of the same scope. It reports false if there is none.
func (m *model) takeNext(st *state, t uint8, i int, emit func(state, step)) (found bool) {
	scope := m.p.jobs[t].scope
	if scope == none || m.pool.Rules.ScopeEndIgnoresList || m.pool.Rules.SeatlessEndIgnoresList && i < 0 {
		return false
	}
	for j := range uint8(len(m.p.jobs)) {
		if m.unbegun(st, scope, j) {
			found = true
			n := *st
			n.start(j)
			if i >= 0 {
				n.seats[i].occupy(j)
			}
			emit(n, step{what: "begins after another job of its scope", job: j})
		}
	}
	return found
}

// resume lets those go on that waited for the job that has ended. One of them
// is handed a seat: one that sleeps, or else that of the job. The others look for
// a seat themselves.
func (m *model) resume(st *state, t uint8, i int, emit func(state, step)) {
	var woken []uint8
	for g := range uint8(len(m.p.jobs)) {
		if st.goroutine[g].status == aside && m.waitIsOver(st, g) {
			woken = append(woken, g)
		}
	}
	if m.pool.Rules.EndResumesOne && len(woken) > 1 {
		woken = woken[:1]
	}
	for _, g := range woken {
		st.goroutine[g].status = ready
	}
	if i < 0 || len(woken) == 0 {
		if i >= 0 {
			st.seats[i].free()
		}
		emit(*st, step{what: "ends", job: t})
		return
	}
	for _, first := range woken {
		n := *st
		what := m.handSeat(&n, first, i)
		emit(n, step{what: what, job: t})
	}
}

// handSeat hands the goroutine a seat that sleeps, and seat i, on which a job has
// ended, looks for more work. If none sleeps, it hands over seat i itself. It
// returns what was done.
func (m *model) handSeat(st *state, g uint8, i int) string {
	st.goroutine[g].status = running
	k := m.sleeper(st)
	if k < 0 {
		st.seats[i].occupy(g)
		return "ends, and hands its own seat to one that waits for it"
	}
	st.seats[k].occupy(g)
	if m.pool.Rules.EndHandsTwoSeats {
		st.seats[i].occupy(g)
	} else {
		st.seats[i].free()
	}
	return "ends, and hands a seat that sleeps to one that waits for it"
}
