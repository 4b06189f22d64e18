package latch

import (
	"container/list"
	"context"

	"github.com/rouse-go/rouse/api/prim"
)

// The states of an Outside. They only go up.
const (
	outsideUnset   uint32 = iota // not set, and no goroutine has waited
	outsideWaiting               // not set, and there may be waiters in the list
	outsideSet
)

// An Outside is a latch for goroutines that are not workers. Any number of
// them may wait for it, at any time, before and after it is set. The zero
// Outside is unset and ready for use. Do not copy it after first use.
//
// Set without waiters costs one atomic write; Wait and Probe of a latch that is
// set cost one atomic load. A Wait that blocks takes the latch's lock once, or
// twice if its context is done first, and allocates three small objects. If any
// goroutine waits, Set takes the lock once, and releases the waiters one by one.
type Outside struct {
	// state is one of the three above.
	//
	// Writers: Set, by a swap; the first waiter, holding mu.
	// Readers: any goroutine.
	// Pairs:   Set's swap with the load in enter, which happens under mu:
	//          either that load meets set, or the swap meets waiting and
	//          Set's Lock comes after the waiter's Unlock.
	state prim.Uint32

	mu prim.Mutex
	// waiters has the parker of each goroutine that waits, guarded by mu. Once the latch
	// is set only Set touches it.
	waiters list.List
}

// NewOutside returns an Outside that is unset.
func NewOutside() *Outside { return new(Outside) }

// Probe reports whether the latch is set.
func (o *Outside) Probe() bool { return o.state.Load() == outsideSet }

// Set sets the latch and releases all waiters. Calling it again does nothing.
func (o *Outside) Set() {
	if o.state.Swap(outsideSet) == outsideWaiting {
		o.release()
	}
}

// release empties the list and unparks every goroutine that was in it. It runs once.
func (o *Outside) release() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for e := o.waiters.Front(); e != nil; e = e.Next() {
		e.Value.(*prim.Parker).Unpark()
	}
	o.waiters.Init()
}

// Wait returns nil when the latch is set, or the error of ctx if that is done first.
// If the latch is set, it returns nil even if ctx is done too.
func (o *Outside) Wait(ctx context.Context) error {
	if o.Probe() {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	parker := prim.NewParker()
	place := o.enter(parker)
	for !o.Probe() {
		if err := parker.ParkContext(ctx); err != nil {
			if o.leave(place) {
				return err
			}
			break
		}
	}
	return nil
}

// enter puts a parker into the list, unless the latch is set.
func (o *Outside) enter(parker *prim.Parker) *list.Element {
	o.mu.Lock()
	defer o.mu.Unlock()
	// The state leaves unset only here, by a holder of mu, or for good.
	if !o.state.CompareAndSwap(outsideUnset, outsideWaiting) && o.Probe() {
		return nil
	}
	return o.waiters.PushBack(parker)
}

// leave takes a place out of the list, so that a wait that gives up leaves nothing behind.
// It returns false if the latch is set: then the list belongs to Set.
func (o *Outside) leave(place *list.Element) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.Probe() {
		return false
	}
	o.waiters.Remove(place)
	return true
}
