// Package sync is a twin of package sync, for rewritten code: in an execution each operation
// is a step, or two steps if it waits.
//
// What an execution does to a primitive ends with the execution: a mutex that one execution
// leaves locked is not locked in the next. A [Map] keeps its contents, as other variables do.
package sync

import (
	"fmt"
	"slices"
	rs "sync"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A Locker is that of package sync.
type Locker = rs.Locker

// An inside is what an execution knows of a primitive. It is in the memory of the primitive, so
// it is overwritten and copied as that is. That memory has what the real one needs outside, so
// it is put back in the end.
type inside[S any] struct {
	state S
	tag   uint32 // of the execution; the state of another one counts for nothing
}

var (
	execution uint32 // its number
	before    []func()
	noted     bool // that the execution has an end
)

// at returns what is inside of the primitive at p. Any thread may ask, in its turn.
//
//go:norace
func at[S any](p unsafe.Pointer) *S {
	i := (*inside[S])(p)
	if !noted {
		drive.OnEnd(end) // if this is the end, nothing was changed
		execution++
		noted = true
	}
	if tag := execution | 1<<31; i.tag != tag {
		real := *i
		before = append(before, func() { *i = real })
		*i = inside[S]{tag: tag}
	}
	return &i.state
}

// within is at for the primitive of which real is the real one. Where that is in use, the execution
// fails: what goes on outside of it no schedule can change. What pads real may have any value.
//
//go:norace
func within[S any, R comparable](real *R) *S {
	p := unsafe.Pointer(real)
	if (*inside[S])(p).tag>>31 == 0 && *real != *new(R) {
		drive.Fail(fmt.Sprintf("this %s was locked, or counted, before the execution: create it in the function that you pass to explore.Test", fmt.Sprintf("%T", real)[1:]))
	}
	return at[S](p)
}

// end puts back what was there before, the first that was there last.
func end() {
	for _, f := range slices.Backward(before) {
		f()
	}
	before, queues, noted = nil, nil, false
}

// A waiter is a thread that waits for another one to release it.
type waiter struct{ released bool }

// await returns when the waiter is released.
func (w *waiter) await(op drive.Op) {
	drive.Await(op, unsafe.Pointer(w), func() bool { return w.released })
	drive.Acquire(unsafe.Pointer(w))
}

func (w *waiter) release() {
	w.released = true
	drive.Release(unsafe.Pointer(w))
	drive.Wake(unsafe.Pointer(w))
}

// A Mutex has the methods of [sync.Mutex].
type Mutex struct{ real rs.Mutex }

type mutex struct{ locked bool }

// in returns the state. It is called anew after each step, like that of others, and before each wait:
// others ask then, and if m is nil, or in use, it is this thread that fails.
func (m *Mutex) in() *mutex { return within[mutex](&m.real) }

// free is called by any thread, in its turn: the race detector does not know that. Others like
// it are the same.
//
//go:norace
func (m *Mutex) free() bool { return !m.in().locked }

// Lock is that of the real type, like all methods here.
func (m *Mutex) Lock() {
	if !drive.Driven() {
		drive.Wait(m.real.Lock)
		return
	}
	m.in()
	p := unsafe.Pointer(m)
	drive.Await(drive.OpLock, p, m.free)
	m.in().locked = true
	drive.Acquire(p)
}

func (m *Mutex) TryLock() bool {
	if !drive.Driven() {
		return m.real.TryLock()
	}
	p := unsafe.Pointer(m)
	drive.Step(drive.OpTryLock, p)
	s := m.in()
	got := !s.locked
	if got {
		s.locked = true
		drive.Acquire(p)
	}
	tried(got)
	return got
}

// tried ends an attempt.
func tried(got bool) {
	if !got {
		drive.Missed()
	}
	if drive.Tracing() {
		drive.Note(got)
	}
}

func (m *Mutex) Unlock() {
	if !drive.Driven() {
		m.real.Unlock()
		return
	}
	p := unsafe.Pointer(m)
	drive.Step(drive.OpUnlock, p)
	s := m.in()
	if !s.locked {
		drive.Fail("sync: unlock of unlocked mutex")
	}
	drive.Release(p)
	s.locked = false
}

// An RWMutex has the methods of [sync.RWMutex]. As there, readers that come while a writer
// waits come after it, and those that wait as a writer leaves come before the next one.
type RWMutex struct{ real rs.RWMutex }

type rwMutex struct {
	writer  bool  // has the lock, or waits for readers to leave
	readers int32 // that have the lock
}

// queues have what waits, by the primitive. A copy has none.
var queues map[unsafe.Pointer][]*waiter

func (w *waiter) queue(p unsafe.Pointer) {
	if queues == nil {
		queues = make(map[unsafe.Pointer][]*waiter)
	}
	queues[p] = append(queues[p], w)
}

func (m *RWMutex) in() *rwMutex { return within[rwMutex](&m.real) }

//go:norace
func (m *RWMutex) noWriter() bool { return !m.in().writer }

//go:norace
func (m *RWMutex) noReader() bool { return m.in().readers == 0 }

// read is where readers come before the writers that follow, but not before other readers.
func (m *RWMutex) read() unsafe.Pointer { return unsafe.Pointer(&m.in().readers) }

func (m *RWMutex) Lock() {
	if !drive.Driven() {
		drive.Wait(m.real.Lock)
		return
	}
	m.in()
	p := unsafe.Pointer(m)
	drive.Await(drive.OpWLock, p, m.noWriter)
	m.in().writer = true
	if m.in().readers > 0 {
		drive.Await(drive.OpWLockReturn, p, m.noReader)
	}
	drive.Acquire(p)
	drive.Acquire(m.read())
}

func (m *RWMutex) TryLock() bool {
	if !drive.Driven() {
		return m.real.TryLock()
	}
	p := unsafe.Pointer(m)
	drive.Step(drive.OpTryWLock, p)
	s := m.in()
	got := !s.writer && s.readers == 0
	if got {
		s.writer = true
		drive.Acquire(p)
		drive.Acquire(m.read())
	}
	tried(got)
	return got
}

func (m *RWMutex) Unlock() {
	if !drive.Driven() {
		m.real.Unlock()
		return
	}
	p := unsafe.Pointer(m)
	drive.Step(drive.OpWUnlock, p)
	s := m.in()
	if !s.writer || s.readers > 0 {
		drive.Fail("sync: Unlock of unlocked RWMutex")
	}
	drive.Release(p)
	s.writer = false
	for _, w := range queues[p] {
		s.readers++
		w.release()
	}
	delete(queues, p)
}

func (m *RWMutex) RLock() {
	if !drive.Driven() {
		drive.Wait(m.real.RLock)
		return
	}
	p := unsafe.Pointer(m)
	drive.Step(drive.OpRLock, p)
	s := m.in()
	if s.writer {
		w := new(waiter)
		w.queue(p)
		w.await(drive.OpRLockReturn)
		return
	}
	s.readers++
	drive.Acquire(p)
}

func (m *RWMutex) TryRLock() bool {
	if !drive.Driven() {
		return m.real.TryRLock()
	}
	p := unsafe.Pointer(m)
	drive.Step(drive.OpTryRLock, p)
	s := m.in()
	got := !s.writer
	if got {
		s.readers++
		drive.Acquire(p)
	}
	tried(got)
	return got
}

func (m *RWMutex) RUnlock() {
	if !drive.Driven() {
		m.real.RUnlock()
		return
	}
	drive.Step(drive.OpRUnlock, unsafe.Pointer(m))
	s := m.in()
	if s.readers == 0 {
		drive.Fail("sync: RUnlock of unlocked RWMutex")
	}
	drive.Release(m.read())
	s.readers--
}

func (m *RWMutex) RLocker() Locker { return (*reader)(m) }

type reader RWMutex

func (r *reader) Lock()   { (*RWMutex)(r).RLock() }
func (r *reader) Unlock() { (*RWMutex)(r).RUnlock() }
