//go:build explore

package prim

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// driver is nil while none is installed.
var driver atomic.Pointer[Driver]

// current returns the driver, or nil.
func current() Driver {
	if d := driver.Load(); d != nil {
		return *d
	}
	return nil
}

// Drive installs a driver, or removes it if d is nil. Meanwhile no goroutine may be in an
// operation on a primitive. A function of [Later] is waited for, or waits for the driver's end.
func Drive(d Driver) {
	installing.Lock()
	defer installing.Unlock()
	if d == nil {
		driver.Store(nil)
		return
	}
	driver.Store(&d)
}

// Declare tells a driver what the Declare in undriven.go says, and so do the others.
func Declare[T any](p *T) {
	if d := current(); d != nil {
		d.Declare(unsafe.Pointer(p), reflect.TypeFor[T](), 1)
	}
}

// DeclareSlice is [Declare] for the elements of a slice.
func DeclareSlice[T any](s []T) {
	if d := current(); d != nil && len(s) > 0 {
		d.Declare(unsafe.Pointer(&s[0]), reflect.TypeFor[T](), len(s))
	}
}

// Touch tells a driver of a plain access to *p.
func Touch[T any](p *T, write bool) {
	if d := current(); d != nil {
		d.Touch(unsafe.Pointer(p), unsafe.Sizeof(*p), write)
	}
}
