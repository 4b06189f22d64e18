package sync

import (
	"slices"
	rs "sync"
	"sync/atomic"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A Cond has the field and the methods of [sync.Cond]. Signal may wake any that waits.
type Cond struct {
	_ noCopy

	// L is held while observing or changing the condition.
	L Locker

	// made is the real one, made when first needed: a Cond may be one that NewCond did
	// not return.
	made atomic.Pointer[rs.Cond]

	self *Cond // in an execution that has used it: a copy has that of another one
}

// noCopy has go vet find copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// NewCond is that of package sync.
func NewCond(l Locker) *Cond { return &Cond{L: l} }

func (c *Cond) real() *rs.Cond {
	if c.made.Load() == nil {
		c.made.CompareAndSwap(nil, rs.NewCond(outsiders{c.L}))
	}
	return c.made.Load()
}

// outsiders is a Locker for the real Wait, which others do not leave beside an execution.
type outsiders struct{ Locker }

func (l outsiders) Unlock() {
	l.Locker.Unlock()
	drive.Leave()
}

func (l outsiders) Lock() {
	drive.Back()
	l.Locker.Lock()
}

// check panics if c is a copy.
func (c *Cond) check() {
	if c.self == nil {
		c.self = c
	} else if c.self != c {
		panic("sync.Cond is copied")
	}
}

func (c *Cond) Wait() {
	if !drive.Driven() {
		c.real().Wait()
		return
	}
	p := unsafe.Pointer(c)
	drive.Step(drive.OpCondWait, p)
	c.check()
	w := new(waiter)
	w.queue(p)
	c.L.Unlock()
	w.await(drive.OpCondReturn)
	c.L.Lock()
}

func (c *Cond) Signal() {
	if !drive.Driven() {
		c.real().Signal()
		return
	}
	p := unsafe.Pointer(c)
	drive.Step(drive.OpSignal, p)
	c.check()
	waiting := queues[p]
	n := len(waiting)
	if n == 0 {
		drive.Missed()
		return
	}
	k := drive.Choose(n)
	w := waiting[k]
	queues[p] = slices.Delete(waiting, k, k+1)
	w.release()
}

func (c *Cond) Broadcast() {
	if !drive.Driven() {
		c.real().Broadcast()
		return
	}
	p := unsafe.Pointer(c)
	drive.Step(drive.OpBroadcast, p)
	c.check()
	if len(queues[p]) == 0 {
		drive.Missed()
	}
	for _, w := range queues[p] {
		w.release()
	}
	delete(queues, p)
}

// A WaitGroup has the methods of [sync.WaitGroup].
//
// An Add from 0 must come before a Wait, or after it has returned. So they are accesses that race
// if nothing orders them: as in the original, of which some such panic, Adds do not race with each
// other, and neither do Waits.
type WaitGroup struct{ real rs.WaitGroup }

type waitGroup struct{ n int32 }

func (g *WaitGroup) in() *waitGroup { return within[waitGroup](&g.real) }

//go:norace
func (g *WaitGroup) idle() bool { return see[waitGroup](unsafe.Pointer(g)).n == 0 }

func (g *WaitGroup) Add(delta int) {
	if !drive.Driven() {
		g.real.Add(delta)
		return
	}
	p := unsafe.Pointer(g)
	if delta < 0 {
		drive.Step(drive.OpGroupDone, p)
		drive.Release(p)
	} else {
		drive.Step(drive.OpGroupAdd, p)
	}
	s := g.in()
	if s.n == 0 && delta > 0 {
		drive.AccessInStep(p, 1, true, true)
	}
	s.n += int32(delta)
	if drive.Tracing() {
		drive.Note(delta, s.n)
	}
	rest(s)
	if s.n < 0 {
		panic("sync: negative WaitGroup counter")
	}
}

func (g *WaitGroup) Done() { g.Add(-1) }

func (g *WaitGroup) Wait() {
	if !drive.Driven() {
		drive.Wait(g.real.Wait)
		return
	}
	check[waitGroup](&g.real)
	p := unsafe.Pointer(g)
	drive.Await(drive.OpGroupWait, p, g.idle)
	drive.AccessInStep(p, 1, false, false) // not after what it has waited for
	drive.Acquire(p)
}

func (g *WaitGroup) Go(f func()) {
	g.Add(1)
	drive.Go(func() {
		defer g.Done()
		f()
	})
}
