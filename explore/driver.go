//go:build explore

package explore

import (
	"context"
	"reflect"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
)

// The methods of [prim.Driver]. Each is one step, or two where the operation
// waits. The release and acquire calls stand for what the operation of the real
// primitive orders.

var _ prim.Driver = (*engine)(nil)

//go:norace
func (e *engine) Atomic(op prim.Op, p unsafe.Pointer) (traced bool) {
	t := e.enter()
	if e.sole && e.ordered && !e.traced {
		e.tick(t)
		return false
	}
	e.point(t, op, e.cellAt(p))
	return e.traced
}

// step performs an operation without further details.
//
//go:norace
func (e *engine) step(op prim.Op, p unsafe.Pointer) (*thread, *cell) {
	t := e.enter()
	c := e.cellAt(p)
	e.point(t, op, c)
	return t, c
}

// Missed is called when a CompareAndSwap has swapped nothing.
//
//go:norace
func (e *engine) Missed() { e.does(effectRead) }

//go:norace
func (e *engine) Lock(p unsafe.Pointer) {
	t, c := e.step(prim.OpLock, p)
	c.holder = t
	acquire(p)
}

//go:norace
func (e *engine) TryLock(p unsafe.Pointer) bool {
	t := e.enter()
	c := e.cellAt(p)
	if !e.tries {
		e.tries, e.restart = true, e.config.strategy == bounded
	}
	e.point(t, prim.OpTryLock, c)
	if c.holder != nil {
		e.does(effectBusy)
		return false
	}
	c.holder = t
	acquire(p)
	return true
}

//go:norace
func (e *engine) Unlock(p unsafe.Pointer) {
	t, c := e.step(prim.OpUnlock, p)
	if c.holder == nil {
		e.fail(Panicked, "unlock of a mutex that is not locked")
		t.unwind()
	}
	release(p)
	c.holder = nil
}

//go:norace
func (e *engine) CondWait(p unsafe.Pointer, l sync.Locker) {
	t, c := e.step(prim.OpCondWait, p)
	t.released, t.woken = false, 0
	c.waiters = append(c.waiters, t)
	l.Unlock()
	e.point(t, prim.OpCondReturn, c)
	c.remove(t)
	l.Lock()
}

//go:norace
func (e *engine) Signal(p unsafe.Pointer) {
	t, c := e.step(prim.OpSignal, p)
	e.releaseOne(t, c)
}

// releaseOne ends the wait of one of the threads that wait at c.
//
//go:norace
func (e *engine) releaseOne(t *thread, c *cell) {
	if len(c.waiters) == 0 {
		e.does(effectAlone)
		return
	}
	k := e.pick(len(c.waiters))
	if k < 0 {
		t.unwind()
	}
	u := c.waiters[k]
	t.chose(u.id)
	u.released, u.woken = true, len(e.dpor.records)
	c.remove(u)
}

// remove takes t out of the threads that wait at c, if it is among them.
//
//go:norace
func (c *cell) remove(t *thread) {
	n := 0
	for _, u := range c.waiters {
		if u != t {
			c.waiters[n] = u
			n++
		}
	}
	c.waiters = c.waiters[:n]
}

//go:norace
func (e *engine) Broadcast(p unsafe.Pointer) {
	_, c := e.step(prim.OpBroadcast, p)
	if len(c.waiters) == 0 {
		e.does(effectAlone)
	}
	for _, u := range c.waiters {
		u.released, u.woken = true, len(e.dpor.records)
	}
	c.waiters = c.waiters[:0]
}

//go:norace
func (e *engine) Add(p unsafe.Pointer, delta int) {
	t, c := e.step(prim.OpGroupAdd, p)
	if delta < 0 {
		release(p)
		e.does(effectDone)
	}
	if c.count != 0 {
		e.opens()
	}
	c.count += delta
	if c.count < 0 {
		e.fail(Panicked, "the counter of a wait group is negative")
		t.unwind()
	}
}

//go:norace
func (e *engine) Wait(p unsafe.Pointer) {
	e.step(prim.OpGroupWait, p)
	acquire(p)
}

