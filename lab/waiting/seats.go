package waiting

// lookAround emits what a seat without an occupant can do.
func (m *model) lookAround(st *state, i int, emit func(state, step)) {
	switch st.seats[i].mode {
	case looking:
		m.look(st, i, none, emit)
	case taking:
		m.begin(st, i, emit)
	}
}

// look takes a pointer from somewhere, or goes to sleep if there is none. The
// last look and the sleep are one step: that no post falls between them is the
// sleep backend's promise, S1. If a goroutine looks that waits, it is set aside
// with this step, and the seat is no longer its own.
func (m *model) look(st *state, i int, g uint8, emit func(state, step)) {
	take := func(n state, j uint8, from string) {
		m.part(&n, i, g)
		n.seats[i].mode, n.seats[i].hand = taking, j+1
		emit(n, step{what: from, job: j})
	}
	for v := range st.seats {
		n := *st
		switch d := &n.seats[v].deque; {
		case d[0] == 0:
		case v == i:
			j := d.newest()
			take(n, j, "is taken from the seat's own deque")
		default:
			j := d.oldest()
			take(n, j, "is stolen")
		}
	}
	if st.injector[0] != 0 {
		n := *st
		j := n.injector.oldest()
		take(n, j, "is taken from the injector")
	}
	if !st.visible() {
		n := *st
		m.part(&n, i, g)
		n.seats[i].mode = asleep
		if g != none && m.pool.Rules.ParkLosesSeat {
			n.seats[i].mode = lost
		}
		emit(n, step{what: "falls asleep", job: none})
	}
}

// part sets aside the goroutine that has the seat, if there is one. What it waits for may have
// ended since it looked.
func (m *model) part(st *state, i int, g uint8) {
	if g == none {
		return
	}
	st.seats[i].free()
	st.goroutine[g].status = aside
	if m.waitIsOver(st, g) && !m.pool.Rules.ParksWithoutLook {
		st.goroutine[g].status = ready
	}
}

// begin claims the job that was taken. Only one of those that have a pointer can
// do so; for the others the attempt is lost.
func (m *model) begin(st *state, i int, emit func(state, step)) {
	n := *st
	j := n.seats[i].hand - 1
	if n.phase[j] != public && !m.pool.Rules.ThiefSkipsClaim && !(m.pool.Rules.PrivateClaimed && n.phase[j] == private) {
		n.seats[i].free()
		emit(n, step{what: "has begun elsewhere: the pointer is dropped", job: j})
		return
	}
	if n.phase[j] != public {
		n.twice = true
	}
	n.start(j)
	n.seats[i].occupy(j)
	if !m.pool.Rules.TakerWakesNobody {
		m.cascade(&n)
	}
	emit(n, step{what: "begins on a seat", job: j})
}

// cascade wakes a seat for the work that is left by one that looks no longer.
func (m *model) cascade(st *state) {
	if st.visible() {
		st.post()
	}
}

// start begins a job on a goroutine of its own.
func (st *state) start(j uint8) {
	st.phase[j] = begun
	st.goroutine[j] = goroutine{status: running, top: j + 1}
}
