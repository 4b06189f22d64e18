package prim

import (
	"context"
	"unsafe"
)

// A Parker lets one goroutine wait until another releases it. It holds at
// most one permit: Unpark leaves it; Park takes it, and waits if there is none.
//
// One goroutine at a time may call Park, and any number may call Unpark. What
// happens before an Unpark happens before the return of the Park that takes
// its permit. The zero Parker is not usable; call [NewParker].
type Parker struct {
	permit chan struct{}
}

// NewParker returns a Parker without a permit.
func NewParker() *Parker { return &Parker{permit: make(chan struct{}, 1)} }

// Park waits for the permit and takes it. The permit may be left over from an
// earlier wait, so the caller must look again at what it waits for.
func (p *Parker) Park() {
	if d := current(); d != nil {
		d.Park(unsafe.Pointer(p), nil)
		return
	}
	<-p.permit
}

// ParkContext is [Parker.Park] until ctx is done: then it takes no permit and
// returns the error of ctx.
func (p *Parker) ParkContext(ctx context.Context) error {
	if d := current(); d != nil {
		if d.Park(unsafe.Pointer(p), ctx) {
			return ctx.Err()
		}
		return nil
	}
	select {
	case <-p.permit:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Unpark leaves a permit if there is none. It never blocks. It exposes the
// goroutine that was waiting: see [Expose].
func (p *Parker) Unpark() {
	if d := current(); d != nil {
		d.Unpark(unsafe.Pointer(p))
		return
	}
	select {
	case p.permit <- struct{}{}:
		Expose()
	default:
	}
}
