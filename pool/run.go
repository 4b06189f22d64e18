package pool

import (
	"cmp"
	"context"
	"runtime/trace"

	"github.com/rouse-go/rouse/pool/internal/spell"
)

// Run calls fn(w, arg) as a job of the pool and returns its result. It may be
// called from anywhere, also in init, in a finalizer and in a callback from C. It runs fn on the
// calling goroutine, at once: so hold a lock over it, or a [sync.Once], as you would over a call of fn.
//
// If a worker sleeps, the caller takes its seat; if none does, a guest seat, which the pool makes
// if there is no unused one. Either costs 0.1 to 0.2 µs with an empty fn, and several times as much if
// sixteen others run as guests. Nothing bounds how many
// callers are in Run at once, neither the number of workers nor [WithQueueLimit]. While 100,000 are,
// each has about 2 KB of guest seat, of which the pool keeps half for later ones. To bound callers, take
// [SubmitErr] and [Handle.Wait].
//
// Inside a job of the same pool, Run goes on as the worker that the job has, if
// ctx carries a worker of the pool ([NewContext]). It makes sure of that by a look at the
// stack, which takes microseconds, as that of package loops; in code that knows its worker, call
// the function in place of Run. Without such a context Run takes another seat, as outside: then more
// jobs run at once. So does a Run inside a job of another pool. When the inner job waits, the
// one around it leaves its seat to others, and counts as blocked until Run has returned. So calls
// may nest, also through other pools. A recursion through Run that never ends grows the stack,
// as any does.
//
// A goroutine that a job starts, an iterator of iter.Pull included, is not that
// job: a Run there has a seat of its own.
//
// Run returns the error of ctx if that has ended before; a ctx that ends later does not end fn. It
// returns [ErrClosed] if the pool is closed or closing, unless the caller is a job of the pool. A nil
// ctx or fn panics. In a bubble of [testing/synctest] fn runs in the bubble; for its forks see [New].
//
// If the function panics, so does Run, with the same value, as if it were
// called directly: by then its forks have ended, or will never start, and the
// seat is free. A panic that another worker has raised does not have the frames
// of that place beneath it; [WithPanicHandler] reports them, and so does Go
// when the panic ends the program. If the function calls [runtime.Goexit], so
// does Run.
//
// While a trace of [runtime/trace] is recorded, the call is a task with the name of the function,
// which costs half a microsecond.
func Run[A, R any](ctx context.Context, p *Pool, fn func(w *Worker, arg A) R, arg A) (R, error) {
	needContext("Run", ctx)
	needFunction("Run", fn == nil)
	if trace.IsEnabled() {
		var end func()
		ctx, end = beginTask(ctx, fn)
		defer end()
	}
	return run(ctx, p, fn, fn, arg)
}

// run is Run on behalf of a function of the user.
func run[A, R any](ctx context.Context, p *Pool, user any, fn func(w *Worker, arg A) R, arg A) (result R, err error) {
	if err = ctx.Err(); err != nil {
		return
	}
	// The context does not prove it: it may have been passed to another goroutine. To look for a free
	// seat first would cost much less, but a caller that passes its worker on does not want another one.
	carried, ok := FromContext(ctx)
	return runHere(p, ok && carried.pool == p, user, fn, arg)
}

// runHere calls fn as a job of the pool. looks says that the caller may be one, and looks at the stack.
func runHere[A, R any](p *Pool, looks bool, user any, fn func(w *Worker, arg A) R, arg A) (result R, err error) {
	entered := p.enter(1)
	if looks || !entered || p.observer.Load().isMeasuring() {
		// Before a seat is taken: a job that had two would keep one from others.
		if top := workerHere(); top.in(p) != nil {
			return runInside(top, p, user, fn, arg), nil
		}
	}
	if !entered {
		p.refuse(1)
		return result, ErrClosed
	}
	s := p.takeSeat()
	if looks {
		s.woken() // the time is nothing beside the look at the stack
	}
	w := s.worker()
	w.beneath, w.origin = nil, fromRun
	return callAs(w, w.number, true, w.endRun, user, fn, arg), nil
}

// RunErr is [Run] for a function that may fail, and that wants its context. It returns
// what fn returns, or an error of Run: that of ctx if it has ended before, or [ErrClosed]. The
// function's own error comes back as it is.
//
// The context that fn is handed carries the worker ([NewContext]), and the task of the call while a
// trace is recorded, as Run says. It does not end when RunErr returns. A job that has begun is not
// interrupted when ctx ends: it asks its context. RunErr costs an allocation more than Run, for the
// context.
func RunErr[A, R any](ctx context.Context, p *Pool, fn func(ctx context.Context, w *Worker, arg A) (R, error), arg A) (R, error) {
	needContext("RunErr", ctx)
	needFunction("RunErr", fn == nil)
	ctx, end := beginTask(ctx, fn)
	defer end()
	o, err := run(ctx, p, fn, try[A, R], attempt[A, R]{ctx, fn, arg})
	return o.result, cmp.Or(err, o.err)
}

