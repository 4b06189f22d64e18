package pool

// Loops is what you need of a [Worker] to build loops and the like on a pool, as package par
// does: how to notice that others want work, and how to keep nobody waiting for a job that
// takes long. Programs that fork, spawn and submit need none of it.
//
// Like the worker it belongs to the goroutine that runs the job.
type Loops struct{ worker *Worker }

// LoopsOf returns the Loops of the caller's worker. It costs nothing.
func LoopsOf(w *Worker) Loops { return Loops{w} }

// Wanted reports whether somebody wants work that this worker may have. A fork is
// noticed by others only then: so code that could split what it does looks first, and
// forks if it must. It costs an atomic load. It is true as long as the job runs without a
// worker of the pool: see [Loops.CanShare].
func (l Loops) Wanted() bool { return l.worker.wanted.Load()&wantForks != 0 }

// CanShare reports whether others could begin what the job forks now. A job that goes on
// without a seat takes one here, if a worker sleeps. If none does it should not fork: all
// are at work, and each of its forks would cost as much as if others wanted it. A worker
// that only looks for work sleeps soon.
func (l Loops) CanShare() bool {
	w := l.worker
	switch {
	case w.seat != nil:
		return true
	case w.blocked || w.ended:
		return false
	}
	return w.retake()
}

// Yield lets a job of the queue begin, if one waits there for a worker, on a goroutine of
// its own. Call it every now and then in a job that would keep its worker for long and neither
// forks, joins nor spawns: those do the same, but leave the queue to other workers for a
// while before. The job itself goes on, and so does its worker: with what has begun in this
// way, up to twice as many jobs run as the pool has workers, so that what is queued gets half
// of the time. It costs an atomic load if nothing is queued, or two in a job that goes on
// without a seat.
func (l Loops) Yield() {
	w := l.worker
	if w.seat != nil && !w.asked() {
		return
	}
	if w.seat != nil {
		w.hear()
	}
	if w.pool.hasQueued() {
		w.let()
	} else if w.seat != nil {
		w.seat.watch = watch{}
	}
}

// Idle reports whether a worker of the pool has nothing to do: it sleeps, or looks for work. It
// costs an atomic load. Any goroutine may call it.
func (p *Pool) Idle() bool {
	inactive, _ := p.sleep.Counts()
	return inactive > 0
}

// RunHere is [Run] on the calling goroutine, at once. In a job of the pool the function goes
// on as that job's worker, and so it does elsewhere as a worker that sleeps. If none does,
// it runs without a seat, and takes one as it forks, when one is free. So it never waits for
// other jobs to end: a lock may be held over the call as over a call of fn.
//
// Use it for a function that could do without the pool, such as a parallel loop. It lets
// more jobs run at once than the pool has workers; [Stats] counts those without a seat. It
// looks at the stack, which takes a microsecond or two: more if there are more than some dozens
// of calls between it and the job, or outside of jobs, where it goes to the end of the stack.
//
// It returns [ErrClosed] if the pool is closed or closing, unless the caller is a job of
// the pool. Panics and Goexit are as in Run.
func RunHere[A, R any](p *Pool, fn func(w *Worker, arg A) R, arg A) (R, error) {
	if fn == nil {
		panic("pool: RunHere of a nil function")
	}
	entered := p.enter(1)
	// Before a seat is taken: a job that had two would keep one from others.
	if top := workerHere(); top.in(p) != nil {
		if !entered {
			p.enterNested()
		}
		return runInside(top, p, fn, arg), nil
	}
	if !entered {
		var none R
		return none, ErrClosed
	}
	if s := p.borrow(); s != nil {
		s.woken() // the time is nothing beside the look at the stack
		return runAs(s.worker(), fn, arg), nil
	}
	w := newWorker(p)
	w.goLoose()
	return runAs(w, fn, arg), nil
}

// BlockHere is [Worker.Block] for a caller that does not know its worker, or whether it has
// one: while fn runs, the jobs of the calling goroutine, of whatever pools, leave their seats to
// others. What Block says of fn holds here: it must not fork, join or spawn with the worker of a
// job around it. A job that had no seat before has none afterwards, until it forks or joins.
// Inside another BlockHere or Block, and outside of jobs, it is a call. It looks at the stack in
// each case, as RunHere does, and to its end before a job blocks for the first time.
func BlockHere(fn func()) {
	defer workerHere().stepAside()()
	fn()
}
