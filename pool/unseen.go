package pool

import "github.com/rouse-go/rouse/api/prim"

// The panic of a submitted job is for those who wait for its handle. If nobody ever
// does, it must not pass for success, as a panic of a goroutine does not: it goes to the
// panic handler, or ends the program. Nobody does any more if the handle was collected.
// When the pool has closed, that is also said of a job for which nobody waited as it
// ended. A job of Go has no handle.

// unseen are the panics of submitted jobs that nobody was told of.
type unseen struct {
	mu prim.Mutex
	// panics are those, guarded by mu, each with whether somebody waited as its job
	// ended: a waiter has the handle, and may not have been told when Close is about
	// to return.
	panics map[*PanicError]bool
	// reports counts the goroutines that report one, and the pool itself until it
	// closes. It is raised under mu, or by a
	// job, and Close waits for them when no job runs any more.
	reports tally
}

// keep is called when the job of a handle has panicked, before it is done. The handle
// is not reachable from what is kept, unless it is from the panic's own value: then
// only Close reports.
func keep[R any](h *Handle[R], e *PanicError) {
	p := h.pool()
	p.unseen.note(e)
	prim.AddCleanup(h, p.surface, e)
}

func (u *unseen) note(e *PanicError) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.panics == nil {
		u.panics = make(map[*PanicError]bool)
	}
	u.panics[e] = false
}

// await is called when the job is done, if somebody waited.
func (u *unseen) await(e *PanicError) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, ok := u.panics[e]; ok { // or the waiter was told meanwhile
		u.panics[e] = true
	}
}

// seen is called when somebody is told.
func (u *unseen) seen(e *PanicError) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.panics, e)
}

// surface is called when a handle was collected. It reports the panic of its job,
// unless somebody was told.
func (p *Pool) surface(e *PanicError) {
	u := &p.unseen
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, ok := u.panics[e]; ok {
		delete(u.panics, e)
		p.expose(e)
	}
}

// surfaceAll reports the panics of jobs that ended while nobody waited for them, and
// returns when all reports have ended. No job of the pool runs any more.
func (p *Pool) surfaceAll() {
	u := &p.unseen
	u.mu.Lock()
	for e, awaited := range u.panics {
		if !awaited {
			delete(u.panics, e)
			p.expose(e)
		}
	}
	u.mu.Unlock()
	u.reports.Done() // that of New
	u.reports.Wait()
}

// expose reports a panic that nobody will be told of, on a goroutine on which nobody
// recovers: so it ends the program if there is no handler, and what the handler panics
// with does, too. Close waits for that goroutine, which spells a number of the pool: so a
// handler that calls Close is told that this would wait for itself.
func (p *Pool) expose(e *PanicError) {
	p.unseen.reports.Add(1)
	prim.Go(func() {
		defer p.unseen.reports.Done() // also if the handler calls Goexit
		if p.panicHandler == nil {
			e.raise()
		}
		number := enlisted.enlist(p, nil)
		defer enlisted.drop(number)
		spell(nil, number, &reporter{p, e})
	})
}

// A reporter calls the panic handler, on a goroutine of its own.
type reporter struct {
	pool     *Pool
	panicked *PanicError
}

func (r *reporter) run(*Worker) { r.pool.report(r.panicked) }

func (r *reporter) done(*Worker, *failure) {}

// Go has fn run by the pool, and returns at once. It is [Submit] for a job that
// only Close waits for: there is no handle. It may be called from anywhere, and
// begins as Submit does. It returns [ErrClosed] if the pool is closed or closing, and
// [ErrFull] if [WithQueueLimit] leaves no room. A nil fn panics. [Pool.Shutdown] may take
// the job back.
//
// If fn panics, the panic goes to the handler of [WithPanicHandler]. Without one it ends
// the program, as a panic of a goroutine does, and prints the stack of where it was
// raised. A [runtime.Goexit] ends the job.
func Go(p *Pool, fn func(w *Worker)) error {
	if fn == nil {
		panic("pool: Go of a nil function")
	}
	if !p.enter(1) {
		return ErrClosed
	}
	j := &unheld{fn: fn}
	j.task, j.from = j, &p.direct
	return p.accept(noWait, &j.submission)
}

// unheld is the frame of a job of Go.
type unheld struct {
	submission
	fn func(*Worker)
}

func (j *unheld) withdraw(error) bool {
	if !j.Job.withdraw() {
		return false
	}
	j.fn = nil
	j.isWithdrawn()
	j.from.pool.leave(1)
	return true
}

func (j *unheld) run(w *Worker) {
	fn := j.fn
	j.fn = nil
	if j.starts(w) {
		fn(w)
	}
}

func (j *unheld) done(w *Worker, f *failure) {
	if f != nil && f.panicked != nil {
		w.pool.expose(f.panicked)
	}
	w.submitted++
}

// Expose reports a panic that nobody will be told of, as one of a job of [Go]: to the handler
// of [WithPanicHandler], or it ends the program. It may be called at any time, and does not
// wait for the handler. It is for packages that run functions of a user in jobs, and keep
// what these panic with for a caller who may not come: see [Caught].
func (p *Pool) Expose(e *PanicError) {
	p.unseen.mu.Lock()
	defer p.unseen.mu.Unlock()
	p.expose(e)
}