// A job of RunErr calls an attempt; its result is an attempted.
type (
	attempt[A, R any] struct {
		ctx context.Context
		fn  func(context.Context, *Worker, A) (R, error)
		arg A
	}
	attempted[R any] struct {
		result R
		err    error
	}
)

func try[A, R any](w *Worker, a attempt[A, R]) (o attempted[R]) {
	o.result, o.err = a.fn(NewContext(a.ctx, w), w, a.arg)
	return o
}

// callAs calls fn as a job of w, while the caller's stack spells the number, and then end. The caller has
// entered the pool, and end leaves it. A panic or Goexit does not unwind the stack at once, so the deferred calls
// of the caller of Run still find the number there: loses says that it stands for nothing then.
func callAs[A, R any](w *Worker, number uint32, loses bool, end func(returned bool), user any, fn func(*Worker, A) R, arg A) (result R) {
	v, ok := w.entry.(*runFrame[A, R])
	if !ok {
		v = &runFrame[A, R]{large: isLarge[runFrame[A, R]]()}
	}
	w.entry = nil
	v.worker, v.fn, v.arg = w, fn, arg
	w.beginsRun(user)
	returned := false
	defer func() { // also if the job panics or calls Goexit
		result = v.result
		if !v.large || !returned {
			*v = runFrame[A, R]{}
		}
		if !v.large && returned {
			w.entry = v
		}
		p, e := w.pool, w.raised // the panic that ends the job, or the last one that it got, or nil
		w.ended(returned)
		if returned {
			end(true)
			return
		}
		handled := p.unhandled.handler != nil
		if handled {
			e = w.capture(recover()).panicked
		}
		w.raised = nil
		if loses {
			spell.Lose(&workerIDs, number, v)
		}
		end(false)
		if e == nil { // Goexit goes on, or a panic that nobody else has raised
			return
		}
		e.passOn()
		if handled {
			p.report(e)
			panic(e.Value) // above the frames of the first one
		}
	}()
	spell.Call(number, v)
	returned = true
	return
}

// A runFrame is the frame of a Run that the caller runs itself. Its worker keeps it for the next
// Run of the same type.
type runFrame[A, R any] struct {
	worker *Worker
	fn     func(*Worker, A) R
	arg    A
	result R
	large  bool // see keepBytes
}

// Run is the job. A panic passes through it as through a call: code that recovers it further down
// finds the frames of where it was raised on the stack, as in a sequential program.
func (v *runFrame[A, R]) Run() {
	w := v.worker
	limit, returned := w.stack.head, false
	// A panic that the job beneath has got is not this job's.
	raised := w.raised
	w.raised = nil
	defer func() {
		if !returned {
			w.discard(limit)
		}
	}()
	v.result = v.fn(w, v.arg)
	if w.stack.head > limit {
		w.settle(limit)
	}
	w.raised = raised
	returned = true
}

// endRun ends the caller's time as w.
func (w *Worker) endRun(returned bool) {
	if !returned {
		w.number = workerIDs.Add(&w.pool.ids, w)
	}
	beneath := w.beneath
	w.beneath = nobody
	if s := w.retire(); s != nil {
		s.handOff()
	}
	w.pool.leave(1)
	if len(beneath) > 0 {
		beneath[0].goOn()
		beneath[0].takeWorkerSeat()
	}
}

// runInside calls fn as a job of the innermost worker of the pool on this goroutine, which runs, or
// is in Block, or waits beneath another one. If it lay beneath one that has waited, it does so again
// afterwards. top is the innermost of all.
func runInside[A, R any](top *Worker, p *Pool, user any, fn func(*Worker, A) R, arg A) R {
	w := top.in(p)
	wasBlocked, wasCovered, beneath := w.state == blocked, w.state == covered, w.beneath
	if wasBlocked {
		w.endBlock()
	} else {
		w.goOn()
	}
	w.takeWorkerSeat()
	number := w.number
	if w != top {
		w.beneath = top.but(w)
		number = workerIDs.Add(&w.pool.ids, w)
	}
	return callAs(w, number, w != top, func(returned bool) {
		if w != top {
			if returned {
				workerIDs.Drop(number)
			}
			w.beneath = beneath
		}
		switch {
		case wasBlocked:
			w.beginBlock()
		case wasCovered: // it lies beneath one that waits, or has waited
			w.moveToGuestSeat()
		}
		p.leave(1)
		top.goOn()
		top.takeWorkerSeat()
	}, user, fn, arg)
}
