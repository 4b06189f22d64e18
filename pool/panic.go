package pool

import (
	"runtime"
	"runtime/debug"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/pool/internal/seam"
	"github.com/rouse-go/rouse/pool/internal/spell"
)

// capture turns the value of recover into a failure, in a function that was
// deferred by a job that did not return. Only that function may call it, and
// directly, while the panic is still on the stack.
func (w *Worker) capture(recovered any) *failure {
	if recovered == nil && seam.Exits(2) {
		return &failure{}
	}
	return &failure{panicked: w.first(recovered)}
}

// first returns the panic that has been recovered, with the stack of where it was raised
// first: the worker may have passed it on from there. Without a worker it was raised here.
func (w *Worker) first(recovered any) *PanicError {
	if w != nil {
		e := w.raised
		w.raised = nil
		if e != nil && same(e.Value, recovered) {
			return e
		}
	}
	return &PanicError{Value: recovered, Stack: debug.Stack()}
}

// endAs ends the caller in the way in which the job ended that it has waited for. A panic goes on
// with its original value; where it came from is kept beside it.
func (w *Worker) endAs(f *failure) {
	if f.panicked == nil {
		runtime.Goexit()
	}
	w.raised = f.panicked
	f.panicked.repanic()
}

// repanic panics with the original value on another goroutine than the first one.
//
// The panic with e comes first, and the other one replaces it at once. If nothing recovers that, Go
// prints both, and so the stack of where the panic was raised.
func (e *PanicError) repanic() {
	defer func() { panic(e.Value) }()
	panic(e)
}

// passOn leaves e for the caller's job, if it is one. If that ends by the same panic, it has the
// stack of where the panic was raised.
func (e *PanicError) passOn() {
	if w := workerHere(); w != nil {
		w.raised = e
	}
}

// report calls the panic handler, unless a Run within has done so.
func (p *Pool) report(e *PanicError) {
	if p.unhandled.handler != nil && !e.reported {
		e.reported = true
		p.unhandled.handler(e)
	}
}

// The panic of a submitted job is for callers that wait for its handle. If none ever does, it goes
// to the panic handler, or ends the program, as a panic of a goroutine does. None does if the
// handle was collected; or if the pool has closed, and none waited as the job ended. A job of Go
// has no handle.

// reportAll reports the panics of jobs that ended while nobody waited for them, and
// returns when all reports have ended. No job of the pool runs any more.
func (p *Pool) reportAll() {
	u := &p.unhandled
	u.mu.Lock()
	for f := range u.panics {
		if f.told.CompareAndSwap(false, true) {
			p.expose(f.panicked)
		}
	}
	clear(u.panics)
	u.mu.Unlock()
	u.reports.Done() // that of New
	u.reports.Wait()
}

// expose reports a panic that nobody else will be told of, on a goroutine of its own, where
// nothing recovers it: without a handler it ends the program, and so does a panic of the
// handler. Close waits for that goroutine, which spells a number of the pool: so Close returns
// an error to a handler that calls it.
//
// Rejected: to run the handler as a job, with a guest's seat. A job that waits gives its seat up, and a
// pool that has ended has none: there is a report if a handle is collected, or a stream ends, after Close.
func (p *Pool) expose(e *PanicError) {
	p.unhandled.reports.Add(1)
	prim.Go(func() {
		defer p.unhandled.reports.Done() // also if the handler calls Goexit
		if p.unhandled.handler == nil {
			e.repanic()
		}
		number := workerIDs.Add(&p.ids, nil)
		defer workerIDs.Drop(number)
		spell.Call(number, body(func() { p.report(e) }))
	})
}

// exposeLater is expose for callers that keep a panic for a caller that has not come.
func (p *Pool) exposeLater(e *PanicError) {
	p.unhandled.mu.Lock()
	defer p.unhandled.mu.Unlock()
	p.expose(e)
}

// exposeUntold is called when a handle was collected. It reports the panic of its job, unless somebody was told.
func (p *Pool) exposeUntold(f *failure) {
	if f.told.CompareAndSwap(false, true) {
		p.unhandled.remove(f)
		p.exposeLater(f.panicked)
	}
}

// A body is a function as package spell calls it.
type body func()

func (b body) Run() { b() }
