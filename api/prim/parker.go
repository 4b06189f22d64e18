package prim

import "context"

// A Parker lets one goroutine wait until another releases it. It holds at
// most one permit: Unpark leaves it, Park takes it, waiting if there is none.
//
// Park may be called by one goroutine at a time, Unpark by any number. What
// happens before an Unpark happens before the return of the Park that takes
// its permit. The zero Parker is not usable; call [NewParker].
type Parker struct {
	permit chan struct{}
}

// NewParker returns a Parker without a permit.
func NewParker() *Parker { return &Parker{permit: make(chan struct{}, 1)} }

// Park takes the permit, waiting until there is one. A permit may be a stale
// one, so the caller must look again at what it waits for.
func (p *Parker) Park() {
	if _, ok := parkDriven(p, nil); ok {
		return
	}
	<-p.permit
}

// ParkContext is [Parker.Park], given up when ctx ends. It then returns the
// error of ctx and takes no permit.
func (p *Parker) ParkContext(ctx context.Context) error {
	if ended, ok := parkDriven(p, ctx); ok {
		if ended {
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

// Unpark leaves a permit if there is none. It never blocks. The goroutine that
// was waiting is exposed: see [Expose].
func (p *Parker) Unpark() {
	if unparkDriven(p) {
		return
	}
	select {
	case p.permit <- struct{}{}:
		Expose()
	default:
	}
}
