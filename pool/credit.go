package pool

// A scope has one count of what has not ended. If each Spawn and each
// end of a job wrote it, workers with short jobs would do little else than pass its
// cache line on. So a worker holds a credit: units of the count that it has taken,
// or got from jobs that have ended, and has not given back. Mattern, "Global
// quiescence detection based on credit distribution and recovery" (1989), has the
// idea, for messages. See "Credit" in INTERNALS.md for when it must be given back.

// bulk is how many units a worker takes at a time.
const bulk = 32

// A credit is what a worker holds of the count of one scope. Only the worker
// touches it. While it lasts, neither Spawn nor the end of a job reads or writes
// what other workers write.
type credit struct {
	scope *Scope
	// list is the one that the worker adds to, nil if it has not spawned.
	list *unbegun
	// units have no job: each is for one that is still to be spawned, or was that
	// of one that has ended.
	units int
}

// hold makes the credit one of the scope s. What there is of another one goes back:
// the worker runs a job of that one, or one that such a job waits for, so there is
// nobody to be roused.
func (w *Worker) hold(s *Scope) {
	if w.credit.scope != s {
		w.repay(nil)
		w.credit.scope = s
	}
}

// spend takes a unit for a new job of s, which has not ended. The credit has a list
// then.
func (w *Worker) spend(s *Scope) {
	w.checkJob()
	if w.blocked {
		panic(inBlock)
	}
	if w.credit.scope != s || w.credit.list == nil {
		w.openList(s)
	}
	if w.credit.units == 0 {
		if s.pending.Probe() {
			panic("pool: Spawn after the end of the scope or group: spawn in its body, or in one of its jobs")
		}
		s.pending.Add(bulk)
		w.credit.units = bulk
	}
	w.credit.units--
}

// openList makes the credit one of s, with the list that w adds to.
func (w *Worker) openList(s *Scope) {
	if w.pool != s.owner.pool {
		panic("pool: Spawn with a worker of another pool than the scope's: spawn with the worker that the body or the job was given")
	}
	w.hold(s)
	w.credit.list = s.list(w)
}

// earn takes over the unit of a job of s, or of the body, that has ended.
func (w *Worker) earn(s *Scope) {
	w.hold(s)
	w.credit.units++
}

// repay gives the whole credit back. by is as for rouse.
func (w *Worker) repay(by *Worker) {
	s, n := w.credit.scope, w.credit.units
	w.credit, w.carrier = credit{}, nil
	if n == 0 {
		return
	}
	owner := s.owner
	if s.pending.Sub(n) {
		owner.rouse(by)
	}
}

// stay begins another job of the scope that the worker has credit of. If there is
// none for it, it gives the credit back.
//
// The worker is between two jobs. The next one begins before the units of the last
// one go back: the owner of the scope waits for begun jobs.
func (w *Worker) stay() (j *Job) {
	if s := w.credit.scope; w.credit.units > 0 && w.heir == nil {
		if w.turns.due() {
			j = s.turn(w)
		}
		if j == nil && w.seat != nil {
			j = w.seat.takeOf(s)
		}
		if j == nil && s.awaited.Load() {
			j = s.next(w)
		}
	}
	if j == nil {
		w.repay(w)
	}
	return j
}
