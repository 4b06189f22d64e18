//go:build explore

package simulate

import (
	"context"
	"sync"
	"unsafe"
)

// The methods of [prim.Driver] that block, and those that release. Waiters are
// first in, first out.

// wait blocks the thread until it is released.
func (e *engine) wait(t *thread, c *cell, cost Time, where string) {
	t.released = false
	c.waiters = append(c.waiters, t)
	e.block(t, cost, where)
}

// first takes the thread that has waited longest. There is one.
func (c *cell) first() *thread {
	t := c.waiters[0]
	c.waiters = c.waiters[1:]
	return t
}

func (e *engine) releaseAll(t *thread, c *cell) {
	all := c.waiters
	c.waiters = nil // others may begin to wait meanwhile
	for _, u := range all {
		e.ready(t, u)
	}
}

// spinRounds is how often a locker looks again before it parks, as in sync.Mutex.
const spinRounds = 4

// Lock spins and then parks, as a sync.Mutex in its normal mode does.
func (e *engine) Lock(p unsafe.Pointer) {
	t, c := e.begin(p, modify)
	for spun := 0; c.holder != nil; {
		if spun < spinRounds && e.nextFor(t.processor, false) < 0 {
			spun++
			e.charge(t, idling, e.costs[mutexSpin]/spinRounds)
			if e.begin(p, read); c.holder != nil {
				continue
			}
		} else {
			e.wait(t, c, e.costs[switching], "Mutex.Lock")
			c.woken = false
		}
		e.begin(p, modify)
	}
	c.holder = t
}

// TryLock is that of a sync.Mutex.
func (e *engine) TryLock(p unsafe.Pointer) bool {
	t, c := e.begin(p, modify)
	if c.holder != nil {
		return false
	}
	c.holder = t
	return true
}

// Unlock wakes a locker if some are parked and none is on its way.
func (e *engine) Unlock(p unsafe.Pointer) {
	t, c := e.begin(p, modify)
	if c.holder == nil {
		panic("sync: unlock of unlocked mutex")
	}
	c.holder = nil
	if len(c.waiters) > 0 && !c.woken {
		c.woken = true
		e.ready(t, c.first())
	}
}

// CondWait is Wait of a sync.Cond. The thread waits before it gives the lock up.
func (e *engine) CondWait(p unsafe.Pointer, l sync.Locker) {
	t, c := e.begin(p, modify)
	t.released = false
	c.waiters = append(c.waiters, t)
	l.Unlock()
	e.block(e.sync(), e.costs[switching], "Cond.Wait")
	l.Lock()
}

// Signal is that of a sync.Cond.
func (e *engine) Signal(p unsafe.Pointer) {
	if t, c := e.begin(p, read); len(c.waiters) > 0 {
		e.ready(t, c.first())
	}
}

// Broadcast is that of a sync.Cond.
func (e *engine) Broadcast(p unsafe.Pointer) { e.releaseAll(e.begin(p, read)) }

// Add is that of a sync.WaitGroup.
func (e *engine) Add(p unsafe.Pointer, delta int) {
	t, c := e.begin(p, modify)
	if c.count += delta; c.count < 0 {
		panic("sync: negative WaitGroup counter")
	}
	if c.count == 0 {
		e.releaseAll(t, c)
	}
}

// Wait is that of a sync.WaitGroup.
func (e *engine) Wait(p unsafe.Pointer) {
	if t, c := e.begin(p, read); c.count > 0 {
		e.wait(t, c, e.costs[switching], "WaitGroup.Wait")
	}
}

// Park is that of a prim.Parker.
func (e *engine) Park(p unsafe.Pointer, ctx context.Context) (givenUp bool) {
	forever(ctx)
	t, c := e.begin(p, modify)
	for !c.permit {
		e.wait(t, c, e.costs[switching], "Parker.Park")
	}
	c.permit = false
	return false
}

// Unpark is that of a prim.Parker.
func (e *engine) Unpark(p unsafe.Pointer) {
	t, c := e.begin(p, modify)
	if c.permit {
		return
	}
	c.permit = true
	if len(c.waiters) > 0 {
		e.ready(t, c.first())
		e.Expose()
	}
}

// FutexWait is futex(2), of which the runtime knows.
func (e *engine) FutexWait(word *uint32, value uint32) {
	e.charge(e.sync(), idling, e.costs[syscall])
	if t, c := e.begin(unsafe.Pointer(word), read); *word == value {
		e.wait(t, c, e.costs[futexWait]-e.costs[syscall], "a futex")
	}
}

// FutexWake is futex(2). The system wakes the thread on an idle processor, without Go's
// scheduler.
func (e *engine) FutexWake(word *uint32) {
	t, c := e.sync(), e.cells.at(unsafe.Pointer(word))
	if len(c.waiters) == 0 {
		e.charge(t, idling, e.costs[syscall])
		return
	}
	u := c.first()
	e.charge(t, idling, e.costs[futexWake])
	e.sync()
	u.released = true
	if u.state == blocked {
		e.wakeDirectly(u, t.clock)
	}
}
