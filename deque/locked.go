package deque

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// Locked is a deque behind a mutex, a ring that doubles when it is full. Its code is
// easy to check. Each operation costs a lock. Steal never ends in [api.Lost]. The
// zero Locked is empty and ready for use. Do not copy it after first use.
type Locked[T any] struct {
	// turns counts the owner's operations. It is plain, and changes after
	// the lock was given up, so that nothing orders the turns of two owners
	// and the race detector reports them (D9).
	turns uint64

	mu prim.Mutex
	// items is a ring, guarded by mu like what follows. Its length is zero or
	// a power of two.
	items []*T
	// oldest is where the oldest item is.
	oldest int
	// n is the number of items.
	n int
}

var _ api.Deque[int] = (*Locked[int])(nil)

// NewLocked returns an empty deque.
func NewLocked[T any]() *Locked[T] {
	d := new(Locked[T])
	prim.Declare(d)
	return d
}

// Push implements [api.Deque]. It panics if the item is nil.
func (d *Locked[T]) Push(item *T) {
	if item == nil {
		panic(errNil)
	}
	d.mu.Lock()
	if d.n == len(d.items) {
		d.grow()
	}
	d.items[d.place(d.n)] = item
	d.n++
	d.mu.Unlock()
	d.turns++
}

// Pop implements [api.Deque].
func (d *Locked[T]) Pop() *T {
	d.mu.Lock()
	var item *T
	if d.n > 0 {
		d.n--
		item = d.take(d.place(d.n))
	}
	d.mu.Unlock()
	d.turns++
	return item
}

// Steal implements [api.Deque].
func (d *Locked[T]) Steal() (item *T, outcome api.Outcome) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.n == 0 {
		return nil, api.Empty
	}
	item = d.take(d.oldest)
	d.oldest = d.place(1)
	d.n--
	return item, api.Stolen
}

// Len implements [api.Deque].
func (d *Locked[T]) Len() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.n
}

// place returns where the i-th oldest item is, or is to be.
func (d *Locked[T]) place(i int) int { return (d.oldest + i) & (len(d.items) - 1) }

// take empties a place and returns what it held.
func (d *Locked[T]) take(place int) *T {
	item := d.items[place]
	d.items[place] = nil
	return item
}

// grow doubles the ring.
func (d *Locked[T]) grow() {
	items := make([]*T, max(8, 2*len(d.items)))
	for i := range d.n {
		items[i] = d.items[d.place(i)]
	}
	d.items, d.oldest = items, 0
}
