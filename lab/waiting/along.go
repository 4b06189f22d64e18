package waiting

// What a seat takes beyond its first job. Between the queue that it was taken from
// and the deque of the seat it is in no queue, so no look finds it there.

// dequeue takes pointers from the injector: one, or any number at once.
func (m *model) dequeue(st *state, i int, take func(n state, j uint8, from string)) {
	for count := 1; count <= st.injector.len(); count++ {
		n := *st
		j := n.injector.oldest()
		for range count - 1 {
			n.seats[i].along.push(n.injector.oldest())
		}
		take(n, j, "is taken from the injector")
	}
}

// raid takes along any number of the jobs that another seat has left. A thief of the
// pool takes them one by one, and at most half, from the seat that it has the first
// job of; here it may be another one, for which one it was is not kept.
func (m *model) raid(st state, i int, j uint8, emit func(state, step)) {
	st.goroutine[j].status = carrying
	for v := range st.seats {
		if v == i {
			continue
		}
		n := st
		for n.seats[v].deque[0] != 0 {
			n.seats[i].along.push(n.seats[v].deque.oldest())
			emit(n, step{what: "begins on a seat that takes more along", job: j})
		}
	}
}

// carry pushes one pointer that was taken along into the deque of the seat. With the
// last one it posts, and the job goes on.
func (m *model) carry(st state, g uint8, emit func(state, step)) {
	s := &st.seats[st.seatOf(g)]
	j := s.along.oldest()
	if !m.pool.Rules.LosesAlong {
		s.deque.push(j)
	}
	if s.along[0] == 0 {
		st.goroutine[g].status = running
		if !m.pool.Rules.AlongWithoutPost {
			m.cascade(&st)
		}
	}
	emit(st, step{what: "was taken along, and is pushed", job: j})
}

// ownDeque lets a job that waits run the newest job of its own deque on top, as pools
// do that do not set aside.
func (m *model) ownDeque(st *state, g uint8, emit func(state, step)) {
	i := st.seatOf(g)
	if !m.pool.Rules.WaiterRunsItsDeque || i < 0 || st.seats[i].deque[0] == 0 {
		return
	}
	n := *st
	if j := n.seats[i].deque.newest(); n.phase[j] == public {
		m.over(n, g, j, emit)
	}
}
