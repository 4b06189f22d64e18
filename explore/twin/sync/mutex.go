// Package sync is a twin of package sync, for rewritten code: in an execution each operation
// is a step, or two steps if it waits.
//
// What an execution does to a primitive ends with the execution: a mutex that one execution
// leaves locked is not locked in the next. A [Map] keeps its contents, as other variables do.
package sync

import (
	"fmt"
	rs "sync"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A Locker is that of package sync.
type Locker = rs.Locker

// An inside is what an execution knows of a primitive. It is in the memory of the primitive, so
// it is overwritten and copied as that is. That memory has what the real one needs outside. A
// primitive at rest has zeros there, inside as outside: so one that was used equals a new one.
type inside[S any] struct {
	state S
	tag   uint32 // of the execution; the state of another one counts for nothing
}

//go:norace
func (i *inside[S]) forget() { *i = inside[S]{} }

var (
	execution uint32                  // its number
	used      []interface{ forget() } // those that are not at rest, and perhaps others
	noted     bool                    // that the execution has an end
)

// tag is that of the execution under way.
func tag() uint32 { return execution | 1<<31 }

// see returns the state of the primitive at p. Any thread may ask, in its turn.
//
//go:norace
func see[S any](p unsafe.Pointer) (s S) {
	if i := (*inside[S])(p); i.tag == tag() {
		s = i.state
	}
	return s
}

// at returns what is inside of the primitive at p, to be changed.
//
//go:norace
func at[S any](p unsafe.Pointer) *S {
	i := (*inside[S])(p)
	if !noted {
		drive.OnEnd(end) // if this is the end, nothing was changed
		noted = true
	}
	if i.tag != tag() {
		*i = inside[S]{tag: tag()}
		used = append(used, i)
	}
	return &i.state
}

// rest is called with what at has returned, after a change.
//
//go:norace
func rest[S comparable](s *S) {
	if *s != *new(S) {
		return
	}
	i := (*inside[S])(unsafe.Pointer(s))
	i.forget()
	if n := len(used) - 1; n >= 0 && used[n] == any(i) {
		used = used[:n]
	}
}

// check fails the execution if the real primitive is in use: what goes on outside of the execution
// no schedule can change. What pads it may have any value.
//
//go:norace
func check[S any, R comparable](real *R) {
	if (*inside[S])(unsafe.Pointer(real)).tag>>31 == 0 && *real != *new(R) {
		drive.Fail(fmt.Sprintf("this %s was locked, or counted, before the execution: create it in the function that you pass to explore.Test", fmt.Sprintf("%T", real)[1:]))
	}
}

// within is at for the primitive of which real is the real one.
func within[S any, R comparable](real *R) *S {
	check[S](real)
	return at[S](unsafe.Pointer(real))
}

// end has what was used forget the execution.
func end() {
	for _, i := range used {
		i.forget()
	}
	clear(used)
	used, queues, noted = used[:0], nil, false
	execution++
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

// in returns the state. It is called anew after each step, like that of others.
func (m *Mutex) in() *mutex { return within[mutex](&m.real) }

// check is called before each wait: others ask then whether m is free, and if m is nil, or in use, it
// is this thread that fails.
func (m *Mutex) check() { check[mutex](&m.real) }

// free is called by any thread, in its turn: the race detector does not know that. Others like
// it are the same.
//
//go:norace
func (m *Mutex) free() bool { return !see[mutex](unsafe.Pointer(m)).locked }

// Lock is that of the real type, like all methods here.
func (m *Mutex) Lock() {
	if !drive.Driven() {
		drive.Wait(m.real.Lock)
		return
	}
	m.check()
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
	rest(s)
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

func (m *RWMutex) check() { check[rwMutex](&m.real) }

//go:norace
func (m *RWMutex) noWriter() bool { return !see[rwMutex](unsafe.Pointer(m)).writer }

//go:norace
func (m *RWMutex) noReader() bool { return see[rwMutex](unsafe.Pointer(m)).readers == 0 }

// read is where readers come before the writers that follow, but not before other readers.
func (m *RWMutex) read() unsafe.Pointer {
	return unsafe.Pointer(&(*inside[rwMutex])(unsafe.Pointer(m)).state.readers)
}

func (m *RWMutex) Lock() {
	if !drive.Driven() {
		drive.Wait(m.real.Lock)
		return
	}
	m.check()
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
	rest(s)
	for _, w := range queues[p] {
		m.in().readers++
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
	rest(s)
}

func (m *RWMutex) RLocker() Locker { return (*reader)(m) }

type reader RWMutex

func (r *reader) Lock()   { (*RWMutex)(r).RLock() }
func (r *reader) Unlock() { (*RWMutex)(r).RUnlock() }
