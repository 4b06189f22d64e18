// Package atomic is a twin of package sync/atomic, for rewritten code: in an execution each
// operation is a step. Sizes and alignment are those of the real types.
package atomic

import (
	ra "sync/atomic"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// The types have the methods of those in [sync/atomic] of the same names.
type (
	Bool           = word[bool, ra.Bool, *ra.Bool]
	Int32          = number[int32, ra.Int32, *ra.Int32]
	Int64          = number[int64, ra.Int64, *ra.Int64]
	Uint32         = number[uint32, ra.Uint32, *ra.Uint32]
	Uint64         = number[uint64, ra.Uint64, *ra.Uint64]
	Uintptr        = number[uintptr, ra.Uintptr, *ra.Uintptr]
	Pointer[T any] = word[*T, ra.Pointer[T], *ra.Pointer[T]]
	Value          = word[any, ra.Value, *ra.Value]
)

// step is one of kind op on the variable at p, which orders as the memory model says:
// what an operation sees was before it.
func step(op drive.Op, p unsafe.Pointer) {
	if p == nil || !drive.Driven() {
		return
	}
	drive.Step(op, p)
	drive.Acquire(p)
	if !op.Reads() && op != drive.OpCompareAndSwap {
		drive.Release(p)
	}
}

// swapped ends a compare-and-swap.
func swapped(p unsafe.Pointer, old, new any, ok bool) {
	if ok {
		drive.Release(p)
	} else {
		drive.Missed()
	}
	if drive.Tracing() {
		note(old, new, ok)
	}
}

func note(values ...any) { drive.Note(values...) }

type wordMethods[T, A any] interface {
	*A
	Load() T
	Store(T)
	Swap(T) T
	CompareAndSwap(old, new T) bool
}

type numberMethods[T, A any] interface {
	wordMethods[T, A]
	Add(delta T) T
	And(mask T) (old T)
	Or(mask T) (old T)
}

// A word is an atomic variable of type A with values of type T.
type word[T, A any, P wordMethods[T, A]] struct{ real A }

// Load is that of the real type, like all methods here.
func (w *word[T, A, P]) Load() T {
	step(drive.OpLoad, unsafe.Pointer(w))
	v := P(&w.real).Load()
	if drive.Tracing() {
		note(v)
	}
	return v
}

func (w *word[T, A, P]) Store(v T) {
	step(drive.OpStore, unsafe.Pointer(w))
	P(&w.real).Store(v)
	if drive.Tracing() {
		note(v)
	}
}

func (w *word[T, A, P]) Swap(v T) T {
	step(drive.OpSwap, unsafe.Pointer(w))
	old := P(&w.real).Swap(v)
	if drive.Tracing() {
		note(v, old)
	}
	return old
}

func (w *word[T, A, P]) CompareAndSwap(old, new T) bool {
	step(drive.OpCompareAndSwap, unsafe.Pointer(w))
	ok := P(&w.real).CompareAndSwap(old, new)
	if drive.Driven() {
		swapped(unsafe.Pointer(w), old, new, ok)
	}
	return ok
}

// A number is a word that counts.
type number[T, A any, P numberMethods[T, A]] struct{ word[T, A, P] }

func (n *number[T, A, P]) Add(delta T) T {
	step(drive.OpAdd, unsafe.Pointer(n))
	v := P(&n.real).Add(delta)
	if drive.Tracing() {
		note(delta, v)
	}
	return v
}

func (n *number[T, A, P]) And(mask T) T {
	step(drive.OpAnd, unsafe.Pointer(n))
	old := P(&n.real).And(mask)
	if drive.Tracing() {
		note(mask, old)
	}
	return old
}

func (n *number[T, A, P]) Or(mask T) T {
	step(drive.OpOr, unsafe.Pointer(n))
	old := P(&n.real).Or(mask)
	if drive.Tracing() {
		note(mask, old)
	}
	return old
}
