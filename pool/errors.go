package pool

import (
	"context"
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/latch"
)

// ErrClosed is the error of [Run], [Submit] and their kin once [Pool.Close]
// or [Pool.Shutdown] was called.
var ErrClosed = errors.New("pool: closed")

// ErrCloseInJob is the error of [Pool.Close] and [Pool.Shutdown] in a job of the pool, and in
// a panic handler on a goroutine of the pool: they would wait for their own caller.
var ErrCloseInJob = errors.New("pool: Close or Shutdown called by a job of the pool, or by its panic handler, for which it would wait: call it when Run has returned, or on a goroutine of your own")

// ErrDefault is the error of [Pool.Close] and [Pool.Shutdown] for the default pool,
// which code elsewhere may use at any time.
var ErrDefault = errors.New("pool: this is the default pool, which others use: call SetDefault(nil), then close the pool that you had set")

// ErrFull is the error of [Submit] and [Go] while as many submitted jobs wait as [WithQueueLimit]
// allows.
var ErrFull = errors.New("pool: queue is full")

// ErrCanceled is the error of [Handle.Wait] and [Handle.Join] for a job that
// [Handle.Cancel] or [Pool.Shutdown] has taken back, and of a group whose jobs Shutdown has kept
// from beginning. It is a [context.Canceled], too.
var ErrCanceled = fmt.Errorf("pool: job canceled before it began: %w", context.Canceled)

// ErrGoexit is the error of [Handle.Wait] and [Handle.Join] for a job that
// called [runtime.Goexit], or joined a fork or a scope that did.
var ErrGoexit = errors.New("pool: job called runtime.Goexit")

const nilPool = "pool: Run, RunErr, RunGroup, loops.Run, Submit, SubmitErr or Go with a nil pool: use pool.Default() or pool.New"

const inBlock = "pool: a fork, a join, a scope, a group or a Spawn in the function of Block: fork before Block, or call Run in it"

// needContext panics if the function with that name has got no context.
func needContext(name string, ctx context.Context) {
	if ctx == nil {
		panic("pool: " + name + " with a nil context: use context.Background")
	}
}

// needFunction panics if it has got no function to call.
func needFunction(name string, isNil bool) {
	if isNil {
		panic("pool: " + name + " of a nil function")
	}
}

// A worker may be used by something else than its job. The short ways of Fork and Join do not check
// that: it would cost as much as they do. The long ways panic with a text that names the mistake
// where they see it for nothing. Often they do not: most such uses are data races, and may do
// anything.

const (
	astray = "pool: a worker is used by something else than its job: " + whose
	// A join finds noFunction if another join came between, and took the function.
	noFunction = "pool: a fork has no function: it is nil, or its worker is used by something else than its job: " + whose

	whose = "what is forked, spawned or submitted must use the worker that it is given, and another goroutine must use none (rouse-vet finds most such places)"
)

// A PanicError is the panic of a job, with the stack of where it was raised.
// [Handle.Wait] and [Handle.Join] return it, and [WithPanicHandler] reports it.
type PanicError struct {
	// Value is the value of the panic. It is nil only after a panic(nil) in a
	// program that allows one (GODEBUG=panicnil=1).
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
	// reason is why the job never begins, or the error that it has returned, or nil.
	reason error
	// panicked is nil if the job called runtime.Goexit, or there is a reason.
	panicked *PanicError
	// told says that somebody was told of the panic of a submitted job.
	//
	// Writers: outcome; whatever reports the panic, by CAS.
	told prim.Bool
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

// same reports whether two panic values are, as far as can be told, the same one. Values that
// cannot be compared are taken for the same if their types are equal: the price of a mistake is a
// stack that shows an earlier panic.
func same(a, b any) (same bool) {
	defer func() { same = recover() != nil || same }()
	return a == b
}

// unhandled are the panics of submitted jobs that nobody was told of.
type unhandled struct {
	handler func(*PanicError) // nil if there is none

	mu prim.Mutex
	// panics are those that nobody waited for as the job ended. Guarded by mu.
	panics map[*failure]bool
	// reports counts the goroutines that report one, and the pool itself until it closes. It is
	// raised under mu, or by a job; Close waits for it when no job runs any more.
	reports closeGroup
}

func (u *unhandled) add(f *failure) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.panics[f] = true
}

func (u *unhandled) remove(f *failure) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.panics, f)
}

// A closeGroup counts what Close waits for. It ends when the count comes to zero, once and for
// all. A WaitGroup would do, but for a pool that is used inside a bubble of
// testing/synctest and outside, as the default one may be: a WaitGroup is one or the other.
type closeGroup struct {
	// count is how many are not done.
	//
	// Writers: all that count. A caller that raises it knows that it is not zero.
	count prim.Int64
	ended latch.Outside
}

func (t *closeGroup) Add(n int) { t.count.Add(int64(n)) }

func (t *closeGroup) Done() {
	switch left := t.count.Add(-1); {
	case left == 0:
		t.ended.Set()
	case left < 0:
		panic("pool: a closeGroup is below zero")
	}
}

// Wait returns when the count has come to zero.
func (t *closeGroup) Wait() { _ = t.ended.Wait(context.Background()) } // which never ends
