package prim

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// The atomic types. All guarantee their own alignment on 32-bit platforms.
type (
	// Bool is [atomic.Bool].
	Bool = atomic.Bool
	// Int32 is [atomic.Int32].
	Int32 = atomic.Int32
	// Int64 is [atomic.Int64].
	Int64 = atomic.Int64
	// Uint32 is [atomic.Uint32].
	Uint32 = atomic.Uint32
	// Uint64 is [atomic.Uint64].
	Uint64 = atomic.Uint64
	// Pointer is [atomic.Pointer].
	Pointer[T any] = atomic.Pointer[T]
)

// The blocking types.
type (
	// Mutex is [sync.Mutex].
	Mutex = sync.Mutex
	// Cond is [sync.Cond].
	Cond = sync.Cond
	// WaitGroup is [sync.WaitGroup].
	WaitGroup = sync.WaitGroup
)

// NewCond is [sync.NewCond].
func NewCond(l sync.Locker) *Cond { return sync.NewCond(l) }

// Spin keeps the processor busy for about n steps (a nanosecond or less each)
// without giving it up.
func Spin(n int) {
	for range n {
		// The compiler keeps empty counted loops.
	}
}

// Yield lets other goroutines run. With nothing else to run it costs about
// 90 ns and takes the Go scheduler's global lock, so a loop of yields must be
// a short one.
func Yield() { runtime.Gosched() }

// Go starts f on a goroutine of its own.
func Go(f func()) { go f() }
