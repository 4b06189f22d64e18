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
		if err := h.await(ctx); err != nil {
			var none R
			return none, err
		}
	}
	return h.outcome()
}

// Join is Wait for a job of the pool, or of another one: while there is no
// result, its worker does other work.
//
// Forks cannot wait for each other in a circle, but handles can: two jobs that
// join each other never return, and neither does one that joins a job which
// waits beneath it on the same worker.
func (h *Handle[R]) Join(w *Worker) (R, error) {
	h.join(context.Background(), w)
	return h.outcome()
}

// outcome is for one who knows that the job is done.
func (h *Handle[R]) outcome() (R, error) {
	if h.failed != nil {
		return h.result, h.failed.err()
	}
	return h.result, nil
}

// await waits for the completion, or the end of ctx. It is called without a
// worker, but perhaps by one.
func (h *Handle[R]) await(ctx context.Context) error {
	if all := occupancies(); len(all) > 0 {
		return h.join(ctx, all[0].worker)
	}
	if n := h.enterOutside(); n != nil {
		return n.outside.Wait(ctx)
	}
	return nil
}

// join waits as the worker w.
func (h *Handle[R]) join(ctx context.Context, w *Worker) error {
	n := h.enter(w)
	if n == nil {
		return nil
	}
	if ctx.Done() != nil {
		defer prim.AfterFunc(ctx, n.release)()
	}
	w.wait(&n.latch)
	if h.isDone() {
		return nil
	}
	return ctx.Err()
}

// withdraw takes the job out of the queue, unless it has begun. Its place
// there stays, and whoever comes to it finds nothing to do.
func (h *Handle[R]) withdraw() {
	if h.job.withdraw() {
		h.fn = nil
		h.complete()
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
	h.complete()
	w.ended++
}
