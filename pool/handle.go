package pool

import (
	"container/list"
	"context"
	"runtime/pprof"
	"runtime/trace"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
	"github.com/rouse-go/rouse/pool/record"
)

// A Handle gives access to the result of a submitted job: [Handle.Wait] outside the pool,
// [Handle.Join] in a job.
type Handle[R any] struct {
	job submission
	// fn belongs to the goroutine that has claimed the job.
	fn func(*Worker) R
	// result and failed are written before the completion.
	result R
	failed *failure
	completion
}

// Wait returns the result of the job as soon as there is one. If the job
// panicked, the error is a [*PanicError]; if it called [runtime.Goexit], it is
// [ErrGoexit]; if [Handle.Cancel] has taken it back, [ErrCanceled]. For a job of
// [SubmitErr] it is what the function returned, or why the function never began. If
// ctx ends first, Wait returns its error, and the job goes on; Wait may be called
// again, by any number of goroutines.
//
// Wait is for goroutines outside of jobs. There the job may be queued until a worker is free: hold no
// lock that jobs take. In a job of whatever pool, Wait does what [Handle.Join] does, but must first
// find out where it is. If ctx has ended already, it begins nothing.
func (h *Handle[R]) Wait(ctx context.Context) (R, error) {
	needContext("Wait", ctx)
	if ctx.Err() == nil && !h.endsAtOnce(h.job.pool.observer.Load().isMeasuring()) {
		if w := workerHere(); w != nil {
			h.join(ctx, w)
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

// Join is Wait for a job of the pool, or of another one. If the awaited job runs, the caller gives way to it for
// a moment. Then it is set aside, and leaves its seat to others, unless that is a guest's. If the awaited job has
// not begun, it begins now, on a goroutine of its own: with the seat that was left, or, if none was or it is of
// another pool, with that of a worker that sleeps or a guest's.
//
// Forks cannot wait for each other in a circle, but handles can: two jobs that
// join each other never return. Join panics if it notices that
// the job of w has ended, or waits.
func (h *Handle[R]) Join(w *Worker) (R, error) {
	w.checkJob()
	if !h.endsAtOnce(w.probe != nil) {
		h.join(context.Background(), w)
	}
	return h.outcome()
}

// endsAtOnce lets a short job end that Submit has just started, so that the caller need not wait, nor find out
// where it is. It reports whether the job has ended. If the caller is measured, that would count as its work.
func (h *Handle[R]) endsAtOnce(measured bool) bool {
	if !measured && !h.isDone() && h.job.isClaimed() {
		prim.YieldOnce()
	}
	return h.isDone()
}

// Done returns a channel that is closed when the job has ended, or was taken back: then
// Wait and Join return at once. It is meant for a select.
//
// The channel is made when Done is first called, and is the same for all calls before
// the end. A job that receives from it keeps its seat meanwhile, unless it does
// so in [Worker.Block]: it had better call Join. Any goroutine may call Done, any number
// of times.
func (h *Handle[R]) Done() <-chan struct{} { return h.channel() }

// Cancel takes the job back if it has not begun. It reports whether the job will never
// begin: true also if it was taken back before; false if it runs, has ended, or a worker
// has taken it to run it. A job that has begun is not interrupted.
//
// Wait and Join of a job that is taken back return [ErrCanceled]. Any goroutine may call
// Cancel, any number of times, in a job, too. It costs an atomic step, and in a pool with
// [WithQueueLimit] a lock that is never held for long. References of the job are cleared at
// once. Its pointer leaves the queue when a worker comes to it, or with a limit at once.
func (h *Handle[R]) Cancel() bool {
	return h.withdraw(ErrCanceled) || h.job.claim.Load() == withdrawn
}

// outcome tells the user how the job has ended.
func (h *Handle[R]) outcome() (R, error) {
	f := h.failed
	if f == nil {
		return h.result, nil
	}
	if f.panicked != nil {
		f.told.Store(true)
		h.job.pool.unhandled.remove(f)
	}
	return h.result, f.err()
}

// waitOutside waits until ctx ends, for a caller that is no job, or is in Block.
func (h *Handle[R]) waitOutside(ctx context.Context) {
	var l latch.Outside
	if remove := h.add(func(*Worker) { l.Set() }); remove != nil && l.Wait(ctx) != nil {
		remove()
	}
}

// join waits as the worker w, until ctx ends.
//
// A job that has not begun begins now, on a goroutine of its own. On top of w's job, no deadline could end the
// wait before the job has ended.
func (h *Handle[R]) join(ctx context.Context, w *Worker) {
	if w.state == blocked {
		if h.beginJoined() {
			h.job.pool.startJob(&h.job.Job)
		}
		h.waitOutside(ctx)
		return
	}
	var l latch.Core
	release := func(by *Worker) {
		if l.Set() {
			//lint:ignore rouseworker w waits, and by is the one that has ended the job
			w.rouse(by)
		}
	}
	remove := h.add(release)
	if remove == nil {
		return
	}
	if ctx.Done() != nil {
		defer remove()
		defer prim.AfterFunc(ctx, func() { release(nil) })()
	}
	on := cause{job: &h.job.Job}
	if h.beginJoined() {
		w.giveWay(h.job.pool, &h.job.Job, &l, on)
	} else {
		w.wait(&l, on)
	}
}

// beginJoined claims the job for a caller that waits for it.
func (h *Handle[R]) beginJoined() bool {
	if !h.job.begin() {
		return false
	}
	h.job.pool.inbox.queue.remove(&h.job)
	return true
}

func newHandle[R any](p *Pool, fn func(*Worker) R) *Handle[R] {
	h := &Handle[R]{fn: fn}
	h.job.task, h.job.ticket = h, &p.inbox.direct
	return h
}

// under makes fn the function of the job, on behalf of the user's one, whose code begins at that
// address. It is not called when ctx has ended, although the job may not have been taken back yet.
// The goroutine has the profiler labels of ctx until the job has ended.
func (h *Handle[R]) under(ctx context.Context, code uintptr, fn func(*Worker) R) {
	h.job.ticket = &ticket{pool: h.job.pool, code: code}
	h.fn = func(w *Worker) (result R) {
		if err := ctx.Err(); err != nil {
			h.job.pool.inbox.unbegun.Add(1)
			h.refuse(err)
			return
		}
		pprof.SetGoroutineLabels(ctx)
		defer trace.StartRegion(ctx, "submitted job").End()
		// Before anybody is told that the job has ended, and may ask what refers to ctx.
		defer unlabel()
		return fn(w)
	}
}

func (h *Handle[R]) run(w *Worker) {
	fn := h.fn
	h.fn = nil
	if !h.job.mayRun(w) {
		h.refuse(ErrCanceled)
		return
	}
	h.result = fn(w)
}

func (h *Handle[R]) done(w *Worker, f *failure) {
	if f != nil {
		h.failed = f
	}
	w.tally.ended++
	if f == nil || f.panicked == nil {
		h.complete(w)
		return
	}
	// The kept panic does not refer to the handle, unless its own value does: then only Close
	// reports it.
	p := h.job.pool
	p.unhandled.add(f)
	prim.AddCleanup(h, p.exposeUntold, f)
	if h.complete(w) {
		p.unhandled.remove(f) // but the handle may be collected before they are told
	}
}

func (h *Handle[R]) about() (record.JobKind, uintptr, *seat) {
	if code := h.job.code; code != 0 {
		return record.JobSubmitted, code, nil
	}
	return record.JobSubmitted, codeOf(h.fn), nil
}

// refuse is called in place of the function of a job that has begun.
func (h *Handle[R]) refuse(reason error) {
	h.job.claim.Store(withdrawn)
	h.failed = &failure{reason: reason}
}

// withdraw takes the job back if it has not begun, and reports whether it did. The job's waiters get
// the reason. A queue without a limit keeps the pointer, which a worker that comes to it drops.
func (h *Handle[R]) withdraw(reason error) bool {
	if !h.job.withdraw() {
		return false
	}
	h.fn = nil
	h.job.pool.inbox.withdrawn.Add(1)
	h.job.pool.inbox.queue.remove(&h.job)
	h.failed = &failure{reason: reason}
	h.complete(nil)
	h.job.pool.leave(1)
	return true
}

// An unheld job is one of [Go]: nobody has the handle.
type unheld struct {
	Handle[struct{}]
	// user takes the place of fn: one that calls it would cost a job of Go a fifth more.
	user func(*Worker)
}

func (h *unheld) run(w *Worker) {
	fn := h.user
	h.user = nil
	if h.job.mayRun(w) {
		fn(w)
	}
}

func (h *unheld) done(w *Worker, f *failure) {
	w.tally.ended++
	if f != nil && f.panicked != nil {
		h.job.pool.expose(f.panicked)
	}
}

func (h *unheld) about() (record.JobKind, uintptr, *seat) {
	return record.JobSubmitted, codeOf(h.user), nil
}

// A submission is the header of a job that is not a fork, nor a scope's.
type submission struct {
	Job
	// ticket is the job's own, or that of its pool. It is set before others know of the job, and not changed after.
	*ticket
}

// A ticket has what few submissions need. Most have one of the two of their pool: so a handle takes a cache
// line, and half of the memory.
type ticket struct {
	pool *Pool
	// code is where the code of the user's function begins, if fn is one of the pool which calls that.
	code uintptr
	// since is when the job was queued, if its time is measured: timed says so.
	since time.Duration
	timed bool
	// queued says that the job was queued.
	queued bool
	// place is where the job lies in a room, whose mu guards it, or nil.
	place *list.Element
}

// mayRun is called when the job has been claimed to run. It reports whether it may: not if the pool
// was shut down before.
func (j *submission) mayRun(w *Worker) bool {
	p := j.pool
	if j.queued {
		w.counts().begun.Add(1)
	}
	if j.timed {
		p.inbox.times.add(prim.ReportNow() - j.since)
	}
	if p.inbox.abandoned.Load() {
		p.inbox.unbegun.Add(1)
		return false
	}
	return true
}

// recall takes the job back if it has not begun, whatever its result is.
func (j *submission) recall() { j.task.(interface{ withdraw(error) bool }).withdraw(ErrCanceled) }
