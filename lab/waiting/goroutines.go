package waiting

// WithGoroutines goes through every interleaving of the program with a
// goroutine for each job: what the promise compares a pool with.
func (p *Program) WithGoroutines() Result {
	var init free
	for j := range p.jobs {
		if p.jobs[j].maker == none {
			init.phase[j] = begun
		}
	}
	return search(init, func(st *free, emit func(free, step)) {
		for j := range p.jobs {
			if st.phase[j] == begun {
				p.goOn(*st, uint8(j), emit)
			}
		}
	}, func(st *free) bool {
		for j := range p.jobs {
			if st.phase[j] != ended {
				return false
			}
		}
		return true
	}, nil, p.explain)
}

// free is a state with a goroutine for each job.
type free struct {
	phase [maxJobs]phase
	pc    [maxJobs]uint8
	world
}

// A phase is how far a job has come.
type phase uint8

const (
	unmade  phase = iota
	private       // a fork that only its owner can see
	public        // in a deque or the injector, or taken from there and not begun
	begun
	ended
)

// world is what jobs share beside the pool.
type world struct {
	// holder is the number of the job that holds the lock, plus one.
	holder [maxNames]uint8
	// events is a bit for each event that has happened.
	events uint8
}

// act performs an operation that the pool knows nothing of. It reports false if
// that must wait.
func (w *world) act(j uint8, o Op) bool {
	switch o.verb {
	case lock:
		if w.holder[o.arg] != 0 {
			return false
		}
		w.holder[o.arg] = j + 1
	case unlock:
		w.holder[o.arg] = 0
	case signal:
		w.events |= 1 << o.arg
	case await:
		return w.events&(1<<o.arg) != 0
	}
	return true
}

// goOn emits the next step of a job that has a goroutine of its own.
func (p *Program) goOn(st free, j uint8, emit func(free, step)) {
	ops := p.jobs[j].Ops
	at := int(st.pc[j])
	if at == len(ops) {
		st.phase[j] = ended
		emit(st, step{what: "ends", job: j})
		return
	}
	o := ops[at]
	next := st
	next.pc[j]++
	s := step{what: "does", job: j, op: o}
	switch o.verb {
	case fork, spawn, submit:
		next.phase[o.arg] = begun
		emit(next, s)
	case run:
		if st.phase[o.arg] == unmade {
			st.phase[o.arg] = begun
			emit(st, s)
		} else if st.phase[o.arg] == ended {
			emit(next, s)
		}
	case join, get:
		if st.phase[o.arg] == ended {
			emit(next, s)
		}
	case getBefore:
		emit(next, s)
	case wait:
		if !p.pending(&st.phase, o.arg) {
			emit(next, s)
		}
	default:
		if next.act(j, o) {
			emit(next, s)
		}
	}
}

// pending says whether a job of the scope was made and has not ended.
func (p *Program) pending(phases *[maxJobs]phase, scope uint8) bool {
	for j := range p.jobs {
		if p.jobs[j].scope == scope && phases[j] != unmade && phases[j] != ended {
			return true
		}
	}
	return false
}
