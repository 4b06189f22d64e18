// Package drive is what twins of the standard library and rewritten code call. It is
// for them alone, and for the explorer, which is a [Driver]: the command explore puts
// the calls in.
//
// While no driver is installed, the functions that start something do it as the
// language would, and the others do nothing.
package drive

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// A Driver decides which thread runs. It runs one at a time. Its methods are called by
// the thread that runs.
//
// While it ends an execution early, each call ends the calling thread, as
// [runtime.Goexit] does.
type Driver interface {
	// Step is one operation on the cell at p: another thread may come first. It returns
	// when the caller may perform the operation. A nil p is no cell: the operation
	// depends on none.
	Step(op Op, p unsafe.Pointer)
	// Steps is Step for one operation on several cells.
	Steps(op Op, ps []unsafe.Pointer)
	// Await is Step for an operation that is possible only while ready returns true.
	// Any thread may call ready, which depends only on what steps have done.
	Await(op Op, p unsafe.Pointer, ready func() bool)
	// AwaitLast is Await for an operation that comes when other threads cannot go on, as
	// OpYield does.
	AwaitLast(op Op, p unsafe.Pointer, ready func() bool)
	// Wake says that the operation that is performed now touches p, too: it has made a
	// thread ready that awaits p.
	Wake(p unsafe.Pointer)
	// Missed says that the operation that was performed has changed nothing: a
	// CompareAndSwap that failed, say. It counts as a read.
	Missed()
	// Choose returns a number below n, each in some execution.
	Choose(n int) int
	// Random returns the next number of the thread's own sequence, which is the same in each
	// execution.
	Random() uint64
	// Again returns how often the thread has come back to where it is called, by the same
	// calls, with the value of the time before, and how often it has done nothing in between
	// but read and give way. Both are 0 if the value is another one.
	Again(value int64) (times, idle int)

	// Rounds is how often a thread may come back to a place where it waits for time, or gives way,
	// before it has to wait there until other threads cannot go on.
	Rounds() int

	// Go starts a thread.
	Go(f func())
	// Daemon starts a thread that need not end: the execution is over when all threads
	// that are no daemons have ended, and nobody sees what it does after that.
	Daemon(f func())
	// WhenIdle starts a daemon that performs a step on the cell at p, and calls f, when all
	// threads that are no daemons have ended.
	WhenIdle(p unsafe.Pointer, f func())

	// Resumed says that the goroutine that calls goes on as the thread that runs: one is a
	// coroutine of the other.
	Resumed()

	// Release adds all that the thread has done, or that was done before it, to what is
	// before p.
	Release(p unsafe.Pointer)
	// Acquire puts what is before p before what the thread does next.
	Acquire(p unsafe.Pointer)
	// Access is a plain access to size bytes at p. It is no step.
	Access(p unsafe.Pointer, size uintptr, write bool)
	// AccessInStep is one by the step under way. An atomic one races with those that are not.
	AccessInStep(p unsafe.Pointer, size uintptr, write, atomic bool)

	// Tracing reports whether Note and Name have an effect.
	Tracing() bool
	// Note says which values the operation, or the access, has read and written. A value of
	// type func() any is called for what was written, when the thread goes on.
	Note(values ...any)
	// Name says what the source code calls the cell at p.
	Name(p unsafe.Pointer, name string)

	// Fail ends the execution, which has failed.
	Fail(message string)
	// OnEnd has f called when the execution has ended.
	OnEnd(f func())
	// TB returns what stands for t in the execution: t itself, if nothing does.
	TB(t testing.TB) testing.TB
}

// An installation is a driver and a channel that is closed when it is removed.
type installation struct {
	Driver
	removed chan struct{}
}

// installed is nil while there is none.
var installed atomic.Pointer[installation]

// Install installs a driver, or removes it if d is nil. No thread may be in an operation.
func Install(d Driver) {
	var i *installation
	if d != nil {
		i = &installation{d, make(chan struct{})}
	}
	if old := installed.Swap(i); old != nil {
		close(old.removed)
	}
}

// get returns the driver, or nil if there is none.
func get() Driver {
	i := installed.Load()
	if i == nil {
		return nil
	}
	if running.Load() > 0 {
		return i.ofThread()
	}
	return i.Driver
}

// An outsider is a goroutine that was started while no driver was installed. It is no thread, and
// would come between the threads by chance: while there is a driver it waits, at its next operation.

// running counts the outsiders that are not in a wait; outsiders has the functions of all, by their
// numbers.
var (
	running   atomic.Int32
	outsiders sync.Map
)

// ofThread returns the driver to a thread. An outsider waits until there is none.
func (i *installation) ofThread() Driver {
	if _, ok := outsiders.Load(self()); !ok { // that takes microseconds
		return i.Driver
	}
	Leave()
	<-i.removed
	Back()
	return get()
}

// Outside returns f as a function for an outsider.
func Outside(f func()) func() {
	return func() {
		id := self()
		outsiders.Store(id, f)
		Back()
		defer func() {
			Leave()
			outsiders.Delete(id)
		}()
		f()
	}
}

// Outsiders returns the functions of all that have not ended.
func Outsiders() (all []func()) {
	outsiders.Range(func(_, f any) bool {
		all = append(all, f.(func()))
		return true
	})
	return all
}

