package deque

import (
	"fmt"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// chaseLevCapacity is the initial capacity: more than a pool's public deques
// hold most of the time, and small in memory.
const chaseLevCapacity = 16

// ChaseLev is the lock-free deque of Chase and Lev (SPAA 2005). Make it with
// [NewChaseLev], and do not copy it.
//
// Push costs two atomic writes and Pop one, or two if thieves come near the last
// item. Each also clears the items taken since the owner's last operation, with
// one write for each item. Steal costs one atomic write. No operation waits for
// another. Only a Push that finds the ring full allocates: it doubles the ring,
// which never shrinks.
type ChaseLev[T any] struct {
	_ [cacheLine]byte

	// top is the index of the oldest item.
	//
	// Writers: a taker of the oldest item, by CAS, up by one.
	// Readers: thieves; the owner.
	// Pairs:   Pop's write of bottom and read of top with Steal's read of
	//          top and read of bottom, README "Proof sketch".
	// Wraps:   mod 2^64; only differences are looked at.
	top prim.Int64

	_ [cacheLine]byte // thieves write above, the owner below

	// bottom is one more than the index of the newest item, or one less than
	// top after a Pop that lowered it in vain.
	//
	// Writers: the owner.
	// Readers: thieves. The owner reads its own copy.
	// Pairs:   see top. Also, Push's write publishes the slot to Steal.
	bottom prim.Int64

	// ring holds the items of indexes top up to bottom. An old ring is never
	// written again, so a thief that still reads it finds the old items.
	//
	// Writers: the owner, when it grows.
	// Readers: thieves, after top and bottom; the owner.
	ring prim.Pointer[ring[T]]

	own owned

	_ [cacheLine]byte
}

var _ api.Deque[int] = (*ChaseLev[int])(nil)

// Only the owner touches owned. The fields are plain, and each operation reads
// bottom before its first atomic access and writes it after its last one
// (except a Pop that finds nothing). So nothing orders the accesses of two
// owners, and the race detector reports them (D9).
type owned struct {
	// bottom is the owner's copy of ChaseLev.bottom.
	bottom int64
	// cleared is where clearing goes on: no slot of a lower index holds an
	// item.
	cleared int64
	// popped says that the slot of index bottom still holds an item that
	// was popped.
	popped bool
}

// NewChaseLev returns an empty deque.
func NewChaseLev[T any]() *ChaseLev[T] { return NewChaseLevAt[T](chaseLevCapacity, 0) }

// NewChaseLevAt returns an empty deque with room for at least the given number
// of items before it grows, and with indexes from start on. It is for tests: a
// small deque grows and wraps all the time, and indexes just below math.MaxInt64
// overflow. It panics if the capacity is below 1.
func NewChaseLevAt[T any](capacity int, start int64) *ChaseLev[T] {
	if capacity < 1 {
		panic(fmt.Sprintf("deque: capacity %d, must be at least 1", capacity))
	}
	d := &ChaseLev[T]{own: owned{bottom: start, cleared: start}}
	prim.Declare(d)
	d.top.Store(start)
	d.bottom.Store(start)
	d.ring.Store(newRing[T](capacity))
	return d
}

// Push implements [api.Deque]. It panics if the item is nil.
func (d *ChaseLev[T]) Push(item *T) {
	if item == nil {
		panic(errNil)
	}
	b := d.own.bottom
	t := d.top.Load()
	if d.own.cleared != t {
		d.clear(t)
	}
	r := d.ring.Load()
	// top may have moved on since; then there is more room than it seems.
	if b-t >= r.len() {
		r = r.grown(t, b)
		d.ring.Store(r)
	}
	r.slot(b).Store(item) // also clears the item that was popped from here
	d.bottom.Store(b + 1)
	d.own.bottom, d.own.popped = b+1, false
}

// Pop implements [api.Deque]. On an empty deque it writes nothing.
func (d *ChaseLev[T]) Pop() *T {
	b := d.own.bottom
	popped := d.own.popped
	t := d.top.Load()
	if d.own.cleared != t {
		d.clear(t)
	}
	if popped {
		d.ring.Load().slot(b).Store(nil)
		d.own.popped = false
	}
	switch n := b - t; n {
	case 0:
		return nil
	case 1:
		// Taken as a thief does it, so bottom need not go down and up again.
		item := d.takeLast(b)
		d.own.bottom = b // no news to the owner, but to the race detector
		return item
	}

	b--
	d.bottom.Store(b)
	// Thieves may have come near while bottom was higher. A thief that reads
	// top after this load finds bottom lowered, and keeps off index b.
	t = d.top.Load()
	if b-t > 0 {
		item := d.ring.Load().slot(b).Load()
		d.own.bottom, d.own.popped = b, true
		return item
	}
	// All others are gone, and the item at b is the last one, or gone too.
	// bottom stays one below top until the next Push: to a thief that is no
	// emptier than equal.
	item := d.takeLast(b + 1)
	d.own.bottom = b + 1
	return item
}

// takeLast takes the item at index b-1, the last one, unless a thief does so
// first.
func (d *ChaseLev[T]) takeLast(b int64) *T {
	item := d.ring.Load().slot(b - 1).Load()
	if !d.top.CompareAndSwap(b-1, b) {
		return nil
	}
	return item
}

// clear removes the items below index t, which were taken, from their slots. A
// thief must not: by the time of its write the slot may hold the next item.
func (d *ChaseLev[T]) clear(t int64) {
	r := d.ring.Load()
	for i := d.own.cleared; i != t; i++ {
		r.slot(i).Store(nil)
	}
	d.own.cleared = t
}

// Steal implements [api.Deque].
func (d *ChaseLev[T]) Steal() (item *T, outcome api.Outcome) {
	// The order of these four loads matters, README "Stealing".
	t := d.top.Load()
	b := d.bottom.Load()
	if b-t <= 0 {
		return nil, api.Empty
	}
	item = d.ring.Load().slot(t).Load()
	if !d.top.CompareAndSwap(t, t+1) {
		return nil, api.Lost
	}
	return item, api.Stolen
}

// Len implements [api.Deque]. It costs three atomic loads, and starts again if
// an item is stolen meanwhile, so it returns the length of one moment.
func (d *ChaseLev[T]) Len() int {
	for {
		t := d.top.Load()
		n := d.bottom.Load() - t
		if d.top.Load() == t {
			return int(max(n, 0))
		}
	}
}
