//go:build explore

package simulate

import (
	"context"
	"slices"
	"sync"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
)

// The methods of [prim.Timekeeper] that block, and those that release.

// spinRounds is how often a locker looks again before it parks, as in
// sync.Mutex.
const spinRounds = 4

// enqueue lets the thread wait.
func (w *waiting) enqueue(t *thread) {
	t.released = false
	w.waiters = append(w.waiters, t)
}

// dequeue takes the thread that has waited longest. There is one.
func (w *waiting) dequeue() *thread {
	t := w.waiters[0]
	w.waiters = w.waiters[1:]
	return t
}

// start is begin for what threads may wait for.
func (e *engine) start(op prim.Op, p unsafe.Pointer, a access) (*thread, *waiting) {
	t, c := e.begin(op, p, a)
	return t, c.waiting()
}

// Lock spins and then parks, as a sync.Mutex in its normal mode does.
func (e *engine) Lock(p unsafe.Pointer) {
	t, w := e.start(prim.OpLock, p, modify)
	for spun := 0; w.holder != nil; {
		if spun < spinRounds && len(e.processors[t.processor].queue) == 0 {
			spun++
			e.charge(t, pausing, e.cost.mutexSpin/spinRounds)
			e.start(prim.OpLoad, p, read)
			if w.holder != nil {
				continue
			}
		} else {
			w.enqueue(t)
			e.block(t, e.cost.park, "Mutex.Lock")
			w.woken = false
		}
		e.start(prim.OpCompareAndSwap, p, modify)
	}
	w.holder = t
}

// TryLock is that of a sync.Mutex.
func (e *engine) TryLock(p unsafe.Pointer) bool {
	t, w := e.start(prim.OpTryLock, p, modify)
	if w.holder != nil {
		return false
	}
	w.holder = t
	return true
}

// Unlock wakes a locker if some are parked and none is on its way.
func (e *engine) Unlock(p unsafe.Pointer) {
	t, w := e.start(prim.OpUnlock, p, modify)
	if w.holder == nil {
		panic("sync: unlock of unlocked mutex")
	}
	w.holder = nil
	if len(w.waiters) > 0 && !w.woken {
		w.woken = true
		e.ready(t, w.dequeue())
	}
}

// CondWait is Wait of a sync.Cond.
func (e *engine) CondWait(p unsafe.Pointer, l sync.Locker) {
	t, w := e.start(prim.OpCondWait, p, modify)
	w.enqueue(t)
	l.Unlock()
	e.block(e.sync(), e.cost.park, "Cond.Wait")
	l.Lock()
}

// Signal is that of a sync.Cond.
func (e *engine) Signal(p unsafe.Pointer) {
	t, w := e.start(prim.OpSignal, p, read)
	if len(w.waiters) > 0 {
		e.ready(t, w.dequeue())
	}
}

// Broadcast is that of a sync.Cond.
func (e *engine) Broadcast(p unsafe.Pointer) {
	t, w := e.start(prim.OpBroadcast, p, read)
	e.releaseAll(t, w)
}

func (e *engine) releaseAll(t *thread, w *waiting) {
	all := slices.Clone(w.waiters)
	w.waiters = w.waiters[:0]
	for _, u := range all {
		e.ready(t, u)
	}
}

// Add is that of a sync.WaitGroup.
func (e *engine) Add(p unsafe.Pointer, delta int) {
	t, w := e.start(prim.OpGroupAdd, p, modify)
	w.count += delta
	if w.count < 0 {
		panic("sync: negative WaitGroup counter")
	}
	if w.count == 0 {
		e.releaseAll(t, w)
	}
}

// Wait is that of a sync.WaitGroup.
func (e *engine) Wait(p unsafe.Pointer) {
	t, w := e.start(prim.OpGroupWait, p, read)
	if w.count == 0 {
		return
	}
	w.enqueue(t)
	e.block(t, e.cost.park, "WaitGroup.Wait")
}

// Park is that of a prim.Parker.
func (e *engine) Park(p unsafe.Pointer, ctx context.Context) (givenUp bool) {
	t, w := e.start(prim.OpPark, p, modify)
	forever(ctx)
	for !w.permit {
		w.enqueue(t)
		e.block(t, e.cost.park, "Parker.Park")
	}
	w.permit = false
	return false
}

// Unpark is that of a prim.Parker.
func (e *engine) Unpark(p unsafe.Pointer) {
	t, w := e.start(prim.OpUnpark, p, modify)
	if w.permit {
		return
	}
	w.permit = true
	if len(w.waiters) > 0 {
		e.ready(t, w.dequeue())
		e.Expose()
	}
}

// FutexWait is futex(2), of which the runtime knows.
func (e *engine) FutexWait(word *uint32, value uint32) {
	t := e.sync()
	e.charge(t, waking, e.cost.syscall)
	t, w := e.start(prim.OpFutexWait, unsafe.Pointer(word), read)
	if *word != value {
		return
	}
	w.enqueue(t)
	e.block(t, e.cost.futexWait-e.cost.syscall, "a futex")
}

// FutexWake is futex(2). The system wakes the thread on an idle processor, without
// Go's scheduler.
func (e *engine) FutexWake(word *uint32) {
	t := e.sync()
	c := e.cells.at(unsafe.Pointer(word))
	w := c.waiting()
	e.observe(t, int(prim.OpFutexWake), c)
	if len(w.waiters) == 0 {
		e.charge(t, waking, e.cost.syscall)
		return
	}
	u := w.dequeue()
	e.Wakes++
	e.charge(t, waking, e.cost.futexWake)
	e.sync()
	u.released = true
	if u.state == blocked {
		e.place(u, t.clock, t.clock+e.cost.futexLatency)
	}
}

// forever panics if the context can end: the simulator does not know of that.
func forever(ctx context.Context) {
	if ctx != nil && ctx.Done() != nil {
		panic("simulate: a context that can end is not simulated")
	}
}
