// Package lang is what rewritten code calls in place of what the language does: go,
// channels, select, and plain accesses to variables that threads share. It is for
// rewritten code alone.
//
// Outside of an execution each function does what the language does.
package lang

import (
	"hash/maphash"
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

// seed is what MakeSeed returns in all executions, so that hashes do not differ.
var seed = maphash.MakeSeed()

// MakeSeed is maphash.MakeSeed.
func MakeSeed() maphash.Seed {
	if !drive.Driven() {
		return maphash.MakeSeed()
	}
	return seed
}

// A Place is a variable that is about to be written to.
type Place struct {
	p    unsafe.Pointer
	size uintptr
	name string
}

// At is the place of *p.
func At[T any](p *T, name string) Place { return Place{unsafe.Pointer(p), unsafe.Sizeof(*p), name} }

func wrote(places []Place) {
	if !drive.Driven() {
		return
	}
	for _, p := range places {
		if drive.Tracing() {
			drive.Name(p.p, p.name)
		}
		drive.Access(p.p, p.size, true)
	}
}

// Wrote2(a, b)(places...) returns a and b, which are then assigned to the places.
func Wrote2[A, B any](a A, b B) func(places ...Place) (A, B) {
	return func(places ...Place) (A, B) { wrote(places); return a, b }
}

// Wrote3 is Wrote2 for three values.
func Wrote3[A, B, C any](a A, b B, c C) func(places ...Place) (A, B, C) {
	return func(places ...Place) (A, B, C) { wrote(places); return a, b, c }
}

// Wrote4 is Wrote2 for four values.
func Wrote4[A, B, C, D any](a A, b B, c C, d D) func(places ...Place) (A, B, C, D) {
	return func(places ...Place) (A, B, C, D) { wrote(places); return a, b, c, d }
}

// SetMap(m, name)(k)(v) is m[k] = v, where v is computed before.
func SetMap[M ~map[K]V, K comparable, V any](m M, name string) func(k K) func(v V) {
	return func(k K) func(v V) {
		return func(v V) { WriteMap(m, name)[k] = v }
	}
}

// Expect says that a test calls explore.Possible about what, before main.
func Expect(test, what string) bool {
	drive.Expect(test, what)
	return true
}

// Processors is what an execution has, for code that makes as many of something.
const Processors = 2

// GOMAXPROCS is that of package runtime.
func GOMAXPROCS(n int) int {
	if !drive.Driven() {
		return runtime.GOMAXPROCS(n)
	}
	return Processors
}

// NumCPU is that of package runtime.
func NumCPU() int {
	if !drive.Driven() {
		return runtime.NumCPU()
	}
	return Processors
}

// Unseen returns f, which waits for what no driver sees. In an execution it fails.
func Unseen[F any](name string, f F) F {
	if drive.Driven() {
		drive.Fail(name + " is called, which the explorer does not see")
	}
	return f
}
