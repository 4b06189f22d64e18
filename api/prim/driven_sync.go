//go:build explore

package prim

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// A Mutex has the methods of [sync.Mutex].
type Mutex struct{ real sync.Mutex }

// Lock is that of the real type, like all methods here.
func (m *Mutex) Lock() {
	if d := current(); d != nil {
		d.Lock(unsafe.Pointer(m))
		return
	}
	m.real.Lock()
}

func (m *Mutex) TryLock() bool {
	if d := current(); d != nil {
		return d.TryLock(unsafe.Pointer(m))
	}
	return m.real.TryLock()
}

func (m *Mutex) Unlock() {
	if d := current(); d != nil {
		d.Unlock(unsafe.Pointer(m))
		return
	}
	m.real.Unlock()
}

// A Cond has the field and the methods of [sync.Cond].
type Cond struct {
	// L is held while observing or changing the condition.
	L sync.Locker

	// made is the real one, made when first needed: a Cond may be one that
	// NewCond did not return.
	made atomic.Pointer[sync.Cond]
}

// NewCond is [sync.NewCond].
func NewCond(l sync.Locker) *Cond { return &Cond{L: l} }

func (c *Cond) real() *sync.Cond {
	if c.made.Load() == nil {
		c.made.CompareAndSwap(nil, sync.NewCond(c.L))
	}
	return c.made.Load()
}

// Wait is that of the real type, like all methods here.
func (c *Cond) Wait() {
	if d := current(); d != nil {
		d.CondWait(unsafe.Pointer(c), c.L)
		return
	}
	c.real().Wait()
}

func (c *Cond) Signal() {
	if d := current(); d != nil {
		d.Signal(unsafe.Pointer(c))
		return
	}
	c.real().Signal()
}

func (c *Cond) Broadcast() {
	if d := current(); d != nil {
		d.Broadcast(unsafe.Pointer(c))
		return
	}
	c.real().Broadcast()
}

// A WaitGroup has the methods of [sync.WaitGroup].
type WaitGroup struct{ real sync.WaitGroup }

// Add is that of the real type, like all methods here.
func (g *WaitGroup) Add(delta int) {
	if d := current(); d != nil {
		d.Add(unsafe.Pointer(g), delta)
		return
	}
	g.real.Add(delta)
}

func (g *WaitGroup) Done() { g.Add(-1) }

func (g *WaitGroup) Wait() {
	if d := current(); d != nil {
		d.Wait(unsafe.Pointer(g))
		return
	}
	g.real.Wait()
}

func (g *WaitGroup) Go(f func()) {
	g.Add(1)
	Go(func() {
		defer g.Done()
		f()
	})
}
