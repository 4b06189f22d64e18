package pool

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
)

// Run calls fn(w, arg) as a job of the pool and returns its result. It may be
// called from anywhere.
//
// If a worker sleeps, the caller takes its seat and runs the function itself,
// as that worker: nobody need be woken, and no more jobs run at once than the
// pool has workers. If all are awake the job is queued, and the caller waits.
//
// Inside a job of the same pool, Run goes on as the worker that the job has, if
// ctx carries a worker of the pool ([NewContext]) or no seat is free. It finds
// that one by a look at the stack. The look takes microseconds, and more the
// deeper the stack is; code that knows its worker had better call the function
// than Run. Run does other work of the pools whose jobs wait on its goroutine
// rather than block them, so calls may nest, also through other pools.
//
// A goroutine that a job starts, an iterator of iter.Pull included, is not that
// job: a Run there needs a seat of its own, and if the job waits for it while
// no worker is free, both wait for ever.
//
// Run returns the error of ctx if that has ended before the function began; a
// queued job is then withdrawn. It returns [ErrClosed] if the pool is closed
// or closing, unless the caller is a job of the pool.
//
// If the function panics, so does Run, with the same value, as if it were
// called directly: by then what it has forked has ended, or will never start,
// and the seat is free. A panic that another worker has raised does not have
// the frames of where that was beneath it; [WithPanicHandler] reports them, and
// so does Go when the panic ends the program. If the function calls
// [runtime.Goexit], so does Run.
func Run[A, R any](ctx context.Context, p *Pool, fn func(*Worker, A) R, arg A) (R, error) {
	var none R
	if err := ctx.Err(); err != nil {
		return none, err
	}
	entered := p.enter()
	if carried, ok := FromContext(ctx); !entered || ok && carried.pool == p {
		// The context does not prove it: it may have been passed to another
		// goroutine. To look for a free seat first would cost much less, but a
		// caller that passes its worker on does not want another one.
		if o := p.occupant(); o != nil {
			if !entered {
				p.enterNested()
			}
			return runInside(ctx, o, fn, arg)
		}
	}
	if !entered {
		return none, ErrClosed
	}
	if w := p.borrow(); w != nil {
		return runAs(w, true, fn, arg), nil
	}
	if o := p.occupant(); o != nil {
		return runInside(ctx, o, fn, arg)
	}
	return runQueued(ctx, p, fn, arg)
}

// runInside is Run in a job of the same pool. The caller is that job's worker,
// unless it has left the seat to a substitute. Then there is one who serves
// the queue.
func runInside[A, R any](ctx context.Context, o *occupancy, fn func(*Worker, A) R, arg A) (R, error) {
	if o.substitute == nil {
		return runAs(o.worker, false, fn, arg), nil
	}
	return runQueued(ctx, o.worker.pool, fn, arg)
}

// patience is how often a caller gives way to a worker that looks for work and
// is about to sleep, to have its seat. It takes about as long as the worker
// looks; through the queue the job would take longer, and leave that worker
// awake for the next caller to find.
const patience = 8

// borrow makes the caller a worker that slept at its root, or returns nil.
func (p *Pool) borrow() *Worker {
	if p.lender == nil {
		return nil
	}
	for try := 0; ; try++ {
		if i, ok := p.lender.Borrow(); ok {
			return p.workers[i]
		}
		if inactive, sleeping := p.lender.Counts(); inactive == sleeping || try == patience {
			return nil
		}
		prim.Yield()
	}
}

// giveBack returns a borrowed seat.
func (w *Worker) giveBack() {
	w.borrowed++
	w.rest()
	w.pool.lender.Return(w.index, w.look)
}

// A visit is the frame of a Run that the caller runs itself. Its worker keeps
// it for the next one of the same type.
type visit[A, R any] struct {
	fn     func(*Worker, A) R
	arg    A
	result R
}

// run is what occupies the seat. A panic passes through it as through a call:
// whoever recovers it further down finds the frames of where it was raised
// still on the stack, as in a sequential program.
func (v *visit[A, R]) run(w *Worker) {
	limit, returned := w.head, false
	// A panic that is passed on beneath is not this job's.
	raised := w.raised
	w.raised = nil
	defer func() {
		if !returned {
			w.discard(limit)
		}
	}()
	v.result = v.fn(w, v.arg)
	if w.head > limit {
		w.settle(limit)
	}
	w.raised = raised
	returned = true
}

func (v *visit[A, R]) done(*Worker, *failure) {}

// runAs calls fn as a job of w, on a seat that is borrowed or that the caller
// has. The caller has entered the pool, and leaves it here in the end.
func runAs[A, R any](w *Worker, borrowed bool, fn func(*Worker, A) R, arg A) (result R) {
	v, ok := w.entry.(*visit[A, R])
	if !ok {
		v = new(visit[A, R])
	}
	w.entry = nil
	v.fn, v.arg = fn, arg
	returned := false
	defer func() { // also if the job panics or calls Goexit
		result = v.result
		*v = visit[A, R]{}
		w.entry = v
		p := w.pool
		switch {
		case returned:
			w.depart(borrowed)
		case p.panicHandler == nil:
			w.departFailed(borrowed, w.raised)
		default:
			e := w.capture(recover()).panicked
			w.departFailed(borrowed, e)
			if e != nil { // else Goexit goes on
				p.report(e)
				panic(e.Value) // above the frames of the first one
			}
		}
	}()
	w.occupy(true, v)
	returned = true
	return
}

// departFailed is depart after a job that did not return. raised is the panic
// that the job ends of, or that it last passed on, or nil.
func (w *Worker) departFailed(borrowed bool, raised *PanicError) {
	w.raised = nil
	w.depart(borrowed)
	if raised != nil {
		raised.passOn()
	}
}

// depart ends the caller's time as w, whose occupancy has ended.
func (w *Worker) depart(borrowed bool) {
	outer := w.occupancies[w.level].outer
	if borrowed {
		w.giveBack()
	}
	w.pool.leave()
	resume(w, outer)
}

// runQueued sends the job through the injector, and waits.
func runQueued[A, R any](ctx context.Context, p *Pool, fn func(*Worker, A) R, arg A) (R, error) {
	h := submit(p, func(w *Worker) R { return fn(w, arg) })
	if ctx.Done() != nil {
		defer prim.AfterFunc(ctx, h.withdraw)()
	}
	result, _ := h.Wait(context.Background()) // the error says how the job failed
	if h.job.claim.Load() == withdrawn {
		return result, ctx.Err()
	}
	if h.failed != nil {
		p.raise(h.failed)
	}
	return result, nil
}
