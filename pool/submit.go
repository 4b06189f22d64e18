package pool

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
)

// A Handle is what the result of a submitted job is had by.
type Handle[R any] struct {
	job  Job
	pool *Pool
	// fn belongs to the one who has claimed the job.
	fn func(*Worker) R
	// result and failed are written before the completion.
	result R
	failed *failure
	completion
}

// Submit has fn run by the pool, and returns at once. It may be called from
// anywhere, also from a job. It returns [ErrClosed] if the pool is closed or
// closing.
//
// If all workers without work sleep, a new goroutine takes the seat of one and
// runs fn: it begins as soon as any goroutine that is started there and then.
// Otherwise fn is queued. Jobs are taken first in, first out; none takes a seat
// while others are queued. Submit allocates the handle, and a share of the
// queue.
func Submit[R any](p *Pool, fn func(*Worker) R) (*Handle[R], error) {
	if !p.enter() {
		return nil, ErrClosed
	}
	return submit(p, fn), nil
}

// submit is Submit for one who has entered.
func submit[R any](p *Pool, fn func(*Worker) R) *Handle[R] {
	h := &Handle[R]{pool: p, fn: fn}
	h.job.task = h
	if !p.host(&h.job) {
		p.inject(&h.job)
	}
	return h
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
	s.start(j)
	return true
}

// Wait returns the result of the job as soon as there is one. If the job
// panicked, the error is a [*PanicError]; if it called [runtime.Goexit], it is
// [ErrGoexit]. If ctx ends first, Wait returns its error, and the job goes on;
// Wait may be called again, by any number of goroutines.
//
// Wait is for goroutines outside the pool. In a job it does what
// [Handle.Join] does, but must first find out where it is; and if ctx ends
// first there, the handle keeps some words for it until the job ends.
func (h *Handle[R]) Wait(ctx context.Context) (R, error) {
	if !h.isDone() {
		// A short job that Submit has just started is done after this, and
		// the caller need not find out where it is.
		prim.Yield()
	}
	if !h.isDone() {
		if here := workersHere(); len(here) > 0 {
			if err := h.join(ctx, here[0]); err != nil {
				var none R
				return none, err
			}
			return h.outcome()
		}
	}
	return h.waitOutside(ctx)
}

// waitOutside is Wait for one that is no job, or has no seat.
func (h *Handle[R]) waitOutside(ctx context.Context) (R, error) {
	if n := h.enterOutside(); n != nil {
		if err := n.outside.Wait(ctx); err != nil {
			var none R
			return none, err
		}
	}
	return h.outcome()
}

// Join is Wait for a job of the pool, or of another one. The job is set aside: its
// seat goes to the one that it waits for, if nobody has begun that, or to others.
//
// Forks cannot wait for each other in a circle, but handles can: two jobs that
// join each other never return.
func (h *Handle[R]) Join(w *Worker) (R, error) {
	_ = h.join(context.Background(), w) // the background never ends
	return h.outcome()
}

// outcome is for one who knows that the job is done.
func (h *Handle[R]) outcome() (R, error) {
	if h.failed != nil {
		return h.result, h.failed.err()
	}
	return h.result, nil
}

// join waits as the worker w, until ctx ends.
//
// A job that has not begun begins now, on a goroutine of its own, with the seat of
// the one that waits. On top of that one, no deadline could end the wait before the
// job has ended.
func (h *Handle[R]) join(ctx context.Context, w *Worker) error {
	if w.blocked {
		if h.begin(w) {
			h.pool.start(&h.job)
		}
		_, _ = h.waitOutside(ctx)
	} else if n := h.enter(w); n != nil {
		if ctx.Done() != nil {
			defer prim.AfterFunc(ctx, func() { n.release(nil) })()
		}
		if h.begin(w) {
			w.publishAll()
			if w.seat != nil {
				w.rise().start(&h.job)
			} else {
				h.pool.start(&h.job)
			}
			w.setAside(&n.latch, &h.job, nil)
		} else {
			w.wait(&n.latch, &h.job, nil)
		}
	}
	if h.isDone() {
		return nil
	}
	return ctx.Err()
}

// begin claims the job for a goroutine that w is about to start. A job of another
// pool waits there until a seat takes it.
func (h *Handle[R]) begin(w *Worker) bool { return h.pool == w.pool && h.job.begin() }

// withdraw takes the job out of the queue, unless it has begun. Its place
// there stays, and whoever comes to it finds nothing to do.
func (h *Handle[R]) withdraw() {
	if h.job.withdraw() {
		h.fn = nil
		h.complete(nil)
		h.pool.leave()
	}
}

func (h *Handle[R]) run(w *Worker) {
	fn := h.fn
	h.fn = nil
	h.result = fn(w)
}

func (h *Handle[R]) done(w *Worker, f *failure) {
	h.failed = f
	w.submitted++
	h.complete(w)
}
