//go:build explore

package prim

import (
	"reflect"
	"strings"
	"sync/atomic"
	"unsafe"
)

// The atomic types. Each holds the real one and nothing else, so sizes,
// alignment and assignment of zero values are as in a normal build.
type (
	// Bool has the methods of [atomic.Bool].
	Bool = word[bool, atomic.Bool, *atomic.Bool]
	// Int32 has the methods of [atomic.Int32].
	Int32 = number[int32, atomic.Int32, *atomic.Int32]
	// Int64 has the methods of [atomic.Int64].
	Int64 = number[int64, atomic.Int64, *atomic.Int64]
	// Uint32 has the methods of [atomic.Uint32].
	Uint32 = number[uint32, atomic.Uint32, *atomic.Uint32]
	// Uint64 has the methods of [atomic.Uint64].
	Uint64 = number[uint64, atomic.Uint64, *atomic.Uint64]
	// Pointer has the methods of [atomic.Pointer].
	Pointer[T any] = word[*T, atomic.Pointer[T], *atomic.Pointer[T]]
)

// wordMethods are those that all atomic types have.
type wordMethods[T, A any] interface {
	*A
	Load() T
	Store(T)
	Swap(T) T
	CompareAndSwap(old, new T) bool
}

// A word is an atomic variable of type A with values of type T.
type word[T, A any, P wordMethods[T, A]] struct{ real A }

// atomically asks the driver, if there is one, for leave to perform op.
func atomically(op Op, cell unsafe.Pointer) (traced bool) {
	if d := current(); d != nil {
		return d.Atomic(op, cell)
	}
	return false
}

func missed() {
	if d := current(); d != nil {
		d.Missed()
	}
}

// note reports the operation that was just performed on a variable of type A.
func note[A any](values ...any) {
	if d := current(); d != nil {
		name := reflect.TypeFor[A]().Name()
		if generic, _, ok := strings.Cut(name, "["); ok {
			name = generic
		}
		d.Note(name, values...)
	}
}

// Load is that of the real type, like all methods here.
func (w *word[T, A, P]) Load() T {
	traced := atomically(OpLoad, unsafe.Pointer(w))
	v := P(&w.real).Load()
	if traced {
		note[A](v)
	}
	return v
}

func (w *word[T, A, P]) Store(v T) {
	traced := atomically(OpStore, unsafe.Pointer(w))
	P(&w.real).Store(v)
	if traced {
		note[A](v)
	}
}

func (w *word[T, A, P]) Swap(v T) (old T) {
	traced := atomically(OpSwap, unsafe.Pointer(w))
	old = P(&w.real).Swap(v)
	if traced {
		note[A](v, old)
	}
	return old
}

func (w *word[T, A, P]) CompareAndSwap(old, new T) (swapped bool) {
	traced := atomically(OpCompareAndSwap, unsafe.Pointer(w))
	swapped = P(&w.real).CompareAndSwap(old, new)
	if !swapped {
		missed()
	}
	if traced {
		note[A](old, new, swapped)
	}
	return swapped
}

// numberMethods are those that all integer types have.
type numberMethods[T, A any] interface {
	wordMethods[T, A]
	Add(delta T) T
	And(mask T) T
	Or(mask T) T
}

// A number is a word that can be counted with.
type number[T, A any, P numberMethods[T, A]] struct{ word[T, A, P] }

// Add is that of the real type, like all methods here.
func (n *number[T, A, P]) Add(delta T) (new T) {
	traced := atomically(OpAdd, unsafe.Pointer(n))
	new = P(&n.real).Add(delta)
	if traced {
		note[A](delta, new)
	}
	return new
}

func (n *number[T, A, P]) And(mask T) (old T) {
	traced := atomically(OpAnd, unsafe.Pointer(n))
	old = P(&n.real).And(mask)
	if traced {
		note[A](mask, old)
	}
	return old
}

func (n *number[T, A, P]) Or(mask T) (old T) {
	traced := atomically(OpOr, unsafe.Pointer(n))
	old = P(&n.real).Or(mask)
	if traced {
		note[A](mask, old)
	}
	return old
}
