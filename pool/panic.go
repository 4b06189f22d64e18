package pool

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
)

// ErrGoexit is what [Handle.Wait] and [Handle.Join] return of a job that called
// [runtime.Goexit], or joined a fork or a scope that did.
var ErrGoexit = errors.New("pool: job called runtime.Goexit")

// A PanicError is the panic of a job, with the stack of where it was raised.
// [Handle.Wait] and [Handle.Join] return it, and [WithPanicHandler] reports it.
type PanicError struct {
	// Value is what the job panicked with. It is nil only after a panic(nil) in
	// a program that allows one (GODEBUG=panicnil=1).
	Value any
	// Stack is the stack of the goroutine that raised the panic, then, as
	// [debug.Stack] prints it.
	Stack []byte
	// reported says that a panic handler was called with it.
	reported bool
}

// Error returns the panic's value and its stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("pool: job panicked: %v\n\n%s", e.Value, e.Stack)
}

// Unwrap returns Value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// A failure is how a job ended that did not return.
type failure struct {
	// reason is why the job has not begun and never will, or the error that it has
	// returned, or nil.
	reason error
	// panicked is nil if the job called runtime.Goexit, or there is a reason.
	panicked *PanicError
}

// err is the failure as an error.
func (f *failure) err() error {
	switch {
	case f.reason != nil:
		return f.reason
	case f.panicked == nil:
		return ErrGoexit
	}
	return f.panicked
}

// capture makes a failure of what recover has returned in a function that was
// deferred by a job that did not return. Only that function may call it, and
// directly, while the panic is still on the stack.
func (w *Worker) capture(recovered any) *failure {
	if recovered == nil && exits() {
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

// exits reports whether Goexit, and not a panic(nil), has called the deferred
// function that calls capture.
func exits() bool {
	var pc [1]uintptr
	runtime.Callers(4, pc[:]) // of Callers, exits, capture, the deferred function
	f, _ := runtime.CallersFrames(pc[:]).Next()
	return f.Function == "runtime.Goexit"
}

// raise ends the caller as the job ended that it has waited for. A panic goes
// on with its original value; where it came from is kept beside it.
func (w *Worker) raise(f *failure) {
	if f.panicked == nil {
		runtime.Goexit()
	}
	w.raised = f.panicked
	f.panicked.raise()
}

// raise panics with the original value on another goroutine than the first one.
//
// The panic with e comes first and cannot be recovered: the other one replaces
// it at once. But if nothing recovers that either, Go prints both, and so the
// stack of where the panic was raised.
func (e *PanicError) raise() {
	defer func() { panic(e.Value) }()
	panic(e)
}

// Caught makes a PanicError of what recover has returned in a function that was deferred: it
// keeps where the panic was raised first, if another worker has raised it or this one has
// caught it before. The deferred function itself must call it, at once. It returns nil if
// that runs because of [runtime.Goexit]. It is for packages that build loops on a pool, and
// raise the panic again when all else has ended: see [PanicError.Raise].
func Caught(recovered any) *PanicError {
	if recovered == nil && exits() {
		return nil
	}
	return workerHere().first(recovered)
}

// Raise panics with e's value, as a join does of a job that has panicked with it. What
// recovers the panic further up as a job's knows where it was raised first: a panic handler
// is told that.
func (e *PanicError) Raise() {
	e.passOn()
	e.raise()
}

// raise ends the caller of Run as the job has ended that another goroutine ran
// for it.
func (p *Pool) raise(f *failure) {
	if f.panicked == nil {
		runtime.Goexit()
	}
	f.panicked.passOn()
	p.report(f.panicked)
	f.panicked.raise()
}

// passOn leaves e for the job that the caller is, if it is one: if that ends of
// the same panic, it need not look for the stack where it is lost.
func (e *PanicError) passOn() {
	if w := workerHere(); w != nil {
		w.raised = e
	}
}

// report calls the panic handler, unless a Run within has done so.
func (p *Pool) report(e *PanicError) {
	if p.panicHandler != nil && !e.reported {
		e.reported = true
		p.panicHandler(e)
	}
}

// same reports whether two panic values are, as far as can be told, the same
// one. Values that cannot be compared are taken for it if their types are
// equal: the price of a mistake is a stack that shows an earlier panic.
func same(a, b any) bool {
	ta := reflect.TypeOf(a)
	if ta == nil || ta != reflect.TypeOf(b) || !ta.Comparable() {
		return ta == reflect.TypeOf(b)
	}
	if !reflect.ValueOf(a).Comparable() { // an interface inside holds such a value
		return true
	}
	return a == b
}
