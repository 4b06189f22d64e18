package pool

import (
	"context"
	"runtime"
)

// Run calls fn(w, arg) as a job of the pool and returns its result. It may be
// called from anywhere.
//
// If a worker sleeps, the caller takes its seat and runs the function itself,
// as that worker: nobody need be woken, and no more jobs run at once than the
// pool has workers. If all are awake the job is queued, and the caller waits.
// Inside a job of the same pool, Run runs the function as the worker that the
// job has, found by ctx if it comes from [Worker.Context], else by a look at
// the stack where there is no free seat. It does other work of the pools whose
// jobs wait on its goroutine rather than block them, so calls may nest, also
// through other pools.
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
	entered := p.shutdown.enter()
	if w := p.carried(ctx, entered); w != nil {
		p.shutdown.enterNested(entered)
		return runAs(w, false, fn, arg), nil
	}
	if !entered {
		return none, ErrClosed
	}
	if w := p.borrow(); w != nil {
		return runAs(w, true, fn, arg), nil
	}
	if w := p.occupant(); w != nil {
		return runAs(w, false, fn, arg), nil
	}
	return runQueued(ctx, p, fn, arg)
}

// carried returns the caller's worker of p if the context carries it, or if
// the pool is closing, when only such a caller is let in. The context alone
// does not do: it may have been passed to another goroutine.
func (p *Pool) carried(ctx context.Context, entered bool) *Worker {
	if w, _ := ctx.Value(workerKey{}).(*Worker); entered && (w == nil || w.pool != p) {
		return nil
	}
	return p.occupant()
}

// borrow makes the caller a worker that slept at its root, or returns nil.
func (p *Pool) borrow() *Worker {
	if p.lender == nil {
		return nil
	}
	i, ok := p.lender.Borrow()
	if !ok {
		return nil
	}
	p.stats.borrowed.Add(1)
	return p.workers[i]
}

// giveBack ends the caller's time as w.
func (w *Worker) giveBack() {
	w.rest()
	w.raised = nil
	w.pool.lender.Return(w.index, w.look)
}

// A visit is the frame of a Run on a borrowed seat. The seat keeps it for the
// next one of the same type.
type visit[A, R any] struct {
	fn     func(*Worker, A) R
	arg    A
	result R
}

func (v *visit[A, R]) run(w *Worker) { v.result = v.fn(w, v.arg) }

func (v *visit[A, R]) done(*Worker, *failure) {}

// runAs calls fn as a job of w, which the caller is, on a borrowed seat or
// beneath. It has entered the pool, and leaves it in the end.
func runAs[A, R any](w *Worker, borrowed bool, fn func(*Worker, A) R, arg A) (result R) {
	limit := w.head
	returned := false
	defer func() {
		var f *failure
		if !returned {
			f = w.capture(recover())
			w.discard(limit)
		}
		if borrowed {
			w.giveBack()
		}
		w.pool.shutdown.leave()
		if f != nil && f.panicked != nil {
			panic(f.panicked)
		}
	}()
	if borrowed {
		v, ok := w.entry.(*visit[A, R])
		if !ok {
			v = new(visit[A, R])
		}
		w.entry = nil
		v.fn, v.arg = fn, arg
		occupy(w, v)
		result = v.result
		*v = visit[A, R]{}
		w.entry = v
	} else {
		result = fn(w, arg)
	}
	if w.head > limit {
		w.settle(limit)
	}
	returned = true
	return result
}

// runQueued sends the job through the injector, and waits.
func runQueued[A, R any](ctx context.Context, p *Pool, fn func(*Worker, A) R, arg A) (R, error) {
	h := submit(p, func(w *Worker) R { return fn(w, arg) })
	if ctx.Done() != nil {
		defer context.AfterFunc(ctx, h.withdraw)()
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
