package prim

import (
	"math/bits"
	"syscall"
	"time"
	"unsafe"
)

// clock reads the performance counter. The clock that [time.Now] reads moves here once
// in half a millisecond, or in fifteen: a loop that looks every few microseconds would see
// it stand still.
//
// Source: QueryPerformanceCounter. Microsoft promises that it never fails.
func clock() time.Duration {
	if now := time.Since(begun); now < 0 { // in a synctest bubble, where it is the year 2000
		return now
	}
	high, low := bits.Mul64(query(counter), uint64(time.Second))
	now, _ := bits.Div64(high, low, perSecond)
	return time.Duration(now)
}

var (
	kernel    = syscall.NewLazyDLL("kernel32.dll")
	counter   = kernel.NewProc("QueryPerformanceCounter")
	perSecond = query(kernel.NewProc("QueryPerformanceFrequency"))
)

// query calls a function that writes a number to where its argument points.
func query(proc *syscall.LazyProc) (n uint64) {
	syscall.SyscallN(proc.Addr(), uintptr(unsafe.Pointer(&n)))
	return n
}
