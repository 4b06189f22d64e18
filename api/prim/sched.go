package prim

import (
	"context"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// Spin keeps the processor busy for about n steps (a nanosecond or less each)
// without giving it up.
func Spin(n int) {
	if d := current(); d != nil {
		d.Spin(n)
		return
	}
	for range n {
		// The compiler keeps empty counted loops.
	}
}

// Yield lets other goroutines run. Even with nothing else to run it takes the Go
// scheduler's global lock, so keep loops of yields short.
func Yield() {
	if d := current(); d != nil {
		d.Yield()
		return
	}
	runtime.Gosched()
}

// YieldOnce is [Yield] for a caller whose result does not depend on who has run. It may spare the caller a
// wait. It is no step for a driver, which may have others run before the caller's next step anyway.
func YieldOnce() {
	if current() == nil {
		runtime.Gosched()
	}
}

// Go starts f on a goroutine of its own.
func Go(f func()) {
	if d := current(); d != nil {
		d.Go(f)
		return
	}
	if AtEnd != nil {
		go func() {
			defer AtEnd()
			f()
		}()
		return
	}
	go f()
}

// AtEnd, if it is not nil, is deferred by each goroutine that [Go] starts without a driver. It
// is for tests, which set it before anything runs: a panic on such a goroutine ends the
// process, and no other code could say first which rule that breaks.
var AtEnd func()

// Now returns the time since some moment in the past, by a clock that never goes back.
// It costs some tens of nanoseconds and, except in a browser, moves at least every
// microsecond. In a synctest bubble it stands still while anything runs.
func Now() time.Duration {
	if d := current(); d != nil {
		return d.Now()
	}
	return clock()
}

var begun = time.Now()

// Expose lets other processors take the goroutine that the caller has just made
// ready. Call it after waking another goroutine, if you go on working.
//
// The Go scheduler keeps such a goroutine as the next one of its waker's
// processor, and other processors wait a while before they take it from there
// (runqgrab in runtime/proc.go). That is right if the waker is about to block,
// and lost time if not. Expose starts a second goroutine, which returns at once:
// it displaces the first into the queue from which idle processors take at once.
// It costs as much as [Go].
func Expose() {
	if d := current(); d != nil {
		d.Expose()
		return
	}
	go func() {}()
}

// Callers is [runtime.Callers], with a skip of 0 for the caller of Callers. It costs
// some tens of nanoseconds for each frame of the stack.
func Callers(skip int, pcs []uintptr) int {
	n := runtime.Callers(skip+2, pcs)
	if d := current(); d != nil {
		d.Callers()
	}
	return n
}

// Processors returns how many goroutines can run at the same time: GOMAXPROCS.
func Processors() int {
	if d := current(); d != nil {
		return d.Processors()
	}
	return runtime.GOMAXPROCS(0)
}

// Size returns n, a number of elements that is worth a step of its own: for example, how
// many elements a sort does alone. A driver that runs every schedule has no time for more
// than a few, and returns less: so an input of few elements takes all the steps that a large
// one does. Without a driver it compiles to n.
func Size(n int) int {
	if d := current(); d != nil {
		return d.Size(n)
	}
	return n
}

// AfterFunc is [context.AfterFunc]: it runs f on a goroutine of its own when ctx
// is done, unless stop is called first.
func AfterFunc(ctx context.Context, f func()) (stop func() bool) {
	if d := current(); d != nil {
		return d.AfterFunc(ctx, f)
	}
	return context.AfterFunc(ctx, f)
}

// InBubble reports whether the caller is in a synctest bubble: its clock begins in the year 2000, and this
// process later. It costs a look at the clock.
func InBubble() bool { return time.Since(begun) < 0 }

// Later runs f on a goroutine of its own when d has passed, and reports whether it will. In a synctest
// bubble it will not: the bubble may end before. With a driver that time never comes.
func Later(d time.Duration, f func()) bool {
	switch {
	case current() != nil:
		return true
	case InBubble():
		return false
	}
	var late func()
	late = func() {
		installing.RLock()
		defer installing.RUnlock()
		if current() == nil {
			f()
		} else { // a driver was installed meanwhile
			time.AfterFunc(d, late)
		}
	}
	time.AfterFunc(d, late)
	return true
}

// installing is held while a driver is installed or removed, and by what [Later] calls.
var installing sync.RWMutex

// AddCleanup is [runtime.AddCleanup]. With a driver it does nothing, because a driver
// does not see when garbage is collected.
func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) {
	if current() == nil {
		runtime.AddCleanup(ptr, cleanup, arg)
	}
}

// FutexWait waits as futex(2) does if there is a driver, and reports whether there is one:
// then it has waited in place of the system call.
func FutexWait(word *Uint32, value uint32) bool {
	d := current()
	if d != nil {
		d.FutexWait((*uint32)(unsafe.Pointer(word)), value)
	}
	return d != nil
}

// FutexWake is that of the call that wakes.
func FutexWake(word *Uint32) bool {
	d := current()
	if d != nil {
		d.FutexWake((*uint32)(unsafe.Pointer(word)))
	}
	return d != nil
}
