//go:build explore

package simulate

import (
	"context"
	"reflect"
	"runtime"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
)

// The methods of [prim.Timekeeper] that do not block.

var _ prim.Timekeeper = (*engine)(nil)

// Atomic accesses the line, and returns when the operation takes effect.
func (e *engine) Atomic(op prim.Op, p unsafe.Pointer) (traced bool) {
	a := modify
	if op == prim.OpLoad {
		a = read
	}
	t, _ := e.begin(op, p, a)
	return t.unknown != nil
}

// Note names a cell for its type, after it has missed for the first time.
func (e *engine) Note(cellType string, _ ...any) {
	if t := e.current; t.unknown != nil {
		e.nameUnknown(t, cellType)
	}
}

// begin is the beginning of an operation on a primitive: an access to its line.
func (e *engine) begin(op prim.Op, p unsafe.Pointer, a access) (*thread, *cell) {
	t := e.sync()
	c := e.cells.at(p)
	e.Ops++
	e.observe(t, int(op), c)
	e.access(t, c, c.line, a)
	e.charge(t, local, e.cost.op)
	return t, c
}

// Processors is [prim.Processors].
func (e *engine) Processors() int { return e.machine.Processors }

// Now is [prim.Now]. Of its cost the simulator knows nothing but the call.
func (e *engine) Now() time.Duration {
	return time.Duration(Now() / Nanosecond)
}

// Declare is [prim.Declare].
func (e *engine) Declare(p unsafe.Pointer, elem reflect.Type, n int) {
	var pcs [1]uintptr
	runtime.Callers(3, pcs[:])
	e.cells.declare(p, elem, n, pcs[0])
}

// Touch is [prim.Touch]. To a line that is here it takes a few instructions only,
// and needs no exact order.
func (e *engine) Touch(p unsafe.Pointer, size uintptr, writes bool) {
	t := e.current
	c := e.cells.at(p)
	c.span(size)
	a := read
	if writes {
		a = write
	}
	e.touch(t, c, c.line, a)
	for _, l := range c.more {
		e.touch(t, c, l, a)
	}
	e.charge(t, local, e.cost.op)
}

func (e *engine) touch(t *thread, c *cell, l *line, a access) {
	if t.here(l, a) {
		return
	}
	e.sync()
	e.Ops++
	e.observe(t, -1, c)
	e.access(t, c, l, a)
	if t.unknown != nil {
		e.nameUnknown(t, "variable")
	}
}

// SpinFor is [prim.Spin].
func (e *engine) SpinFor(n int) {
	e.charge(e.current, pausing, Time(max(n, 0))*e.cost.spin)
}

// Expose is [prim.Expose]: a goroutine is started and ends.
func (e *engine) Expose() { e.charge(e.current, waking, e.cost.spawn) }

// Callers is [prim.Callers]. It is counted with waits: a goroutine looks at its stack
// before it blocks, or waits for a seat.
func (e *engine) Callers() { e.charge(e.current, waking, e.cost.callers) }

// Yield is [prim.Yield]; of Spin, SpinFor is told.
func (e *engine) Yield(op prim.Op) {
	t := e.sync()
	e.Ops++
	e.observe(t, int(op), nil)
	e.charge(t, pausing, e.cost.yield)
	e.sync()
	e.takeLock(t, pausing)
	if e.hasNext(t.processor, t.clock) {
		e.sync()
		if e.hasNext(t.processor, t.clock) {
			e.giveTurn(t)
		}
	}
}

// Go is [prim.Go].
func (e *engine) Go(f func()) {
	t := e.sync()
	e.Ops++
	e.Goroutines++
	e.observe(t, int(prim.OpGo), nil)
	e.charge(t, waking, e.cost.spawn)
	e.sync()
	e.dispatch(t, e.newThread(f))
}

// AfterFunc is [prim.AfterFunc]. The function starts when the end of the context
// is noticed, which is when the next thread goes on.
func (e *engine) AfterFunc(ctx context.Context, f func()) (stop func() bool) {
	t := e.sync()
	e.Ops++
	e.charge(t, waking, e.cost.ready)
	if ctx.Done() == nil {
		return func() bool { return true }
	}
	u := e.newThread(f)
	u.state, u.ctx, u.blockedIn = blocked, ctx, "AfterFunc"
	e.awaiting = append(e.awaiting, u)
	return func() bool {
		stopped := e.forget(u)
		if stopped {
			u.state = ended
			u.end() // it has not begun
		}
		return stopped
	}
}
