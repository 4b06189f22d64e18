package pool

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
)

// Submit has fn run by the pool, and returns at once. It may be called from
// anywhere, also from a job. It returns [ErrClosed] if the pool is closed or
// closing, and [ErrFull] if [WithQueueLimit] leaves no room. A nil fn panics.
//
// If all workers without work sleep, a new goroutine takes the seat of one and
// runs fn: it begins as soon as any goroutine that is started there and then.
// Otherwise fn is queued. If all workers have work for long, fn begins beside it (P32). Jobs are
// taken first in, first out, and none takes a worker's seat while others are queued.
//
// Submit allocates the handle. A job that is queued also takes a share of the queue, and a note if its
// time is measured or the queue has a limit. For an empty job on a pool at rest, Submit and Wait cost about
// a quarter more than a goroutine and a channel.
//
// Another job may follow fn on the same goroutine. Profiler labels that fn has set are taken
// off before. fn must undo all else that it does to its goroutine or thread, such as
// [runtime.LockOSThread] or [runtime/debug.SetPanicOnFault].
//
// If fn panics, Wait and Join return the panic. If neither has when the handle is
// collected as garbage, the panic goes to the handler of [WithPanicHandler]; without one
// it ends the program, as a panic of a goroutine does, and prints the stack of where it
// was raised. The same happens when the pool closes, if nobody waited for the job as it
// ended, and nobody has since. A wait that was given up does not count; a channel of Done does.
// For a job that nobody waits for there is [Go].
func Submit[R any](p *Pool, fn func(w *Worker) R) (*Handle[R], error) {
	needFunction("Submit", fn == nil)
	if err := p.admit(); err != nil {
		return nil, err
	}
	h := newHandle(p, fn)
	if err := p.accept(noWait, &h.job); err != nil {
		return nil, err
	}
	return h, nil
}

// SubmitErr is [Submit] for a job that is not to begin any more when ctx has ended.
// Wait then returns the error of ctx, as SubmitErr does if it has ended before.
// [Handle.Wait] and [Handle.Join] return what fn returns, its error included.
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
	needContext("SubmitErr", ctx)
	needFunction("SubmitErr", fn == nil)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := p.admit(); err != nil {
		return nil, err
	}
	h := newHandle[R](p, nil)
	h.under(ctx, codeOf(fn), func(w *Worker) R {
		result, err := fn(NewContext(ctx, w), w)
		if err != nil {
			h.failed = &failure{reason: err}
		}
		return result
	})
	if err := p.accept(ctx, &h.job); err != nil {
		return nil, err
	}
	if h.job.queued && ctx.Done() != nil {
		h.stopAfter(prim.AfterFunc(ctx, func() { h.withdraw(ctx.Err()) }))
	}
	return h, nil
}

// Go is [Submit] for a job that only Close waits for: there is no handle, and if fn panics, the panic
// goes to the handler of [WithPanicHandler] at once, or ends the program. A [runtime.Goexit] ends the
// job. [Pool.Shutdown] may take it back. Errors, costs and a nil fn are as with Submit.
func Go(p *Pool, fn func(w *Worker)) error {
	needFunction("Go", fn == nil)
	if err := p.admit(); err != nil {
		return err
	}
	h := &unheld{user: fn}
	h.job.task, h.job.ticket = h, &p.inbox.direct
	return p.accept(noWait, &h.job)
}

// noWait is the context of a caller that does not wait for room.
var noWait context.Context

// accept has an entered job run, when there is room for it. It waits for room until ctx ends. The
// job does not begin any more when ctx has ended. If accept returns an error, the job has left.
//
// Pairs: it pushes the job, then reads abandoned; abandon sets that, then empties the queue. So one of the two
// finds the job.
func (p *Pool) accept(ctx context.Context, j *submission) error {
	if p.host(&j.Job) {
		return nil
	}
	p.findBubble()
	if err := p.inbox.queue.push(ctx, j); err != nil {
		p.refuse(1)
		return err
	}
	p.post()
	if p.inbox.abandoned.Load() {
		j.recall() // for all workers may be busy for long
	}
	return nil
}

// host starts a goroutine that runs the job on a seat that sleeps, unless a seat looks for work
// already, or none sleeps, or jobs are queued. It reports whether it did.
//
// A new goroutine begins as soon as the caller waits for it, and costs the caller less than a wake
// of the one that keeps the seat.
func (p *Pool) host(j *Job) bool {
	// A seat that is being given back can be borrowed before its last look has found jobs that were queued
	// meanwhile: they come first.
	inactive, sleeping := p.sleep.Counts()
	if inactive != sleeping || sleeping == 0 || !p.inbox.queue.Empty() {
		return false
	}
	s := p.borrow()
	if s == nil {
		return false
	}
	j.begin() // nobody else knows of it
	s.start(j)
	return true
}

// stamp gives the job, which is about to be queued, a ticket that says so, and when, if that is to be measured.
// It is the job's own if it must be, or says more.
func (j *submission) stamp(own bool) {
	in := &j.pool.inbox
	n := in.samples.Load()
	timed := n > 0 && in.samples.CompareAndSwap(n, n-1)
	if j.ticket == &in.direct {
		if !timed && !own {
			j.ticket = &in.queued
			return
		}
		j.ticket = &ticket{pool: j.pool}
	}
	j.queued, j.timed = true, timed
	if timed {
		j.since = prim.ReportNow()
	}
}

// mostSamples is of how many jobs the time is measured between two looks at the queue. The clock costs a
// tenth of what an empty job takes.
const mostSamples = 1024

// post tells of a job that was queued, and wakes a worker if one must be woken for it.
func (p *Pool) post() {
	p.inbox.injected.Add(1)
	p.sleep.Post(1, true)
	p.attendQueue()
}
