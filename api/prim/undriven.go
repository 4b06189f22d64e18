//go:build !explore

package prim

// current returns no driver. It is inlined, and code that depends on it is compiled away.
func current() Driver { return nil }

// Declare tells a simulator that the cells of *p lie in memory as the fields of
// T do, from the start of a cache line on. The simulator gives each cell of a struct
// that was not declared a line of its own.
//
// A constructor declares what it has made before anybody uses it, and the whole
// before its parts. In a normal build the call compiles to nothing, except that
// Go 1.25 loads a dictionary if T depends on type parameters.
func Declare[T any](p *T) {}

// DeclareSlice is [Declare] for the elements of a slice, which follow each other.
func DeclareSlice[T any](s []T) {}

// Touch tells a simulator of a plain access to *p, which lies on a cache line
// that other processors use. In a normal build the call compiles to nothing.
//
// Call it after the access, and in generic code with a type that does not depend
// on the type parameters: otherwise a nil check or the load of a dictionary may
// remain.
func Touch[T any](p *T, write bool) {}