//go:norace
func (e *engine) Park(p unsafe.Pointer, ctx context.Context) (givenUp bool) {
	t := e.enter()
	c := e.cellAt(p)
	t.ctx = ctx
	e.point(t, prim.OpPark, c)
	t.ctx = nil
	if givenUp = ended(ctx); givenUp && c.permit {
		k := e.pick(2)
		if k < 0 {
			t.unwind()
		}
		givenUp = k == 1
		t.chose(uint64(k))
	}
	if givenUp {
		<-ctx.Done() // orders
		return true
	}
	c.permit = false
	acquire(p)
	release(p)
	return false
}

// ended reports whether the context has, in a way that orders nothing.
//
//go:norace
func ended(ctx context.Context) bool {
	if ctx == nil {
		return false
	}
	hide()
	err := ctx.Err()
	unhide()
	return err != nil
}

//go:norace
func (e *engine) Unpark(p unsafe.Pointer) {
	_, c := e.step(prim.OpUnpark, p)
	if c.permit {
		e.does(effectSpare)
		return
	}
	e.opens()
	c.permit = true
	acquire(p)
	release(p)
}

//go:norace
func (e *engine) FutexWait(word *uint32, value uint32) {
	t, c := e.step(prim.OpFutexWait, unsafe.Pointer(word))
	if *word != value {
		e.does(effectRead)
		return
	}
	t.released, t.woken = false, 0
	c.waiters = append(c.waiters, t)
	e.point(t, prim.OpFutexReturn, c)
	c.remove(t)
}

//go:norace
func (e *engine) FutexWake(word *uint32) {
	t, c := e.step(prim.OpFutexWake, unsafe.Pointer(word))
	e.releaseOne(t, c)
}

// Now goes on by a tick with each call, and never back: the program may compare times of two executions.
//
//go:norace
func (e *engine) Now() time.Duration {
	passed += e.config.tick
	return passed
}

// passed is what [prim.Now] returned last.
var passed time.Duration

func (e *engine) Processors() int { return runtime.GOMAXPROCS(0) }

// Size is small: so a sort of three elements does all that one of many does.
func (e *engine) Size(n int) int { return min(n, 2) }

// What takes time, and which access is plain, is for a driver that measures.

func (e *engine) Touch(unsafe.Pointer, uintptr, bool) {}
func (e *engine) Expose()                             {}
func (e *engine) Callers()                            {}

//go:norace
func (e *engine) Yield() { e.giveWay(prim.OpYield) }

//go:norace
func (e *engine) Spin(int) { e.giveWay(prim.OpSpin) }

//go:norace
func (e *engine) giveWay(op prim.Op) {
	t := e.enter()
	if t.patient = e.config.rounds == 0; !t.patient {
		times, _ := t.been.again(0, t.acts)
		t.patient = times >= e.config.rounds
	}
	e.point(t, op, nil)
	t.patient = false
}

func (e *engine) Go(f func()) {
	e.start(nameOf(f), f, false, false)
}

// nameOf returns the name of a function, for traces.
func nameOf(f func()) string {
	return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
}

// whereIs returns where a function of the program is, or none.
func whereIs(f func()) site {
	pc := reflect.ValueOf(f).Pointer()
	r := runtime.FuncForPC(pc)
	file, line := r.FileLine(pc)
	if ours(runtime.Frame{Function: r.Name(), File: file}) {
		return site{}
	}
	return site{file, line}
}

func (e *engine) AfterFunc(ctx context.Context, f func()) (stop func() bool) {
	// The address of the variable is that of the cell.
	handle := new(uint64)
	e.start(nameOf(f), func() {
		if e.contextEnds(unsafe.Pointer(handle), ctx) {
			f()
		}
	}, false, true)
	return func() bool { return e.stopAfterFunc(unsafe.Pointer(handle)) }
}

// contextEnds waits for the end of ctx. It returns false if f is not to run.
//
//go:norace
func (e *engine) contextEnds(p unsafe.Pointer, ctx context.Context) bool {
	t := e.enter()
	c := e.cellAt(p)
	t.ctx = ctx
	e.point(t, prim.OpAfterFunc, c)
	t.ctx = nil
	if c.stopped {
		return false
	}
	c.stopped = true
	t.daemon = false
	e.daemons--
	<-ctx.Done() // orders
	return true
}

//go:norace
func (e *engine) stopAfterFunc(p unsafe.Pointer) bool {
	_, c := e.step(prim.OpStop, p)
	stopped := !c.stopped
	c.stopped = true
	return stopped
}
