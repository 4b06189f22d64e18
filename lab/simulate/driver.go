//go:build explore

package simulate

import (
	"context"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
)

// The methods of [prim.Driver] that do not block.

var _ prim.Driver = (*engine)(nil)

// Atomic accesses the line, and returns when the operation takes effect. A
// CompareAndSwap takes the line, whatever comes of it.
func (e *engine) Atomic(op prim.Op, p unsafe.Pointer) (traced bool) {
	a := modify
	if op == prim.OpLoad {
		a = read
	}
	e.begin(p, a)
	return false
}

// Missed is that of a CompareAndSwap.
func (e *engine) Missed() {}

// Note is not called, for nothing is traced.
func (e *engine) Note(string, ...any) {}

// begin is the beginning of an operation on a primitive: an access to its line.
func (e *engine) begin(p unsafe.Pointer, a access) (*thread, *cell) {
	t := e.sync()
	c := e.cells.at(p)
	e.access(t, c, c.line, a)
	e.charge(t, local, e.costs[instructions])
	return t, c
}

// Processors is [prim.Processors].
func (e *engine) Processors() int { return e.Machine.Processors }

// Now is [prim.Now]. The call takes no time.
func (e *engine) Now() time.Duration { return time.Duration(e.current.clock / Nanosecond) }

// Touch is [prim.Touch]. To a line that is here it takes a few instructions only, and
// needs no exact order.
func (e *engine) Touch(p unsafe.Pointer, size uintptr, writes bool) {
	t, c := e.current, e.cells.at(p)
	a := read
	if writes {
		a = write
	}
	touch := func(l *line) {
		if !t.here(l, a) {
			e.sync()
			e.access(t, c, l, a)
		}
	}
	touch(c.line)
	if o := c.object; o != nil {
		first := uintptr(p) - uintptr(o.base)
		for at := first/lineSize + 1; at*lineSize < min(first+size, o.size); at++ {
			touch(&o.lines[at])
		}
	}
	e.charge(t, local, e.costs[instructions])
}

// Size is [prim.Size].
func (e *engine) Size(n int) int { return n }

// Spin is [prim.Spin].
func (e *engine) Spin(n int) { e.charge(e.current, idling, Time(n)*e.costs[spin]) }

// Expose is [prim.Expose]: a goroutine is started and ends.
func (e *engine) Expose() { e.charge(e.current, idling, e.costs[spawn]) }

// Callers is [prim.Callers]: a goroutine looks at its stack before it waits.
func (e *engine) Callers() { e.charge(e.current, idling, e.costs[callers]) }

// Yield is [prim.Yield].
func (e *engine) Yield() { e.giveTurn(e.sync()) }

// Go is [prim.Go].
func (e *engine) Go(f func()) {
	t := e.sync()
	e.charge(t, idling, e.costs[spawn])
	e.sync()
	e.dispatch(t, e.newThread(f))
}

// AfterFunc is [prim.AfterFunc] of a context that never ends.
func (e *engine) AfterFunc(ctx context.Context, _ func()) (stop func() bool) {
	forever(ctx)
	e.charge(e.sync(), idling, e.costs[ready])
	return func() bool { return true }
}

// forever panics if the context can end: the simulator does not know of that.
func forever(ctx context.Context) {
	if ctx != nil && ctx.Done() != nil {
		panic("a context that can end is not simulated")
	}
}
