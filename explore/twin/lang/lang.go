// Package lang is what rewritten code calls in place of what the language does: go,
// channels, select, and plain accesses to variables that threads share. It is for
// rewritten code alone.
//
// Outside of an execution each function does what the language does.
package lang

import (
	"runtime"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// Rewritten is called by each rewritten package, before main.
func Rewritten() bool { return drive.Rewritten() }

// Go is go f().
func Go(f func()) { drive.Go(f) }

// Named names the cell at p, for traces, and returns p.
func Named[T any](p *T, name string) *T {
	if drive.Tracing() {
		drive.Name(unsafe.Pointer(p), name)
	}
	return p
}

func access[T any](p *T, name string, write bool) {
	if p == nil || !drive.Driven() {
		return
	}
	if drive.Tracing() {
		drive.Name(unsafe.Pointer(p), name)
	}
	drive.Access(unsafe.Pointer(p), unsafe.Sizeof(*p), write)
}

// Read is a plain read of *p.
func Read[T any](p *T, name string) *T {
	access(p, name, false)
	return p
}

// Write is a plain write to *p.
func Write[T any](p *T, name string) *T {
	access(p, name, true)
	return p
}

// Set(p, name)(v) is *p = v, where v is computed before.
func Set[T any](p *T, name string) func(v T) {
	return func(v T) {
		access(p, name, true)
		*p = v
	}
}

// ReadMap is a read of the map m.
func ReadMap[M ~map[K]V, K comparable, V any](m M, name string) M {
	accessMap(m, name, false)
	return m
}

// WriteMap is a write to the map m.
func WriteMap[M ~map[K]V, K comparable, V any](m M, name string) M {
	accessMap(m, name, true)
	return m
}

func accessMap[M ~map[K]V, K comparable, V any](m M, name string, write bool) {
	if m != nil {
		access((*byte)(address(m)), name, write)
	}
}

// ReadSlice is a read of the elements of s.
func ReadSlice[S ~[]E, E any](s S, name string) S {
	if len(s) > 0 && drive.Driven() {
		if drive.Tracing() {
			drive.Name(unsafe.Pointer(&s[0]), name)
		}
		drive.Access(unsafe.Pointer(&s[0]), unsafe.Sizeof(s[0])*uintptr(len(s)), false)
	}
	return s
}

// Gosched is runtime.Gosched.
func Gosched() {
	if !drive.Driven() {
		runtime.Gosched()
		return
	}
	drive.Step(drive.OpYield, nil)
}
