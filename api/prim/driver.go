//go:build explore

package prim

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// A Driver decides which goroutine runs. While [Drive] has installed one, each operation
// on a primitive calls it first, on the goroutine that performs the operation,
// and proceeds when the call returns. It exists only under the build tag explore.
//
// The driver knows a primitive by its address, and keeps all state of primitives
// that block. It must order memory accesses as the primitive does, and no more, so
// that the race detector sees the program that was written.
type Driver interface {
	// Atomic is called before each atomic operation, which then takes place
	// on the real variable. If it returns true, the caller reports the result
	// by Note.
	Atomic(op Op, cell unsafe.Pointer) (traced bool)
	// Missed is called after a CompareAndSwap that has swapped nothing, and so was
	// only a Load.
	Missed()
	// Note describes the atomic operation that was just performed: the type
	// of the variable, and what was written, compared and read, in the order
	// of the operation's parameters and results.
	Note(cellType string, values ...any)

	// The methods of [Mutex].
	Lock(mutex unsafe.Pointer)
	TryLock(mutex unsafe.Pointer) bool
	Unlock(mutex unsafe.Pointer)

	// The methods of [Cond], whose L is l.
	CondWait(cond unsafe.Pointer, l sync.Locker)
	Signal(cond unsafe.Pointer)
	Broadcast(cond unsafe.Pointer)

	// Add is that of [WaitGroup]; Done and Go use it. Wait returns when the count
	// is zero.
	Add(group unsafe.Pointer, delta int)
	Wait(group unsafe.Pointer)

	// Park is [Parker.Park]. It returns true if it gave up because ctx, which may be
	// nil, was done.
	Park(parker unsafe.Pointer, ctx context.Context) (ended bool)
	Unpark(parker unsafe.Pointer)

	// FutexWait blocks while the word has the given value, until FutexWake,
	// or returns early for any reason.
	FutexWait(word *uint32, value uint32)
	// FutexWake releases one goroutine that waits on the word, if there is one.
	FutexWake(word *uint32)

	// Yield is called by [Yield], and by [Spin] unless the driver is a [Timekeeper].
	Yield(op Op)
	// Go starts f on another thread.
	Go(f func())
	// AfterFunc is [context.AfterFunc].
	AfterFunc(ctx context.Context, f func()) (stop func() bool)
}

// An Op names an operation on a primitive.
type Op uint8

// The operations.
const (
	OpLoad Op = iota
	OpStore
	OpSwap
	OpCompareAndSwap
	OpAdd
	OpAnd
	OpOr
	OpLock
	OpTryLock
	OpUnlock
	OpCondWait
	OpCondReturn // the second half of a wait
	OpSignal
	OpBroadcast
	OpGroupAdd
	OpGroupWait
	OpPark
	OpUnpark
	OpFutexWait
	OpFutexReturn // the second half of a wait
	OpFutexWake
	OpYield
	OpSpin
	OpGo
	OpAfterFunc // the end of a context
	OpStop      // of an AfterFunc
	OpJoin      // is for the driver itself: waiting for threads to end
	opCount
)

var opNames = [opCount]string{
	"Load", "Store", "Swap", "CompareAndSwap", "Add", "And", "Or",
	"Lock", "TryLock", "Unlock",
	"Cond.Wait", "Cond.Wait returns", "Signal", "Broadcast",
	"WaitGroup.Add", "WaitGroup.Wait",
	"Park", "Unpark",
	"futex wait", "futex wait returns", "futex wake",
	"Yield", "Spin", "Go", "AfterFunc runs", "AfterFunc stop", "wait for threads",
}

// String returns the name of the operation.
func (op Op) String() string {
	if op < opCount {
		return opNames[op]
	}
	return "invalid operation"
}

// A Timekeeper is a [Driver] that keeps the time: it is told of steps that take time
// without being an operation on a primitive.
type Timekeeper interface {
	Driver
	// Declare: n values of the type follow each other in memory, from p on. See
	// [Declare] and [DeclareSlice].
	Declare(p unsafe.Pointer, elem reflect.Type, n int)
	// Touch is a plain access to size bytes at p.
	Touch(p unsafe.Pointer, size uintptr, write bool)
	// SpinFor is called by [Spin], in place of Yield.
	SpinFor(n int)
	// Expose is called by [Expose].
	Expose()
	// Callers is called by [Callers].
	Callers()
	// Processors is that of [Processors].
	Processors() int
	// Now is that of [Now].
	Now() time.Duration
}

// A Declarer is a [Driver] that is told what memory holds.
type Declarer interface {
	Driver
	// Declare is that of [Timekeeper].
	Declare(p unsafe.Pointer, elem reflect.Type, n int)
}

// A Ticker is a [Driver] that keeps no time, but says how much of it passes between two
// calls of [Now]: a second for others.
type Ticker interface {
	Driver
	Tick() time.Duration
}

