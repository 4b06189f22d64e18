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
	e.begin(op, p, a)
	return false
}

// Note is not called, for nothing is traced.
func (e *engine) Note(string, ...any) {}

// Missed needs no account: a CompareAndSwap takes the line, whatever comes of it.
func (e *engine) Missed() {}

// begin is the beginning of an operation on a primitive: an access to its line.
func (e *engine) begin(op prim.Op, p unsafe.Pointer, a access) (*thread, *cell) {
	t := e.sync()
	c := e.cells.at(p)
	e.observe(t, int(op), c)
	e.access(t, c, c.line, a)
	e.charge(t, local, e.cost.op)
	return t, c
}

// Processors is [prim.Processors].
func (e *engine) Processors() int { return e.machine.Processors }

// Now is [prim.Now]. The simulator charges the call and nothing else.
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
	e.observe(t, -1, c)
	e.access(t, c, l, a)
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

// Yield is [prim.Yield]. [prim.Spin] calls SpinFor.
func (e *engine) Yield(op prim.Op) {
	t := e.sync()
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
	e.observe(t, int(prim.OpGo), nil)
	e.charge(t, waking, e.cost.spawn)
	e.sync()
	e.dispatch(t, e.newThread(f))
}

// AfterFunc is [prim.AfterFunc] of a context that never ends.
func (e *engine) AfterFunc(ctx context.Context, _ func()) (stop func() bool) {
	forever(ctx)
	t := e.sync()
	e.charge(t, waking, e.cost.ready)
	return func() bool { return true }
}
