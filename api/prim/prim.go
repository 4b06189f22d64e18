//go:build !explore

package prim

import (
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