// driver is nil while none is installed; timekeeper and declarer also if the driver is not one.
var (
	driver     atomic.Pointer[Driver]
	declarer   atomic.Pointer[Declarer]
	timekeeper atomic.Pointer[Timekeeper]
	// tick is the time between two calls of Now, for drivers that keep no time.
	tick atomic.Int64
)

// installing is held while a driver is installed or removed, and by what [Later] calls.
var installing sync.RWMutex

// whileUndriven calls f, unless there is a driver, and reports whether it has. No driver is installed
// meanwhile.
func whileUndriven(f func()) bool {
	installing.RLock()
	defer installing.RUnlock()
	if isDriven() {
		return false
	}
	f()
	return true
}

// Drive installs a driver, or removes it if d is nil. Meanwhile no goroutine may be in an
// operation on a primitive. A function of [Later] is waited for, or waits for the driver's end.
func Drive(d Driver) {
	installing.Lock()
	defer installing.Unlock()
	if d == nil {
		driver.Store(nil)
		declarer.Store(nil)
		timekeeper.Store(nil)
		return
	}
	declarer.Store(nil)
	if k, ok := d.(Declarer); ok {
		declarer.Store(&k)
	}
	if k, ok := d.(Timekeeper); ok {
		timekeeper.Store(&k)
	} else {
		timekeeper.Store(nil)
	}
	tick.Store(int64(time.Second))
	if t, ok := d.(Ticker); ok {
		tick.Store(int64(t.Tick()))
	}
	driver.Store(&d)
}

func spinDriven(n int) bool {
	if k := timekeeper.Load(); k != nil {
		(*k).SpinFor(n)
		return true
	}
	return yieldDrivenBy(OpSpin)
}

func yieldDriven() bool { return yieldDrivenBy(OpYield) }

func yieldDrivenBy(op Op) bool {
	d := driver.Load()
	if d != nil {
		(*d).Yield(op)
	}
	return d != nil
}

func goDriven(f func()) bool {
	d := driver.Load()
	if d != nil {
		(*d).Go(f)
	}
	return d != nil
}

// exposeDriven reports whether there is a driver: it chooses which goroutine runs.
func exposeDriven() bool {
	if k := timekeeper.Load(); k != nil {
		(*k).Expose()
	}
	return driver.Load() != nil
}

func callersDriven() {
	if k := timekeeper.Load(); k != nil {
		(*k).Callers()
	}
}

func processorsDriven() (n int, ok bool) {
	if k := timekeeper.Load(); k != nil {
		return (*k).Processors(), true
	}
	return 0, false
}

// few is the result of [Size] for drivers that keep no time.
const few = 2

func sizeDriven() (n int, ok bool) {
	return few, driver.Load() != nil && timekeeper.Load() == nil
}

// passed is the result of [Now] for drivers that keep no time.
var passed atomic.Int64

func nowDriven() (now time.Duration, ok bool) {
	if k := timekeeper.Load(); k != nil {
		return (*k).Now(), true
	}
	if driver.Load() != nil {
		return time.Duration(passed.Add(tick.Load())), true
	}
	return 0, false
}

// Declare tells a [Declarer] what the Declare in undriven.go says, and so does DeclareSlice.
func Declare[T any](p *T) {
	if k := declarer.Load(); k != nil {
		(*k).Declare(unsafe.Pointer(p), reflect.TypeFor[T](), 1)
	}
}

// DeclareSlice is [Declare] for the elements of a slice.
func DeclareSlice[T any](s []T) {
	if k := declarer.Load(); k != nil && len(s) > 0 {
		(*k).Declare(unsafe.Pointer(&s[0]), reflect.TypeFor[T](), len(s))
	}
}

// Touch tells a [Timekeeper] of a plain access to *p.
func Touch[T any](p *T, write bool) {
	if k := timekeeper.Load(); k != nil {
		(*k).Touch(unsafe.Pointer(p), unsafe.Sizeof(*p), write)
	}
}

func isDriven() bool { return driver.Load() != nil }

func afterFuncDriven(ctx context.Context, f func()) (stop func() bool, ok bool) {
	if d := driver.Load(); d != nil {
		return (*d).AfterFunc(ctx, f), true
	}
	return nil, false
}

func parkDriven(p *Parker, ctx context.Context) (ended, ok bool) {
	if d := driver.Load(); d != nil {
		return (*d).Park(unsafe.Pointer(p), ctx), true
	}
	return false, false
}

func unparkDriven(p *Parker) bool {
	d := driver.Load()
	if d != nil {
		(*d).Unpark(unsafe.Pointer(p))
	}
	return d != nil
}

// FutexWait waits as futex(2) does if there is a driver, and reports whether
// there is.
func FutexWait(word *Uint32, value uint32) bool {
	d := driver.Load()
	if d != nil {
		(*d).FutexWait((*uint32)(unsafe.Pointer(word)), value)
	}
	return d != nil
}

// FutexWake wakes as futex(2) does if there is a driver, and reports whether
// there is.
func FutexWake(word *Uint32) bool {
	d := driver.Load()
	if d != nil {
		(*d).FutexWake((*uint32)(unsafe.Pointer(word)))
	}
	return d != nil
}
