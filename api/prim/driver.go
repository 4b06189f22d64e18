package prim

import (
	"context"
	"reflect"
	"sync"
	"time"
	"unsafe"
)

// A Driver decides which goroutine runs. Under the build tag explore, Drive installs one.
// From then on each operation on a primitive calls it first, on the goroutine that performs
// the operation, and proceeds when the call returns.
//
// The driver knows a primitive by its address, and keeps all state of primitives
// that block. It must order memory accesses as the primitive does, and no more, so
// that the race detector sees the program that was written.
type Driver interface {
	// Atomic is called before each atomic operation, which then takes place
	// on the real variable. If it returns true, the caller reports the result
	// by Note.
	Atomic(op Op, cell unsafe.Pointer) (traced bool)
	// Missed is called after a CompareAndSwap that has swapped nothing, and so was
	// only a Load.
	Missed()
	// Note describes the atomic operation that was just performed: the type
	// of the variable, and what was written, compared and read, in the order
	// of the operation's parameters and results.
	Note(cellType string, values ...any)

	// The methods of [Mutex].
	Lock(mutex unsafe.Pointer)
	TryLock(mutex unsafe.Pointer) bool
	Unlock(mutex unsafe.Pointer)

	// The methods of [Cond], whose L is l.
	CondWait(cond unsafe.Pointer, l sync.Locker)
	Signal(cond unsafe.Pointer)
	Broadcast(cond unsafe.Pointer)

	// Add is that of [WaitGroup]; Done and Go use it. Wait returns when the count
	// is zero.
	Add(group unsafe.Pointer, delta int)
	Wait(group unsafe.Pointer)

	// Park is [Parker.Park]. It returns true if it gave up because ctx, which may be
	// nil, was done.
	Park(parker unsafe.Pointer, ctx context.Context) (ended bool)
	Unpark(parker unsafe.Pointer)

	// FutexWait blocks while the word has the given value, until FutexWake,
	// or returns early for any reason.
	FutexWait(word *uint32, value uint32)
	// FutexWake releases one goroutine that waits on the word, if there is one.
	FutexWake(word *uint32)

	// Yield is [Yield], and Spin is [Spin]: both may let other goroutines run.
	Yield()
	Spin(n int)
	// Go starts f on another thread.
	Go(f func())
	// AfterFunc is [context.AfterFunc].
	AfterFunc(ctx context.Context, f func()) (stop func() bool)

	// Now is [Now]. A driver that has no clock lets some time pass between two calls.
	Now() time.Duration
	// Processors is [Processors], and Size is [Size].
	Processors() int
	Size(n int) int

	// The methods from here on are not operations on a primitive. They say what memory
	// holds, and what takes time; a driver may ignore them.

	// Declare: n values of the type follow each other in memory, from p on. See
	// [Declare] and [DeclareSlice].
	Declare(p unsafe.Pointer, elem reflect.Type, n int)
	// Touch is a plain access to size bytes at p.
	Touch(p unsafe.Pointer, size uintptr, write bool)
	// Expose is called by [Expose], and Callers by [Callers].
	Expose()
	Callers()
}

// An Op names an operation on a primitive.
type Op uint8

// The operations.
const (
	OpLoad Op = iota
	OpStore
	OpSwap
	OpCompareAndSwap
	OpAdd
	OpAnd
	OpOr
	OpLock
	OpTryLock
	OpUnlock
	OpCondWait
	OpCondReturn // the second half of a wait
	OpSignal
	OpBroadcast
	OpGroupAdd
	OpGroupWait
	OpPark
	OpUnpark
	OpFutexWait
	OpFutexReturn // the second half of a wait
	OpFutexWake
	OpYield
	OpSpin
	OpGo
	OpAfterFunc // the end of a context
	OpStop      // of an AfterFunc
	OpJoin      // is for the driver itself: waiting for threads to end
	opCount
)

var opNames = [opCount]string{
	"Load", "Store", "Swap", "CompareAndSwap", "Add", "And", "Or",
	"Lock", "TryLock", "Unlock",
	"Cond.Wait", "Cond.Wait returns", "Signal", "Broadcast",
	"WaitGroup.Add", "WaitGroup.Wait",
	"Park", "Unpark",
	"futex wait", "futex wait returns", "futex wake",
	"Yield", "Spin", "Go", "AfterFunc runs", "AfterFunc stop", "wait for threads",
}

// String returns the name of the operation.
func (op Op) String() string {
	if op < opCount {
		return opNames[op]
	}
	return "invalid operation"
}
