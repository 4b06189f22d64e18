package prim

import (
	"context"
	"runtime"
	"time"
)

// Spin keeps the processor busy for about n steps (a nanosecond or less each)
// without giving it up.
func Spin(n int) {
	if spinDriven(n) {
		return
	}
	for range n {
		// The compiler keeps empty counted loops.
	}
}

// Yield lets other goroutines run. With nothing else to run it costs about
// 90 ns and takes the Go scheduler's global lock, so a loop of yields must be
// a short one.
func Yield() {
	if yieldDriven() {
		return
	}
	runtime.Gosched()
}

// Go starts f on a goroutine of its own.
func Go(f func()) {
	if goDriven(f) {
		return
	}
	go f()
}

// Now returns the time of a clock that never goes back, since some moment in the past.
// It costs some tens of nanoseconds, and moves at least every microsecond, but in a browser.
// In a synctest bubble it stands still while anything runs. A driver that keeps no time
// lets a second pass between two calls, or the time that its [Ticker] says.
func Now() time.Duration {
	if now, ok := nowDriven(); ok {
		return now
	}
	return clock()
}

var begun = time.Now()

// Expose lets other processors take the goroutine that the caller has just made
// ready. A goroutine that wakes another one and goes on working calls it.
//
// The Go scheduler keeps such a goroutine as the next one of its waker's
// processor, and others take it from there only after they have waited a while
// (runqgrab in runtime/proc.go). That is right if the waker is about to block,
// and lost time if not. A second goroutine, which ends where it begins,
// displaces the first into the queue from which idle processors take at once.
// It costs as much as [Go].
func Expose() {
	if exposeDriven() {
		return
	}
	go func() {}()
}

// Callers is [runtime.Callers], with a skip of 0 for the caller of Callers. It costs
// some tens of nanoseconds for each frame of the stack.
func Callers(skip int, pcs []uintptr) int {
	n := runtime.Callers(skip+2, pcs)
	callersDriven()
	return n
}

// Processors returns how many goroutines can run at the same time: GOMAXPROCS.
func Processors() int {
	if n, ok := processorsDriven(); ok {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Size returns n, which is how many elements are worth a step of their own: how many a
// sort does alone, say. Where a driver that keeps no time replaces the primitives, it is
// 2, so that an input of few elements takes all steps that a large one does: a driver
// that runs every schedule has no time for more. It compiles to n otherwise.
func Size(n int) int {
	if few, ok := sizeDriven(); ok {
		return min(n, few)
	}
	return n
}

// AfterFunc is [context.AfterFunc]: it runs f, on a goroutine of its own, when
// ctx ends, unless stop is called first.
func AfterFunc(ctx context.Context, f func()) (stop func() bool) {
	if stop, ok := afterFuncDriven(ctx, f); ok {
		return stop
	}
	return context.AfterFunc(ctx, f)
}

// AddCleanup is [runtime.AddCleanup]. It does nothing where a driver replaces the
// primitives: a driver does not see when garbage is collected.
func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) {
	if !isDriven() {
		runtime.AddCleanup(ptr, cleanup, arg)
	}
}