// Wait calls wait, which may block, while there is no driver. It returns when there is none again.
func Wait(wait func()) {
	Leave()
	defer Back()
	wait()
}

// Leave says that the caller, which is no thread, performs no operation until Back has returned.
func Leave() { running.Add(-1) }

// Back returns when there is no driver.
func Back() {
	for {
		running.Add(1)
		i := installed.Load()
		if i == nil {
			return
		}
		Leave()
		<-i.removed
	}
}

// self returns the number of the calling goroutine.
func self() string {
	var buf [32]byte
	_, text, _ := strings.Cut(string(buf[:runtime.Stack(buf[:], false)]), " ")
	id, _, _ := strings.Cut(text, " ")
	return id
}

// Driven reports whether a driver is installed.
func Driven() bool { return get() != nil }

// Step is that of the [Driver], as are all functions here that are named as its methods.
func Step(op Op, p unsafe.Pointer) {
	if d := get(); d != nil {
		d.Step(op, p)
	}
}

func Steps(op Op, ps []unsafe.Pointer) {
	if d := get(); d != nil {
		d.Steps(op, ps)
	}
}

// Await needs a driver.
func Await(op Op, p unsafe.Pointer, ready func() bool) { get().Await(op, p, ready) }

// AwaitLast needs a driver.
func AwaitLast(op Op, p unsafe.Pointer, ready func() bool) { get().AwaitLast(op, p, ready) }

func Wake(p unsafe.Pointer) {
	if d := get(); d != nil {
		d.Wake(p)
	}
}

func Missed() {
	if d := get(); d != nil {
		d.Missed()
	}
}

// Choose returns 0 if there is no driver.
func Choose(n int) int {
	if d := get(); d != nil && n != 1 {
		return d.Choose(n)
	}
	return 0
}

// Random needs a driver.
func Random() uint64 { return get().Random() }

// Again needs a driver.
func Again(value int64) (times, idle int) { return get().Again(value) }

// Rounds needs a driver.
func Rounds() int { return get().Rounds() }

func Go(f func()) {
	if d := get(); d != nil {
		d.Go(f)
		return
	}
	go Outside(f)()
}

func Daemon(f func()) {
	if d := get(); d != nil {
		d.Daemon(f)
		return
	}
	go Outside(f)()
}

// WhenIdle needs a driver.
func WhenIdle(p unsafe.Pointer, f func()) { get().WhenIdle(p, f) }

func Resumed() {
	if d := get(); d != nil {
		d.Resumed()
	}
}

func Release(p unsafe.Pointer) {
	if d := get(); d != nil {
		d.Release(p)
	}
}

func Acquire(p unsafe.Pointer) {
	if d := get(); d != nil {
		d.Acquire(p)
	}
}

func Access(p unsafe.Pointer, size uintptr, write bool) {
	if d := get(); d != nil && size > 0 {
		d.Access(p, size, write)
	}
}

func AccessInStep(p unsafe.Pointer, size uintptr, write, atomic bool) {
	if d := get(); d != nil {
		d.AccessInStep(p, size, write, atomic)
	}
}

func Tracing() bool {
	d := get()
	return d != nil && d.Tracing()
}

// A Text is a value for Note that is shown as it stands.
type Text string

// An Entry is a value for Note: that which a map has for a key, or none.
type Entry struct {
	Key, Value any
	There      bool
}

func Note(values ...any) {
	if d := get(); d != nil {
		d.Note(values...)
	}
}

func Name(p unsafe.Pointer, name string) {
	if d := get(); d != nil {
		d.Name(p, name)
	}
}

// Fail panics if there is no driver.
func Fail(message string) {
	if d := get(); d != nil {
		d.Fail(message)
	}
	panic(message)
}

func OnEnd(f func()) {
	if d := get(); d != nil {
		d.OnEnd(f)
	}
}

func TB(t testing.TB) testing.TB {
	if d := get(); d != nil {
		return d.TB(t)
	}
	return t
}

var (
	expecting sync.Mutex
	expected  = make(map[string][]string)
	beside    = make(map[uintptr][]string)
)

// Expect says that the function of a test calls explore.Possible about what. Packages that were
// rewritten call it before main.
func Expect(test, what string) {
	expecting.Lock()
	defer expecting.Unlock()
	expected[test] = append(expected[test], what)
}

// Beside says what is expected of other functions of the test, and not of that with the code.
func Beside(code uintptr, what []string) {
	expecting.Lock()
	defer expecting.Unlock()
	beside[code] = what
}

// Expected returns what was expected of a test, or of one that it is a subtest of, where it explores
// the function with the code.
func Expected(test string, code uintptr) []string {
	expecting.Lock()
	defer expecting.Unlock()
	test, _, _ = strings.Cut(test, "/")
	return slices.DeleteFunc(slices.Clone(expected[test]), func(what string) bool {
		return slices.Contains(beside[code], what)
	})
}

var rewritten atomic.Bool

// Rewritten is called by each package that was rewritten, before main.
func Rewritten() bool {
	rewritten.Store(true)
	return true
}

// IsRewritten reports whether a package was.
func IsRewritten() bool { return rewritten.Load() }
