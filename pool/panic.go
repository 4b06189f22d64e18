package pool

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
)

// ErrGoexit is what [Handle.Wait] returns of a job that called
// [runtime.Goexit], or that was waiting beneath one on the same goroutine.
var ErrGoexit = errors.New("pool: job called runtime.Goexit")

// A PanicError is a panic that has left the tree of jobs that it was raised
// in. [Run] panics with it, [Handle.Wait] returns it.
type PanicError struct {
	// Value is what the job panicked with.
	Value any
	// Stack is the stack of the goroutine that raised the panic, then, as
	// [debug.Stack] prints it.
	Stack []byte
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
	// panicked is nil if the job called runtime.Goexit.
	panicked *PanicError
	// value is what the job panicked with. It is that of panicked, or
	// panicked itself if that came out of a nested Run.
	value any
}

// err is the failure as an error.
func (f *failure) err() error {
	if f.panicked == nil {
		return ErrGoexit
	}
	return f.panicked
}

// capture makes a failure of what recover has returned in a function that was
// deferred by a job that did not return: nil means Goexit. It must be called
// while the panic is still on the stack.
func (w *Worker) capture(recovered any) *failure {
	if recovered == nil {
		return &failure{}
	}
	if e, ok := recovered.(*PanicError); ok && e != nil { // from a nested Run
		return &failure{e, recovered}
	}
	e := w.raised
	w.raised = nil
	if e == nil || !same(e.Value, recovered) {
		e = &PanicError{recovered, debug.Stack()}
	}
	return &failure{e, recovered}
}

// raise ends the caller as the job ended that it has waited for. A panic goes
// on with its original value; where it came from is kept beside it.
func (w *Worker) raise(f *failure) {
	if f.panicked == nil {
		runtime.Goexit()
	}
	w.raised = f.panicked
	panic(f.value)
}

// same reports whether two panic values are, as far as can be told, the same
// one. Values that cannot be compared are taken for it if their types are
// equal: the price of a mistake is a stack that shows an earlier panic.
func same(a, b any) bool {
	if ta := reflect.TypeOf(a); ta != reflect.TypeOf(b) || !ta.Comparable() {
		return ta == reflect.TypeOf(b)
	}
	if !reflect.ValueOf(a).Comparable() { // an interface inside holds such a value
		return true
	}
	return a == b
}
