package deque

import "github.com/rouse-go/rouse/api/prim"

// A ring is a circular array of slots. Its length is a power of two, so that
// index i lives in the same slot whether or not the indexes have wrapped.
type ring[T any] struct {
	slots []prim.Pointer[T]
}

// newRing returns a ring of at least the given length.
func newRing[T any](length int) *ring[T] {
	n := 1
	for n < length {
		n *= 2
	}
	r := &ring[T]{slots: make([]prim.Pointer[T], n)}
	prim.DeclareSlice(r.slots)
	return r
}

func (r *ring[T]) len() int64 { return int64(len(r.slots)) }

// slot returns the place of index i. Thieves that are late read slots of any
// index, so all access is atomic.
func (r *ring[T]) slot(i int64) *prim.Pointer[T] {
	return &r.slots[uint64(i)&uint64(len(r.slots)-1)]
}

// grown returns a ring of twice the length with the items of indexes from up
// to to.
func (r *ring[T]) grown(from, to int64) *ring[T] {
	g := newRing[T](2 * len(r.slots))
	for i := from; i != to; i++ {
		g.slot(i).Store(r.slot(i).Load())
	}
	return g
}
