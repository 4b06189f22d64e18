package pool

import (
	"context"
	"fmt"
	"runtime/pprof"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// ErrCanceled is what [Handle.Wait] and [Handle.Join] return of a job that
// [Handle.Cancel] or [Pool.Shutdown] has taken back, and [Run] of one that Shutdown has.
// It is a [context.Canceled], too.
var ErrCanceled = fmt.Errorf("pool: job canceled before it began: %w", context.Canceled)

// A Handle is what the result of a submitted job is had by.
type Handle[R any] struct {
	job submission
	// fn belongs to the one who has claimed the job.
	fn func(*Worker) R
	// result and failed are written before the completion.
	result R
	failed *failure
	completion
}

// A submission is the header of a job that is not a fork, nor a scope's.
type submission struct {
	Job
	// from belongs to who accepts the job, then to the one that claims it.
	from *origin
}

// An origin is where jobs come from: a pool, and the room in which they wait to begin, nil
// if there is no limit. The two of a pool are one word in each job: the one for jobs that were
// queued, the other for those that began at once.
type origin struct {
	pool *Pool
	room *room
}

// starts is called by the one that has begun the job. It reports whether the job may run:
// not if the pool was shut down before.
func (j *submission) starts(w *Worker) bool {
	if o := j.from; o.room != nil {
		o.room.leave()
	} else if o == &o.pool.queued {
		w.hasBegun()
	}
	return !j.from.pool.abandoned.Load()
}

// isWithdrawn is called by the one that has taken the job back.
func (j *submission) isWithdrawn() {
	if o := j.from; o.room != nil {
		o.room.leave()
	} else if o == &o.pool.queued {
		o.pool.withdrawn.Add(1)
	}
}

// Submit has fn run by the pool, and returns at once. It may be called from
// anywhere, also from a job. It returns [ErrClosed] if the pool is closed or
// closing, and [ErrFull] if [WithQueueLimit] leaves no room. A nil fn panics.
//
// If all workers without work sleep, a new goroutine takes the seat of one and
// runs fn: it begins as soon as any goroutine that is started there and then.
// Otherwise fn is queued. If all workers have work for long, and that forks, joins or
// spawns, fn begins beside it (P32). Jobs are taken first in, first out, up to 16 at a time:
// fn begins after all that were queued before it, but for the last 15, or with one
// worker after all. None takes a seat while others are queued. Submit allocates the
// handle, and a share of the queue.
//
// Another job may follow fn on the same goroutine. Profiler labels that fn has set are taken
// off before. What else it does to its goroutine or thread it must undo itself, such as
// [runtime.LockOSThread] or [runtime/debug.SetPanicOnFault].
//
// If fn panics, Wait and Join return the panic. If neither has when the handle is
// collected as garbage, the panic goes to the handler of [WithPanicHandler]; without one
// it ends the program, as a panic of a goroutine does, and prints the stack of where it
// was raised. The same happens when the pool closes, if nobody waited for the job as it
// ended, and nobody has since. A wait that was given up does not count; a channel of Done does.
// For a job that nobody waits for there is [Go].
func Submit[R any](p *Pool, fn func(w *Worker) R) (*Handle[R], error) {
	if fn == nil {
		panic("pool: Submit of a nil function")
	}
	if !p.enter(1) {
		return nil, ErrClosed
	}
	h := newHandle(p, fn)
	if err := p.accept(noWait, &h.job); err != nil {
		return nil, err
	}
	return h, nil
}

// SubmitErr is [Submit] for a job that is not to begin any more when ctx has ended.
// Wait then returns the error of ctx, as SubmitErr does if it has ended before. What
// fn returns, its error included, is what [Handle.Wait] and [Handle.Join] return.
//
// If [WithQueueLimit] leaves no room, SubmitErr waits for some until ctx ends, and
// returns its error then, or [ErrClosed] if the pool is closed meanwhile. A job that
// calls it gives up its seat while it waits, as in [Worker.Block].
//
// The context that fn is handed carries the worker ([NewContext]), and the goroutine has
// its profiler labels. A job that has begun is not interrupted when ctx ends: it asks
// its context. A nil ctx or fn panics. SubmitErr costs a registration with ctx more
// than Submit, if ctx can end.
func SubmitErr[R any](ctx context.Context, p *Pool, fn func(ctx context.Context, w *Worker) (R, error)) (*Handle[R], error) {
	switch {
	case ctx == nil:
		panic("pool: SubmitErr with a nil context: use context.Background")
	case fn == nil:
		panic("pool: SubmitErr of a nil function")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !p.enter(1) {
		return nil, ErrClosed
	}
	h := newHandle[R](p, nil)
	h.under(ctx, func(w *Worker) R {
		result, err := fn(NewContext(ctx, w), w)
		if err != nil {
			h.failed = &failure{reason: err}
		}
		return result
	})
	if err := p.accept(ctx, &h.job); err != nil {
		return nil, err
	}
	return h, nil
}

// SubmitAll is [Submit] for many functions at once: it submits all, or none and returns
// [ErrClosed], or [ErrFull] if [WithQueueLimit] does not leave room for all, and too few
// workers have no work. It costs
// less than one Submit after the other: all are queued, under one lock if there is a limit,
// and as many workers are woken as there are jobs, once all are. The handles are in the order of the functions. A nil
// function panics, and none is submitted then.
func SubmitAll[R any](p *Pool, fns []func(w *Worker) R) ([]*Handle[R], error) {
	for i, fn := range fns {
		if fn == nil {
			panic(fmt.Sprintf("pool: SubmitAll: function %d of %d is nil", i, len(fns)))
		}
	}
	if !p.enter(len(fns)) {
		return nil, ErrClosed
	}
	all, jobs := make([]*Handle[R], len(fns)), make([]*Job, len(fns))
	for i, fn := range fns {
		h := newHandle(p, fn)
		h.job.from = &p.queued
		all[i], jobs[i] = h, &h.job.Job
	}
	if !p.queueAll(jobs) {
		p.leave(len(fns))
		return nil, ErrFull
	}
	p.post(len(fns))
	p.recall(jobs...)
	return all, nil
}

func newHandle[R any](p *Pool, fn func(*Worker) R) *Handle[R] {
	h := &Handle[R]{fn: fn}
	h.job.task, h.job.from = h, &p.direct
	return h
}

// noWait, in place of a context, says that the caller does not wait for room.
var noWait context.Context

// accept has a job run that has entered, when there is room for it. It waits for room
// until ctx ends, and the job does not begin any more when ctx has ended. If accept
// returns an error, the job has left.
func (p *Pool) accept(ctx context.Context, j *submission) error {
	if p.host(&j.Job) {
		return nil
	}
	j.from = &p.queued
	if err := p.queue(ctx, j); err != nil {
		p.leave(1)
		return err
	}
	p.post(1)
	p.recall(&j.Job)
	return nil
}

// queue is accept, and nobody is told.
func (p *Pool) queue(ctx context.Context, j *submission) error {
	room := p.queued.room
	switch {
	case room == nil:
	case ctx == noWait:
		if !room.offer(&j.Job) {
			return ErrFull
		}
		return nil
	default:
		if err := room.admit(ctx); err != nil {
			return err
		}
	}
	if ctx != noWait && ctx.Done() != nil {
		j.task.(bounded).withdrawAfter(ctx) // which may leave the room at once
	}
	p.injector.Push(&j.Job) // A1
	return nil
}

// queueAll queues jobs if there is room for all of them, and tells nobody.
func (p *Pool) queueAll(jobs []*Job) bool {
	if room := p.queued.room; room != nil {
		return room.offer(jobs...)
	}
	for _, j := range jobs {
		p.injector.Push(j) // A1
	}
	return true
}

// admit takes room for a job. The jobs of the calling goroutine give up their seats
// while it waits.
func (r *room) admit(ctx context.Context) error {
	if r.try(1) {
		return nil
	}
	defer workerHere().stepAside()()
	return r.wait(ctx)
}

// A withdrawer is the frame of a submission.
type withdrawer interface {
	// withdraw takes the job back if it has not begun, and reports whether it did.
	// reason is the error that all get that wait.
	withdraw(reason error) bool
}

// A bounded is a withdrawer that a context can end.
type bounded interface {
	withdrawer
	// withdrawAfter has the job taken back when ctx ends, unless it has begun. It is
	// called before anybody else knows of the job.
	withdrawAfter(ctx context.Context)
}

// host starts a goroutine that runs the job on a seat that sleeps, unless a seat
// looks for work already, or none sleeps, or jobs are queued. It reports whether
// it did.
//
// To wake the goroutine that keeps the seat would take longer: one that is started
// begins as soon as the caller waits for it, and costs the caller less than a
// wake does.
func (p *Pool) host(j *Job) bool {
	if p.lender == nil {
		return false
	}
	if inactive, sleeping := p.lender.Counts(); inactive != sleeping || sleeping == 0 {
		return false
	}
	// The Go runtime starts threads for goroutines one after the other. A burst of
	// jobs would take all seats, and most would then wait to begin.
	counted := len(p.seats) > maxStarting
	if counted && p.starting.Load() >= maxStarting {
		return false
	}
	// A seat that is being given back can be borrowed before its last look
	// has found what was queued meanwhile: that comes first.
	if !p.injector.Empty() {
		return false
	}
	s := p.borrowNow()
	if s == nil {
		return false
	}
	j.begin() // nobody else knows of it
	if counted {
		p.starting.Add(1)
		s.hosts = true
	}
	s.start(j)
	return true
}

// maxStarting is how many jobs of Submit may wait at once for goroutines that are to
// run them: as many as it takes to keep a few processors busy. A pool of so many seats or
// fewer need not count them.
const maxStarting = 4

// Wait returns the result of the job as soon as there is one. If the job
// panicked, the error is a [*PanicError]; if it called [runtime.Goexit], it is
// [ErrGoexit]; if [Handle.Cancel] has taken it back, [ErrCanceled]. Of a job of
// [SubmitErr] it is what the function returned, or why it never began. If ctx ends
// first, Wait returns its error, and the job goes on; Wait may be called again, by any
// number of goroutines.
//
// Wait is for goroutines outside the pool. In a job it does what
// [Handle.Join] does, but must first find out where it is. If ctx has ended already, it
// begins nothing.
func (h *Handle[R]) Wait(ctx context.Context) (R, error) {
	if ctx == nil {
		panic("pool: Wait with a nil context: use context.Background")
	}
	if !h.isDone() && ctx.Err() == nil {
		// A short job that Submit has just started is done after this, and
		// the caller need not find out where it is.
		prim.Yield()
		if h.isDone() {
			return h.outcome()
		}
		if w := workerHere(); w != nil {
			h.joinUntil(ctx, w)
		} else {
			h.waitOutside(ctx)
		}
	}
	// The job may have ended just before ctx, and its waiters not all be released yet.
	if !h.isDone() {
		var none R
		return none, ctx.Err()
	}
	return h.outcome()
}

// waitOutside waits until ctx ends, as one that is no job, or has no seat.
func (h *Handle[R]) waitOutside(ctx context.Context) {
	if n := h.enterOutside(); n != nil && n.outside.Wait(ctx) != nil {
		n.present.Add(-1)
	}
}

// Join is Wait for a job of the pool, or of another one. The job is set aside: its
// seat goes to the one that it waits for, if nobody has begun that, or to others.
//
// Forks cannot wait for each other in a circle, but handles can: two jobs that
// join each other never return. Of a worker whose job has ended, or waits, Join panics, if it
// notices.
func (h *Handle[R]) Join(w *Worker) (R, error) {
	w.checkJob()
	h.join(w)
	return h.outcome()
}

// outcome tells the user how the job has ended, which the caller knows that it has.
func (h *Handle[R]) outcome() (R, error) {
	f := h.failed
	if f == nil {
		return h.result, nil
	}
	if f.panicked != nil {
		h.pool().unseen.seen(f.panicked)
	}
	return h.result, f.err()
}

// join waits as the worker w.
func (h *Handle[R]) join(w *Worker) {
	if w.blocked {
		h.joinInBlock(context.Background(), w)
	} else if n := h.enter(w); n != nil {
		h.joinAt(w, &n.latch)
	}
}

// joinUntil waits as the worker w, until ctx ends.
func (h *Handle[R]) joinUntil(ctx context.Context, w *Worker) {
	if w.blocked {
		h.joinInBlock(ctx, w)
		return
	}
	o := h.enterCrowd(w)
	if o == nil {
		return
	}
	if ctx.Done() != nil {
		defer prim.AfterFunc(ctx, func() { o.release(nil) })()
	}
	h.joinAt(w, &o.latch)
	o.leave()
}

func (h *Handle[R]) joinInBlock(ctx context.Context, w *Worker) {
	if h.begin(w) {
		h.pool().start(&h.job.Job, w.beside)
	}
	h.waitOutside(ctx)
}

// joinAt waits as the worker w at a latch, which is set when the job has ended, or the
// wait is given up.
//
// A job that has not begun begins now, on a goroutine of its own, with the seat of
// the one that waits. On top of that one, no deadline could end the wait before the
// job has ended.
func (h *Handle[R]) joinAt(w *Worker, l *latch.Core) {
	w.glance()
	if !h.begin(w) {
		w.wait(l, &h.job.Job, nil)
		return
	}
	w.publishAll()
	if w.seat != nil {
		w.rise().start(&h.job.Job)
	} else {
		h.pool().start(&h.job.Job, w.beside)
	}
	w.setAside(l, &h.job.Job, nil)
}

// begin claims the job for a goroutine that w is about to start. A job of another
// pool waits there until a seat takes it.
func (h *Handle[R]) begin(w *Worker) bool { return h.pool() == w.pool && h.job.begin() }

// Cancel takes the job back if it has not begun. It reports whether the job will never
// begin: true also if it was taken back before; false if it runs, has ended, or a worker
// has taken it to run it. A job that has begun is not interrupted.
//
// Whoever waits for a job that is taken back gets [ErrCanceled]. Any goroutine may call
// Cancel, any number of times, in a job, too. It costs an atomic step, and in a pool with
// [WithQueueLimit] a lock that is never held for long. What the job refers to is let go at
// once, the pointer in the queue when a worker comes to it, and with a limit before more than
// twice as many lie there as have room.
func (h *Handle[R]) Cancel() bool {
	return h.withdraw(ErrCanceled) || h.job.claim.Load() == withdrawn
}

// withdraw implements [withdrawer]. The job's place in the queue stays, and whoever
// comes to it finds nothing to do.
func (h *Handle[R]) withdraw(reason error) bool {
	if !h.job.withdraw() {
		return false
	}
	h.fn = nil
	h.job.isWithdrawn()
	h.failed = &failure{reason: reason}
	h.complete(nil)
	h.pool().leave(1)
	return true
}

// withdrawAfter implements [bounded].
func (h *Handle[R]) withdrawAfter(ctx context.Context) {
	h.attach(prim.AfterFunc(ctx, func() { h.withdraw(ctx.Err()) }))
}

func (h *Handle[R]) pool() *Pool { return h.job.from.pool }

// under makes fn the function of the job, which is not called any more when ctx has ended:
// what is to happen then may not have happened yet. The goroutine has the profiler labels
// of ctx, until the job has ended.
func (h *Handle[R]) under(ctx context.Context, fn func(*Worker) R) {
	h.fn = func(w *Worker) (result R) {
		if err := ctx.Err(); err != nil {
			h.refuse(err)
			return
		}
		pprof.SetGoroutineLabels(ctx)
		// Before anybody is told that the job has ended, and may ask who refers to ctx.
		defer unlabel()
		return fn(w)
	}
}

// refuse is called by the one that has begun the job, in place of its function.
func (h *Handle[R]) refuse(reason error) {
	h.job.claim.Store(withdrawn)
	h.failed = &failure{reason: reason}
}

// Done returns a channel that is closed when the job has ended, or was taken back: then
// Wait and Join return at once. It is meant for a select.
//
// The channel is made when Done is first called, and is the same for all who call it
// before the end. A job that receives from it keeps its seat meanwhile, unless it does
// so in [Worker.Block]: it had better call Join. Any goroutine may call Done, any number
// of times.
func (h *Handle[R]) Done() <-chan struct{} { return h.channel() }

func (h *Handle[R]) run(w *Worker) {
	fn := h.fn
	h.fn = nil
	if !h.job.starts(w) {
		h.refuse(ErrCanceled)
		return
	}
	h.result = fn(w)
}

func (h *Handle[R]) done(w *Worker, f *failure) {
	if f != nil {
		h.failed = f
	}
	w.submitted++
	if f == nil || f.panicked == nil {
		h.complete(w)
		return
	}
	keep(h, f.panicked)
	if h.complete(w) {
		h.pool().unseen.await(f.panicked)
	}
}
