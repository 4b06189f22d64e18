package sync

import (
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

type cond struct{ waiting []*waiter }

func (c *Cond) Wait() {
	if !drive.Driven() {
		c.real().Wait()
		return
	}
	p := unsafe.Pointer(c)
	s := stateOf[cond](p)
	drive.Step(drive.OpCondWait, p)
	w := new(waiter)
	s.waiting = append(s.waiting, w)
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
	s := stateOf[cond](p)
	drive.Step(drive.OpSignal, p)
	n := len(s.waiting)
	if n == 0 {
		drive.Missed()
		return
	}
	k := drive.Choose(n)
	w := s.waiting[k]
	s.waiting = append(s.waiting[:k:k], s.waiting[k+1:]...)
	w.release()
}

func (c *Cond) Broadcast() {
	if !drive.Driven() {
		c.real().Broadcast()
		return
	}
	p := unsafe.Pointer(c)
	s := stateOf[cond](p)
	drive.Step(drive.OpBroadcast, p)
	if len(s.waiting) == 0 {
		drive.Missed()
	}
	for _, w := range s.waiting {
		w.release()
	}
	s.waiting = nil
}

// A WaitGroup has the methods of [sync.WaitGroup].
type WaitGroup struct{ real rs.WaitGroup }

type waitGroup struct{ n int }

func (g *WaitGroup) Add(delta int) {
	if !drive.Driven() {
		g.real.Add(delta)
		return
	}
	p := unsafe.Pointer(g)
	s := stateOf[waitGroup](p)
	if delta < 0 {
		drive.Step(drive.OpGroupDone, p)
		drive.Release(p)
	} else {
		drive.Step(drive.OpGroupAdd, p)
	}
	s.n += delta
	if drive.Tracing() {
		drive.Note(delta, s.n)
	}
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
	p := unsafe.Pointer(g)
	s := stateOf[waitGroup](p)
	drive.Await(drive.OpGroupWait, p, func() bool { return s.n == 0 })
	drive.Acquire(p)
}

func (g *WaitGroup) Go(f func()) {
	g.Add(1)
	drive.Go(func() {
		defer g.Done()
		f()
	})
}
