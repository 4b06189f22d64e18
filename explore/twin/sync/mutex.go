// Package sync is a twin of package sync, for rewritten code: each operation is a step of
// the execution, if there is one, or two if it waits.
//
// What an execution does to a primitive ends with the execution: a mutex that one leaves
// locked is not locked in the next. A [Map] keeps what it has, as other variables do.
package sync

import (
	rs "sync"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A Locker is that of package sync.
type Locker = rs.Locker

// states are what the execution knows of a primitive, by its address.
var states map[unsafe.Pointer]any

// stateOf returns what is known of the primitive at p: a *S.
func stateOf[S any](p unsafe.Pointer) *S {
	if states == nil {
		drive.OnEnd(func() { states = nil }) // if this is the end, there is nothing to forget
		states = make(map[unsafe.Pointer]any)
	}
	s, ok := states[p].(*S)
	if !ok {
		s = new(S)
		states[p] = s
	}
	return s
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

// Lock is that of the real type, like all methods here.
func (m *Mutex) Lock() {
	if !drive.Driven() {
		drive.Wait(m.real.Lock)
		return
	}
	p := unsafe.Pointer(m)
	s := stateOf[mutex](p)
	drive.Await(drive.OpLock, p, func() bool { return !s.locked })
	s.locked = true
	drive.Acquire(p)
}

func (m *Mutex) TryLock() bool {
	if !drive.Driven() {
		return m.real.TryLock()
	}
	p := unsafe.Pointer(m)
	s := stateOf[mutex](p)
	drive.Step(drive.OpTryLock, p)
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
	s := stateOf[mutex](p)
	drive.Step(drive.OpUnlock, p)
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
	writer  bool // has the lock, or waits for readers to leave
	readers int  // that have the lock
	waiting []*waiter
}

func (m *RWMutex) state() (*rwMutex, unsafe.Pointer) {
	p := unsafe.Pointer(m)
	return stateOf[rwMutex](p), p
}

// Readers are before the writers that follow, but not before other readers.
func (s *rwMutex) read() unsafe.Pointer { return unsafe.Pointer(s) }

func (m *RWMutex) Lock() {
	if !drive.Driven() {
		drive.Wait(m.real.Lock)
		return
	}
	s, p := m.state()
	drive.Await(drive.OpWLock, p, func() bool { return !s.writer })
	s.writer = true
	if s.readers > 0 {
		drive.Await(drive.OpWLockReturn, p, func() bool { return s.readers == 0 })
	}
	drive.Acquire(p)
	drive.Acquire(s.read())
}

func (m *RWMutex) TryLock() bool {
	if !drive.Driven() {
		return m.real.TryLock()
	}
	s, p := m.state()
	drive.Step(drive.OpTryWLock, p)
	got := !s.writer && s.readers == 0
	if got {
		s.writer = true
		drive.Acquire(p)
		drive.Acquire(s.read())
	}
	tried(got)
	return got
}

func (m *RWMutex) Unlock() {
	if !drive.Driven() {
		m.real.Unlock()
		return
	}
	s, p := m.state()
	drive.Step(drive.OpWUnlock, p)
	if !s.writer || s.readers > 0 {
		drive.Fail("sync: Unlock of unlocked RWMutex")
	}
	drive.Release(p)
	s.writer = false
	for _, w := range s.waiting {
		s.readers++
		w.release()
	}
	s.waiting = nil
}

func (m *RWMutex) RLock() {
	if !drive.Driven() {
		drive.Wait(m.real.RLock)
		return
	}
	s, p := m.state()
	drive.Step(drive.OpRLock, p)
	if s.writer {
		w := new(waiter)
		s.waiting = append(s.waiting, w)
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
	s, p := m.state()
	drive.Step(drive.OpTryRLock, p)
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
	s, p := m.state()
	drive.Step(drive.OpRUnlock, p)
	if s.readers == 0 {
		drive.Fail("sync: RUnlock of unlocked RWMutex")
	}
	drive.Release(s.read())
	s.readers--
}

func (m *RWMutex) RLocker() Locker { return (*reader)(m) }

type reader RWMutex

func (r *reader) Lock()   { (*RWMutex)(r).RLock() }
func (r *reader) Unlock() { (*RWMutex)(r).RUnlock() }
