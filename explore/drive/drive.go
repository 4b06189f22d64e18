// Package drive connects the explorer, which is a [Driver], with rewritten code and the
// twins of the standard library, which call it. The command explore inserts the calls; do
// not call it yourself.
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

// A Driver decides which thread runs, one at a time. The running thread calls its methods.
//
// While it ends an execution early, each call ends the calling thread, as
// [runtime.Goexit] does.
type Driver interface {
	// Step announces one operation on the cells at p and more, and returns when the caller may perform
	// it; other threads may run first. If there is no cell, the operation depends on none. If ready is
	// not nil, it is possible only while that returns true. Any thread may call ready, which depends
	// only on what steps have done.
	Step(op Op, p unsafe.Pointer, more []unsafe.Pointer, ready func() bool)
	// AwaitLast is Step for an operation that, like OpYield, happens only when no other
	// thread can continue.
	AwaitLast(op Op, p unsafe.Pointer, ready func() bool)
	// Wake says that the current operation also touches p: it has made a thread ready that
	// awaits p.
	Wake(p unsafe.Pointer)
	// Met says that another operation, the last one that has released p, has done what the current one
	// awaits, which only goes on.
	Met(p unsafe.Pointer)
	// Follows says that the current operation was possible only after that one. A receive takes what that
	// one has put into the channel.
	Follows(p unsafe.Pointer)
	// Missed says that the current operation has changed nothing, such as a CompareAndSwap
	// that failed. It counts as a read.
	Missed()
	// Arrivals reports whether it is a step to come to wait for what another thread sends. If set is true, it is
	// one in the executions to come.
	Arrivals(set bool) bool
	// Choose returns a number below n, each in some execution.
	Choose(n int) int
	// Chance returns a number below n, each in some execution, for a random one, or -1 if the thread
	// has drawn so many that not all are tried. Of n = 0, which is told, none is tried.
	Chance(n int) int
	// Random returns the next number of the thread's own sequence, which is the same in each
	// execution.
	Random() uint64
	// Again returns how often the thread has come back to this call, by the same calls and
	// with the same value as the time before, and how often it has only read and given way
	// in between. Both are 0 if the value has changed.
	Again(value int64) (times, idle int)

	// Rounds returns how often a thread may come back to a place where it waits for time or gives
	// way, before it must wait there until no other thread can continue.
	Rounds() int

	// Still reports whether time moves only when no thread can go on otherwise. If set is true, it does
	// so from now on.
	Still(set bool) bool

	// Go starts a thread.
	Go(f func())
	// Seen says of the thread that is started next that all of its code is rewritten: if it performs
	// no operation, there is nothing to see.
	Seen()
	// Daemon starts a thread that need not end: the execution is over when all other
	// threads have ended, and nobody sees what daemons do after that.
	Daemon(f func())
	// WhenIdle starts a daemon that performs a step on the cell at p, and calls f, when only
	// daemons are left.
	WhenIdle(p unsafe.Pointer, f func())

	// Resumed says that the calling goroutine continues as the running thread: one is a
	// coroutine of the other.
	Resumed()

	// Release orders everything that the thread has done, or that happened before that,
	// before a later Acquire of p.
	Release(p unsafe.Pointer)
	// Acquire orders what was released at p before what the thread does next.
	Acquire(p unsafe.Pointer)
	// Access is a plain access to size bytes at p. It is not a step.
	Access(p unsafe.Pointer, size uintptr, write bool)
	// AccessInStep is an access by the current step. Atomic ones race with plain ones.
	AccessInStep(p unsafe.Pointer, size uintptr, write, atomic bool)

	// Tracing reports whether Note and Name have an effect.
	Tracing() bool
	// Note records the values that the operation or access has read and written. A value of
	// type func() any is called when the thread continues; it returns what was written.
	Note(values ...any)
	// Name records the name of the cell at p in the source code.
	Name(p unsafe.Pointer, name string)

	// Fail makes the execution fail, and ends it.
	Fail(message string)
	// OnEnd calls f when the execution has ended.
	OnEnd(f func())
	// TB returns the execution's substitute for t, or t if there is none.
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

// get returns the driver, or None.
func get() Driver {
	i := installed.Load()
	if i == nil {
		if ids := abandoned.Load(); ids != nil && slices.Contains(*ids, self()) {
			select {}
		}
		return None{}
	}
	if running.Load() > 0 {
		return i.ofThread()
	}
	return i.Driver
}

// abandoned are the goroutines of an execution that does not end. What they hold is held in the
// execution alone: without a driver they would unlock a mutex that nobody has locked, and so end the
// process. So they stop at their next operation.
var abandoned atomic.Pointer[[]string]

// Abandon stops goroutines with these numbers at the next operation that is not driven.
func Abandon(ids []string) { abandoned.Store(&ids) }

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

// Outside returns a function that runs f as an outsider.
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

// Outsiders returns the functions of all outsiders that have not ended.
func Outsiders() (all []func()) {
	outsiders.Range(func(_, f any) bool {
		all = append(all, f.(func()))
		return true
	})
	return all
}

// Wait calls wait, which may block, for an outsider. It returns when no driver is installed.
func Wait(wait func()) {
	Leave()
	defer Back()
	wait()
}

// Leave says that the caller, an outsider, performs no operation until Back has returned.
func Leave() { running.Add(-1) }

// Back waits until no driver is installed.
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
func Driven() bool { return get() != None{} }

// All explores a test as the flag -all of the command does, or is nil without that.
var All func(t *testing.T, f func(t *testing.T))

// NotControlled ends the first line of a failure because of a function, which it begins with.
const NotControlled = " is called, which the explorer does not control"

// A Text is a value for Note that is shown verbatim.
type Text string

// An Entry is a value for Note: a map's value for a key. There is false if it has none.
type Entry struct {
	Key, Value any
	There      bool
}

// None stands for the driver if there is none.
type None struct{}

func (None) Step(Op, unsafe.Pointer, []unsafe.Pointer, func() bool) {}
func (None) AwaitLast(Op, unsafe.Pointer, func() bool)              {}
func (None) Wake(unsafe.Pointer)                                    {}
func (None) Met(unsafe.Pointer)                                     {}
func (None) Follows(unsafe.Pointer)                                 {}
func (None) Missed()                                                {}
func (None) Arrivals(bool) bool                                     { return false }
func (None) Choose(int) int                                         { return 0 }
func (None) Chance(int) int                                         { return -1 }
func (None) Random() uint64                                         { return 0 }
func (None) Again(int64) (times, idle int)                          { return 0, 0 }
func (None) Rounds() int                                            { return 0 }
func (None) Still(bool) bool                                        { return false }
func (None) Go(f func())                                            { go Outside(f)() }
func (None) Seen()                                                  {}
func (None) Daemon(f func())                                        { go Outside(f)() }
func (None) WhenIdle(unsafe.Pointer, func())                        {}
func (None) Resumed()                                               {}
func (None) Release(unsafe.Pointer)                                 {}
func (None) Acquire(unsafe.Pointer)                                 {}
func (None) Access(unsafe.Pointer, uintptr, bool)                   {}
func (None) AccessInStep(unsafe.Pointer, uintptr, bool, bool)       {}
func (None) Tracing() bool                                          { return false }
func (None) Note(...any)                                            {}
func (None) Name(unsafe.Pointer, string)                            {}
func (None) Fail(message string)                                    { panic(message) }
func (None) OnEnd(func())                                           {}
func (None) TB(t testing.TB) testing.TB                             { return t }

// Step calls the method of the [Driver], as do all functions here with the name of a method. Steps is
// Step on several cells, and Await is one that may wait.
func Step(op Op, p unsafe.Pointer)                         { get().Step(op, p, nil, nil) }
func Await(op Op, p unsafe.Pointer, ready func() bool)     { get().Step(op, p, nil, ready) }
func AwaitLast(op Op, p unsafe.Pointer, ready func() bool) { get().AwaitLast(op, p, ready) }
func Steps(op Op, p unsafe.Pointer, more []unsafe.Pointer, ready func() bool) {
	get().Step(op, p, more, ready)
}
func Wake(p unsafe.Pointer)               { get().Wake(p) }
func Met(p unsafe.Pointer)                { get().Met(p) }
func Follows(p unsafe.Pointer)            { get().Follows(p) }
func Missed()                             { get().Missed() }
func Arrivals(set bool) bool              { return get().Arrivals(set) }
func Chance(n int) int                    { return get().Chance(n) }
func Random() uint64                      { return get().Random() }
func Again(value int64) (times, idle int) { return get().Again(value) }
func Rounds() int                         { return get().Rounds() }
func Still(set bool) bool                 { return get().Still(set) }
func Go(f func())                         { get().Go(f) }
func Seen()                               { get().Seen() }
func Daemon(f func())                     { get().Daemon(f) }
func WhenIdle(p unsafe.Pointer, f func()) { get().WhenIdle(p, f) }
func Resumed()                            { get().Resumed() }
func Release(p unsafe.Pointer)            { get().Release(p) }
func Acquire(p unsafe.Pointer)            { get().Acquire(p) }
func Tracing() bool                       { return get().Tracing() }
func Note(values ...any)                  { get().Note(values...) }
func Name(p unsafe.Pointer, name string)  { get().Name(p, name) }
func Fail(message string)                 { get().Fail(message) }
func OnEnd(f func())                      { get().OnEnd(f) }
func TB(t testing.TB) testing.TB          { return get().TB(t) }

func Choose(n int) int {
	if n == 1 {
		return 0
	}
	return get().Choose(n)
}

func AccessInStep(p unsafe.Pointer, n uintptr, write, atomic bool) {
	get().AccessInStep(p, n, write, atomic)
}

func Access(p unsafe.Pointer, size uintptr, write bool) {
	if size > 0 {
		get().Access(p, size, write)
	}
}

var (
	expecting sync.Mutex
	expected  = make(map[string][]string)
	beside    = make(map[uintptr][]string)
)

// Expect says that a test calls explore.Possible with this what. Rewritten packages call it before
// main.
func Expect(test, what string) {
	expecting.Lock()
	defer expecting.Unlock()
	expected[test] = append(expected[test], what)
}

// Beside lists what is expected of other functions of the test, but not of the one with this code.
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

// A Variable is a package variable of a rewritten package, by its address.
type Variable struct {
	Package string
	Pointer any
}

var variables []Variable

// HasVariables is called by each rewritten package that has some, before main.
func HasVariables(pkg string, pointers ...any) {
	expecting.Lock()
	defer expecting.Unlock()
	for _, p := range pointers {
		variables = append(variables, Variable{pkg, p})
	}
}

// Variables returns those of all packages.
func Variables() []Variable {
	expecting.Lock()
	defer expecting.Unlock()
	return slices.Clone(variables)
}

var rewritten atomic.Bool

// Rewritten is called by each package that was rewritten, before main.
func Rewritten() bool {
	rewritten.Store(true)
	return true
}

// IsRewritten reports whether a package was.
func IsRewritten() bool { return rewritten.Load() }
