//go:build !explore

package prim

import (
	"context"
	"time"
)

// Without the tag nothing is driven. These are inlined, and code that depends
// on them is compiled away.

func spinDriven(int) bool { return false }

func yieldDriven() bool { return false }

func goDriven(func()) bool { return false }

func exposeDriven() bool { return false }

func callersDriven() {}

func isDriven() bool { return false }

func whileUndriven(f func()) bool { f(); return true }

func nowDriven() (now time.Duration, ok bool) { return 0, false }

func processorsDriven() (n int, ok bool) { return 0, false }

func sizeDriven() (n int, ok bool) { return 0, false }

func afterFuncDriven(context.Context, func()) (stop func() bool, ok bool) { return nil, false }

func parkDriven(*Parker, context.Context) (ended, ok bool) { return false, false }

func unparkDriven(*Parker) bool { return false }

// FutexWait reports whether a driver has waited in place of the system call. In
// a normal build it is false.
func FutexWait(word *Uint32, value uint32) bool { return false }

// FutexWake reports whether a driver has woken in place of the system call. In
// a normal build it is false.
func FutexWake(word *Uint32) bool { return false }

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
