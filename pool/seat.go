package pool

import (
	"context"
	"runtime"

	"github.com/rouse-go/rouse/api/prim"
)

// Run calls fn(w, arg) as a job of the pool and returns its result. It may be
// called from anywhere.
//
// If a worker sleeps, the caller takes its seat and runs the function itself,
// as that worker: nobody need be woken, and no more jobs run at once than the
// pool has workers. If all are awake the job is queued, and the caller waits.
// Inside a job of the same pool, Run goes on as the worker that the job has, if
// ctx comes from [Worker.Context] or no seat is free; it knows that one by a
// look at the stack, which takes longer the deeper that is. It does other work
// of the pools whose jobs wait on its goroutine rather than block them, so
// calls may nest, also through other pools.
//
// A goroutine that a job starts, an iterator of iter.Pull included, is not that
// job: a Run there needs a seat of its own, and if the job waits for it while
// no worker is free, both wait for ever.
//
// Run returns the error of ctx if that has ended before the function began; a
// queued job is then withdrawn. It returns [ErrClosed] if the pool is closed
// or closing, unless the caller is a job of the pool. If the function panics,
// Run panics with a [*PanicError]; if it calls [runtime.Goexit], so does Run.
func Run[A, R any](ctx context.Context, p *Pool, fn func(*Worker, A) R, arg A) (R, error) {
	var none R
	if err := ctx.Err(); err != nil {
		return none, err
	}
	entered := p.enter()
	if carried, _ := ctx.Value(workerKey{}).(*Worker); !entered || carried != nil && carried.pool == p {
		// The context does not prove it: it may have been passed to another
		// goroutine.
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
	Job
	fn     func(*Worker, A) R
	arg    A
	result R
	failed *failure
}

func (v *visit[A, R]) run(w *Worker) { v.result = v.fn(w, v.arg) }

func (v *visit[A, R]) done(_ *Worker, f *failure) { v.failed = f }

// A visitor is what occupies the seat: a visit, executed like any job.
type visitor Job

func (v *visitor) run(w *Worker) { w.execute((*Job)(v)) }

func (v *visitor) done(*Worker, *failure) {}

// runAs calls fn as a job of w, on a seat that is borrowed or that the caller
// has. The caller has entered the pool, and leaves it here in the end.
func runAs[A, R any](w *Worker, borrowed bool, fn func(*Worker, A) R, arg A) (result R) {
	v, ok := w.entry.(*visit[A, R])
	if !ok {
		v = new(visit[A, R])
		v.task = v
	}
	w.entry = nil
	v.fn, v.arg = fn, arg
	defer func() { // also if the job calls Goexit
		result = v.result
		f := v.failed
		*v = visit[A, R]{Job: v.Job}
		w.entry = v
		w.depart(borrowed)
		if f != nil && f.panicked != nil {
			panic(f.panicked)
		}
	}()
	w.occupy(true, (*visitor)(&v.Job))
	if v.failed != nil && v.failed.panicked == nil {
		// A panic(nil) of a program that still allows it (GODEBUG=panicnil=1)
		// was recovered as if it were a Goexit. Let it be one.
		runtime.Goexit()
	}
	return
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
	result, err := h.Wait(context.Background())
	if h.claim.Load() == withdrawn {
		return result, ctx.Err()
	}
	switch e := err.(type) {
	case nil:
	case *PanicError:
		panic(e)
	default: // ErrGoexit
		runtime.Goexit()
	}
	return result, nil
}
